"""What differs in params.yaml, key by key as it is written there."""

from typing import Any, NamedTuple

from evaltrail.audit.diff_sides import Side

ABSENT = ...  # stands for the value of a key that a side does not have


class Setting(NamedTuple):
    """A key with another value in A and B; ABSENT where a side lacks it."""

    key: tuple[str, ...]
    a: Any
    b: Any


def settings(a: Side, b: Side, dataset: str | None = None) -> list[Setting]:
    """The settings that differ, in the order of A's file, those of one system together.

    dataset: leave out what concerns other datasets and their systems alone.
    """
    values_a, values_b = _flat(a.params), _flat(b.params)
    keys = {**values_a, **values_b}
    order = {key: rank for rank, key in enumerate(dict.fromkeys(key[:2] for key in keys))}
    differing = [
        Setting(key, values_a.get(key, ABSENT), values_b.get(key, ABSENT))
        for key in sorted(keys, key=lambda key: order[key[:2]])
    ]
    return [
        setting
        for setting in differing
        if not _same(setting.a, setting.b) and (dataset is None or _concerns(setting.key, dataset, a, b))
    ]


def reordered(a: Side, b: Side) -> list[str]:
    """Which of datasets and systems stand in another order, those that one side lacks left out."""
    return [key for key in ("datasets", "systems") if _order(a, b, key) != _order(b, a, key)]


def _order(side: Side, other: Side, key: str) -> list[str]:
    there = other.params.get(key) or {}
    return [id for id in side.params.get(key) or {} if id in there]


def _flat(value: Any, key: tuple[str, ...] = ()) -> dict[tuple[str, ...], Any]:
    """The values by key; a list is one value."""
    if not isinstance(value, dict) or (key and not value):
        return {key: value}
    return {inner: leaf for name, item in value.items() for inner, leaf in _flat(item, (*key, name)).items()}


def _same(a: Any, b: Any) -> bool:
    """Whether two values mean the same: 64 and 64.0 do, 1 and true do not."""
    return a == b and isinstance(a, bool) == isinstance(b, bool)


def _concerns(key: tuple[str, ...], dataset: str, a: Side, b: Side) -> bool:
    if key[0] == "datasets":
        return key[1:2] in ((), (dataset,))
    if key[0] == "systems":
        return len(key) == 1 or key[1] in {**a.systems(dataset), **b.systems(dataset)}
    return True
