"""How long a changed stop sequence takes on all of DROP: from the edit of params.yaml to the new drop_table.csv.

The questions are those of EVALTRAIL_MIRROR, the replies are made up of their golds, each with text after it as models
write it; a second run changes the stop from `.` to a line end. Only cut, predict, score and tables may run.
"""

import gzip
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

REPO = Path(__file__).parent.parent
FILE = "drop_v0_dev.jsonl.gz"
PARAMS = """\
datasets:
  drop: {{benchmark: drop, source: source}}
systems:
  made-up: {{dataset: drop, recorded_name: made-up.jsonl, method: zero-shot, stop: "{stop}"}}
"""
TAILS = [
    "",
    ".",
    "\n\nPassage: In 2011 there were 1,001,360 people.",
    ". It was so.\n",
    ", as the text says.",
]


def write_replies(source: Path, path: Path) -> None:
    """One row of lm-eval's --log_samples a question."""
    generator = random.Random(0)
    with gzip.open(source, "rt", encoding="utf-8") as lines, open(path, "w", encoding="utf-8") as file:
        for line in lines:
            row = json.loads(line)
            reply = row["ref_text"].split("|")[0] + generator.choice(TAILS)
            json.dump({"arguments": [[row["context"], {}]], "resps": [[reply]]}, file)
            file.write("\n")


def make(folder: Path, stop: str) -> None:
    """Writes params.yaml with `stop`, makes the table, and prints how long that took and which jobs ran."""
    (folder / "params.yaml").write_text(PARAMS.format(stop=stop))
    start = time.perf_counter()
    command = ["snakemake", "--snakefile", REPO / "Snakefile", "--directory", folder, "--cores", "2"]
    done = subprocess.run([*command, "--", "results/drop_table.csv"], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr[-2000:])
    took = time.perf_counter() - start
    ran = re.findall(r"^(?:local)?rule (\w+):$", done.stdout + done.stderr, re.MULTILINE)
    print(f"stop {stop}: {took:.1f} s, jobs: {', '.join(ran)}")


def main() -> None:
    mirror = os.environ.get("EVALTRAIL_MIRROR")
    if not mirror:
        sys.exit("set EVALTRAIL_MIRROR to a mirror that has drop/drop_v0_dev.jsonl.gz")
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / "source/recorded").mkdir(parents=True)
        (folder / "source" / FILE).write_bytes((Path(mirror) / "drop" / FILE).read_bytes())
        write_replies(folder / "source" / FILE, folder / "source/recorded/made-up.jsonl")
        for stop in (".", "\\n", ".", "\\n"):
            make(folder, stop)
        print((folder / "results/drop_table.csv").read_text(), end="")


if __name__ == "__main__":
    main()
