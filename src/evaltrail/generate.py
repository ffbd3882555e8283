"""generate: the raw replies to the prompts, every sample, to generations.jsonl."""

from evaltrail import jsonl, steps
from evaltrail.records import Instance, Prompt


def main(argv=None) -> None:
    args = steps.arguments(__doc__, "instances", "prompts", "recorded", "generations", argv=argv)
    recorded = steps.plugin(args.spec["benchmark"], "generate").recorded
    instances = {instance.id: instance for instance in jsonl.read(args.instances, Instance)}
    prompts = {row.instance: row.prompt for row in jsonl.read(args.prompts, Prompt)}
    replies = recorded(args.recorded, args.spec["recorded_name"], instances, prompts, args.spec["present"])
    jsonl.write(args.generations, replies)


if __name__ == "__main__":
    steps.run(main)
