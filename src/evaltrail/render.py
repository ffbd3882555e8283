"""render: the exact text sent to a model for each instance, to prompts.jsonl."""

from collections.abc import Iterable, Iterator

from evaltrail import jsonl, steps
from evaltrail.errors import InputError
from evaltrail.records import Instance, Prompt


def render(instances: Iterable[Instance], wording: dict, fields_of, path) -> Iterator[Prompt]:
    """The prompt of each instance of the wanted types, white space at both ends removed.

    wording: `template` with names in braces, `texts` by name and instance type, `types` (None: all).
    fields_of: what the benchmark puts for the other names, a function of the instance.
    Raises InputError when the method has no text for an instance's type, and when no instance is wanted.
    """
    found = False
    for instance in instances:
        if wording["types"] is not None and instance.type not in wording["types"]:
            continue
        texts = {name: by_type.get(instance.type) for name, by_type in wording["texts"].items()}
        for name, text in texts.items():
            if text is None:
                what = f"the system's method has no {name} for type {instance.type}"
                fix = "limit its `instances` or take another method"
                raise InputError(path, what, row=instance.id, fix=fix)
        text = wording["template"].format_map({**fields_of(instance), **texts})
        found = True
        yield Prompt(instance.id, text.strip())
    if not found:
        raise InputError(path, "has no instance of the wanted types", fix="mend the system's `instances`")


def main(argv=None) -> None:
    args = steps.arguments(__doc__, "instances", "prompts", optional=("examples",), argv=argv)
    fields_of = steps.plugin(args.spec["benchmark"], "render").fields(args.examples)
    instances = jsonl.read(args.instances, Instance)
    jsonl.write(args.prompts, render(instances, args.spec, fields_of, args.instances))


if __name__ == "__main__":
    steps.run(main)
