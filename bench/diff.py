"""How long `evaltrail diff` takes on 10,000 instances x 5 systems: `python bench/diff.py`.

Makes pairs of project directories in a temporary folder, compares each in a process of its own, and prints the seconds
and the peak memory of that process:

    settings   one system's stop differs, which cuts a tenth of its replies
    prompts    every prompt and every reply of all systems differs
    shifted    one instance more at the beginning of every file
    reversed   every file in the opposite order
"""

import argparse
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import msgspec

from evaltrail import jsonl
from evaltrail.benchmarks.jeebench.score import groups_of
from evaltrail.records import Completion, Generation, Instance, Prediction, Prompt, Score
from evaltrail.score import metrics

SYSTEMS = [f"system{n}" for n in range(5)]
LENGTH = 300  # words of a reply
WORDS = [f"word{n}" for n in range(1000)]


def instances(count: int) -> list[Instance]:
    kinds = [(subject, type) for subject in ("phy", "chem", "math") for type in ("MCQ", "Integer")]
    return [
        Instance(f"Bench 2020 #{n}", *kinds[n % len(kinds)], f"How much is {n}?", ("A",), {"year": 2020})
        for n in range(count)
    ]


def write_project(root: Path, made: list[Instance], samples: int, change: str | None) -> None:
    """A project directory as the workflow leaves it. `change`: what differs from the pair's other side."""
    if change == "shifted":
        made = [msgspec.structs.replace(made[0], id="Bench 2020 #new"), *made]
    if change == "reversed":
        made = made[::-1]
    systems = "".join(f"  {id}: {{dataset: bench, recorded_name: {id}, method: normal}}\n" for id in SYSTEMS)
    root.mkdir()
    params = f"datasets:\n  bench: {{benchmark: jeebench, source: published}}\nsystems:\n{systems}"
    (root / "params.yaml").write_text(params)
    jsonl.write(root / "data/bench/instances.jsonl", made)
    jsonl.write_document(root / "data/bench/raw/data/dataset.json", [instance.id for instance in made])
    for system in SYSTEMS:
        write_system(root / "results/bench" / system, system, made, samples, change)
    lines = []
    for system in SYSTEMS:
        means = jsonl.read_document(root / "results/bench" / system / "metrics.json")["score"]
        lines.append(",".join([system, *(f"{mean:.3f}" for mean in means.values())]))
    (root / "results/bench_table2.csv").write_text("\n".join([",".join(["system", *means]), *lines]) + "\n")
    for system in SYSTEMS:
        raw = root / f"data/bench/raw/data/responses/{system}_responses/responses.json"
        raw.parent.mkdir(parents=True)
        raw.write_text("[]\n")


def write_system(folder: Path, system: str, made: list[Instance], samples: int, change: str | None) -> None:
    generations, completions, predictions, scores = [], [], [], []
    for instance in made:
        rng = random.Random(f"{system} {instance.id}")
        answers = []
        for sample in range(samples):
            text = " ".join(rng.choices(WORDS, k=LENGTH)) + (" other" if change == "prompts" else "")
            cut = change == "settings" and system == SYSTEMS[0] and rng.random() < 0.1
            answers.append("A" if rng.random() < 0.5 and not cut else "B")
            end = len(text) // 2 if cut else len(text)
            stop = "word" if cut else None
            generations.append(Generation(instance.id, sample, text, "stop", "bench", None, None))
            completions.append(Completion(instance.id, sample, text[:end], end, stop, "stop"))
            predictions.append(Prediction(instance.id, sample, answers[-1], "stated", 0, 1, "1", cut, None))
        scores.append(Score(instance.id, answers[0], ("A",), float(answers[0] == "A"), tuple(answers)))
    word = "Problem" if change == "prompts" else "Question"
    jsonl.write(folder / "prompts.jsonl", [Prompt(one.id, f"{word}: {one.question}") for one in made])
    for name, rows in (
        ("generations", generations),
        ("completions", completions),
        ("predictions", predictions),
        ("scores", scores),
    ):
        jsonl.write(folder / f"{name}.jsonl", rows)
    found = metrics({instance.id: instance for instance in made}, scores, groups_of)
    jsonl.write_document(folder / "metrics.json", found)


def measure(a: Path, b: Path, *arguments: str) -> str:
    code = "import sys, argparse; from evaltrail.audit import diff_command as diff; p = argparse.ArgumentParser(); "
    code += "diff.add_arguments(p); sys.exit(diff.run(p.parse_args()))"
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    start = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", code, a, b, *arguments], stdout=subprocess.PIPE)
    seconds = time.perf_counter() - start
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == 1, done.returncode
    return (
        f"{seconds:6.2f} s ({used.ru_utime - before:.2f} s of CPU), at most {used.ru_maxrss / 1024:.0f} MB so far,"
        f" {len(done.stdout):,} bytes of output"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--instances", type=int, default=10_000)
    parser.add_argument("--samples", type=int, default=1)
    args = parser.parse_args()
    made = instances(args.instances)
    folder = Path(tempfile.mkdtemp(prefix="evaltrail-diff-"))
    try:
        write_project(folder / "a", made, args.samples, None)
        size = sum(path.stat().st_size for path in (folder / "a").rglob("*") if path.is_file())
        print(
            f"{args.instances:,} instances x {len(SYSTEMS)} systems x {args.samples} samples,",
            f"{size / 1e6:.0f} MB a side",
        )
        for change in ("settings", "shifted", "reversed", "prompts"):
            write_project(folder / "b", made, args.samples, change)
            for arguments in ((), ("--json",), ("--html", str(folder / "page.html"))):
                print(
                    f"{change:10} {arguments[0] if arguments else 'text':8}",
                    measure(folder / "a", folder / "b", *arguments),
                )
            shutil.rmtree(folder / "b")
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
