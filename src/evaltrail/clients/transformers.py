"""transformers: replies of a model that runs on this machine.

Rows of about one length run together, padded on the left. A reply depends on its request alone, but for the last bits
of the logits, which change with the shape of a batch. `batch_invariant: true` runs each request as a batch of its own.
"""

import functools
import secrets
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import metadata
from typing import Any

import msgspec

from evaltrail.clients import local_chat
from evaltrail.clients.local_weights import Settings, Source, open_model
from evaltrail.cut import first_stop
from evaltrail.errors import InputError
from evaltrail.exchange import Exchange, Reply, Request


def _say(line: str) -> None:
    print(line, file=sys.stderr)


class Client:
    """A local model. Nothing heavy is loaded before the first request; `Settings` says what `settings` may hold.

    Raises InputError for settings that are unknown or that could not be reproduced.
    """

    def __init__(self, settings: dict[str, Any], say: Callable[[str], None] = _say):
        self.say = say
        try:
            self.settings = msgspec.convert(settings, Settings)
        except msgspec.ValidationError as error:
            raise InputError("params.yaml", str(error), fix="mend the system's settings") from None
        self._told_of_memory = False
        self.batch_size = 1 if self.settings.batch_invariant else self.settings.batch_size
        self.source = Source.of(self.settings.model, self.settings.revision, "model")
        self.adapter = None
        if self.settings.adapter:
            self.adapter = Source.of(self.settings.adapter, self.settings.adapter_revision, "adapter")

    @property
    def identity(self) -> dict[str, str]:
        """What the texts of a request depend on: weights, adapter, dtype; and whether batches may play a part."""
        made = {"client": "transformers", "model": self.source.name, "revision": self.source.revision}
        if self.adapter:
            made |= {"adapter": self.adapter.name, "adapter_revision": self.adapter.revision}
        made["dtype"] = self.settings.dtype
        if self.settings.batch_invariant:
            made["batch_invariant"] = "true"
        return made

    def ask(self, requests: Sequence[Request]) -> Iterator[Exchange]:
        """The replies, batch by batch, the longest prompts first, so that memory runs out early if it does.

        finish is `stop` after an end-of-sequence token (`ended`) or a stop sequence, `tool_calls` for an ended reply
        with tool calls, else `length`. completion_tokens counts every token that was generated, those of the stop and
        of the end included. Without a seed one is drawn and kept in the origin. When a batch is interrupted, its
        replies that are complete are yielded first.
        Raises InputError, before anything is generated, for a request that the model cannot be asked.
        """
        for sampling, waiting in self._groups(requests).items():
            while waiting:
                batch, waiting = waiting[: self.batch_size], waiting[self.batch_size :]
                began = time.perf_counter()
                stopped = self._decode(batch, sampling)
                seconds = round(time.perf_counter() - began, 3)
                for row in batch:
                    if row.done:
                        drawn = {"seed": row.seed} if sampling.temperature else {}
                        origin = {**self._origin, **drawn, "batch": len(batch), "seconds": seconds}
                        yield self._exchange(row, origin)
                if isinstance(stopped, KeyboardInterrupt | InputError):
                    raise stopped
                if stopped:
                    self._halve(len(batch))
                waiting = [row for row in batch if not row.done] + waiting

    @functools.cached_property
    def _opened(self):
        """Model and tokenizer, from the first request on."""
        return open_model(self.settings, self.source, self.adapter)

    def _groups(self, requests: Iterable[Request]) -> dict[Any, list]:
        """Rows that are sampled alike, each group from the longest prompt to the shortest."""
        groups: dict[Any, list] = {}
        rows = [(self._sampling(request), self._row(request)) for request in requests]
        for sampling, row in sorted(rows, key=lambda pair: -len(pair[1].prompt)):
            groups.setdefault(sampling, []).append(row)
        return groups

    def _sampling(self, request: Request):
        from evaltrail.clients.local_decoding import Sampling

        given = {name: value for name, value in request.sampling.items() if value is not None}
        try:
            return msgspec.convert(given, Sampling)
        except msgspec.ValidationError as error:
            fix = f"a local model knows {', '.join(Sampling.__struct_fields__)}"
            raise InputError("params.yaml", str(error), field="generation", fix=fix) from None

    def _row(self, request: Request):
        from evaltrail.clients.local_decoding import Row

        tokenizer, name = self._opened.tokenizer, self.source.name
        if isinstance(request.messages, str) != (self.settings.api == "completions"):
            what = f"api {self.settings.api} cannot ask {'a text' if self.settings.api == 'chat' else 'messages'}"
            raise InputError("params.yaml", what, field="api", fix="set the other one")
        chat = self.settings.api == "chat"
        text = local_chat.prompt(tokenizer, request, name) if chat else request.messages
        prompt = tokenizer(text, add_special_tokens=not chat)["input_ids"]  # a chat template writes its own
        limit = self._limit(len(prompt), request.max_tokens)
        seed = secrets.randbits(32) if request.seed is None else request.seed
        # With the prompt, so that two prompts do not get the same draws for having the same seed.
        return Row(request, prompt, limit, seed, f"{seed} {text}")

    def _limit(self, prompt: int, max_tokens: int | None) -> int:
        """How many tokens may follow a prompt of so many: never more than the model's context has room for."""
        name, context = self.source.name, self._opened.context
        if context is None and max_tokens is None:
            raise InputError(name, "does not say how long its context is", fix="set max_tokens")
        room = [limit for limit in (max_tokens, context and context - prompt) if limit is not None]
        if not prompt or min(room) < 1:
            what = f"cannot take a prompt of {prompt} tokens; its context has {context}"
            raise InputError(name, what, fix="take another model or shorter prompts")
        return min(room)

    def _decode(self, batch: Sequence, sampling) -> BaseException | None:
        """Generates a batch. What stopped it: an interrupt, memory that ran out, logits that cannot be, or nothing."""
        from evaltrail.clients import local_decoding

        try:
            local_decoding.decode(self._opened, batch, sampling)
        except FloatingPointError:
            fix = "set dtype: bfloat16 or float32"
            return InputError(self.source.name, "computes logits that are no numbers", fix=fix)
        except KeyboardInterrupt as error:
            return error
        except (RuntimeError, MemoryError) as error:
            if not local_decoding.out_of_memory(error):
                raise
            return error.with_traceback(None)  # which holds the batch's memory
        return None

    def _halve(self, rows: int) -> None:
        if rows == 1:
            fix = "set a lower max_tokens, a smaller dtype or model, or another device"
            raise InputError(self.source.name, "needs more memory for one request than there is", fix=fix)
        if not self._told_of_memory:
            told = f"evaltrail: out of memory with {rows} requests at once: going on with fewer"
            self.say(told)
        self._told_of_memory = True
        self.batch_size = rows // 2

    @functools.cached_property
    def _origin(self) -> dict[str, Any]:
        """What the log keeps of where the replies were made."""
        model = self._opened.model
        versions = {package: metadata.version(package) for package in ("torch", "transformers", "tokenizers")}
        return {"device": self._opened.device, "dtype": str(model.dtype).removeprefix("torch."), **versions}

    def _exchange(self, row, origin: dict[str, Any]) -> Exchange:
        from evaltrail.clients.local_decoding import text

        whole = text(self._opened.tokenizer, row)
        # The rule of the step `cut`, so that what is cut here and what is cut there are the same.
        end, stop = first_stop(whole, row.request.stop)
        ended = stop is None and row.tokens[-1] in self._opened.eos
        content, calls = local_chat.tool_calls(whole[:end]) if row.request.tools else (whole[:end], ())
        finish = "stop" if ended or stop is not None else "length"
        reply = Reply(
            text=content,
            finish="tool_calls" if calls and ended else finish,
            stop=stop,
            ended=ended,
            model=self.source.name,
            usage={"prompt_tokens": len(row.prompt), "completion_tokens": len(row.tokens)},
            tool_calls=calls,
        )
        return Exchange(row.request, reply, origin)
