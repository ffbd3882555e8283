"""Replies that others recorded to DROP: lm-evaluation-harness' samples (JSONL), a leaderboard's details (Parquet)."""

import json
from collections import defaultdict, deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from evaltrail.errors import InputError
from evaltrail.records import Generation, Instance


class Recorded(NamedTuple):
    """One recorded question: the prompt that was sent, the replies, and the question's id where the file has it."""

    row: int
    prompt: str
    replies: list[str]
    id: str | None


def recorded(
    path, name: str, instances: dict[str, Instance], prompts: dict[str, str], present: bool
) -> Iterator[Generation]:
    """The recorded replies to `prompts`, in the order of the prompts, samples in theirs.

    A record belongs to the instance of its id, whose rendered prompt must stand in the recorded one, else to the one
    whose prompt ends it: what stands around are the examples and the chat form that whoever asked chose. Of instances
    with one prompt the first takes the first record.
    present: leave out the instances that the file lacks, instead of raising.
    Raises InputError for an instance without a record, and for a record of no instance or of another prompt.
    """
    found = _by_instance(path, prompts)
    missing = [id for id in prompts if id not in found]
    if missing and not present:
        what = f"no reply to this instance ({len(missing)} of {len(prompts)} have none)"
        raise InputError(path, what, row=missing[0], fix="complete the file or set `instances: present`")
    if not found:
        raise InputError(path, "has no reply", fix="check recorded_name and dataset in params.yaml")
    for id in prompts:
        for sample, text in enumerate(found.get(id, [])):
            yield Generation(id, sample, text, finish=None, model=None, usage=None, recorded_answer=None)


def _by_instance(path, prompts: dict[str, str]) -> dict[str, list[str]]:
    """The replies by instance."""
    find, found = _Finder(prompts), {}
    for record in _records(path):
        if record.id in prompts:
            id = record.id
            if prompts[id].strip() not in record.prompt:
                raise InputError(path, "was made from another prompt", row=record.row, fix=_METHOD)
        elif (id := find(record.prompt)) is None:
            raise InputError(path, "ends with the prompt of no instance", row=record.row, fix=_METHOD)
        if id in found:
            raise InputError(path, f"is a second record of {id}", row=record.row, fix="remove one of the two")
        found[id] = record.replies
    return found


class _Finder:
    """Finds the instance whose prompt ends a recorded one; instances of the same prompt come one after the other."""

    def __init__(self, prompts: dict[str, str]):
        self._ids: dict[str, deque[str]] = defaultdict(deque)
        for id, prompt in prompts.items():
            self._ids[prompt.rstrip()].append(id)
        self._length = min(64, *map(len, self._ids))
        self._by_tail: dict[str, list[str]] = defaultdict(list)
        for prompt in sorted(self._ids, key=len, reverse=True):
            self._by_tail[prompt[-self._length :]].append(prompt)

    def __call__(self, recorded: str) -> str | None:
        recorded = recorded.rstrip()
        tail = recorded[-self._length :]
        prompt = next(filter(recorded.endswith, self._by_tail.get(tail, ())), None)
        if prompt is None:
            return None
        ids = self._ids[prompt]
        ids.rotate(-1)  # after the last of them the first would get a second record
        return ids[-1]


_METHOD = "check the system's dataset and method: zero-shot or lm-eval, by how the recorded prompts end"


def _records(path) -> Iterator[Recorded]:
    suffix = Path(path).suffix
    if suffix not in _READERS:
        what = "is neither .jsonl (lm-eval --log_samples) nor .parquet (details)"
        raise InputError(path, what, fix="give recorded_name with its ending")
    return _READERS[suffix](path)


def _lm_eval(path) -> Iterator[Recorded]:
    """The rows of `lm-eval --log_samples`. `arguments` is a list of lists, or an object gen_args_0: {arg_0: prompt}."""
    with open(path, "rb") as file:
        for row, line in enumerate(file, start=1):
            try:
                value = json.loads(line.decode("utf-8"))
                arguments = value["arguments"]
                first = arguments["gen_args_0"]["arg_0"] if isinstance(arguments, dict) else arguments[0][0]
                if not all(isinstance(replies, list) for replies in value["resps"]):
                    raise TypeError("resps holds no lists of texts")
                replies = [text for replies in value["resps"] for text in replies]
                doc = value.get("doc") or {}
                yield _checked(path, row, first, replies, doc.get("query_id") or doc.get("id"))
            except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
                what = f"is no sample of lm-eval: {type(error).__name__} {error}"[:200]
                raise InputError(path, what, row=row, fix="bring the file as lm-eval wrote it") from None


# The columns of a details file: which of these names it has depends on the version that wrote it. `example` holds the
# question's id in those of 2023.
_PROMPTS = ("full_prompt", "prompt", "input")
_REPLIES = ("predictions", "prediction", "full_generation", "generation")
_IDS = ("example", "id", "query_id")


def _details(path) -> Iterator[Recorded]:
    """The rows of a leaderboard's details: full prompt and generations."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ModuleNotFoundError:
        raise InputError(path, "cannot be read without pyarrow", fix="pip install pyarrow") from None
    try:
        file = parquet.ParquetFile(path)
        names = file.schema_arrow.names
        columns = [
            next((name for name in known if name in names), None) for known in (_PROMPTS, _REPLIES, _IDS)
        ]
        if None in columns[:2]:
            what = f"has no column of prompts or none of replies, only {', '.join(names)}"
            raise InputError(
                path, what[:200], fix=f"it needs one of {', '.join(_PROMPTS)} and of {', '.join(_REPLIES)}"
            )
        held, row = list(filter(None, columns)), 0
        for batch in file.iter_batches(columns=held):
            values = batch.to_pydict()
            for prompt, replies, *id in zip(*(values[name] for name in held), strict=True):
                row += 1
                # An empty list is the reply of a model that said nothing.
                yield _checked(path, row, prompt, [""] if replies == [] else replies, *id)
    except (pyarrow.ArrowException, UnicodeDecodeError) as error:
        raise InputError(path, f"is no Parquet file: {error}"[:200], fix="bring it as published") from None


_READERS = {".jsonl": _lm_eval, ".parquet": _details}


def _checked(path, row: int, prompt: Any, replies: Any, id: Any = None) -> Recorded:
    """A record of one prompt and its replies, a list or one text."""
    texts = [replies] if isinstance(replies, str) else replies
    wanted = isinstance(prompt, str) and isinstance(texts, list) and texts
    if not wanted or not all(isinstance(text, str) for text in texts):
        what = "has no prompt or no reply that is a text"
        raise InputError(path, what, row=row, fix="bring the file as it was written")
    return Recorded(row, prompt, texts, id if isinstance(id, str) else None)
