"""generate: the raw replies to the prompts, every sample, to generations.jsonl.

Recorded ones are read from a file, random ones are drawn; a live model's come from the response log, as far as it has
them, else the model is asked (see `live`).
"""

import json
import random
from collections.abc import Iterator

from evaltrail import jsonl, live, steps
from evaltrail.records import Generation, Instance, Prompt


def main(argv=None) -> None:
    args = steps.arguments(
        __doc__, "instances", "prompts", "generations", optional=("recorded", "connection"), argv=argv
    )
    instances = {instance.id: instance for instance in jsonl.read(args.instances, Instance)}
    prompts = {row.instance: row.prompt for row in jsonl.read(args.prompts, Prompt)}
    match args.spec["client"]:
        case "recorded":
            read = steps.plugin(args.spec["benchmark"], "generate").recorded
            rows = read(args.recorded, args.spec["recorded_name"], instances, prompts, args.spec["present"])
        case "random":
            rows = drawn(args.spec, [instances[id] for id in prompts])
        case _:
            rows = live.generations(args.spec, json.loads(args.connection), prompts)
    jsonl.write(args.generations, rows)


def drawn(spec: dict, instances: list[Instance]) -> Iterator[Generation]:
    """Random answers of the instances' forms; each depends on seed, instance and sample alone."""
    draw = steps.plugin(spec["benchmark"], "random_answers").draw
    for instance in instances:
        for sample in range(spec["samples"]):
            text = draw(instance, random.Random(f"{spec['seed']} {sample} {instance.id}"))
            yield Generation(
                instance.id, sample, text, finish="stop", model="random", usage=None, recorded_answer=None
            )


if __name__ == "__main__":
    steps.run(main)
