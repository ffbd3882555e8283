"""What went wrong at an OpenAI-compatible endpoint: whether it may pass, in one line, and never with the key in it."""

import json
import re
from datetime import UTC, datetime
from typing import Any

from evaltrail.clients.limits import Passing, retry_after
from evaltrail.errors import InputError

_PASSING = {408, 409, 425, 429}  # and all from 500 on
# What a 429 (or a 403) says when waiting does not help.
_NO_MONEY = {"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"}
_FIXES = {
    400: "mend the system's settings; for a prompt that is too long take another model or fewer max_tokens",
    401: "set the variable that api_key_env names to a valid key",
    402: "top up the account, then run again: what was answered is in the log",
    403: "take a key that may use this model",
    404: "check model, endpoint and api (chat or completions)",
}
# A shorter key is a stand-in ("none", "EMPTY") that may well occur in a text.
SHORTEST_KEY = 16
LONGEST = 300  # characters of an endpoint's message that are shown
# What looks like a key, also one whose middle the endpoint has already masked.
_KEYS = re.compile(r"(?i)\b(bearer|basic)\s+[^\s\"',]+|\bsk-[\w*.-]{4,}")


class Refused(InputError):
    """The endpoint will not answer this request, however often it is sent. status: HTTP's, where there was one."""

    def __init__(self, endpoint: str, what: str, *, fix: str, status: int | None = None):
        super().__init__(endpoint, what, fix=fix)
        self.status = status


class Redactor:
    """Takes the key, and in messages all that looks like one, out of what an endpoint says."""

    def __init__(self, key: str | None):
        self._key = key

    def __call__(self, message: str) -> str:
        return _KEYS.sub("[key]", message.replace(self._key, "[key]") if self._key else message)

    def content(self, content: bytes) -> bytes:
        """A response, which may be a model's text: only the key itself, and only one that is no word of a text."""
        if self._key and len(self._key) >= SHORTEST_KEY:
            return content.replace(self._key.encode("ascii"), b"[key]")
        return content


def failure(error: Exception, endpoint: str, redact: Redactor, timeout: float) -> Exception:
    """What the openai package raised as Passing or Refused."""
    import openai

    cause = type(error.__cause__).__name__
    if isinstance(error, openai.APIConnectionError) and cause.startswith("Connect"):
        return Passing(f"no connection ({cause})")  # what never reached the endpoint costs nothing
    if isinstance(error, openai.APITimeoutError | TimeoutError):
        return Passing(f"no reply within {timeout:g} s", billed=True)
    if isinstance(error, openai.APIConnectionError):
        return Passing(f"the connection broke off ({cause})", billed=True)
    if isinstance(error, openai.APIStatusError):
        after = retry_after(error.response.headers, datetime.now(UTC))
        return classified(error.status_code, error.body, after, endpoint, redact)
    return Refused(
        endpoint, redact(f"{type(error).__name__}: {error}")[:LONGEST], fix="mend the system's settings"
    )


def classified(
    status: int, said: Any, after: float | None, endpoint: str, redact: Redactor
) -> Passing | Refused:
    """An error response: its status, what its body said, and the seconds after which the endpoint wants to be asked."""
    line = f"the endpoint answers {status}: {_message(said, redact)}".removesuffix(": ")
    kinds = {said.get("code"), said.get("type")} if isinstance(said, dict) else set()
    no_money = {kind for kind in kinds if isinstance(kind, str)} & _NO_MONEY
    if not no_money and (status in _PASSING or status >= 500):
        return Passing(line, after)
    fix = _FIXES[402] if no_money else _FIXES.get(status, "check endpoint, model and settings")
    return Refused(endpoint, line, fix=fix, status=status)


def _message(said: Any, redact: Redactor) -> str:
    """What an error body says, on one line. Redacted before it is shortened: half a key is one too many."""
    if isinstance(said, dict):
        said = said.get("message") or said
    text = said if isinstance(said, str) else json.dumps(said or "", ensure_ascii=False).strip('"')
    return " ".join(redact(text).split())[:LONGEST]
