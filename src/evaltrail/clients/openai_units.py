"""What is sent as one request: several samples where the endpoint draws them itself, and what it takes."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from evaltrail import jsonl
from evaltrail.clients import openai_wire
from evaltrail.clients.budget import Spent
from evaltrail.exchange import BYTES, Reply, Request

TEMPLATE = 64  # tokens at most that a chat template adds: marks, a system message of its own
UNKNOWN = 512  # tokens that a reply without max_tokens is thought to have


class Unit:
    """What is sent as one: requests that differ in `sample` alone."""

    def __init__(self, requests: Sequence[Request]):
        self.requests, self.request = requests, requests[0]
        self.tries = 0
        self._bytes = len(jsonl.encode([self.request.messages, self.request.tools]))
        length = self.request.max_tokens
        self.longest = None if length is None else length * len(requests)

    @property
    def worst(self) -> Spent:
        """The most that one try takes: no tokenizer makes more tokens of a text than it has bytes."""
        return Spent(1, self._bytes + TEMPLATE, self.longest or 0)

    @property
    def thought(self) -> float:
        """The tokens that one try is likely to take."""
        length = UNKNOWN * len(self.requests) if self.longest is None else self.longest
        return self._bytes / BYTES + length

    def used(self, response: dict[str, Any], made: Sequence[Reply]) -> Spent:
        """What a response took: as it says, and at worst where it does not.

        Some endpoints count the first of several choices alone; the texts show that.
        """
        said = openai_wire.usage_of(response) or {}
        seen = sum(len((reply.text or "").encode("utf-8", "replace")) for reply in made) // BYTES
        completion = said.get("completion_tokens", seen if self.longest is None else self.longest)
        if len(made) > 1:
            completion = max(completion, seen)
        return Spent(1, said.get("prompt_tokens", self.worst.prompt), completion)


def units(requests: Iterable[Request]) -> Iterator[Unit]:
    """The requests as they are sent. With a seed each is sent alone: its seed is its sample's."""
    groups: dict[Any, list[Request]] = {}
    for position, request in enumerate(requests):
        same = msgspec.to_builtins(msgspec.structs.replace(request, sample=0))
        groups.setdefault(jsonl.encode(same) if request.seed is None else position, []).append(request)
    return map(Unit, groups.values())
