"""The spec of each job: one canonical JSON text with exactly the settings that the job reads and its code's hash.

Snakemake compares it to decide what must run, and the step reads its settings from it, so the two cannot part.
"""

import hashlib
import json
import os
from functools import cache
from pathlib import Path
from typing import Any

from evaltrail.codehash import code_hash
from evaltrail.facts import benchmark_facts, fields_of

Params = dict[str, Any]


def canonical(value: Any) -> str:
    """`value` as JSON that is equal for equal settings: sorted keys, 64.0 as 64, ASCII only (safe in any shell)."""
    return json.dumps(
        _plain(value), sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False
    )


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


@cache
def _code(step: str, benchmark: str | None, *more: str) -> str:
    parts = [f"evaltrail.benchmarks.{benchmark}.{part}" for part in more] if benchmark else list(more)
    return code_hash(f"evaltrail.{step}", *parts)


def fetch(params: Params, dataset: str, member: str) -> str:
    """A published member with its pin, or a file of a local source with the sha256 that it has now.

    So a local file is watched by content: an older copy moved into its place is seen, a `touch` is not.
    """
    setting = params["datasets"][dataset]
    facts = benchmark_facts(setting["benchmark"])
    spec = {"benchmark": setting["benchmark"], "member": member, "code": _code("fetch", None)}
    if setting["source"] == "published":
        spec |= {"sha256": facts["members"][member], "archive": facts["archive"]}
    for path in local_source(params, dataset, member):
        spec |= {"sha256": _sha256(path, os.stat(path).st_mtime_ns)}
    return canonical(spec)


@cache
def _sha256(path: str, changed: int) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def extract(params: Params, dataset: str) -> str:
    benchmark = params["datasets"][dataset]["benchmark"]
    return canonical({"benchmark": benchmark, "code": _code("extract", benchmark, "extract")})


def render(params: Params, system_id: str) -> str:
    """The wording itself, not its name: another wording of the same method is another spec."""
    system, benchmark, facts = _system(params, system_id)
    template = params["methods"][benchmark][system["method"]]
    return canonical(
        {
            "benchmark": benchmark,
            "template": template,
            "texts": {name: texts for name, texts in facts["texts"].items() if name in fields_of(template)},
            "types": facts["subsets"].get(system["instances"]),
            "code": _code("render", benchmark, "render"),
        }
    )


def generate(params: Params, system_id: str) -> str:
    system, benchmark, _ = _system(params, system_id)
    return canonical(
        {
            "benchmark": benchmark,
            "recorded_name": system["recorded_name"],
            "present": system["instances"] == "present",
            "code": _code("generate", benchmark, "generate"),
        }
    )


def cut(params: Params, system_id: str) -> str:
    stop = params["systems"][system_id]["stop"]
    stops = [stop] if isinstance(stop, str) else stop or []
    return canonical({"stop": stops, "code": _code("cut", None)})


def predict(params: Params, system_id: str) -> str:
    system, benchmark, _ = _system(params, system_id)
    return canonical(
        {
            "benchmark": benchmark,
            "system": system_id,
            "without": system["extraction"]["without"],
            "code": _code("predict", benchmark, "predict"),
        }
    )


def score(params: Params, system_id: str) -> str:
    system, benchmark, _ = _system(params, system_id)
    return canonical(
        {
            "benchmark": benchmark,
            "answers": system["answers"],
            "samples": system["samples"],
            "instances": system["instances"],
            "tau": system["tau"],
            "compat": system["compat"],
            "tolerance": params["datasets"][system["dataset"]]["tolerance"],
            "code": _code("score", benchmark, "score"),
        }
    )


def tune(params: Params, system_id: str) -> str:
    _, benchmark, _ = _system(params, system_id)
    return canonical({"benchmark": benchmark, "code": _code("tune", benchmark, "tune")})


def tables(params: Params, dataset: str, table: str) -> str:
    """The rows in order: a table that reads no system's files has none."""
    benchmark, facts = _facts(params, dataset)
    reads = facts["tables"][table]
    systems = [params["systems"][id] for id in systems_of(params, dataset)] if reads["files"] else []
    keys = ("id", "label", "pairs_with") if reads.get("pairs") else ("id", "label")
    return canonical(
        {
            "benchmark": benchmark,
            "table": table,
            "rows": [{key: system[key] for key in keys} for system in systems],
            "person": next(iter(person_file(params, dataset, table)), None),
            "code": _code("tables", benchmark, f"tables.{table}"),
        }
    )


def figures(params: Params, dataset: str, table: str) -> str:
    benchmark, _ = _facts(params, dataset)
    code = _code("figures", benchmark, f"figures.{table}")
    return canonical({"benchmark": benchmark, "figure": table, "code": code})


