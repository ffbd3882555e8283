"""How long the text metrics of Gscore take for CG-Eval's 11,000 replies on one core: `python bench/gscore.py`.

    ours       evaltrail.benchmarks.cgeval.text_metrics
    library    the same definitions by sacrebleu and rouge-score (`metrics: library`)
    suite      what other suites do: jieba's words, nltk's BLEU, rouge-chinese's ROUGE-1, 2 and L, sacrebleu's chrF

Each is timed alternately with the others, in a process of its own, from the texts in memory to the last value, in
seconds of CPU; imports and jieba's dictionary are loaded before. Then `ours` reads two and four times as many replies,
to show its memory.

Texts are drawn from the commonest words of jieba's dictionary by their frequencies. References are as long as the
published ones (`题目答案的汉字长度` of the questions in EVALTRAIL_MIRROR, or lognormal lengths like theirs); a reply is
as long as its reference within a fifth and takes a `--copied` share of it over in stretches.

Makes a virtual environment with the packages in a temporary folder, or in `--venv`, where it stays.
"""

import argparse
import csv
import itertools
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

REPO = Path(__file__).parent.parent
PACKAGES = [
    "numpy==2.4.6",
    "sacrebleu==2.6.0",
    "rouge-score==0.1.2",
    "jieba==0.42.1",
    "nltk",
    "rouge-chinese==1.0.3",
]
# Of each type: how many questions, and the median and spread of its references' lengths.
LIKE_PUBLISHED = ((5100, 49, 0.63), (5100, 121, 0.73), (600, 138, 0.9), (100, 107, 0.6), (100, 2, 0.3))
COMMON = 20_000
SIGNS, LATIN = "，。、；：", ("DNA", "GDP", "1949", "3.14", "50%", "(1)", "x", "CO2", "e.g.", "2-3")


def lengths(mirror: str | None) -> tuple[str, list[int]]:
    """Where they are from, and the characters of each reference."""
    if mirror:
        path = Path(mirror) / "cgeval/all_questions_without_answers.csv"
        with open(path, encoding="utf-8-sig", newline="") as file:
            return "published lengths", [
                int(float(row["题目答案的汉字长度"])) for row in csv.DictReader(file)
            ]
    rng = random.Random(0)
    made = [
        max(1, round(median * rng.lognormvariate(0, spread)))
        for count, median, spread in LIKE_PUBLISHED
        for _ in range(count)
    ]
    return "lognormal lengths", made


class Writer:
    """Chinese words, signs, and now and then digits and Latin letters."""

    def __init__(self, seed: int):
        import jieba

        self.rng = random.Random(seed)
        with jieba.get_dict_file() as file:
            entries = [line.split(" ") for line in file.read().decode("utf-8").splitlines()]
        common = sorted(entries, key=lambda entry: (-int(entry[1]), entry[0]))[:COMMON]
        self.words = [word for word, *_ in common]
        self.frequency = list(itertools.accumulate(int(count) for _, count, *_ in common))

    def text(self, length: int) -> list[str]:
        """Words of `length` characters together."""
        made, size = [], 0
        while size < length:
            draw = self.rng.random()
            if draw < 0.12:
                word = self.rng.choice(SIGNS)
            elif draw < 0.14:
                word = self.rng.choice(LATIN)
            else:
                word = self.rng.choices(self.words, cum_weights=self.frequency)[0]
            made.append(word[: length - size])
            size += len(made[-1])
        return made

    def reply(self, reference: list[str], copied: float) -> str:
        length = max(1, round(sum(map(len, reference)) * self.rng.uniform(0.8, 1.2)))
        made: list[str] = []
        while sum(map(len, made)) < length:
            stretch = self.rng.randint(1, 8)
            if self.rng.random() < copied:
                start = self.rng.randrange(len(reference))
                made += reference[start : start + stretch]
            else:
                made += self.text(2 * stretch)
        return "".join(made)[:length]


def write_pairs(path: Path, copied: float) -> None:
    """Writes (reply, reference) pairs, one a line, and prints how many they are."""
    origin, sizes = lengths(os.environ.get("EVALTRAIL_MIRROR"))
    writer, characters = Writer(1), 0
    with open(path, "w", encoding="utf-8") as file:
        for size in sizes:
            reference = writer.text(size)
            pair = (writer.reply(reference, copied), "".join(reference))
            characters += len(pair[0]) + len(pair[1])
            file.write(json.dumps(pair, ensure_ascii=False) + "\n")
    print(f"{len(sizes):,} pairs of {origin}, {characters:,} characters, {copied:.0%} copied")


def read_pairs(path: Path, times: int = 1):
    for _ in range(times):
        with open(path, encoding="utf-8") as file:
            yield from map(json.loads, file)


