"""tune: the confidence below which a system does not answer, found on the validation part (thresholds.json)."""

from evaltrail import jsonl, steps
from evaltrail.records import Instance


def main(argv=None) -> None:
    args = steps.arguments(__doc__, "instances", "scores", "thresholds", argv=argv)
    tuner = steps.plugin(args.spec["benchmark"], "tune")
    jsonl.write_document(args.thresholds, tuner.tune(list(jsonl.read(args.instances, Instance)), args.scores))


if __name__ == "__main__":
    steps.run(main)
