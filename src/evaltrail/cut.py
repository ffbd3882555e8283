"""cut: each reply up to its first stop sequence, to completions.jsonl.

Apart from what was sent to the model: changing this stop never makes a model be asked again.
"""

from collections.abc import Sequence

from evaltrail import jsonl, steps
from evaltrail.records import Completion, Generation


def cut(generation: Generation, stops: Sequence[str]) -> Completion:
    """The reply up to the first place where any of `stops` begins; of two that begin there the one listed first.

    The stop itself is not part of the text. A reply without text gives an empty completion.
    """
    text = generation.text or ""
    found = [(at, order) for order, stop in enumerate(stops) if (at := text.find(stop)) >= 0]
    end, order = min(found, default=(len(text), None))
    return Completion(
        instance=generation.instance,
        sample=generation.sample,
        text=text[:end],
        end=end,
        stop=None if order is None else stops[order],
        finish=generation.finish if order is None else "stop",
    )


def main(argv=None) -> None:
    args = steps.arguments(__doc__, "generations", "completions", argv=argv)
    generations = jsonl.read(args.generations, Generation)
    jsonl.write(args.completions, (cut(row, args.spec["stop"]) for row in generations))


if __name__ == "__main__":
    steps.run(main)
