"""Replies of a live model: from the response log as far as it has them; what it lacks is asked for, and logged first.

A dialogue may have several turns: a model that calls a tool gets the tool's answer and goes on. Every turn is a
request of its own in the log.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from evaltrail import calculator, clients, jsonl
from evaltrail.exchange import BYTES, Reply, Request
from evaltrail.progress import Progress
from evaltrail.records import Generation
from evaltrail.responses import ResponseLog
from evaltrail.segments import key_of

REPLAY = (
    "EVALTRAIL_REPLAY"  # in the environment: no model is asked, and a reply that the log lacks is an error
)
MOST_TURNS = 16  # of a dialogue: a model may call tools for ever


class Dialogue:
    """One sample of one instance: what is sent next, until the model has given its last reply."""

    def __init__(self, spec: dict[str, Any], instance: str, prompt: str, sample: int):
        self.spec, self.instance, self.sample = spec, instance, sample
        self.messages = prompt if spec["model"].get("api") == "completions" else _messages(spec, prompt)
        self.turns = self.bad_calls = 0
        self.reply: Reply | None = None

    @property
    def request(self) -> Request:
        seed = self.spec["seed"]
        return Request(
            messages=self.messages if isinstance(self.messages, str) else tuple(self.messages),
            sample=self.sample,
            seed=None if seed is None else seed + self.sample,
            sampling=self.spec["sampling"],
            tools=calculator.TOOLS if self.spec["tools"] else (),
            stop=tuple(self.spec["stop"]),
            max_tokens=self.spec["max_tokens"],
        )

    def take(self, reply: Reply) -> None:
        """The reply to `request`: the last one, or the calls of tools, which are answered in the next request."""
        self.turns += 1
        if not (self.spec["tools"] and reply.tool_calls and self.turns < MOST_TURNS):
            self.reply = reply
            return
        self.messages.append(
            {"role": "assistant", "content": reply.text, "tool_calls": list(reply.tool_calls)}
        )
        for call in reply.tool_calls:
            text, bad = calculator.answer(call)
            self.bad_calls += bad
            self.messages.append({"role": "tool", "tool_call_id": call.get("id", ""), "content": text})

    @property
    def generation(self) -> Generation:
        """The last reply, without what an answer from the log may leave out."""
        return Generation(
            instance=self.instance,
            sample=self.sample,
            text=self.reply.text,
            finish=self.reply.finish,
            model=self.reply.model,
            usage=None,
            recorded_answer=None,
        )


def _messages(spec: dict[str, Any], prompt: str) -> list[dict[str, Any]]:
    first = spec["system_message"]
    opening = [] if first is None else [{"role": "system", "content": first}]
    return [*opening, {"role": "user", "content": prompt}]


def generations(
    spec: dict[str, Any], connection: dict[str, Any], prompts: dict[str, str]
) -> Iterator[Generation]:
    """The replies to `prompts` (by instance), in their order, samples in theirs.

    spec: the model and what is sent; connection: how it is asked, and the folders of logs: the last is written to.
    Raises InputError when the model cannot be asked further, once all that it had replied is in the log.
    """
    dialogues = dialogues_of(spec, prompts)
    with (
        Progress(connection["label"], len(dialogues)) as progress,
        _opened(spec, connection, progress.say) as (client, logs),
    ):
        pending = dialogues
        while pending := _from_log(pending, logs, lambda: progress.reuse(1)):
            if os.environ.get(REPLAY):
                raise logs[-1].missing(pending[0].request, pending[0].instance)
            _ask(client, pending, logs[-1], progress)
            pending = [dialogue for dialogue in pending if dialogue.reply is None]
        bad = sum(dialogue.bad_calls for dialogue in dialogues)
        if bad:
            progress.say(f"{connection['label']}: {bad} tool calls were answered with an error")
    yield from (dialogue.generation for dialogue in dialogues)


def dialogues_of(spec: dict[str, Any], prompts: dict[str, str]) -> list[Dialogue]:
    """A dialogue for each sample of each prompt, none of which has begun."""
    return [
        Dialogue(spec, instance, prompt, sample)
        for instance, prompt in prompts.items()
        for sample in range(spec["samples"])
    ]


class Forecast(NamedTuple):
    """What a generation would ask: dialogues that the log has whole, those it lacks, and what these take at most.

    prompt: tokens sent, by a usual ratio of bytes; completion: tokens that may come back, None where nothing limits
    them; usd: None without prices. Tools may add turns.
    """

    reused: int
    asked: int
    prompt: int
    completion: int | None
    usd: float | None


def forecast(spec: dict[str, Any], connection: dict[str, Any], prompts: dict[str, str]) -> Forecast:
    """What `generations` would ask, found out without asking."""
    dialogues = dialogues_of(spec, prompts)
    with _opened(spec, connection, say=lambda line: None) as (_, logs):
        left = _from_log(dialogues, logs, count=lambda: None)
    sent = sum(len(jsonl.encode(dialogue.request.messages)) for dialogue in left) // BYTES
    most = None if spec["max_tokens"] is None else len(left) * spec["max_tokens"]
    prices, usd = connection["settings"].get("prices"), None
    if prices and most is not None:
        usd = (sent * prices["prompt"] + most * prices["completion"]) / 1_000_000
    return Forecast(len(dialogues) - len(left), len(left), sent, most, usd)


@contextmanager
def _opened(spec: dict[str, Any], connection: dict[str, Any], say: Callable[[str], None]):
    """The client, and the logs that have its replies."""
    client = clients.connect(spec["client"], spec["model"] | connection["settings"], say)
    with ExitStack() as stack:
        yield (
            client,
            [stack.enter_context(ResponseLog(Path(root), client.identity)) for root in connection["logs"]],
        )


def _from_log(
    dialogues: Sequence[Dialogue], logs: Sequence[ResponseLog], count: Callable[[], None]
) -> list[Dialogue]:
    """Takes each dialogue as far as the logs have it; those that a model must be asked for. count: one is complete."""
    left = []
    for dialogue in dialogues:
        while dialogue.reply is None and (reply := _logged(dialogue.request, logs)) is not None:
            dialogue.take(reply)
        if dialogue.reply is None:
            left.append(dialogue)
        else:
            count()
    return left


def _logged(request: Request, logs: Sequence[ResponseLog]) -> Reply | None:
    return next((reply for log in logs if (reply := log.answer(request)) is not None), None)


def _ask(client, dialogues: Sequence[Dialogue], log: ResponseLog, progress: Progress) -> None:
    """One more turn of each dialogue. Dialogues that send the same are asked for once."""
    waiting: dict[str, list[Dialogue]] = {}
    for dialogue in dialogues:
        waiting.setdefault(key_of(log.identity, dialogue.request), []).append(dialogue)
    for exchange in client.ask([those[0].request for those in waiting.values()]):
        log.append(exchange)
        progress.add(exchange)
        for dialogue in waiting[key_of(log.identity, exchange.request)]:
            dialogue.take(exchange.reply)
