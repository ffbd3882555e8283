"""render: the exact text sent to a model for each instance, to prompts.jsonl."""

from collections.abc import Iterable, Iterator

from evaltrail import jsonl, steps
from evaltrail.errors import InputError
from evaltrail.records import Generation, Instance, Prompt


def render(instances: Iterable[Instance], wording: dict, fields_of, path) -> Iterator[Prompt]:
    """The prompt of each instance of the wanted types.

    wording: `template` with names in braces, `texts` by name and instance type, which may have names in them,
    `types` (None: all), `strip`: whether white space at both ends goes.
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
        fields = fields_of(instance)
        texts = {name: text.format_map(fields) for name, text in texts.items()}
        text = wording["template"].format_map({**fields, **texts})
        found = True
        yield Prompt(instance.id, text.strip() if wording["strip"] else text)
    if not found:
        raise InputError(path, "has no instance of the wanted types", fix="mend the system's `instances`")


def fields(spec: dict, examples: str | None, solutions: str | None):
    """What stands for the names in a wording, a function of the instance; examples and solutions: paths, if any."""
    fields_of = steps.plugin(spec["benchmark"], "render").fields(examples, spec["shots"])
    return _with_solutions(fields_of, solutions) if solutions else fields_of


def _with_solutions(fields_of, path):
    """`fields_of` with {solution} beside: the first sample of another system's replies, as it is.

    The function raises InputError for an instance without one.
    """
    replies = {row.instance: row.text or "" for row in jsonl.read(path, Generation) if row.sample == 0}

    def of_instance(instance: Instance) -> dict[str, str]:
        if instance.id not in replies:
            raise InputError(
                path, "has no reply to this instance", row=instance.id, fix="mend `of` or `instances`"
            )
        return {**fields_of(instance), "solution": replies[instance.id]}

    return of_instance


def main(argv=None) -> None:
    args = steps.arguments(__doc__, "instances", "prompts", optional=("examples", "solutions"), argv=argv)
    fields_of = fields(args.spec, args.examples, args.solutions)
    instances = jsonl.read(args.instances, Instance)
    jsonl.write(args.prompts, render(instances, args.spec, fields_of, args.instances))


if __name__ == "__main__":
    steps.run(main)
