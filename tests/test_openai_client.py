"""The `openai` client against an endpoint that fails in every way that endpoints fail, over real sockets."""

import json
import os
import re
import signal
import subprocess
import sys
import textwrap
import threading
import traceback
from concurrent.futures import ThreadPoolExecutor

import pytest

from conftest import REPO
from evaltrail.clients import CLIENTS, connect, limits
from evaltrail.errors import InputError
from evaltrail.exchange import Request
from fault_server import (
    FaultServer,
    choice,
    cuts,
    drips,
    echoes,
    fails,
    held,
    raw,
    response,
    says,
    stalls,
    text_of,
    well,
)

KEY = "sk-test-0123456789abcdefghij"


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """What is waited between tries is a matter of test_limits.py."""
    monkeypatch.setattr(limits, "FIRST_WAIT", 0.01)
    monkeypatch.setattr(limits, "JITTER", 0.0)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)


def chat(question: str = "q", **fields) -> Request:
    return Request(messages=({"role": "user", "content": question},), **fields)


def asked(server: FaultServer, requests, **settings):
    """What a client gives for the requests, in their order; and what it said."""
    said: list[str] = []
    client = connect("openai", {"model": "m", "endpoint": server.url} | settings, said.append)
    exchanges = list(client.ask(requests))
    assert len(exchanges) == len(requests)
    place = {id(request): position for position, request in enumerate(requests)}
    return [exchange.reply for exchange in sorted(exchanges, key=lambda one: place[id(one.request)])], said


def reply_to(request: Request, *script, **settings):
    """The reply to one request by a server with this script, which is sent one request and no more."""
    with FaultServer(*script) as server:
        replies, _ = asked(server, [request], **settings)
        assert server.count == 1
    return replies[0]


def refusal(server: FaultServer, requests, **settings) -> tuple[InputError, list]:
    """The error that ends the asking, and what was answered before it."""
    client = connect("openai", {"model": "m", "endpoint": server.url} | settings, print)
    answered = []
    with pytest.raises(InputError) as caught:
        for exchange in client.ask(requests):
            answered.append(exchange)
    assert "\n" not in str(caught.value)
    return caught.value, answered


def test_every_client_of_the_table_can_be_imported():
    for name in CLIENTS:
        with pytest.raises(InputError, match="model"):
            connect(name, {}, print)


# ---------------------------------------------------------------------------------------------- faults that pass

PASSING = {
    "429": fails(429, "slow down"),
    "429 with seconds": fails(429, Retry_After="0"),
    "429 with a date": fails(429, Retry_After="Wed, 21 Oct 2015 07:28:00 GMT"),
    "429 with milliseconds": fails(429, retry_after_ms="10"),
    "408": fails(408),
    "500": fails(500),
    "503 without JSON": raw(b"<html>busy</html>", 503),
    "stall": stalls(),
    "a byte now and then": drips(),
    "cut in the body": cuts(),
    "cut before the response": cuts(None),
    "malformed JSON": raw(b'{"choices": [,]}'),
    "half of the JSON": raw(json.dumps(response(choice("text"))).encode()[:40]),
    "a number that JSON has not": raw(
        b'{"choices": [{"message": {"content": "x"}, "logprobs": {"x": NaN}}]}'
    ),
    "a page": raw(b"<html>welcome</html>"),
    "no choices in it": raw(b"{}"),
    "no UTF-8": raw(b'{"choices": "\xff"}'),
    "an error under 200": raw(b'{"error": {"code": 502, "message": "no provider"}}'),
}


@pytest.mark.parametrize("fault", PASSING.values(), ids=PASSING)
def test_what_may_pass_is_asked_again(fault):
    with FaultServer(fault) as server:
        replies, said = asked(server, [chat()], timeout=0.5)
        assert [reply.text for reply in replies] == [text_of(server.bodies[0])]
        assert server.count == 2 and server.bodies[0] == server.bodies[1]
    assert len(said) == 1 and "asked again" in said[0]


def test_the_tries_of_a_request_are_counted_and_end():
    with FaultServer(*[fails(500, "down")] * 9) as server:
        error, answered = refusal(server, [chat()], tries=3)
        assert server.count == 3 and not answered
    assert "500: down" in str(error) and "3 tries" in str(error) and "run again" in str(error)