def report(params: Params) -> str:
    shown = [
        {
            "dataset": id,
            "table": table,
            "title": _facts(params, id)[1]["tables"][table]["title"],
            "drawn": table in figures_of(params, id),
        }
        for id in shown_datasets(params)
        for table in tables_of(params, id)
    ]
    return canonical({"tables": shown, "code": _code("report", None)})


def systems_of(params: Params, dataset: str) -> list[str]:
    """The ids of the dataset's systems, in the order of params.yaml."""
    return [id for id, system in params["systems"].items() if system["dataset"] == dataset]


def tables_of(params: Params, dataset: str) -> list[str]:
    """The tables that a run without a target makes: the dataset's own choice, or all that need no asking.

    A table that reads a person's file is among them once the file is there.
    """
    reads = _facts(params, dataset)[1]["tables"]
    offered = [table for table in possible_tables(params, dataset) if not reads[table].get("on_demand")]
    return params["datasets"][dataset].get("tables", offered)


def possible_tables(params: Params, dataset: str) -> list[str]:
    """The tables that can be made: all but those that read a person's file which is not there."""
    tables = _facts(params, dataset)[1]["tables"]
    return [table for table in tables if all(map(os.path.exists, person_file(params, dataset, table)))]


def all_tables(params: Params) -> list[str]:
    """The names of all tables that any dataset's benchmark has."""
    return sorted({table for dataset in params["datasets"] for table in _facts(params, dataset)[1]["tables"]})


def figures_of(params: Params, dataset: str) -> list[str]:
    """Those of `tables_of` that are drawn."""
    drawn = _facts(params, dataset)[1]["figures"]
    return [table for table in tables_of(params, dataset) if table in drawn]


def possible_figures(params: Params, dataset: str) -> list[str]:
    """Those of `possible_tables` that are drawn."""
    drawn = _facts(params, dataset)[1]["figures"]
    return [table for table in possible_tables(params, dataset) if table in drawn]


def files_of(params: Params, dataset: str, table: str) -> list[str]:
    """The names of the files that a table reads of each system."""
    return _facts(params, dataset)[1]["tables"][table]["files"]


def adjudications_of(dataset: str) -> list[str]:
    """The path of the dataset's adjudications, if a person wrote any."""
    return list(filter(os.path.exists, [f"data/{dataset}/adjudications.csv"]))


def person_file(params: Params, dataset: str, table: str) -> list[str]:
    """The path of the file that a table needs from a person, if it needs one."""
    name = _facts(params, dataset)[1]["tables"][table].get("person")
    return [f"data/{dataset}/{name}"] if name else []


def is_few_shot(params: Params, system_id: str) -> bool:
    """Whether the system's wording has an example in it."""
    system, benchmark, _ = _system(params, system_id)
    fields = fields_of(params["methods"][benchmark][system["method"]])
    return any(field.startswith("example_") for field in fields)


def members_of(params: Params, dataset: str) -> list[str]:
    """The raw files that the dataset and its systems need."""
    facts = _facts(params, dataset)[1]
    own = systems_of(params, dataset)
    members = [facts["dataset"], *(facts["recorded"].format_map(params["systems"][id]) for id in own)]
    return members + [facts["examples"]] * any(is_few_shot(params, id) for id in own)


def local_source(params: Params, dataset: str, member: str) -> list[str]:
    """The file behind a member of a local source, none for a published one.

    A source may be the folder that holds the benchmark's data/, as a mirror does, or that data/ itself.
    """
    source = params["datasets"][dataset]["source"]
    if source == "published":
        return []
    inside = member if Path(source, "data").is_dir() else member.removeprefix("data/")
    return [str(Path(source, inside))]


def default_datasets(params: Params) -> list[str]:
    """The datasets whose tables a run without a target makes."""
    return [id for id, dataset in params["datasets"].items() if dataset["default"]]


def shown_datasets(params: Params) -> list[str]:
    """The datasets of the report: the default ones, or all where none is."""
    return default_datasets(params) or list(params["datasets"])


def _facts(params: Params, dataset: str) -> tuple[str, dict[str, Any]]:
    """A dataset's benchmark and what benchmark.yaml says of it."""
    benchmark = params["datasets"][dataset]["benchmark"]
    return benchmark, benchmark_facts(benchmark)


def _system(params: Params, system_id: str) -> tuple[dict[str, Any], str, dict[str, Any]]:
    """A system, its benchmark's name and that benchmark's facts."""
    system = params["systems"][system_id]
    return system, *_facts(params, system["dataset"])
