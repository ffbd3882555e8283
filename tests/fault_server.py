"""An OpenAI-compatible endpoint on loopback that answers as its script says: one act a request, in order of arrival.

When the script is over it answers well. It keeps what it was sent, and how many requests it had at once.
"""

import json
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Act = Callable[[BaseHTTPRequestHandler, dict[str, Any]], None]


class FaultServer(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, *script: Act):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.script = list(script)
        self.bodies: list[dict[str, Any]] = []  # in order of arrival
        self.headers: list[dict[str, str]] = []
        self.at: list[float] = []
        self.in_flight = self.most = self.answered = 0
        self.changed = threading.Condition()
        self.closing = threading.Event()
        self.url = f"http://127.0.0.1:{self.server_port}/v1"

    def __enter__(self) -> "FaultServer":
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *_) -> None:
        self.closing.set()
        self.shutdown()
        self.server_close()

    @property
    def count(self) -> int:
        """How many requests came."""
        return len(self.bodies)

    def wait_for(self, condition: Callable[[], bool]) -> None:
        """Waits until something that requests change has come about."""
        with self.changed:
            assert self.changed.wait_for(condition, timeout=30), (
                f"{self.count} requests, {self.in_flight} in flight"
            )

    def handle_error(self, request, client_address) -> None:
        """A client that went away is part of the play."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: FaultServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        server = self.server
        with server.changed:
            server.bodies.append(body)
            server.headers.append({name.lower(): value for name, value in self.headers.items()})
            server.at.append(time.monotonic())
            server.in_flight += 1
            server.most = max(server.most, server.in_flight)
            act = server.script.pop(0) if server.script else well()
            server.changed.notify_all()
        try:
            act(self, body)
        finally:
            with server.changed:
                server.in_flight -= 1
                server.answered += 1
                server.changed.notify_all()

    def reply(
        self, status: int, content: bytes, headers: dict[str, str] | None = None, length: int = 0
    ) -> None:
        """A response; `length`: how long it claims to be, if that is not true."""
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(length or len(content)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)
        self.wfile.flush()

    def log_message(self, *_) -> None:
        pass


def text_of(body: dict[str, Any], sample: int = 0) -> str:
    """What the server says to a request: what was asked, with what seed, and which choice this is."""
    asked = body["messages"][-1]["content"] if "messages" in body else body["prompt"]
    return f"to {asked!r} seed {body.get('seed')} choice {sample}"


def choice(text: str | None, index: int = 0, finish: str | None = "stop", **message) -> dict[str, Any]:
    return {"index": index, "message": {"content": text, **message}, "finish_reason": finish}


def response(*choices: dict[str, Any], usage: dict[str, int] | None = None, **more) -> dict[str, Any]:
    made = {"id": "fault-1", "object": "chat.completion", "model": "fault-model", "choices": list(choices)}
    return made | ({} if usage is None else {"usage": usage}) | more


def says(*choices: dict[str, Any], usage: dict[str, int] | None = None, **more) -> Act:
    """Answers with these choices."""
    return raw(json.dumps(response(*choices, usage=usage, **more)).encode())


def well(usage: dict[str, int] | None = None, gives: int | None = None) -> Act:
    """Answers with as many choices as were asked for, or with `gives`."""

    def act(handler, body) -> None:
        texts = [text_of(body, sample) for sample in range(gives or body.get("n", 1))]
        if "messages" in body:
            choices = [choice(text, index) for index, text in enumerate(texts)]
        else:
            choices = [{"index": n, "text": text, "finish_reason": "stop"} for n, text in enumerate(texts)]
        shown = usage or {"prompt_tokens": 10, "completion_tokens": 5}
        handler.reply(200, json.dumps(response(*choices, usage=shown)).encode())

    return act


def raw(content: bytes, status: int = 200, **headers: str) -> Act:
    """Answers with these bytes."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda handler, body: handler.reply(status, content, named)


def fails(status: int, message: str = "no", code: str | None = None, **headers: str) -> Act:
    """An error as OpenAI's API has it."""
    return raw(json.dumps({"error": {"message": message, "code": code}}).encode(), status, **headers)


def echoes(status: int) -> Act:
    """An error that repeats the header with the key, as it came and within a message."""

    def act(handler, body) -> None:
        sent = handler.headers["Authorization"]
        error = {
            "message": f"Incorrect API key provided: {sent.split()[-1]} in 'Authorization: {sent}'",
            "param": sent,
        }
        handler.reply(status, json.dumps({"error": error}).encode())

    return act


def stalls(seconds: float = 60) -> Act:
    """Says nothing for so long."""
    return lambda handler, body: handler.server.closing.wait(seconds)


def drips(seconds: float = 60) -> Act:
    """Sends a byte every tenth of a second: never silent, never done."""

    def act(handler, body) -> None:
        handler.reply(200, b" ", length=10_000)
        while not handler.server.closing.wait(0.1):
            handler.wfile.write(b" ")
            handler.wfile.flush()

    return act


def cuts(after: bytes | None = b'{"choices": [{"index": 0, "mess') -> Act:
    """Ends the connection in the middle of the body, or before any response (None)."""

    def act(handler, body) -> None:
        if after is not None:
            handler.reply(200, after, length=10_000)
        handler.close_connection = True
        handler.connection.shutdown(2)

    return act


def held(until: Callable[[], bool], then: Act | None = None) -> Act:
    """Answers when a condition on the server has come about."""

    def act(handler, body) -> None:
        handler.server.wait_for(lambda: until() or handler.server.closing.is_set())
        (then or well())(handler, body)

    return act