def suite(pairs):
    """The text metrics as they stand in many evaluation suites."""
    import jieba
    from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu
    from rouge_chinese import Rouge
    from sacrebleu.metrics import CHRF

    rouge, chrf, smoothing = Rouge(), CHRF(), SmoothingFunction().method3
    for reply, reference in pairs:
        words, expected = list(jieba.cut(reply)), list(jieba.cut(reference))
        bleu = sentence_bleu([expected], words, smoothing_function=smoothing)
        found = rouge.get_scores(" ".join(words), " ".join(expected))[0]
        yield bleu, found["rouge-2"]["f"], chrf.sentence_score(reply, [reference]).score / 100


def metric(name: str):
    """The function of that name, with all that it needs loaded."""
    if name == "suite":
        import jieba

        jieba.setLogLevel("WARNING")
        jieba.initialize()
        scores = suite
    elif name == "library":
        from evaltrail.benchmarks.cgeval.library_metrics import text_scores as scores
    else:
        from evaltrail.benchmarks.cgeval.text_metrics import text_scores as scores
    list(scores([("一 a.", "一 b.")]))
    return scores


def measure(name: str, path: Path, values: Path) -> None:
    """In a process of its own: prints the seconds, writes the values."""
    scores, pairs = metric(name), list(read_pairs(path))
    start = time.process_time()
    found = list(scores(pairs))
    print(time.process_time() - start)
    values.write_text(json.dumps(found))


def stream(path: Path, times: int) -> None:
    """In a process of its own: prints how many replies came, each `times` times over, and the peak memory in MB."""
    count = sum(1 for _ in metric("ours")(read_pairs(path, times)))
    print(count, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


CHILDREN = {
    "write": lambda path, copied: write_pairs(Path(path), float(copied)),
    "measure": lambda name, path, values: measure(name, Path(path), Path(values)),
    "stream": lambda path, times: stream(Path(path), int(times)),
}


def child(python: Path, *arguments) -> str:
    """What this file prints when `python` runs it on one core."""
    environment = {**os.environ, "PYTHONPATH": str(REPO / "src"), "OMP_NUM_THREADS": "1"}
    command = [str(python), __file__, "--child", *map(str, arguments)]
    core = {min(os.sched_getaffinity(0))}
    done = subprocess.run(
        command, env=environment, stdout=subprocess.PIPE, text=True, check=True,
        preexec_fn=lambda: os.sched_setaffinity(0, core),
    )  # fmt: skip
    return done.stdout


def environment(folder: Path) -> Path:
    """The Python of the virtual environment in `folder`, made if it is missing."""
    python = folder / "bin/python"
    if not python.exists():
        venv.create(folder, with_pip=True)
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        # rouge-score and jieba come as sources
        subprocess.run([*pip, "setuptools", "wheel"], check=True)
        subprocess.run([*pip, "--no-build-isolation", *PACKAGES], check=True)
    return python


def report(folder: Path, python: Path, args) -> None:
    path = folder / "pairs.jsonl"
    print(child(python, "write", path, args.copied), end="")
    names = ("ours", "library", "suite")
    seconds: dict[str, list[float]] = {name: [] for name in names}
    for turn in range(args.repeats):
        for name in names if turn < args.suite_repeats else names[:2]:
            seconds[name].append(float(child(python, "measure", name, path, folder / f"{name}.json")))
    medians = {name: statistics.median(times) for name, times in seconds.items() if times}
    for name in medians:
        spread = f"{min(seconds[name]):.2f} to {max(seconds[name]):.2f}"
        print(
            f"{name:8} {medians[name]:7.3f} s ({spread}), {medians[name] / medians['ours']:6.1f} times ours"
        )
    values = {name: json.loads((folder / f"{name}.json").read_text()) for name in names[:2]}
    means = [statistics.fmean(column) for column in zip(*values["ours"], strict=True)]
    print("means: BLEU4 {:.3f}, ROUGE-2 {:.3f}, chrF {:.3f}".format(*means))
    differences = (
        abs(ours - theirs)
        for pair in zip(values["ours"], values["library"], strict=True)
        for ours, theirs in zip(*pair, strict=True)
    )
    print(f"largest difference of ours and library: {max(differences):.1e}")
    for times in (1, 2, 4):
        count, memory = child(python, "stream", path, times).split()
        print(f"memory of ours over {int(count):6,} streamed pairs: {float(memory):.0f} MB")


def main() -> None:
    if sys.argv[1:2] == ["--child"]:
        CHILDREN[sys.argv[2]](*sys.argv[3:])
        return
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument(
        "--suite-repeats", type=int, default=1, help="of the suite, which takes minutes; 0 leaves it out"
    )
    parser.add_argument(
        "--copied", type=float, default=0.3, help="share of a reply that is taken from its reference"
    )
    parser.add_argument("--venv", type=Path, help="where the packages are installed, to be used again")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="evaltrail-gscore-") as folder:
        report(Path(folder), environment(args.venv or Path(folder) / "venv"), args)


if __name__ == "__main__":
    main()