def test_a_wait_beyond_max_wait_is_not_begun():
    with FaultServer(fails(429, "come back", Retry_After="3600")) as server:
        error, _ = refusal(server, [chat()], max_wait=60)
        assert server.count == 1
    assert "429: come back" in str(error)


def test_a_reply_after_failed_tries_says_how_many():
    with FaultServer(fails(500), fails(500)) as server:
        client = connect("openai", {"model": "m", "endpoint": server.url}, print)
        (exchange,) = client.ask([chat()])
        assert server.count == 3 and exchange.origin["tries"] == 3


def test_retry_after_holds_back_all_requests():
    with FaultServer(fails(429, Retry_After="1")) as server:
        asked(server, [chat(str(n)) for n in range(3)], concurrency=1)
        assert server.at[1] - server.at[0] >= 0.95


# ------------------------------------------------------------------------------------------ what fails at once

REFUSED = {
    "insufficient_quota": (fails(429, "You exceeded your quota", "insufficient_quota"), "top up"),
    "quota under 200": (raw(b'{"error": {"code": "insufficient_quota", "message": "no money"}}'), "top up"),
    "400": (fails(400, "temperature: too hot"), "temperature: too hot; mend"),
    "401": (fails(401), "api_key_env"),
    "402": (fails(402), "top up"),
    "403": (fails(403), "may use this model"),
    "404": (fails(404), "check model"),
    "422": (fails(422), "check endpoint"),
    "redirect": (raw(b"", 307, Location="http://127.0.0.1:9/v1"), "307"),
    "text in place of choices": (raw(b'{"choices": ["text"]}'), "another form"),
    "a number for a text": (says(choice(5)), "another form"),
}


@pytest.mark.parametrize("fault,fix", REFUSED.values(), ids=REFUSED)
def test_what_cannot_pass_ends_at_once(fault, fix):
    with FaultServer(fault) as server:
        error, answered = refusal(server, [chat()])
        assert server.count == 1 and not answered
    assert fix in str(error) and str(error).startswith(server.url)


def test_what_is_in_flight_still_arrives_when_a_request_is_refused():
    server = FaultServer()
    server.script = [held(lambda: server.answered > 0)] * 2 + [fails(401)]
    with server:
        error, answered = refusal(server, [chat(str(n)) for n in range(20)], concurrency=3)
        assert server.count == 3
    assert len(answered) == 2 and "401" in str(error)


def test_a_request_that_no_json_can_hold_is_told_in_one_line():
    with FaultServer() as server:
        error, _ = refusal(server, [chat("\ud800")])
        assert server.count == 0
    assert "mend" in str(error)


# ------------------------------------------------------------------------------- replies recorded as they are


@pytest.mark.parametrize(
    "act,text,finish",
    [
        (says(), None, None),
        (raw(b'{"choices": null, "usage": null}'), None, None),
        (says(choice(None)), None, "stop"),
        (says(choice(None, finish="content_filter")), None, "content_filter"),
        (says(choice("half a sent", finish="length")), "half a sent", "length"),
        (says(choice("")), "", "stop"),
        (says(choice("text", finish=None)), "text", None),
        (raw(b'{"choices": [{"message": null, "finish_reason": "error"}]}'), None, "error"),
    ],
)
def test_content_is_never_a_reason_to_ask_again(act, text, finish):
    reply = reply_to(chat(), act)
    assert (reply.text, reply.finish) == (text, finish)


@pytest.mark.parametrize(
    "shown,kept",
    [
        (None, None),
        (
            {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10},
            {"prompt_tokens": 7, "completion_tokens": 3},
        ),
        ({"prompt_tokens": 7}, {"prompt_tokens": 7}),
        ({"prompt_tokens": None, "completion_tokens": 3}, {"completion_tokens": 3}),
    ],
)
def test_usage_is_kept_as_far_as_it_is_shown(shown, kept):
    assert reply_to(chat(), says(choice("text"), usage=shown)).usage == kept


def test_usage_of_several_choices_is_no_replys_own():
    usage = {"prompt_tokens": 7, "completion_tokens": 3}
    with FaultServer(says(choice("a", 0), choice("b", 1), usage=usage)) as server:
        client = connect("openai", {"model": "m", "endpoint": server.url}, print)
        exchanges = list(client.ask([chat(sample=0), chat(sample=1)]))
    assert [one.reply.usage for one in exchanges] == [None, None]
    assert [one.origin.get("usage") for one in exchanges] == [usage, None]  # once in the log
    # a server that gives more than was asked for
    assert reply_to(chat(), says(choice("a", 0), choice("b", 1), usage=usage)).usage is None


