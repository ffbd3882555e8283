"""extract: a dataset's raw file to instances.jsonl, the one shape that all benchmarks share."""

from collections.abc import Iterable, Iterator

from evaltrail import jsonl, steps
from evaltrail.errors import InputError
from evaltrail.jsonl import is_utf8
from evaltrail.records import Instance


def checked(instances: Iterable[Instance], path) -> Iterator[Instance]:
    """`instances` as they come. Raises InputError for an id that occurs twice and for an empty dataset."""
    seen = set()
    for instance in instances:
        if instance.id in seen:
            raise InputError(path, "occurs twice", row=instance.id, fix="remove one of the two")
        if not is_utf8(instance.id):
            raise InputError(
                path, "is no text in UTF-8", row=ascii(instance.id), field="id", fix="mend the id"
            )
        seen.add(instance.id)
        yield instance
    if not seen:
        raise InputError(path, "holds no instance", fix="check the dataset's source in params.yaml")


def main(argv=None) -> None:
    args = steps.arguments(__doc__, "raw", "instances", argv=argv)
    load = steps.plugin(args.spec["benchmark"], "extract").load
    jsonl.write(args.instances, checked(load(args.raw), args.raw))


if __name__ == "__main__":
    steps.run(main)
