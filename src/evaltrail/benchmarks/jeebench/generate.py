"""JEEBench's published replies: responses.json, one entry a problem, with the reading of a person for each choice."""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from evaltrail import jsonl
from evaltrail.benchmarks.jeebench.answers import FORMS
from evaltrail.benchmarks.jeebench.extract import instance_id
from evaltrail.errors import InputError
from evaltrail.records import Generation, Instance


class Message(msgspec.Struct):
    """The message of a chat completion."""

    content: str | None


class Choice(msgspec.Struct):
    """One choice: `text` of a text completion or `message` of a chat completion."""

    index: int = 0
    text: str | UnsetType | None = UNSET
    message: Message | UnsetType = UNSET
    finish_reason: str | None = None
    extract: str | UnsetType = UNSET


class Response(msgspec.Struct):
    """What the endpoint returned."""

    choices: list[Choice]
    model: str | None = None
    usage: dict[str, Any] | None = None


class Entry(msgspec.Struct):
    """One entry of responses.json, less the response, which stands under a key of its own name."""

    description: str
    index: int
    type: str | UnsetType = UNSET
    subject: str | UnsetType = UNSET
    question: str | UnsetType = UNSET
    gold: str | UnsetType = UNSET
    prompt: str | UnsetType = UNSET
    extract: str | list[str] | UnsetType = UNSET


_MEND = 'mend the entry ("None" is the reading of a reply without answer)'


def recorded(
    path, name: str, instances: dict[str, Instance], prompts: dict[str, str], present: bool
) -> Iterator[Generation]:
    """The recorded replies to `prompts`, in the order of the prompts, samples in the order of their index.

    name: the replies of an entry stand under `{name}_response` (chat or text completions, n choices).
    prompts: the rendered prompt by instance id; an entry that keeps its prompt must have been asked with this one.
    present: leave out the instances that the file lacks, instead of raising.
    Raises InputError for an entry that is missing, doubled, unknown, or was made from another question or prompt.
    """
    entries = _entries(path, name, instances)
    missing = [id for id in prompts if id not in entries]
    if missing and not present:
        what = f"no reply to this instance ({len(missing)} of {len(prompts)} have none)"
        raise InputError(path, what, row=missing[0], fix="complete the file or set `instances: present`")
    if len(missing) == len(prompts):
        raise InputError(
            path, "has no reply to any instance", fix="check recorded_name and dataset in params.yaml"
        )
    for id, prompt in prompts.items():
        if id in entries:
            entry, response = entries[id]
            _check_prompt(entry, prompt, id, path)
            yield from _generations(entry, response, id, path)


def _entries(path, name: str, instances: dict[str, Instance]) -> dict[str, tuple[Entry, Response]]:
    """The file's entries by instance id, each held against the dataset."""
    document = jsonl.read_document(path)
    if not isinstance(document, list):
        raise InputError(path, "is no list of replies", fix="bring a published responses.json")
    entries: dict[str, tuple[Entry, Response]] = {}
    for row, value in enumerate(document, start=1):
        entry = jsonl.convert(value, Entry, path, row, _MEND)
        id = instance_id(entry.description, entry.index)
        if id not in instances:
            raise InputError(path, f"{id} is not in the dataset", row=row, fix="remove the entry")
        if id in entries:
            raise InputError(path, "occurs twice", row=id, fix="remove one of the two")
        _check_same(entry, instances[id], path)
        entries[id] = entry, _response(value, f"{name}_response", id, path)
    return entries


def _check_same(entry: Entry, instance: Instance, path) -> None:
    """Raises InputError unless the entry was made from this very problem."""
    if entry.type is not UNSET and entry.type not in FORMS:
        what = f"unknown type {entry.type!r}"
        raise InputError(path, what, row=instance.id, field="type", fix=f"known: {', '.join(FORMS)}")
    expected = {
        "type": instance.type,
        "subject": instance.subject,
        "question": instance.question,
        "gold": instance.references[0],
    }
    for field, value in expected.items():
        if getattr(entry, field) not in (UNSET, value):
            what, fix = "differs from the dataset", "bring the replies to this dataset"
            raise InputError(path, what, row=instance.id, field=field, fix=fix)


def _check_prompt(entry: Entry, prompt: str, id: str, path) -> None:
    if entry.prompt in (UNSET, prompt):
        return
    pairs = enumerate(zip(entry.prompt, prompt, strict=False))
    at = next((at for at, (one, other) in pairs if one != other), min(len(entry.prompt), len(prompt)))
    what = f"is another prompt than the system's method gives; they part at character {at + 1}"
    fix = "set `method` to the one that the replies were made with, or write that one under `methods`"
    raise InputError(path, what, row=id, field="prompt", fix=fix)


def _response(value: dict[str, Any], key: str, id: str, path) -> Response:
    if key not in value:
        there = ", ".join(name for name in value if name.endswith("_response")) or "none"
        raise InputError(
            path, "is missing", row=id, field=key, fix=f"set recorded_name; replies here: {there}"
        )
    response = jsonl.convert(value[key], Response, path, id, _MEND)
    if not response.choices:
        raise InputError(path, "is empty", row=id, field="choices", fix=_MEND)
    return response


def _generations(entry: Entry, response: Response, id: str, path) -> Iterator[Generation]:
    pairs = zip(response.choices, _readings(entry, response.choices, id, path), strict=True)
    pairs = sorted(pairs, key=lambda pair: pair[0].index)
    if len({choice.index for choice, _ in pairs}) < len(pairs):
        raise InputError(path, "two choices have one index", row=id, field="choices", fix=_MEND)
    usage = {name: count for name, count in (response.usage or {}).items() if type(count) is int}
    for sample, (choice, reading) in enumerate(pairs):
        if (choice.text is UNSET) == (choice.message is UNSET):
            raise InputError(path, "needs one of text and message", row=id, field="choices", fix=_MEND)
        yield Generation(
            instance=id,
            sample=sample,
            text=choice.message.content if choice.text is UNSET else choice.text,
            finish=choice.finish_reason,
            model=response.model,
            usage=usage if usage and sample == 0 else None,
            recorded_answer=reading,
        )


def _readings(entry: Entry, choices: list[Choice], id: str, path) -> list[str | None]:
    """What a person read in each choice, in the order of `choices`; None where the file has no reading.

    It stands in the choice itself, or in the entry: one text for a single choice, a list for several.
    """
    beside = entry.extract
    if beside is UNSET:
        beside = [None] * len(choices)
    elif isinstance(beside, str):
        beside = [beside]
    own = [choice.extract for choice in choices]
    if UNSET in own and len(beside) != len(choices):
        what = f"{len(beside)} readings of {len(choices)} choices"
        raise InputError(path, what, row=id, field="extract", fix="give each choice its `extract`")
    return [beside[n] if reading is UNSET else reading for n, reading in enumerate(own)]
