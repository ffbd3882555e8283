"""The spec of each job: one canonical JSON text with exactly the settings that the job reads and its code's hash.

Snakemake compares it to decide what must run, and the step reads its settings from it, so the two cannot part.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

from evaltrail.codehash import code_hash
from evaltrail.params import benchmark_facts, fields_of

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
    """A published member with its pin, or a file of a local source."""
    setting = params["datasets"][dataset]
    facts = benchmark_facts(setting["benchmark"])
    spec = {"benchmark": setting["benchmark"], "member": member, "code": _code("fetch", None)}
    if setting["source"] == "published":
        spec |= {"sha256": facts["members"][member], "archive": facts["archive"]}
    else:
        spec |= {"source": setting["source"]}
    return canonical(spec)


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
            "method": system["method"],
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
            "client": system["client"],
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
    _, benchmark, _ = _system(params, system_id)
    return canonical({"benchmark": benchmark, "code": _code("predict", benchmark, "predict")})


def score(params: Params, system_id: str) -> str:
    system, benchmark, _ = _system(params, system_id)
    return canonical(
        {
            "benchmark": benchmark,
            "answers": system["answers"],
            "samples": system["samples"],
            "tolerance": params["datasets"][system["dataset"]]["tolerance"],
            "code": _code("score", benchmark, "score"),
        }
    )


def tables(params: Params, dataset: str, table: str) -> str:
    """The rows in order: a table that reads no system's files has none."""
    benchmark = params["datasets"][dataset]["benchmark"]
    rows = systems_of(params, dataset) if files_of(params, dataset, table) else []
    return canonical(
        {
            "benchmark": benchmark,
            "table": table,
            "rows": [_table_row(params["systems"][id]) for id in rows],
            "code": _code("tables", benchmark, f"tables.{table}"),
        }
    )


def _table_row(system: dict[str, Any]) -> dict[str, Any]:
    return {"system": system["id"], "label": system["label"], "pairs_with": system["pairs_with"]}


def report(params: Params) -> str:
    shown = [
        {"dataset": id, "table": table} for id in shown_datasets(params) for table in tables_of(params, id)
    ]
    return canonical({"tables": shown, "code": _code("report", None)})


def systems_of(params: Params, dataset: str) -> list[str]:
    """The ids of the dataset's systems, in the order of params.yaml."""
    return [id for id, system in params["systems"].items() if system["dataset"] == dataset]


def tables_of(params: Params, dataset: str) -> list[str]:
    """The names of the dataset's tables."""
    return list(benchmark_facts(params["datasets"][dataset]["benchmark"])["tables"])


def files_of(params: Params, dataset: str, table: str) -> list[str]:
    """The names of the files that a table reads of each system."""
    return benchmark_facts(params["datasets"][dataset]["benchmark"])["tables"][table]


def is_few_shot(params: Params, system_id: str) -> bool:
    """Whether the system's wording has an example in it."""
    system, benchmark, _ = _system(params, system_id)
    fields = fields_of(params["methods"][benchmark][system["method"]])
    return any(field.startswith("example_") for field in fields)


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


def _system(params: Params, system_id: str) -> tuple[dict[str, Any], str, dict[str, Any]]:
    """A system, its benchmark's name and that benchmark's facts."""
    system = params["systems"][system_id]
    benchmark = params["datasets"][system["dataset"]]["benchmark"]
    return system, benchmark, benchmark_facts(benchmark)
