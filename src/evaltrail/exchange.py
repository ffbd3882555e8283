"""What passes between evaltrail and a model: one request, one reply, and what only the response log keeps of it."""

from typing import Any

import msgspec

BYTES = 4  # of a text, for a token: a usual ratio


class Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One sample of one turn, as it is sent.

    messages: chat messages as OpenAI's API has them, or the text that a text completion continues.
    sampling: what else shapes the text, as temperature, top_p and settings that only this endpoint knows.
    """

    messages: tuple[dict[str, Any], ...] | str
    sample: int = 0
    seed: int | None = None  # of this sample
    sampling: dict[str, Any] = {}
    tools: tuple[dict[str, Any], ...] = ()
    stop: tuple[str, ...] = ()
    max_tokens: int | None = None


class Reply(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What came back, untouched but for the end: `text` goes up to the stop, even if an endpoint left it in."""

    text: str | None
    finish: str | None  # why the model ended, as it said: stop, length, content_filter, tool_calls, ...
    stop: str | None = None  # the stop sequence that ended the text, where that is known
    ended: bool = False  # the model is known to have ended by itself
    model: str | None = None  # the model's name as the endpoint gave it
    usage: dict[str, int] | None = None  # of this reply alone: prompt_tokens, completion_tokens, where shown
    reasoning: str | None = None
    tool_calls: tuple[dict[str, Any], ...] = ()
    logprobs: dict[str, Any] | None = None


class Exchange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request and its reply. origin: seconds, versions, device and the like, which no output may depend on."""

    request: Request
    reply: Reply
    origin: dict[str, Any] = {}
