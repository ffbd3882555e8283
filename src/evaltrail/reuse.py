"""The rule of reuse: what an older exchange proves about another request that differs in stop or max_tokens alone.

A deterministic backend continues the same messages by one fixed text, token by token, until the model ends by itself,
max_tokens are reached or a stop occurs in the text so far; what it returns is cut where that stop begins. An exchange
shows a beginning of the text. Not known are its tokens (one may reach past a stop), what follows, and which of several
stops that overlap a backend sees first. A reply is proven when none of this can change it; in doubt it is not.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from evaltrail.exchange import Exchange, Reply, Request

# Finish reasons after which a larger limit changes nothing. After others (content_filter, ...) who knows.
_COMPLETE = ("stop", "tool_calls")


class _Beginning(NamedTuple):
    """What the continuation begins with. whole: and within the request's limit nothing follows."""

    text: str
    whole: bool


class _Cut(NamedTuple):
    """A beginning up to the first stop. stop: which one, where that is certain; stopped: whether there is one."""

    text: str
    stopped: bool
    stop: str | None


def choose(exchanges: Iterable[Exchange], request: Request) -> Reply | None:
    """The reply to `request` that one of the exchanges, which share its key, proves; None when none does.

    exchanges: earliest first. One with the same stop and max_tokens goes before all others, so that settings that are
    put back give what they gave; else the earliest that proves a reply, so that a log that grows changes no answer.
    """
    exchanges = list(exchanges)
    same = [exchange for exchange in exchanges if _is_same(exchange.request, request)]
    proven = (prove(exchange, request) for exchange in (*same, *exchanges))
    return next((reply for reply in proven if reply is not None), None)


def prove(logged: Exchange, request: Request) -> Reply | None:
    """The reply to `request` that `logged`, an exchange with the same key, proves; None when it proves none.

    text and finish are those of a fresh reply. stop, ended, logprobs and usage's completion_tokens are left out where
    a fresh reply might have others.
    """
    reply = logged.reply
    if _is_same(logged.request, request):
        return reply
    if not _fits(logged, request.max_tokens):
        return None
    if request.stop == logged.request.stop and reply.finish in _COMPLETE:
        return reply
    if not _is_plain(reply) or not all(map(_is_plain_stop, (*request.stop, *logged.request.stop))):
        return None
    cuts = {_cut(beginning, request.stop) for beginning in _beginnings(logged, request.max_tokens)}
    if None in cuts or len({cut.text for cut in cuts}) > 1:
        return None
    if not any(cut.stopped for cut in cuts):
        return reply
    stops = {cut.stop for cut in cuts}
    usage = reply.usage and {name: n for name, n in reply.usage.items() if name != "completion_tokens"}
    return msgspec.structs.replace(
        reply,
        text=cuts.pop().text,
        finish="stop",
        stop=stops.pop() if len(stops) == 1 else None,
        ended=False,
        usage=usage,
        logprobs=None,
    )


def _is_same(a: Request, b: Request) -> bool:
    return (a.stop, a.max_tokens) == (b.stop, b.max_tokens)


def _fits(logged: Exchange, limit: int | None) -> bool:
    """Whether all that was generated, with the stop or the end after it, is certain to fit within `limit` tokens.

    Endpoints count the end as a token or not, and the tokens of a stop that they strip or not. Without a limit they
    have one of their own, which is not known.
    """
    old = logged.request.max_tokens
    if limit is None or limit == old:
        return limit == old
    if old is not None and limit > old:
        return True
    tokens = (logged.reply.usage or {}).get("completion_tokens", 0)
    stripped = max((len(stop.encode("utf-8", "surrogatepass")) for stop in logged.request.stop), default=0)
    return tokens > 0 and tokens + stripped < limit


def _is_plain(reply: Reply) -> bool:
    """Whether the text is all that the model wrote, so that a stop could occur nowhere else."""
    if reply.text is None or reply.reasoning or reply.tool_calls:
        return False
    if reply.finish == "length":
        return reply.stop is None
    return reply.finish == "stop" and not (reply.ended and reply.stop is not None)


def _is_plain_stop(stop: str) -> bool:
    """Not so: an empty stop, and U+FFFD, which stands for half a character while the other half is to come."""
    return stop != "" and "\ufffd" not in stop


def _beginnings(logged: Exchange, limit: int | None) -> Iterator[_Beginning]:
    """All that the text may begin with, as the reply tells it."""
    text, stops = logged.reply.text, logged.request.stop
    if logged.reply.finish == "length":
        yield _Beginning(text, whole=limit == logged.request.max_tokens)
    elif logged.reply.ended:
        yield _Beginning(text, whole=True)
    elif logged.reply.stop is not None:
        yield _Beginning(text + logged.reply.stop, whole=False)
    else:  # it ended by itself, or at a stop that would not have begun before; else only the endpoint knows why
        yield _Beginning(text, whole=bool(stops))
        cut_here = (stop for stop in stops if (text + stop).index(stop) == len(text))
        yield from (_Beginning(text + stop, whole=False) for stop in cut_here)


def _cut(beginning: _Beginning, stops: Sequence[str]) -> _Cut | None:
    """Where any backend cuts a continuation that begins so; None where that depends on what is not known."""
    text = beginning.text
    found = {stop: at for stop in stops if (at := text.find(stop)) >= 0}
    if not found:
        return _Cut(text, stopped=False, stop=None) if beginning.whole else None
    begin, end = min((at, at + len(stop)) for stop, at in found.items())
    # Generation goes on at least to `end`, perhaps past it: another stop that begins before that may be seen first.
    seen = [*found.items()]
    if not beginning.whole:
        seen += [(stop, at) for stop in stops if stop not in found for at in _unfinished(text, stop)]
    if any(at != begin and at < end for _, at in seen):
        return None
    names = {stop for stop, at in seen if at == begin}
    return _Cut(text[:begin], stopped=True, stop=names.pop() if len(names) == 1 else None)


def _unfinished(text: str, stop: str) -> Iterator[int]:
    """Where a stop may begin in the text that ends behind it."""
    places = range(max(0, len(text) - len(stop) + 1), len(text))
    return (at for at in places if stop.startswith(text[at:]))
