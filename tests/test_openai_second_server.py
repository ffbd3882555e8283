"""The `openai` client against a second real server, `transformers serve`, with a small Llama made on the spot.

It gives one choice whatever `n` says, and keeps the stop sequence and the rest of its token in the text.
"""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

import tiny_llama
from evaltrail.clients import connect
from evaltrail.exchange import Reply, Request

GREEDY = {"temperature": 0}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """The endpoint's base URL and the model's name there."""
    folder = tiny_llama.train(tmp_path_factory.mktemp("served") / "model")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [Path(sys.executable).parent / "transformers", "serve", str(folder), "--device", "cpu"]
    options = ["--dtype", "float32", "--host", "127.0.0.1", "--port", str(port), "--log-level", "error"]
    offline = {**os.environ, "HF_HUB_OFFLINE": "1", "CUDA_VISIBLE_DEVICES": ""}
    with open(folder.parent / "log", "w") as log:
        process = subprocess.Popen([*command, *options], env=offline, stdout=log, stderr=log)
    try:
        wait_for(f"http://127.0.0.1:{port}/health", process, folder.parent / "log")
        yield f"http://127.0.0.1:{port}/v1", str(folder)
    finally:
        process.kill()
        process.wait()


def wait_for(url: str, process: subprocess.Popen, log: Path) -> None:
    for _ in range(600):
        assert process.poll() is None, log.read_text()[-2000:]
        try:
            urllib.request.urlopen(url, timeout=5).close()
            return
        except OSError:
            time.sleep(0.2)
    raise AssertionError(log.read_text()[-2000:])


def asked(server, requests: list[Request], **settings) -> tuple[list[Reply], list[str]]:
    url, model = server
    said: list[str] = []
    client = connect("openai", {"model": model, "endpoint": url, "concurrency": 2} | settings, said.append)
    replies = {id(exchange.request): exchange.reply for exchange in client.ask(requests)}
    return [replies[id(request)] for request in requests], said


def chat(question: str, **fields) -> Request:
    return Request(messages=tiny_llama.chat(question), **({"sampling": GREEDY, "max_tokens": 40} | fields))


def test_what_it_knows_by_heart_comes_back(server):
    questions = ["How much is 2+2?", "Name a city.", "Count."]
    replies, _ = asked(server, [chat(question) for question in questions])
    assert [reply.text for reply in replies] == [tiny_llama.ANSWERS[question] for question in questions]


def test_every_sample_comes_although_it_gives_one_choice_for_n(server):
    replies, said = asked(server, [chat("How much is 2+2?", sample=sample) for sample in range(4)])
    assert [reply.text for reply in replies] == ["4"] * 4
    assert any("one by one" in line for line in said), said


@pytest.mark.parametrize(
    ("stop", "text"), [("three", "one two "), (" th", "one two"), ("six", "one two three four five ")]
)
def test_a_stop_is_cut_at_its_beginning(server, stop, text):
    (reply,), _ = asked(server, [chat("Count.", stop=(stop,))])
    assert (reply.text, reply.stop, reply.finish) == (text, stop, "stop")


def test_a_text_is_continued(server):
    (reply,), _ = asked(
        server,
        [Request(messages=tiny_llama.prompt("Which?"), sampling=GREEDY, max_tokens=40, stop=("\n",))],
        api="completions",
    )
    assert reply.text == "B"
