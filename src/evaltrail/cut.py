"""cut: each reply up to its first stop sequence, to completions.jsonl.

Apart from what was sent to the model: changing this stop never makes a model be asked again.
"""

from collections.abc import Sequence

from evaltrail import jsonl, steps
from evaltrail.records import Completion, Generation


def as_stops(stop: str | list[str] | None) -> list[str]:
    """A stop setting as a list: one, several, or none."""
    return [stop] if isinstance(stop, str) else stop or []


def first_stop(text: str, stops: Sequence[str]) -> tuple[int, str | None]:
    """Where in `text` any of `stops` first begins, and which: of two that begin there the one listed first.

    The length of the text and None where there is none.
    """
    found = [(at, order) for order, stop in enumerate(stops) if (at := text.find(stop)) >= 0]
    end, order = min(found, default=(len(text), None))
    return end, None if order is None else stops[order]


def cut(generation: Generation, stops: Sequence[str]) -> Completion:
    """The reply up to its first stop, which is not part of the text. A reply without text gives an empty completion."""
    text = generation.text or ""
    end, stop = first_stop(text, stops)
    return Completion(
        instance=generation.instance,
        sample=generation.sample,
        text=text[:end],
        end=end,
        stop=stop,
        finish=generation.finish if stop is None else "stop",
    )


def main(argv=None) -> None:
    args = steps.arguments(__doc__, "generations", "completions", argv=argv)
    generations = jsonl.read(args.generations, Generation)
    jsonl.write(args.completions, (cut(row, args.spec["stop"]) for row in generations))


if __name__ == "__main__":
    steps.run(main)
