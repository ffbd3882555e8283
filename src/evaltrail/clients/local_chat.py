"""Chat messages as the text that a local model continues, and the tool calls in what it answers."""

import json
import re
from typing import Any

from evaltrail.errors import InputError
from evaltrail.exchange import Request

# Some templates write today's date into the prompt. A prompt must not depend on the day, so theirs is the day that
# the template of Llama 3.1 takes where it knows none.
_DATE = {
    "%Y": "2024",
    "%m": "07",
    "%d": "26",
    "%B": "July",
    "%b": "Jul",
    "%A": "Friday",
    "%H": "00",
    "%M": "00",
}
_FIXED_DATE = (
    "{%- macro strftime_now(format) -%}{{ format"
    + "".join(f" | replace('{sign}', '{value}')" for sign, value in _DATE.items())
    + " }}{%- endmacro -%}"
)
_CALL = re.compile(r"<tool_call>\s*(.*?)\s*</tool_call>", re.DOTALL)


def prompt(tokenizer, request: Request, name: str) -> str:
    """The chat of `request` in the tokenizer's chat template, up to where the model's answer begins.

    Raises InputError, naming the model, where there is no template or it refuses the messages or the tools.
    """
    from jinja2 import TemplateError

    tools = list(request.tools) or None
    try:
        template = tokenizer.get_chat_template(tools=tools)
    except ValueError:
        raise InputError(
            name, "has no chat template", fix="set api: completions, or take a chat model"
        ) from None
    if tools and "<tool_call>" not in template:
        what = "has a chat template without <tool_call>, the only form of tool calls that is read"
        raise InputError(name, what, fix="take a model with it, or an endpoint that reads tool calls")
    if "strftime_now" in template:
        template = _FIXED_DATE + template
    messages = [_message(message) for message in request.messages]
    try:
        return tokenizer.apply_chat_template(
            messages, tools=tools, chat_template=template, add_generation_prompt=True, tokenize=False
        )
    except (TemplateError, TypeError, ValueError) as error:
        raise InputError(name, f"has a chat template that refuses the messages: {error}") from None


def _message(message: dict[str, Any]) -> dict[str, Any]:
    """A message as templates want it: text where there is none, and a tool's arguments as an object, not as JSON."""
    made = {**message, "content": message.get("content") or ""}
    if calls := message.get("tool_calls"):
        made["tool_calls"] = [{**call, "function": _arguments(call["function"])} for call in calls]
    return made


def _arguments(function: dict[str, Any]) -> dict[str, Any]:
    try:
        return {**function, "arguments": json.loads(function["arguments"])}
    except (ValueError, TypeError):  # what the model wrote is no JSON: it sees again what it wrote
        return function


def tool_calls(text: str) -> tuple[str, tuple[dict[str, Any], ...]]:
    """The text before the first tool call, and the calls as OpenAI's API has them.

    A call reads `<tool_call>{"name": ..., "arguments": {...}}</tool_call>`. One that is no such JSON keeps its text as
    the arguments of a function without a name, for who runs the tools to refuse.
    """
    found = list(_CALL.finditer(text))
    calls = tuple(
        {"id": f"call_{number}", "type": "function", "function": _function(match[1])}
        for number, match in enumerate(found)
    )
    return (text[: found[0].start()] if found else text), calls


def _function(written: str) -> dict[str, str]:
    try:
        call = json.loads(written)
        return {"name": str(call["name"]), "arguments": json.dumps(call["arguments"], ensure_ascii=False)}
    except (ValueError, TypeError, KeyError):
        return {"name": "", "arguments": written}