def test_reasoning_tool_calls_and_logprobs_stand_apart_from_the_text():
    call = {"id": "1", "type": "function", "function": {"name": "add", "arguments": '{"a": 1}'}}
    logprobs = {"content": [{"token": "x", "logprob": -0.5}]}
    message = choice("<think>hm</think>x", finish="tool_calls", tool_calls=[call], reasoning_content="so") | {
        "logprobs": logprobs
    }
    reply = reply_to(chat(tools=({"type": "function", "function": {"name": "add"}},)), says(message))
    assert (reply.text, reply.reasoning) == ("<think>hm</think>x", "so")
    assert (reply.tool_calls, reply.logprobs, reply.ended) == ((call,), logprobs, False)
    assert reply_to(chat(), says(choice("x", reasoning="hm"))).reasoning == "hm"


@pytest.mark.parametrize(
    "named,kept",
    [
        ("m-1", "m-1"),
        ("org/m-1", "org/m-1"),
        ("/home/me/models/m.gguf", "m.gguf"),
        ("C:\\m\\m.gguf", "m.gguf"),
    ],
)
def test_a_path_on_the_servers_machine_is_no_models_name(named, kept):
    assert reply_to(chat(), says(choice("x"), model=named)).model == kept


# ------------------------------------------------------------------------------------------------ stop sequences

STOPS = {
    # text that comes, stops, max_stops: text kept, stop, ended, finish
    "none was sent": ("All of it", (), 4, ("All of it", None, True, "stop")),
    "cut by the endpoint": ("up to", ("\n",), 4, ("up to", None, False, "stop")),
    "left in the text": ("up to\n", ("\n",), 4, ("up to", "\n", False, "stop")),
    "left with the rest of its token": ("up to\n\nQ: x", ("\n",), 4, ("up to", "\n", False, "stop")),
    "the first of two in the text": ("a END b STOP", ("STOP", "END"), 4, ("a ", "END", False, "stop")),
    "two that begin together": ("a STOPS", ("STOP", "STOPS"), 4, ("a ", "STOP", False, "stop")),
    "beyond what was sent": ("a END b", ("STOP", "END"), 1, ("a ", "END", False, "stop")),
    "beyond, and not in the text": ("a b", ("STOP", "END"), 0, ("a b", None, True, "stop")),
}


@pytest.mark.parametrize("text,stops,most,expected", STOPS.values(), ids=STOPS)
def test_stops_are_applied_whatever_the_endpoint_makes_of_them(text, stops, most, expected):
    with FaultServer(says(choice(text))) as server:
        (reply,), _ = asked(server, [chat(stop=stops)], max_stops=most)
        assert server.bodies[0].get("stop", []) == list(stops[:most])
    assert (reply.text, reply.stop, reply.ended, reply.finish) == expected


def test_a_stop_cut_from_a_reply_that_was_cut_by_length_ends_it():
    reply = reply_to(chat(stop=("END",)), says(choice("a END b", finish="length")), max_stops=0)
    assert (reply.text, reply.finish, reply.stop) == ("a ", "stop", "END")


@pytest.mark.parametrize("name", ["stop_reason", "matched_stop"])
@pytest.mark.parametrize("said,stop", [("END", "END"), (None, None), (2, None), ("other", None)])
def test_a_stop_that_the_endpoint_names_is_known(name, said, stop):
    reply = reply_to(chat(stop=("END",)), says(choice("a ") | {name: said}))
    assert (reply.text, reply.stop, reply.ended) == ("a ", stop, False)


# ------------------------------------------------------------------------------------------------------- samples


def samples(count: int, **fields) -> list[Request]:
    return [chat(sample=n, **fields) for n in range(count)]


def test_with_a_seed_each_sample_is_a_request():
    requests = [chat(sample=n, seed=7 + n) for n in range(4)]
    with FaultServer() as server:
        replies, _ = asked(server, requests)
        assert server.count == 4 and sorted(body["seed"] for body in server.bodies) == [7, 8, 9, 10]
        assert not any("n" in body for body in server.bodies)
    assert [reply.text for reply in replies] == [f"to 'q' seed {7 + n} choice 0" for n in range(4)]


