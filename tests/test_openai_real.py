"""The `openai` client against a real server (llama.cpp) with a real model (SmolLM2-135M-Instruct) on loopback."""

import pytest

from evaltrail.clients import connect
from evaltrail.errors import InputError
from evaltrail.exchange import Reply, Request
from llama_server import MODEL, SLOTS

GREEDY = {"temperature": 0, "top_k": 0, "top_p": 1, "min_p": 0}
DRAWN = GREEDY | {"temperature": 1}


def asked(url: str, requests: list[Request], **settings) -> tuple[list[Reply], list[str]]:
    """The replies in the order of the requests, and what the client said."""
    said: list[str] = []
    client = connect(
        "openai", {"model": MODEL, "endpoint": url, "concurrency": SLOTS} | settings, said.append
    )
    replies = {id(exchange.request): exchange.reply for exchange in client.ask(requests)}
    return [replies[id(request)] for request in requests], said


def chat(question: str = "Name a colour.", **fields) -> Request:
    fields = {"sampling": GREEDY, "max_tokens": 12} | fields
    return Request(messages=({"role": "user", "content": question},), **fields)


def text(prompt: str = "One, two, three,", **fields) -> Request:
    return Request(messages=prompt, **({"sampling": GREEDY, "max_tokens": 12} | fields))


def test_a_chat_ends_by_itself_and_says_what_it_took(llama_server):
    (reply,), said = asked(llama_server, [chat("What is 2+2? Answer briefly.", max_tokens=40)])
    assert "4" in reply.text and not said
    assert (reply.finish, reply.ended, reply.stop, reply.model) == ("stop", True, None, MODEL)
    assert reply.usage["prompt_tokens"] > 20 and 2 < reply.usage["completion_tokens"] < 40


def test_a_text_is_continued(llama_server):
    (reply,), _ = asked(llama_server, [text()], api="completions")
    assert reply.text.startswith(" four") and reply.finish == "length" and not reply.ended


@pytest.mark.parametrize("api,make", [("chat", chat), ("completions", text)])
def test_greedy_replies_are_the_same_twice(llama_server, api, make):
    requests = [make(prompt) for prompt in ("Name a colour.", "Why is the sky blue?", "Count to ten.")]
    first, _ = asked(llama_server, requests, api=api)
    again, _ = asked(llama_server, requests[::-1], api=api)
    assert [reply.text for reply in first] == [reply.text for reply in again[::-1]]
    assert len({reply.text for reply in first}) == 3


@pytest.mark.parametrize("length", [1, 5])
def test_a_reply_is_as_long_as_max_tokens(llama_server, length):
    (reply,), _ = asked(llama_server, [chat("Tell a long story.", max_tokens=length)])
    assert reply.usage["completion_tokens"] == length and reply.finish == "length" and not reply.ended


def test_a_stop_cuts_the_text_where_it_begins(llama_server):
    whole, sent, left = (
        asked(llama_server, [text(stop=stop, max_tokens=24)], api="completions", max_stops=most)[0][0]
        for stop, most in (((), 4), ((" six",), 4), ((" six",), 0))
    )
    assert " six" in whole.text
    assert sent.text == left.text == whole.text[: whole.text.index(" six")]
    # sent, the server cuts the stop away and does not say that it was there; not sent, the client sees it
    assert (sent.stop, sent.finish, sent.ended) == (None, "stop", False)
    assert (left.stop, left.finish, left.ended) == (" six", "stop", False)
    assert sent.usage["completion_tokens"] < left.usage["completion_tokens"]


def test_sample_k_is_the_same_however_many_are_drawn(llama_server):
    drawn = {}
    for count in (1, 4, 8):
        requests = [chat(sample=n, seed=100 + n, sampling=DRAWN, max_tokens=6) for n in range(count)]
        drawn[count] = [reply.text for reply in asked(llama_server, requests)[0]]
    assert drawn[1] == drawn[8][:1] and drawn[4] == drawn[8][:4]
    assert len(set(drawn[8])) > 4


def test_without_a_seed_samples_come_in_one_request(llama_server):
    requests = [chat(sample=n, sampling=DRAWN) for n in range(SLOTS)]
    client = connect("openai", {"model": MODEL, "endpoint": llama_server}, print)
    exchanges = list(client.ask(requests))
    assert len({exchange.origin["id"] for exchange in exchanges}) == 1
    assert [exchange.reply.usage for exchange in exchanges] == [
        None
    ] * SLOTS  # the first choice's alone is shown
    assert len({exchange.reply.text for exchange in exchanges}) > 1


def test_more_samples_than_the_server_gives_at_once_are_asked_one_by_one(llama_server):
    replies, said = asked(
        llama_server, [chat(sample=n, sampling=DRAWN, max_tokens=3) for n in range(SLOTS + 1)]
    )
    assert len(replies) == SLOTS + 1 and all(reply.text and reply.usage for reply in replies)
    assert len(said) == 1 and f"n={SLOTS + 1}" in said[0]


def test_what_is_asked_at_the_same_time_does_not_matter(llama_server):
    # to the last bit of each probability; long prompts beside short ones, for those share batches of every kind
    sampling = GREEDY | {"logprobs": True, "top_logprobs": 1}
    requests = [chat("Go on. " * n + "?", sampling=sampling, max_tokens=2) for n in (1, 15, 20, 25, 30)]
    together, _ = asked(llama_server, requests, concurrency=SLOTS)
    alone, _ = asked(llama_server, requests, concurrency=1)
    assert [reply.logprobs for reply in together] == [reply.logprobs for reply in alone]


def test_all_slots_at_work_answer_every_request(llama_server):
    requests = [text(f"{n}, {n + 1}, {n + 2},", max_tokens=4) for n in range(12)]
    replies, _ = asked(llama_server, requests, api="completions")
    assert [reply.text.split(",")[0].strip() for reply in replies] == [str(n + 3) for n in range(12)]


def test_logprobs_are_kept(llama_server):
    (reply,), _ = asked(
        llama_server, [chat(sampling=GREEDY | {"logprobs": True, "top_logprobs": 2}, max_tokens=3)]
    )
    tokens = reply.logprobs["content"]
    assert "".join(token["token"] for token in tokens) == reply.text and all(
        token["logprob"] <= 0 for token in tokens
    )


def test_a_prompt_that_is_too_long_is_refused_in_one_line(llama_server):
    with pytest.raises(InputError, match="too long"):
        asked(llama_server, [chat("word " * 4000)])
