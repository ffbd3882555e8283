"""A deterministic model behind an OpenAI-compatible endpoint: each prompt has one continuation, and stops are obeyed."""

import hashlib
import json
from typing import Any

from fault_server import FaultServer, choice, raw, response

WORDS = ["so", "the", "answer", "is", "A", "B", "C", "4", "0.13", "\n\n", "STOP", "well"]


def continuation(prompt: str, seed: int | None) -> list[str]:
    """What the model would say, token by token, until it ends by itself."""
    digest = hashlib.sha256(f"{prompt}|{seed}".encode()).digest()
    return [f" {WORDS[byte % len(WORDS)]}" for byte in digest[: 4 + digest[0] % 24]]


def obey(prompt: str, seed: int | None, stops: list[str], limit: int | None) -> tuple[str, str, int]:
    """The text up to the first stop, the finish reason, and how many tokens it took."""
    text, tokens = "", continuation(prompt, seed)
    for count, token in enumerate(tokens if limit is None else tokens[:limit], start=1):
        text += token
        if found := [text.index(stop) for stop in stops if stop in text]:
            return text[: min(found)], "stop", count
    cut = limit is not None and limit < len(tokens)
    return text, "length" if cut else "stop", min(len(tokens), limit or len(tokens))


class ObedientServer(FaultServer):
    """Answers every request as the model would."""

    def __init__(self):
        super().__init__()
        self.script = _Always(self._act)

    @staticmethod
    def _act(handler, body: dict[str, Any]) -> None:
        stops = body.get("stop") or []
        prompt = body["messages"][-1]["content"]
        text, finish, count = obey(prompt, body.get("seed"), stops, body.get("max_tokens"))
        usage = {"prompt_tokens": len(prompt.split()), "completion_tokens": count}
        raw(json.dumps(response(choice(text, finish=finish), usage=usage)).encode())(handler, body)


class _Always:
    """A script that never ends."""

    def __init__(self, act):
        self.act = act

    def pop(self, _):
        return self.act
