"""Requests a second of the `openai` client against the server's own limit: `python bench/openai.py`.

Starts llama.cpp's server with SmolLM2-135M-Instruct, as the tests do, and asks it the same short questions at
concurrency 1, 4 and 16: by bare loops over sockets, which is the server's own limit, and by the client. Both in turn,
several times, and the best of each, for a machine has other things to do. Then the same against a process that answers
at once: what the client itself can do.
"""

import argparse
import asyncio
import http.client
import json
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

REPO = Path(__file__).parent.parent
sys.path.insert(0, str(REPO / "tests"))
# Not the folder of this file: it is called like the package.
sys.path = [place for place in sys.path if Path(place).resolve() != Path(__file__).parent.resolve()]

from evaltrail.clients import connect  # noqa: E402
from evaltrail.exchange import Request  # noqa: E402

SAMPLING = {"temperature": 0, "top_k": 0, "min_p": 0}
LENGTH = 4  # tokens of a reply


def questions(count: int) -> list[str]:
    return [f"{n}, {n + 1}, {n + 2}," for n in range(count)]


def bare(url: str, count: int, concurrency: int) -> float:
    """Requests a second of loops that only send and read."""
    place = urlsplit(url)
    left = iter(questions(count))

    def loop(_) -> None:
        connection = http.client.HTTPConnection(place.hostname, place.port)
        for prompt in left:
            body = json.dumps({"model": "m", "prompt": prompt, "max_tokens": LENGTH, "seed": 1} | SAMPLING)
            connection.request(
                "POST", f"{place.path}/completions", body, {"Content-Type": "application/json"}
            )
            answer = connection.getresponse()
            assert answer.status == 200 and json.load(answer)["choices"]
        connection.close()

    start = time.perf_counter()
    with ThreadPoolExecutor(concurrency) as pool:
        list(pool.map(loop, range(concurrency)))
    return count / (time.perf_counter() - start)


def client(url: str, count: int, concurrency: int) -> float:
    """Requests a second of the client."""
    settings = {"model": "m", "endpoint": url, "api": "completions", "concurrency": concurrency}
    requests = [Request(prompt, seed=1, sampling=SAMPLING, max_tokens=LENGTH) for prompt in questions(count)]
    start = time.perf_counter()
    assert sum(1 for _ in connect("openai", settings, print).ask(requests)) == count
    return count / (time.perf_counter() - start)


def measure(name: str, url: str, count: int, rounds: int) -> None:
    client(url, 1, 1)  # what is loaded once
    for concurrency in (1, 4, 16):
        rates = [(bare(url, count, concurrency), client(url, count, concurrency)) for _ in range(rounds)]
        limit, reached = (max(rate) for rate in zip(*rates, strict=True))
        print(
            f"{name:9} concurrency {concurrency:2}: {limit:7.1f} requests/s bare, {reached:7.1f} by the client,",
            f"ratio {reached / limit:.2f}",
            flush=True,
        )


def answer_at_once() -> None:
    """A server that reads a request and sends the same response to each, until its standard input ends."""
    content = json.dumps({"choices": [{"index": 0, "text": "x", "finish_reason": "stop"}]}).encode()
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"

    async def serve(reader, writer) -> None:
        try:
            while True:
                lines = (await reader.readuntil(b"\r\n\r\n")).lower().split(b"\r\n")
                length = next(
                    int(line.split(b":")[1]) for line in lines if line.startswith(b"content-length:")
                )
                await reader.readexactly(length)
                writer.write(head.encode() + content)
        except asyncio.IncompleteReadError:
            writer.close()

    async def main() -> None:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)

    asyncio.run(main())


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--requests", type=int, default=64, help="in each round, of the real model")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--at-once", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.at_once:
        return answer_at_once()
    servers = [
        ("llama.cpp", [str(REPO / "tests/llama_server.py")], args.requests),
        ("at once", [__file__, "--at-once"], 20 * args.requests),
    ]
    for name, command, count in servers:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        with subprocess.Popen([sys.executable, *command], text=True, **pipes) as server:
            measure(name, f"{server.stdout.readline().strip()}/v1", count, args.rounds)


if __name__ == "__main__":
    main()