SHORT = {
    # script, what the client sends: the n of each request
    "all": ([], [4], 0),
    "n ignored": ([well(gives=1)], [4, 1, 1, 1], 1),
    "three of four": ([well(gives=3)], [4, 1], 1),
    "none of four": ([says()], [4, 1, 1, 1, 1], 1),
    "more than asked": ([well(gives=6)], [4], 0),
    "n refused": ([fails(400, "n must be 1")], [4, 1, 1, 1, 1], 1),
    "one of them twice": (
        [says(*[choice(str(n), index) for n, index in enumerate((0, 1, 1, 2))])],
        [4, 1],
        1,
    ),
}


@pytest.mark.parametrize("script,sent,lines", SHORT.values(), ids=SHORT)
def test_choices_are_counted_and_the_missing_ones_asked_one_by_one(script, sent, lines):
    with FaultServer(*script) as server:
        replies, said = asked(server, samples(4))
        assert [body.get("n", 1) for body in server.bodies] == sent
    assert len(replies) == 4 and all(reply.text for reply in replies)
    assert len(said) == lines and all("one by one" in line for line in said)


def test_choices_out_of_order_go_to_their_samples():
    with FaultServer(says(choice("c", 2), choice("a", 0), choice("b", 1))) as server:
        replies, _ = asked(server, samples(3))
    assert [reply.text for reply in replies] == ["a", "b", "c"]


def test_an_endpoint_that_ignores_n_is_asked_for_several_once_and_it_is_said_once():
    with FaultServer(well(gives=1)) as server:
        requests = [chat(question, sample=n) for question in "abc" for n in range(3)]
        replies, said = asked(server, requests, concurrency=1)
        assert [body.get("n", 1) for body in server.bodies] == [3, *[1] * 8]
        assert [reply.text for reply in replies] == [f"to '{q}' seed None choice 0" for q in "aaabbbccc"]
    assert len(said) == 1 and "gave 1 of n=3" in said[0]


def test_a_request_that_is_refused_also_without_n_ends_the_run():
    with FaultServer(fails(400, "bad"), fails(400, "bad")) as server:
        error, _ = refusal(server, samples(4), concurrency=1)
        assert [body.get("n", 1) for body in server.bodies] == [4, 1]
    assert "400: bad" in str(error)


# ------------------------------------------------------------------------------------------ what is sent, and when


def test_settings_go_to_the_endpoint_under_their_names():
    request = chat(
        "q", sampling={"temperature": 0, "top_k": 0, "min_p": 0.0}, stop=("END",), max_tokens=7, seed=3
    )
    with FaultServer() as server:
        asked(server, [request])
        asked(server, [request], length_field="max_completion_tokens")
        first, second = server.bodies
    shared = {
        "model": "m",
        "messages": [{"role": "user", "content": "q"}],
        "temperature": 0,
        "top_k": 0,
        "min_p": 0.0,
    }
    shared |= {"stop": ["END"], "seed": 3}
    assert first == shared | {"max_tokens": 7}
    assert second == shared | {"max_completion_tokens": 7}


def test_a_text_is_continued_through_the_other_api():
    with FaultServer() as server:
        (reply,), _ = asked(server, [Request(messages="One, two,", max_tokens=3)], api="completions")
        assert server.bodies == [{"model": "m", "prompt": "One, two,", "max_tokens": 3}]
    assert reply.text == "to 'One, two,' seed None choice 0"


@pytest.mark.parametrize(
    "request_,api,field",
    [
        (Request(messages="text"), "chat", "api"),
        (chat(), "completions", "api"),
        (chat(sampling={"stream": True}), "chat", "stream"),
        (chat(sampling={"n": 3}), "chat", "n"),
    ],
)
def test_a_request_without_a_form_is_not_sent(request_, api, field):
    with FaultServer() as server:
        error, _ = refusal(server, [chat() if api == "chat" else Request(messages="x"), request_], api=api)
        assert server.count == 0 and error.field == field


def test_concurrency_is_reached_and_never_passed():
    server = FaultServer()
    server.script = [held(lambda: server.most == 4)] * 4
    with server:
        asked(server, [chat(str(n)) for n in range(40)], concurrency=4)
        assert (server.most, server.count) == (4, 40)


