"""What the response log costs with 1,000,000 replies of one model: `python bench/log.py`.

Makes the log in a temporary folder, about 1 kB a reply, and measures each of these in a process of its own:

    open      seconds (and those of the CPU) and peak memory to open it, and answers a second in random order
    append    appends a second, each on the disk when it returns, from 1 and from 8 threads, beside bare fsyncs
    dict      a plain reader for comparison: a dict by key of `json.loads` of each line
"""

import argparse
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from evaltrail import jsonl, responses, segments
from evaltrail.exchange import Exchange, Reply, Request

IDENTITY = {"client": "openai", "model": "bench", "endpoint": "http://localhost"}
SEGMENTS = 20
WORDS = [f"word{n}" for n in range(1000)]


def exchange(n: int) -> Exchange:
    said = " ".join(random.Random(n).choices(WORDS, k=60))
    usage = {"prompt_tokens": 20, "completion_tokens": 120}
    return Exchange(
        request(n), Reply(said, "stop", ended=True, usage=usage), {"seconds": 1.5, "device": "none"}
    )


def request(n: int) -> Request:
    return Request(messages=({"role": "user", "content": f"How much is {n}?"},), sampling={"temperature": 0})


def write_log(root: Path, count: int) -> None:
    """The log as SEGMENTS writers leave it, less their waits for the disk."""
    folder = root / responses.folder_name(IDENTITY)
    jsonl.write_document(folder / responses.IDENTITY, IDENTITY)
    for number in range(SEGMENTS):
        with open(folder / f"{number}.jsonl", "wb") as file:
            for n in range(number, count, SEGMENTS):
                file.write(segments.encode(segments.key_of(IDENTITY, request(n)), 0, exchange(n)))


def measure_open(root: Path, count: int) -> None:
    start = clocks()
    log = responses.ResponseLog(root, IDENTITY)
    found = since(start) | {"MB": peak()}
    asked = [request(n) for n in random.Random(0).choices(range(count), k=20_000)]
    start = time.perf_counter()
    assert all(log.answer(each) for each in asked)
    rate = len(asked) / (time.perf_counter() - start)
    print(json.dumps(found | {"answers a second": rate}))


def measure_dict(root: Path, count: int) -> None:
    start = clocks()
    read = {}
    for path in responses.segments_of(root / responses.folder_name(IDENTITY)):
        with open(path, encoding="utf-8") as file:
            for line in file:
                row = json.loads(line)
                read[row["key"]] = row
    assert len(read) == count
    print(json.dumps(since(start) | {"MB": peak()}))


def measure_append(root: Path, count: int) -> None:
    rates = {}
    with responses.ResponseLog(root / "new", IDENTITY) as log:
        for threads, each in ((1, 300), (8, 300)):
            made = [[exchange(n) for n in range(each)] for _ in range(threads)]
            workers = [
                threading.Thread(target=lambda part=part: list(map(log.append, part))) for part in made
            ]
            start = time.perf_counter()
            for worker in workers:
                worker.start()
            for worker in workers:
                worker.join()
            rates[f"{threads} threads"] = threads * each / (time.perf_counter() - start)
    with open(root / "bare", "wb", buffering=0) as file:
        start = time.perf_counter()
        for _ in range(300):
            file.write(b"x" * 1000)
            os.fsync(file.fileno())
        rates["bare fsync"] = 300 / (time.perf_counter() - start)
    print(json.dumps(rates))


def clocks() -> tuple[float, float]:
    return time.perf_counter(), time.process_time()


def since(start: tuple[float, float]) -> dict[str, float]:
    seconds, cpu = (now - then for now, then in zip(clocks(), start, strict=True))
    return {"seconds": seconds, "of CPU": cpu}


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


PARTS = {"open": measure_open, "append": measure_append, "dict": measure_dict}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--replies", type=int, default=1_000_000)
    parser.add_argument("--part", choices=PARTS, help=argparse.SUPPRESS)
    parser.add_argument("--root", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.part:
        PARTS[args.part](args.root, args.replies)
        return
    root = Path(tempfile.mkdtemp(prefix="evaltrail-log-"))
    try:
        write_log(root, args.replies)
        size = sum(path.stat().st_size for path in root.rglob("*.jsonl"))
        print(f"{args.replies:,} replies, {size / 1e6:,.0f} MB in {SEGMENTS} segments")
        found = {}
        for part in PARTS:
            command = [
                sys.executable,
                __file__,
                "--part",
                part,
                "--root",
                root,
                "--replies",
                str(args.replies),
            ]
            found[part] = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
            print(f"{part:8}", "  ".join(f"{name} {value:,.2f}" for name, value in found[part].items()))
        ratios = [found["dict"][name] / found["open"][name] for name in ("seconds", "of CPU", "MB")]
        print(
            "the dict takes {:.1f} x the seconds, {:.1f} x the CPU, {:.1f} x the memory of open".format(
                *ratios
            )
        )
    finally:
        shutil.rmtree(root)


if __name__ == "__main__":
    main()
