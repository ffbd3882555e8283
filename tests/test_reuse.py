"""The rule of reuse against simulated backends: what the log answers is what the backend would have said."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations, pairwise, permutations, product

import pytest
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace as replaced

from evaltrail import reuse
from evaltrail.cut import cut
from evaltrail.exchange import Exchange, Reply, Request
from evaltrail.records import Generation


@dataclass(frozen=True)
class Backend:
    """One fixed continuation, in the ways in which endpoints give it back."""

    tokens: tuple[str, ...]
    ends: bool = True  # by itself after the tokens; else its context is full there
    own_limit: int = 99  # where no max_tokens are sent
    keeps: bool = False  # the stop and the rest of the token stay in the text
    takes_listed: bool = (
        False  # of several stops in sight the one listed first, not the one that begins first
    )
    shows_stop: bool = False
    shows_end: bool = False
    shows_usage: bool = False
    counts_end: bool = False  # as a token
    counts_stop: bool = True

    def ask(self, request: Request) -> Exchange:
        limit = self.own_limit if request.max_tokens is None else request.max_tokens
        text, n = "", 0
        while n < min(limit, len(self.tokens)):
            text, n = text + self.tokens[n], n + 1
            if any(stop in text for stop in request.stop):
                return self._stopped(request, text, n)
        ended = self.ends and n < limit  # the end takes a token itself
        usage = self._usage(n + (ended and self.counts_end))
        known = ended and (self.shows_end or not request.stop)
        logprobs = {"tokens": list(self.tokens[:n])}
        finish = "stop" if ended else "length"
        return Exchange(request, Reply(text, finish, ended=known, usage=usage, logprobs=logprobs))

    def _stopped(self, request: Request, text: str, n: int) -> Exchange:
        in_sight = [stop for stop in request.stop if stop in text]
        stop = in_sight[0] if self.takes_listed else min(in_sight, key=text.index)
        given = text if self.keeps else text[: text.index(stop)]
        seen = [each for each in request.stop if each in given]  # the client's part: what is left is cut off
        if seen:
            stop = min(seen, key=given.index)
            given = given[: given.index(stop)]
        counted = n if self.counts_stop else sum(end <= len(given) for end in self._ends()[:n])
        known = stop if self.shows_stop or seen else None
        logprobs = {"tokens": list(self.tokens[:n])}
        return Exchange(request, Reply(given, "stop", known, usage=self._usage(counted), logprobs=logprobs))

    def _ends(self) -> list[int]:
        return [len("".join(self.tokens[: n + 1])) for n in range(len(self.tokens))]

    def _usage(self, tokens: int) -> dict[str, int] | None:
        return {"prompt_tokens": 7, "completion_tokens": tokens} if self.shows_usage else None


def request(*stops: str, limit: int | None = None) -> Request:
    return Request(messages="the same", stop=stops, max_tokens=limit)


def completion(reply: Reply, stops: list[str]):
    """What `cut` makes of a reply: all that any later file depends on."""
    return cut(Generation("i", 0, reply.text, reply.finish, None, None, None), stops)


def assert_as_fresh(reply: Reply, fresh: Reply) -> None:
    assert (reply.text, reply.finish) == (fresh.text, fresh.finish)
    assert reply.stop is None or fresh.stop is None or reply.stop == fresh.stop
    assert not (reply.ended and fresh.stop)
    assert reply.logprobs in (None, fresh.logprobs)
    assert (reply.usage or {}).items() <= (fresh.usage or reply.usage or {}).items()


@st.composite
def backends(draw, tokens: st.SearchStrategy[list[str]]) -> Backend:
    counts_stop = draw(st.booleans())
    pieces = draw(tokens)
    if not counts_stop:  # such a count is known to be short by the tokens of the stop alone
        pieces = [piece for piece in pieces if piece]
    return Backend(
        tuple(pieces),
        ends=draw(st.booleans()),
        own_limit=draw(st.integers(1, 12)),
        keeps=draw(st.booleans()),
        takes_listed=draw(st.booleans()),
        shows_stop=draw(st.booleans()),
        shows_end=draw(st.booleans()),
        shows_usage=draw(st.booleans()),
        counts_end=draw(st.booleans()),
        counts_stop=counts_stop,
    )


pieces = st.lists(st.text("ab", max_size=3), max_size=8)
stops = st.lists(st.text("ab", min_size=1, max_size=4), max_size=3)
limits = st.none() | st.integers(1, 12)
requests = st.builds(lambda stops, limit: request(*stops, limit=limit), stops, limits)


def asked_with_log(backend: Backend, asked: list[Request], cuts: list[str]) -> int:
    """Asks a backend through a log; how many requests the log answered, each as a fresh reply would have been."""
    log: list[Exchange] = []
    for each in asked:
        fresh = backend.ask(each)
        reply = reuse.choose(log, each)
        if reply is None:
            log.append(fresh)
        else:
            assert_as_fresh(reply, fresh.reply)
            assert completion(reply, cuts) == completion(fresh.reply, cuts)
    return len(asked) - len(log)


@settings(max_examples=1500)
@given(backends(pieces), st.lists(requests, min_size=2, max_size=6), stops)
def test_what_the_log_answers_is_what_the_backend_says(backend, asked, cuts):
    event(f"{asked_with_log(backend, asked, cuts)} answered")


@pytest.mark.long
def test_what_the_log_answers_is_what_the_backend_says_for_all_short_texts():
    """Each text of a and b up to 4 long, in each split into tokens, with each pair of up to 2 short stops each."""
    words = ["a", "b", "ab", "ba", "aa", "aba"]
    sent = [request(*words) for words in [(), *product(words), *permutations(words, 2)]]
    answered = 0
    for text in ("".join(letters) for n in range(5) for letters in product("ab", repeat=n)):
        for backend in all_backends(text):
            for first, second in product(sent, sent):
                answered += asked_with_log(backend, [first, second], ["b"])
    assert answered > 100_000


def all_backends(text: str) -> Iterator[Backend]:
    """All splits of a text, which ends by itself or by its limit, in each of four ways of giving it back."""
    for n in range(max(1, len(text))):
        for places in combinations(range(1, len(text)), n):
            tokens = tuple(text[a:b] for a, b in pairwise((0, *places, len(text))))
            for ends, shows, listed in product((True, False), repeat=3):
                yield Backend(tokens, ends=ends, shows_stop=shows, shows_end=shows, takes_listed=listed)


# What is promised to be answered. The texts hold neither x nor y.
other_stops = st.lists(st.text("xy", min_size=1, max_size=3), max_size=2)


def part_of(data, text: str) -> str:
    assume(text)
    start = data.draw(st.integers(0, len(text) - 1))
    return text[start : data.draw(st.integers(start + 1, len(text)))]


@given(backends(pieces), limits, st.data())
def test_a_new_stop_that_occurs_in_the_logged_text_is_answered(backend, limit, data):
    logged = backend.ask(request(limit=limit))
    stop = part_of(data, logged.reply.text)
    reply = reuse.choose([logged], request(stop, limit=limit))
    expected = logged.reply.text[: logged.reply.text.index(stop)]
    assert (reply.text, reply.finish, reply.stop, reply.ended) == (expected, "stop", stop, False)


@given(backends(pieces), limits, other_stops, other_stops, st.integers(0, 3))
def test_a_reply_that_ended_by_itself_is_answered(backend, limit, old, new, more):
    logged = replace(backend, ends=True, shows_end=True, own_limit=99).ask(request(*old, limit=limit))
    assume(logged.reply.finish == "stop")
    assert reuse.choose([logged], request(*new, limit=limit and limit + more)) == logged.reply


@given(backends(pieces), limits, other_stops, other_stops)
def test_a_reply_without_the_new_stop_that_used_up_its_tokens_is_answered(backend, limit, old, new):
    logged = replace(backend, ends=False).ask(request(*old, limit=limit))
    assert reuse.choose([logged], request(*new, limit=limit)) == logged.reply


@given(backends(pieces), limits, other_stops, st.integers(0, 3), st.data())
def test_a_reply_that_may_have_been_stopped_is_answered_where_that_stop_is_among_the_new(
    backend, limit, others, more, data
):
    stop = part_of(data, "".join(backend.tokens))
    logged = backend.ask(request(stop, limit=limit))
    assume(logged.reply.finish == "stop")
    reply = reuse.choose([logged], request(*others, stop, limit=limit and limit + more))
    assert (reply.text, reply.finish) == (logged.reply.text, "stop")


@given(backends(pieces), requests)
def test_the_same_request_is_answered_with_the_same_reply(backend, asked):
    assert reuse.choose([backend.ask(asked)], asked) == backend.ask(asked).reply


def reply(text, finish="stop", stop=None, ended=False, tokens=None, **more) -> Reply:
    usage = None if tokens is None else {"prompt_tokens": 7, "completion_tokens": tokens}
    return Reply(text, finish, stop, ended, usage=usage, **more)


N, NN, Q = "\n", "\n\n", "\nQ:"
TEXT = "4\n\nQ: 2+3?\nA: 5"
BY_ITSELF = reply(TEXT, ended=True, tokens=12)
CALL = reply("I add.", "tool_calls", tool_calls=({"id": "1"},), tokens=12)
THOUGHT = reply("4", ended=True, reasoning="2+2\n\nis 4", tokens=12)
# (what is shown, stops and limit sent, reply, new stops and limit, text of the answer or None for none)
RULE = [
    ("the stop occurs", [], 64, BY_ITSELF, [NN], 64, "4"),
    ("the stop occurs in a text that ended by its limit", [], 64, reply(TEXT, "length"), [NN], 64, "4"),
    ("it occurs at the start", [], 64, BY_ITSELF, ["4"], 64, ""),
    ("it occurs at the end", [], 64, BY_ITSELF, ["5"], 64, TEXT[:-1]),
    ("it does not occur", [], 64, BY_ITSELF, ["##"], 64, TEXT),
    ("it begins at the end of a text that ended", [], 64, BY_ITSELF, ["5\n"], 64, TEXT),
    ("it begins at the end of a text cut by length", [], 64, reply(TEXT, "length"), ["5\n"], 64, TEXT),
    ("the first of two that occur", [], 64, BY_ITSELF, ["A:", "Q:"], 64, "4\n\n"),
    ("two side by side", [], 64, BY_ITSELF, ["Q", "4\n\n"], 64, ""),
    ("two that begin together", [], 64, BY_ITSELF, [NN, N], 64, "4"),
    ("two that overlap: which is seen first?", [], 64, BY_ITSELF, [NN, Q], 64, None),
    ("one within another: is the outer seen in time?", [], 64, BY_ITSELF, ["4\n\nQ", N], 64, None),
    ("no stop any more, the old one is known", [NN], 64, reply("4", stop=NN), [], 64, None),
    ("no stop any more, the model had ended", [NN], 64, reply("4", ended=True), [], 64, "4"),
    ("no stop any more, why it ended is not known", [NN], 64, reply("4"), [], 64, None),
    ("begins in the text, ends in the old stop", [Q], 64, reply("4\n", stop=Q), [NN], 64, "4"),
    ("the same, but the old stop is not known", [Q], 64, reply("4\n"), [NN], 64, None),
    ("within the old stop", [Q], 64, reply("4", stop=Q), ["Q"], 64, "4\n"),
    ("begins in the old stop and ends behind it", [NN], 64, reply("4", stop=NN), [Q], 64, None),
    ("begins in the text and may end behind the old stop", [N], 64, reply("4 ", stop=N), [" \nQ"], 64, None),
    (
        "another may begin before it and end behind",
        [N],
        64,
        reply("a.b", stop=N),
        [".b", "a.b\n\n"],
        64,
        None,
    ),
    ("the same in a text that ended", [], 64, reply("a.b", ended=True), [".b", "a.b\n\n"], 64, "a"),
    ("another may begin with it and end behind", [N], 64, reply("a.b", stop=N), [".b", ".b\n\n"], 64, "a"),
    ("the old stop or the end, and one that occurs", [NN], 64, reply("4\nA: 5"), [N], 64, "4"),
    ("a superset, the old one known", [NN], 64, reply("4", stop=NN), [NN, "##"], 64, "4"),
    ("a superset, the old one not known", [NN], 64, reply("4"), ["##", NN], 64, "4"),
    ("a superset one of which occurs", [NN], 64, reply("4 ## 5"), [NN, " ##"], 64, "4"),
    ("a superset that overlaps", [NN], 64, reply("4"), [NN, Q], 64, None),
    ("the other one of two", [NN, "##"], 64, reply("4", stop=NN), ["##"], 64, None),
    ("one of two, not known which", [NN, "##"], 64, reply("4"), ["##"], 64, None),
    ("a shorter stop in the place of the old one", [NN], 64, reply("4", stop=NN), [N], 64, "4"),
    ("a longer stop in the place of the old one", [N], 64, reply("4", stop=N), [NN], 64, None),
    ("the same stops in another order", [NN, "##"], 64, reply("4"), ["##", NN], 64, "4"),
    ("a text that no stop can have cut: it ended", [NN], 64, reply("4\n"), [NN, Q], 64, "4\n"),
    ("no stop sent, ended by the endpoint's own", [], 64, reply("4"), ["##"], 64, None),
    ("no stop sent, ended by the endpoint's own, stop occurs", [], 64, reply(TEXT), [NN], 64, "4"),
    ("a larger limit", [], 64, BY_ITSELF, [], 128, TEXT),
    ("a larger limit, cut by length", [], 64, reply(TEXT, "length", tokens=64), [], 128, None),
    ("a larger limit, cut by length, the stop occurs", [], 64, reply(TEXT, "length"), [NN], 128, "4"),
    ("a smaller limit, enough", [], 64, BY_ITSELF, [], 13, TEXT),
    ("a smaller limit, enough if the end is counted", [], 64, BY_ITSELF, [], 12, None),
    ("a smaller limit, not enough", [], 64, BY_ITSELF, [], 4, None),
    ("a smaller limit, the stop occurs but where?", [], 64, BY_ITSELF, [NN], 4, None),
    ("a smaller limit, length not shown", [], 64, reply(TEXT, ended=True), [], 63, None),
    ("a smaller limit, length shown as none", [], 64, reply(TEXT, ended=True, tokens=0), [], 63, None),
    ("a smaller limit, the tokens of the stop not counted", [NN], 64, reply("4", tokens=12), [NN], 14, None),
    ("a smaller limit, enough for the stop too", [NN], 64, reply("4", tokens=12), [NN], 15, "4"),
    ("a limit at last", [], None, BY_ITSELF, [], 13, TEXT),
    ("a limit at last, length not shown", [], None, reply(TEXT, ended=True), [], 9999, None),
    ("no limit any more: the endpoint has its own", [], 64, BY_ITSELF, [], None, None),
    ("never a limit", [], None, BY_ITSELF, [NN], None, "4"),
    ("never a limit, cut by the endpoint's own", [], None, reply(TEXT, "length"), ["##"], None, TEXT),
    ("no text", [], 64, reply(None), [NN], 64, None),
    ("a tool call", [], 64, CALL, [], 64, "I add."),
    ("a tool call and another stop", [], 64, CALL, ["##"], 64, None),
    (
        "a tool call that is not called one",
        [],
        64,
        replaced(CALL, finish="stop", ended=True),
        ["##"],
        64,
        None,
    ),
    ("a tool call and a larger limit", [], 64, CALL, [], 65, "I add."),
    ("reasoning, where the stop may occur", [], 64, THOUGHT, [NN], 64, None),
    ("reasoning and a larger limit", [], 64, THOUGHT, [], 65, "4"),
    ("a filter", [], 64, reply("4\n\n", "content_filter"), [], 64, "4\n\n"),
    ("a filter and another stop", [], 64, reply("4\n\n", "content_filter"), [NN], 64, None),
    ("a filter and a larger limit", [], 64, reply("4\n\n", "content_filter"), [], 65, None),
    ("no finish reason", [], 64, reply(TEXT, None), [NN], 64, None),
    ("a stop seen in a text cut by length", [NN], 64, reply("4", "length", NN), [N], 64, None),
    ("ended by itself and by a stop", [NN], 64, reply("4", stop=NN, ended=True), [N], 64, None),
    ("an empty stop", [], 64, BY_ITSELF, [""], 64, None),
    ("half a character", [], 64, reply("4\ufffd", "length"), ["\ufffd"], 64, None),
    ("no text but a stop", [NN], 64, reply("", stop=NN), [N], 64, ""),
]


@pytest.mark.parametrize(
    ("old", "old_limit", "said", "new", "limit", "text"),
    [row[1:] for row in RULE],
    ids=[row[0] for row in RULE],
)
def test_the_rule(old, old_limit, said, new, limit, text):
    logged = Exchange(request(*old, limit=old_limit), said)
    found = reuse.choose([logged], request(*new, limit=limit))
    assert text == (found and found.text)


def said(*texts: str, stops=()) -> list[Exchange]:
    return [Exchange(request(*stops), reply(text, ended=True)) for text in texts]


# (what is shown, the exchanges of a key, earliest first, the text that answers a request with the stop #)
ORDER = [
    ("the earliest", said("one#", "two#"), "one"),
    ("the earliest that can", [Exchange(request("?"), reply("one", stop="?")), *said("two#")], "two"),
    ("the same request before an earlier one", said("one#") + said("two", stops="#"), "two"),
    ("the earliest of the same requests", said("one#") + said("two", "three", stops="#"), "two"),
    ("none", [], None),
]


@pytest.mark.parametrize(("exchanges", "text"), [row[1:] for row in ORDER], ids=[row[0] for row in ORDER])
def test_of_several_that_answer(exchanges, text):
    found = reuse.choose(exchanges, request("#"))
    assert text == (found and found.text)


def test_what_a_fresh_reply_may_have_otherwise_is_left_out():
    said = reply("a\nb", ended=True, tokens=9, logprobs={"content": []}, model="m-1")
    found = reuse.choose([Exchange(request(), said)], request("\n"))
    assert found == Reply("a", "stop", "\n", model="m-1", usage={"prompt_tokens": 7})