def test_replies_out_of_order_belong_to_their_requests():
    server = FaultServer()

    def first_asked_last_answered(handler, body) -> None:
        late = body["messages"][0]["content"] == "0"
        (held(lambda: server.count == 8 and server.in_flight == 1) if late else well())(handler, body)

    server.script = [first_asked_last_answered] * 2
    requests = [chat(str(n)) for n in range(8)]
    with server:
        client = connect("openai", {"model": "m", "endpoint": server.url, "concurrency": 2}, print)
        exchanges = list(client.ask(requests))
    assert [one.request.messages[0]["content"] for one in exchanges].index("0") >= 6
    assert all(
        one.reply.text == f"to '{one.request.messages[0]['content']}' seed None choice 0" for one in exchanges
    )


def test_a_request_is_sent_only_when_the_replies_before_it_were_taken():
    with FaultServer() as server:
        client = connect("openai", {"model": "m", "endpoint": server.url, "concurrency": 2}, print)
        for taken, _ in enumerate(client.ask([chat(str(n)) for n in range(10)])):
            assert server.count <= taken + 2


def test_requests_a_minute_are_kept_to():
    with FaultServer() as server:
        asked(server, [chat(str(n)) for n in range(6)], concurrency=6, requests_per_minute=600)
    assert server.at[-1] - server.at[0] >= 0.4  # 5 gaps of 0.1 s, with slack for the way to the server


def test_tokens_a_minute_are_thought_before_and_corrected_after():
    # 25 + 75 tokens thought of, 10 of them used: by the thought 1 s apart, by the use 0.1 s
    question, usage = (
        "x" * (100 - len('[[{"role": "user", "content": ""}], []]')),
        {"prompt_tokens": 5, "completion_tokens": 5},
    )
    with FaultServer(*[well(usage)] * 20) as server:
        asked(
            server,
            [chat(question, max_tokens=75, sample=n, seed=n) for n in range(6)],
            tokens_per_minute=6000,
        )
        span = server.at[-1] - server.at[0]
    assert 0.4 <= span < 4.5


def test_requests_can_be_asked_from_any_thread():
    with FaultServer() as server, ThreadPoolExecutor(2) as pool:
        both = list(pool.map(lambda part: asked(server, [chat(f"{part}{n}") for n in range(4)])[0], "ab"))
    assert [reply.text[4:6] for replies in both for reply in replies] == [
        f"{part}{n}" for part in "ab" for n in range(4)
    ]


def test_a_caller_who_wants_no_more_ends_it():
    with FaultServer() as server:
        client = connect("openai", {"model": "m", "endpoint": server.url, "concurrency": 2}, print)
        stream = client.ask([chat(str(n)) for n in range(50)])
        next(stream)
        stream.close()
        assert server.count <= 4
    assert "evaltrail" not in [thread.name for thread in threading.enumerate()]


# -------------------------------------------------------------------------------------------------------- budget


@pytest.mark.parametrize(
    "budget,sent,line",
    [
        ({"requests": 3}, 3, "3 requests, 45 tokens, 0.0000 USD"),
        # At worst a request takes its bytes, 64 for a template and 5: 5 fit beside what was used, the sixth may not.
        ({"tokens": 200}, 5, "5 requests, 75 tokens"),
        ({"usd": 200e-6}, 5, "0.0001 USD"),
    ],
)
@pytest.mark.parametrize("concurrency", [1, 4])
def test_a_budget_is_not_passed(budget, sent, line, concurrency):
    prices = {"prompt": 1, "completion": 1}
    with FaultServer() as server:  # each reply takes 10 + 5 tokens
        requests = [chat("x" * 21, sample=n, seed=n, max_tokens=5) for n in range(9)]
        error, answered = refusal(server, requests, budget=budget, prices=prices, concurrency=concurrency)
        assert server.count == len(answered) == sent
    assert line in str(error) and "raise the budget" in str(error)


def test_a_try_that_may_have_been_generated_counts_at_worst():
    with FaultServer(stalls()) as server:  # 61 + 64 + 5 tokens at worst
        budget = {"tokens": 2 * 130 - 1}
        error, answered = refusal(server, [chat("x" * 22, max_tokens=5)], budget=budget, timeout=0.3)
        assert server.count == 1 and not answered
    assert "1 requests, 130 tokens" in str(error)


