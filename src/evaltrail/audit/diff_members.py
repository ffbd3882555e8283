"""The instances of a dataset on both sides: their order, and the groups of the tables that each counts in."""

from collections.abc import Iterable

from evaltrail import jsonl, steps
from evaltrail.audit.diff_sides import Pair, Side
from evaltrail.errors import InputError
from evaltrail.records import Instance

Groups = dict[str, tuple[str, ...]]  # by instance


class Members:
    """A dataset's instances, read once.

    a, b: the groups of each instance in A and in B, as the benchmark's `groups_of` names them.
    """

    def __init__(self, pair: Pair, dataset: str):
        file = f"data/{dataset}/instances.jsonl"
        self.a = _groups(pair.a, dataset, file)
        self.b = _groups(pair.b, dataset, file) if pair.differs(file) else self.a
        self.order = {id: rank for rank, id in enumerate({**self.a, **self.b})}
        self.names = {name for side in (self.a, self.b) for groups in side.values() for name in groups}

    def sorted(self, ids: Iterable[str]) -> list[str]:
        """`ids` in A's order, then those that B alone has in its order, then what no side knows."""
        return sorted(ids, key=lambda id: (self.order.get(id, len(self.order)), id))

    def within(self, id: str, names: Iterable[str]) -> tuple[bool, bool]:
        """Whether the instance counts in all of the groups `names`: in A, and in B."""
        a, b = (all(name in side.get(id, ()) for name in names) for side in (self.a, self.b))
        return a, b


def _groups(side: Side, dataset: str, file: str) -> Groups:
    if not side.has(file):
        return {}
    groups_of = _groups_of(str(side.datasets.get(dataset, {}).get("benchmark")))
    same: dict[tuple[str, ...], tuple[str, ...]] = {}  # one tuple for all instances of the same groups
    found = {}
    with side.named():
        for instance in jsonl.read(side.path(file), Instance):
            try:
                groups = tuple(groups_of(instance))
            except LookupError as error:
                what = f"is in no group that the benchmark knows: {error}"
                raise InputError(side.path(file), what, row=instance.id, fix="make the file again") from None
            found[instance.id] = same.setdefault(groups, groups)
    return found


def _groups_of(benchmark: str):
    """The benchmark's own function; one that names no group where this evaltrail has no such benchmark."""
    try:
        return steps.plugin(benchmark, "score").groups_of
    except (ModuleNotFoundError, AttributeError):
        return lambda instance: ()
