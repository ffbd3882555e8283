"""OpenAI's API as it goes over the wire: what a request is sent as, and what its response says."""

import json
import re
from collections.abc import Sequence
from typing import Any

import msgspec

from evaltrail import jsonl
from evaltrail.clients.limits import Passing
from evaltrail.cut import first_stop
from evaltrail.errors import InputError
from evaltrail.exchange import Reply, Request

# What a request says in fields of its own, or what would change the form of the response.
_TAKEN = {
    "model",
    "messages",
    "prompt",
    "n",
    "seed",
    "stop",
    "tools",
    "stream",
    "max_tokens",
    "max_completion_tokens",
}
# Where servers name the stop sequence that ended a reply: vLLM, SGLang.
_STOP_NAMES = ("stop_reason", "matched_stop")
# Where servers put the reasoning: DeepSeek, vLLM, llama.cpp; OpenRouter, newer vLLM.
_REASONING = ("reasoning_content", "reasoning")


def check(request: Request, api: str) -> None:
    """Raises InputError for a request that this API has no form for."""
    if isinstance(request.messages, str) != (api == "completions"):
        what = f"the API {api!r} takes " + (
            "a text, not messages" if api == "completions" else "messages, not a text"
        )
        raise InputError("params.yaml", what, field="api", fix="take the other one: chat or completions")
    if taken := sorted(_TAKEN & request.sampling.keys()):
        raise InputError(
            "params.yaml", "is no setting of its own", field=taken[0], fix="leave it out of generation"
        )


def body(requests: Sequence[Request], max_stops: int, length_field: str) -> dict[str, Any]:
    """What is sent beside model and prompt for requests that differ in `sample` alone."""
    request = requests[0]
    own = {
        "n": len(requests) if len(requests) > 1 else None,
        "seed": request.seed,
        "stop": list(request.stop[:max_stops]) or None,
        "tools": list(request.tools) or None,
        length_field: request.max_tokens,
    }
    return request.sampling | {key: value for key, value in own.items() if value is not None}


def load(content: bytes) -> dict[str, Any]:
    """The response's JSON object. Raises Passing where it is none: a part of it, or another server's page."""
    try:
        response = json.loads(content.decode("utf-8"), parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise Passing("the response is no JSON, or only a part of it", billed=True) from None
    if not isinstance(response, dict) or not {"choices", "error"} & response.keys():
        raise Passing("the response has no choices", billed=True)
    return response


def _refuse(constant: str):
    raise ValueError(constant)  # NaN and Infinity, which no JSON can hold


def replies(
    response: dict[str, Any], request: Request, wanted: int, max_stops: int, endpoint: str
) -> list[Reply]:
    """The replies that came, at most `wanted`, in the order of their index; a choice that came twice counts once.

    A response without choices is one reply without text where one was wanted. Raises InputError for a response of
    another form than OpenAI's.
    """
    try:
        choices = _distinct(response["choices"] or [])
        usage = usage_of(response) if len(response["choices"] or []) <= 1 else None
        made = [_reply(choice, response, usage, request, max_stops) for choice in choices[:wanted]]
        made = [msgspec.convert(msgspec.to_builtins(reply), Reply) for reply in made]
        for reply in made:
            jsonl.encode(reply.logprobs)
    except (TypeError, AttributeError, KeyError, ValueError):
        what = "the endpoint's response has another form than OpenAI's API"
        raise InputError(endpoint, what, fix="check endpoint and api (chat or completions)") from None
    if not made and wanted == 1:
        return [Reply(text=None, finish=None, model=_model(response), usage=usage)]
    return made


def usage_of(response: dict[str, Any]) -> dict[str, int] | None:
    """What the response says that it took, as far as it says it."""
    said = response.get("usage") or {}
    shown = {key: said.get(key) for key in ("prompt_tokens", "completion_tokens")}
    return {key: count for key, count in shown.items() if type(count) is int} or None


def _distinct(choices: list[dict[str, Any]]) -> list[dict[str, Any]]:
    by_index: dict[int, dict[str, Any]] = {}
    for position, choice in enumerate(choices):
        index = choice.get("index")
        by_index.setdefault(index if type(index) is int else position, choice)
    return [by_index[index] for index in sorted(by_index)]


def _reply(choice, response, usage, request: Request, max_stops: int) -> Reply:
    message = choice if isinstance(request.messages, str) else choice["message"] or {}
    text = message.get("text" if isinstance(request.messages, str) else "content")
    sent = request.stop[:max_stops]
    end, stop = first_stop(text or "", request.stop)
    finish = _text(choice.get("finish_reason"))
    said = next((choice[name] for name in _STOP_NAMES if choice.get(name) in sent), None)
    return Reply(
        text=text[:end] if text is not None else None,
        finish=finish if stop is None else "stop",
        stop=stop or said,
        ended=finish == "stop" and not sent and stop is None,
        model=_model(response),
        usage=usage,
        reasoning=next((message[name] for name in _REASONING if isinstance(message.get(name), str)), None),
        tool_calls=tuple(message.get("tool_calls") or ()),
        logprobs=choice.get("logprobs"),
    )


def _model(response: dict[str, Any]) -> str | None:
    """The model's name; of a path on the server's machine only the last part, for no output may depend on the rest."""
    name = _text(response.get("model"))
    return re.split(r"[/\\]", name)[-1] if name and re.match(r"[/\\~]|[A-Za-z]:[/\\]", name) else name


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