@pytest.mark.parametrize(
    "shown,told",
    [
        ({"prompt_tokens": 10, "completion_tokens": 500}, "1 requests, 510 tokens"),
        # of the first choice alone: the texts, 4 x 400 bytes at 4 a token, show that there is more
        ({"prompt_tokens": 10, "completion_tokens": 100}, "1 requests, 410 tokens"),
        # nothing is shown: all that the prompt (40 bytes, and 64 for a template) and the replies could take
        (None, "1 requests, 904 tokens"),
    ],
)
def test_several_choices_count_as_what_they_hold(shown, told):
    with FaultServer(says(*[choice("x" * 400, n) for n in range(4)], usage=shown)) as server:
        client = connect("openai", {"model": "m", "endpoint": server.url, "budget": {"tokens": 1000}}, print)
        assert len(list(client.ask(samples(4, max_tokens=200)))) == 4
    assert client.budget.told() == told


def test_what_never_reached_the_endpoint_costs_no_tokens():
    with FaultServer() as server:
        pass
    client = connect("openai", {"model": "m", "endpoint": server.url, "tries": 2}, print)
    with pytest.raises(InputError, match=r"no connection .*, after 2 tries"):
        list(client.ask([chat(max_tokens=5)]))
    assert client.budget.told() == "2 requests, 0 tokens"


def test_a_budget_of_tokens_needs_max_tokens():
    with FaultServer() as server:
        error, _ = refusal(server, [chat()], budget={"tokens": 10})
        assert server.count == 0 and error.field == "max_tokens"


# ----------------------------------------------------------------------------------------------------- endpoints

ENDPOINTS = {
    "nothing": "",
    "no scheme": "127.0.0.1:8080",
    "another scheme": "ftp://127.0.0.1/v1",
    "no port": "http://127.0.0.1:99999/v1",
    "a password": "http://me:hush-hush@127.0.0.1/v1",
    "a user": "http://hush-hush@127.0.0.1/v1",
    "a query": "http://127.0.0.1/v1?key=hush-hush",
}


@pytest.mark.parametrize("endpoint", [url for url in ENDPOINTS.values() if url], ids=list(ENDPOINTS)[1:])
def test_an_endpoint_that_will_not_do_is_refused_without_its_secrets(endpoint):
    with pytest.raises(InputError) as caught:
        connect("openai", {"model": "m", "endpoint": endpoint}, print)
    assert "hush" not in str(caught.value) + repr(vars(caught.value)) and caught.value.field == "endpoint"


@pytest.mark.parametrize(
    "settings,field",
    [({"endpint": "x"}, None), ({"concurrency": "many"}, "concurrency"), ({"api": "edits"}, "api")],
)
def test_a_setting_that_is_none_is_named(settings, field):
    with pytest.raises(InputError) as caught:
        connect("openai", {"model": "m"} | settings, print)
    assert caught.value.field == field


def test_identity_names_client_model_and_endpoint_and_needs_no_key():
    client = connect("openai", {"model": "gpt-4"}, print)
    assert client.identity == {"client": "openai", "model": "gpt-4", "endpoint": "https://api.openai.com/v1"}
    with pytest.raises(InputError, match="OPENAI_API_KEY is not set"):
        list(client.ask([chat()]))


