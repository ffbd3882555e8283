"""openai: any OpenAI-compatible endpoint, through the official package.

The key comes from the environment alone, and nothing here writes, prints or keeps it.
"""

import ipaddress
import json
import os
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal
from urllib.parse import urlsplit

import msgspec

from evaltrail import jsonl
from evaltrail.clients import openai_wire
from evaltrail.clients.budget import Amounts, Budget, Prices
from evaltrail.clients.limits import Limits
from evaltrail.clients.openai_errors import SHORTEST_KEY
from evaltrail.clients.openai_run import Run
from evaltrail.errors import InputError
from evaltrail.exchange import Exchange, Request

OPENAI = "https://api.openai.com/v1"
KEY = "OPENAI_API_KEY"
CONNECT = 10.0  # seconds until a connection must stand


class Settings(msgspec.Struct, forbid_unknown_fields=True):
    """How an endpoint is asked. Of a deterministic one's replies only model, endpoint and api decide."""

    model: str
    endpoint: str | None = None  # the base URL; None: OpenAI's own
    api: Literal["chat", "completions"] = "chat"
    api_key_env: str | None = None  # the variable with the key; None: OPENAI_API_KEY, and no key on loopback
    concurrency: int = 4  # requests in flight at most
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    timeout: float = 600.0  # seconds from sending a request to the end of its reply
    tries: int = 10  # of one request
    max_wait: float = 900.0  # seconds in all between the tries of one request
    max_stops: int = 4  # how many stop sequences the endpoint takes; all are applied to the reply
    length_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"  # what the endpoint calls it
    budget: Amounts | None = None
    prices: Prices | None = None


class Client:
    """Asks one model at one endpoint. The budget is that of this object, and so of one run."""

    def __init__(self, settings: dict[str, Any], say: Callable[[str], None]):
        """Needs no key and no network. Raises InputError for settings that no request can be sent with."""
        self.settings = jsonl.convert(
            settings, Settings, "params.yaml", settings.get("model"), "give what the client takes"
        )
        self.endpoint = _checked(self.settings.endpoint or OPENAI)
        self.identity = {"client": "openai", "endpoint": self.endpoint, "model": self.settings.model}
        self.say = say
        self.limits = Limits(self.settings.requests_per_minute, self.settings.tokens_per_minute)
        self.budget = Budget(self.settings.budget, self.settings.prices)
        self.one_by_one = False  # the endpoint was seen not to give several choices

    def ask(self, requests: Sequence[Request]) -> Iterator[Exchange]:
        """Yields each request's exchange as it is answered, in any order.

        Raises InputError when the run cannot go on and KeyboardInterrupt after Ctrl-C, both once the replies to the
        requests in flight were yielded. Requests that differ in `sample` alone and have no seed may be sent as one.
        """
        key = self._key()
        for request in requests:
            openai_wire.check(request, self.settings.api)
            if request.max_tokens is None and self.budget.needs_length:
                what = "a budget of tokens or money needs to know how long a reply may be"
                raise InputError("params.yaml", what, field="max_tokens", fix="set it under generation")
        yield from Run(self, requests, key).exchanges()

    def connection(self, key: str | None):
        """A connection of the openai package, without retries of its own."""
        import openai

        http = openai.DefaultAsyncHttpxClient(
            trust_env=not _is_loopback(self.endpoint),  # a proxy cannot reach this machine's loopback
            follow_redirects=False,  # no endpoint may send prompts elsewhere
        )
        return openai.AsyncOpenAI(
            api_key=key or "none",
            base_url=self.endpoint,  # always given: the package would take another one from the environment
            max_retries=0,
            timeout=openai.Timeout(self.settings.timeout, connect=min(CONNECT, self.settings.timeout)),
            http_client=http,
        )

    def _key(self) -> str | None:
        """The key from the environment, None where none is needed. Raises InputError where it is missing or no key."""
        if self.settings.api_key_env is None and _is_loopback(self.endpoint):
            return None
        name = self.settings.api_key_env or KEY
        key = os.environ.get(name, "")
        if not re.fullmatch(r"[!-~]+", key):
            what = "holds white space or other signs that no key has" if key else "is not set"
            raise InputError(
                self.endpoint, f"the environment variable {name} {what}", fix="set it to the key"
            )
        if len(key) >= SHORTEST_KEY and key in json.dumps(msgspec.to_builtins(self.settings)):
            raise InputError(
                "params.yaml", "the settings hold the key itself", fix=f"leave it to {name} alone"
            )
        return key


def _checked(endpoint: str) -> str:
    """The endpoint's URL in one form. Raises InputError, without what may be secret in it, for one that will not do."""
    try:
        parts = urlsplit(endpoint)
        place = f"{parts.scheme}://{parts.hostname}" + (f":{parts.port}" if parts.port else "")
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InputError(
            "params.yaml", "is no URL", field="endpoint", fix="write it like http://127.0.0.1:8080/v1"
        )
    if "@" in parts.netloc or parts.query or parts.fragment:
        what = "holds a user, a password or a query, which would stand in the log"
        raise InputError(
            place, what, field="endpoint", fix=f"take it out: a key comes from {KEY} or api_key_env"
        )
    return endpoint.rstrip("/")


def _is_loopback(endpoint: str) -> bool:
    host = urlsplit(endpoint).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
