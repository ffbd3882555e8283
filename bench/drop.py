"""How much faster DROP's metric is than lm-evaluation-harness': `python bench/drop.py`.

Sets up lm-eval in an environment of its own, then scores the same 100,000 records with both in turn, pass by pass in
one process: half short predictions, half replies of 20 to 200 words, 1 to 5 golds, 15 % of them of several spans. Each
pass starts with nothing remembered. EM and F1 of `official` must be lm-eval's, record by record. Prints

    the processor time of lm-eval divided by that of each normaliser, and the median over the passes
    the peak memory of a process that scores a stream of 50,000 to 400,000 records
"""

import argparse
import gc
import random
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

import drop_official  # noqa: E402
from evaltrail.benchmarks.drop.metric import Scorer  # noqa: E402
from evaltrail.benchmarks.drop.normalisers import NORMALISERS  # noqa: E402

SYLLABLES = "ka lo mi ra ten sor vel dan pi us er on qua li bor".split()  # noqa: SIM905
COMMON = "the of and in to a was by for with on from his as at that were had they it".split()  # noqa: SIM905


def records(count: int, seed: int = 1) -> Iterator[tuple[str, list[tuple[str, ...]]]]:
    """`count` predictions, each with its golds. Words are as frequent as in English; new ones never cease to come."""
    rng = random.Random(seed)
    rare = ["".join(rng.choices(SYLLABLES, k=rng.randint(1, 4))) for _ in range(30_000)]
    rare = [word.title() if rng.random() < 0.2 else word for word in rare]

    def word() -> str:
        drawn = rng.random()
        if drawn < 0.4:
            return rng.choice(COMMON)
        if drawn < 0.48:
            return number()
        return rare[int(len(rare) ** rng.random()) - 1] + rng.choice(["", "", "", "", "", ".", ","])

    def number() -> str:
        drawn = rng.random()
        if drawn < 0.5:
            return str(rng.randrange(100))
        if drawn < 0.7:
            return str(rng.randrange(1000, 2030))
        return f"{rng.randrange(1000) / 10}" if drawn < 0.9 else f"{rng.randrange(10**7):,}"

    def span() -> str:
        return " ".join(word() for _ in range(rng.choice([1, 1, 1, 2, 2, 3, 4, 6])))

    for _ in range(count):
        golds = []
        for _ in range(rng.choice([1, 1, 1, 2, 2, 3, 4, 5])):
            kind = rng.random()
            spans = rng.randint(2, 5) if kind < 0.15 else 1
            golds.append((number(),) if kind > 0.5 else tuple(span() for _ in range(spans)))
        answer = " ".join(rng.choice(golds)) if rng.random() < 0.5 else span()
        chatter = [word() for _ in range(rng.randint(20, 200))] if rng.random() < 0.5 else []
        yield f"{answer}\n\nPassage: {' '.join(chatter)}" if chatter else answer, golds


def compare(count: int, passes: int) -> None:
    """The passes, in the Python that has lm-eval."""
    made = list(records(count))
    gc.freeze()  # so that no collection of garbage looks through the records
    documents = [{"answers": golds} for _, golds in made]
    lm_eval = drop_official.script("lm-eval")
    scores: dict[str, list[tuple[float, float]]] = {}
    ratios: dict[str, list[float]] = {name: [] for name in NORMALISERS}
    for turn in range(passes):
        start = time.process_time()
        found = [
            lm_eval.process_results(doc, predicted)
            for doc, (predicted, _) in zip(documents, made, strict=True)
        ]
        theirs = time.process_time() - start
        print(f"pass {turn + 1}: lm-eval {theirs / count * 1e6:.1f} us a record", end="", flush=True)
        for name in NORMALISERS:
            start = time.process_time()
            score = Scorer(name).score
            scores[name] = [score(predicted, golds) for predicted, golds in made]
            ours = time.process_time() - start
            ratios[name].append(theirs / ours)
            print(f", {name} {ours / count * 1e6:.1f} us ({theirs / ours:.1f} times)", end="", flush=True)
        print()
        differ = sum(
            (row["em"], row["f1"]) != own for row, own in zip(found, scores["official"], strict=True)
        )
        assert not differ, f"{differ} records differ"
    print(f"{count:,} records, EM and F1 identical in all of them; median ratios:")
    for name, values in ratios.items():
        print(f"    {name:10} {median(values):5.1f} ({min(values):.1f} to {max(values):.1f})")


def peak(count: int) -> None:
    """Scores a stream of records by all normalisers and prints the peak memory of the process, in MB."""
    scorers = [Scorer(name) for name in NORMALISERS]
    for predicted, golds in records(count):
        for scorer in scorers:
            scorer.score(predicted, golds)
    print(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--passes", type=int, default=3)
    parser.add_argument("--part", choices=("compare", "peak"), help="only this, in this process")
    args = parser.parse_args()
    if args.part == "compare":
        return compare(args.records, args.passes)
    if args.part == "peak":
        return peak(args.records)
    import lm_eval_environment  # not before: the Python that it makes lacks what it imports

    own = [lm_eval_environment.python(), __file__]
    subprocess.run(
        [*own, "--part", "compare", f"--records={args.records}", f"--passes={args.passes}"], check=True
    )
    print("peak memory, all three normalisers at once:")
    for count in (args.records // 2, args.records, args.records * 2, args.records * 4):
        command = [sys.executable, __file__, "--part", "peak", f"--records={count}"]
        found = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
        print(f"    {count:8,} records: {found} MB")


if __name__ == "__main__":
    main()