def test_loopback_is_reached_directly_and_with_no_key(monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9")
    with FaultServer() as server:
        asked(server, [chat()])
        assert KEY not in str(server.headers)


# ------------------------------------------------------------------------------------------------------- secrets


@pytest.mark.parametrize(
    "script",
    [
        [echoes(401)],
        [echoes(400)],
        [echoes(500)] * 2,
        [raw(f"<b>{KEY}</b>".encode(), 403)],
        [fails(403, "x" * 290 + KEY)],  # shortened in the middle of the key
        [fails(401, "Incorrect API key provided: sk-tes**********ghij.")],
    ],
)
def test_a_key_that_the_server_repeats_is_not_shown(script, monkeypatch, capfd, caplog):
    monkeypatch.setenv("MY_KEY", KEY)
    with FaultServer(*script) as server:
        error, _ = refusal(server, [chat()], api_key_env="MY_KEY", tries=2)
        assert server.headers[0]["authorization"] == f"Bearer {KEY}"  # so it can leak
    shown = (
        "".join(traceback.format_exception(error))
        + repr(vars(error))
        + caplog.text
        + "".join(capfd.readouterr())
    )
    assert error.__cause__ is None and error.__suppress_context__
    assert not re.search(r"sk-tes|0123456|ghij", shown), shown


def test_a_key_within_a_reply_does_not_reach_the_log(monkeypatch):
    monkeypatch.setenv("MY_KEY", KEY)
    with FaultServer(says(choice(f"your key is {KEY}"), id=KEY, model=KEY)) as server:
        client = connect("openai", {"model": "m", "endpoint": server.url, "api_key_env": "MY_KEY"}, print)
        (exchange,) = client.ask([chat()])
    assert exchange.reply.text == "your key is [key]"
    assert KEY not in repr(exchange) + repr(client) + repr(client.identity) + repr(vars(client))


def test_a_stand_in_for_a_key_is_a_word_like_any_other(monkeypatch):
    monkeypatch.setenv("MY_KEY", "none")
    assert reply_to(chat(), says(choice("none of these")), api_key_env="MY_KEY").text == "none of these"


@pytest.mark.parametrize(
    "key", ["", "two words-0123456789", "a-key-with-a-line-end\n", "schlüssel-0123456789"]
)
def test_a_key_that_is_none_is_refused_unseen(key, monkeypatch):
    monkeypatch.setenv("MY_KEY", key)
    with FaultServer() as server:
        error, _ = refusal(server, [chat()], api_key_env="MY_KEY")
        assert server.count == 0
    assert "MY_KEY" in str(error) and (not key or key.strip() not in str(error))


def test_settings_that_hold_the_key_are_refused(monkeypatch):
    monkeypatch.setenv("MY_KEY", KEY)
    client = connect(
        "openai", {"model": "m", "endpoint": f"http://127.0.0.1/{KEY}", "api_key_env": "MY_KEY"}, print
    )
    with pytest.raises(InputError) as caught:
        list(client.ask([chat()]))
    assert KEY not in str(caught.value)


# ---------------------------------------------------------------------------------------- Ctrl-C, in a real process

ASKING = """
    import sys
    from evaltrail import steps
    from evaltrail.clients import connect
    from evaltrail.exchange import Request
    from evaltrail.progress import Progress

    def main():
        requests = [Request(messages=({"role": "user", "content": str(n)},)) for n in range(20)]
        with Progress("mini", len(requests)) as progress:
            settings = {"model": "m", "endpoint": sys.argv[1], "concurrency": 3, "api_key_env": "MY_KEY"}
            for exchange in connect("openai", settings, progress.say).ask(requests):
                progress.add(exchange)
                print(exchange.request.messages[0]["content"], flush=True)

    steps.run(main)
"""


def asking(server: FaultServer) -> subprocess.Popen:
    """A process that asks 20 questions and prints which were answered."""
    environment = os.environ | {"PYTHONPATH": str(REPO / "src"), "MY_KEY": KEY, "OPENAI_LOG": "debug"}
    command = [sys.executable, "-c", textwrap.dedent(ASKING), server.url]
    return subprocess.Popen(
        command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def test_ctrl_c_ends_after_the_requests_in_flight_and_says_how_to_go_on():
    server, released = FaultServer(), threading.Event()
    server.script = [well()] * 4 + [held(released.is_set)] * 3
    with server:
        process = asking(server)
        server.wait_for(lambda: server.count == 7 and server.in_flight == 3)
        process.send_signal(signal.SIGINT)
        said = process.stderr.readline()
        while "stopping" not in said:
            said = process.stderr.readline()
        released.set()
        with server.changed:
            server.changed.notify_all()
        out, err = process.communicate(timeout=60)
        assert server.count == 7
    assert "3 in flight" in said
    assert process.returncode == 130 and len(out.split()) == 7
    assert "mini: 7 of 20" in err and "run again to go on" in err and "Traceback" not in err
    assert KEY not in out + err


def test_a_second_ctrl_c_leaves_what_is_in_flight():
    server = FaultServer()
    server.script = [well()] * 4 + [stalls()] * 3
    with server:
        process = asking(server)
        server.wait_for(lambda: server.count == 7)
        process.send_signal(signal.SIGINT)
        while "stopping" not in process.stderr.readline():
            pass
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130 and len(out.split()) == 4 and "run again to go on" in err


def test_an_undisturbed_process_says_nothing_on_standard_output_but_what_it_was_told_to():
    with FaultServer(fails(500)) as server:
        out, err = asking(server).communicate(timeout=60)
    assert sorted(map(int, out.split())) == list(range(20))
    assert "mini: 20 of 20, 0 reused, 1 failed tries" in err and KEY not in err
