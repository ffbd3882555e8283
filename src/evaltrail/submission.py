"""submission: a system's replies in the form in which a benchmark's site takes them."""

from evaltrail import files, jsonl, steps
from evaltrail.records import Completion, Instance, Prompt


def main(argv=None) -> None:
    args = steps.arguments(__doc__, "instances", "prompts", "completions", "submission", argv=argv)
    write = steps.plugin(args.spec["benchmark"], "submission").text
    instances = {instance.id: instance for instance in jsonl.read(args.instances, Instance)}
    firsts = (row for row in jsonl.read(args.completions, Completion) if row.sample == 0)
    prompts = {row.instance: row.prompt for row in jsonl.read(args.prompts, Prompt)}
    files.write_text(args.submission, write(instances, prompts, firsts))


if __name__ == "__main__":
    steps.run(main)
