"""The spec of each job: one canonical JSON text with exactly the settings that the job reads and its code's hash.

Snakemake compares it to decide what must run, and the step reads its settings from it, so the two cannot part.
"""

import os
from collections.abc import Iterable
from functools import cache
from typing import Any

from evaltrail import files, study
from evaltrail.codehash import code_hash
from evaltrail.cut import as_stops
from evaltrail.facts import benchmark_facts, fields_of
from evaltrail.jsonl import canonical
from evaltrail.study import Params


def _spec(settings: dict[str, Any]) -> str:
    """`settings` as canonical JSON without an apostrophe.

    What has one DVC writes into dvc.lock in double quotes, and its YAML writer then folds long lines so that a blank
    comes in that was not there.
    """
    return canonical(settings).replace("'", "\\u0027")


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
        spec |= {"sha256": facts["members"][member]}
        url = facts.get("urls", {}).get(member)
        spec |= {"url": url} if url else {"archive": facts["archive"]}
    for sha256 in _sha256s(study.local_source(params, dataset, member)):
        spec |= {"sha256": sha256}
    return _spec(spec)


@cache
def _sha256(path: str, changed: int) -> str:
    return files.sha256(path)


def _sha256s(paths: Iterable[str]) -> list[str]:
    """Of files that no job makes, which may be replaced by older ones that no time stamp tells from those before."""
    return [_sha256(path, os.stat(path).st_mtime_ns) for path in paths]


def extract(params: Params, dataset: str) -> str:
    benchmark = params["datasets"][dataset]["benchmark"]
    return _spec({"benchmark": benchmark, "code": _code("extract", benchmark, "extract")})


def render(params: Params, system_id: str) -> str:
    """The wording itself, not its name: another wording of the same method is another spec."""
    system, benchmark, facts = study.system_of(params, system_id)
    template = study.template_of(params, system_id)
    return _spec(
        {
            "benchmark": benchmark,
            "template": template,
            "texts": {name: texts for name, texts in facts["texts"].items() if name in fields_of(template)},
            "types": facts["subsets"].get(system["instances"]),
            "strip": facts["strip"],
            "shots": _shots(params, system_id),
            "code": _code("render", benchmark, "render"),
        }
    )


def _shots(params: Params, system_id: str) -> dict[str, Any] | None:
    """How the examples of a few-shot wording are drawn from a dataset's instances, and how one reads."""
    system, _, facts = study.system_of(params, system_id)
    if "example_wordings" not in facts or not study.is_few_shot(params, system_id):
        return None
    wordings = facts["example_wordings"]
    wording = wordings.get(system["method"], wordings["default"])
    return {"count": system["shots"]["count"], "seed": system["shots"].get("seed", 0), "wording": wording}


# What a live client's replies depend on beside what is sent.
MODEL_KEYS = (
    "model",
    "revision",
    "endpoint",
    "api",
    "adapter",
    "adapter_revision",
    "trust_remote_code",
    "dtype",
    "batch_invariant",
)


def generate(params: Params, system_id: str) -> str:
    """Of a recorded system which replies; of a live one the model and all that is sent to it but the prompts."""
    system, benchmark, facts = study.system_of(params, system_id)
    sent = system["generation"]
    own = {
        "recorded": {
            "recorded_name": system.get("recorded_name"),
            "present": system["instances"] == "present",
            **({"sha256": _sha256s(replies)[0]} if (replies := study.own_replies(params, system_id)) else {}),
        },
        "random": {"samples": system["samples"], "seed": sent.get("seed") or 0},
    }
    live = {
        "model": {key: system[key] for key in MODEL_KEYS if key in system},
        "sampling": {key: sent[key] for key in ("temperature", "top_p") if key in sent}
        | sent.get("extra", {}),
        "seed": sent.get("seed"),
        "max_tokens": sent.get("max_tokens"),
        "stop": as_stops(sent.get("stop")),
        "samples": system["samples"],
        "system_message": facts.get("system_message"),
        "tools": system["tools"],
    }
    return _spec(
        {
            "benchmark": benchmark,
            "client": system["client"],
            "code": _code("generate", benchmark, *_PARTS.get(system["client"], [])),
            **own.get(system["client"], live),
        }
    )


# The module of the benchmark that gives a client's replies, where no model does.
_PARTS = {"recorded": ["generate"], "random": ["random_answers"]}


def cut(params: Params, system_id: str) -> str:
    stop = params["systems"][system_id]["stop"]
    return _spec({"stop": as_stops(stop), "code": _code("cut", None)})


def predict(params: Params, system_id: str) -> str:
    system, benchmark, _ = study.system_of(params, system_id)
    return _spec(
        {
            "benchmark": benchmark,
            "system": system_id,
            **system["extraction"],
            "adjudications": _sha256s(study.adjudications_of(system["dataset"])),
            "code": _code("predict", benchmark, "predict"),
        }
    )


def score(params: Params, system_id: str) -> str:
    system, benchmark, facts = study.system_of(params, system_id)
    dataset, reads = params["datasets"][system["dataset"]], facts["score"]
    return _spec(
        {
            "benchmark": benchmark,
            "answers": system["answers"],
            "samples": system["samples"],
            "instances": system["instances"],
            **{key: system[key] for key in reads["system"]},
            **{key: dataset[key] for key in reads["dataset"]},
            **_references(params, system["dataset"]),
            "code": _code("score", benchmark, "score", *_chosen(reads, dataset)),
        }
    )


def _chosen(reads: dict[str, Any], dataset: dict[str, Any]) -> list[str]:
    """The module of the benchmark that a dataset's setting chooses; none where the setting is null."""
    pattern = reads.get("module", "")
    setting = pattern.partition("{")[2].partition("[")[0]
    return [pattern.format_map(dataset).replace("-", "_")] if dataset.get(setting) else []


def _references(params: Params, dataset: str) -> dict[str, Any]:
    """The sha256 of a dataset's references, where they are a file of their own; or where that is looked for."""
    name = study.facts_of(params, dataset)[1].get("references")
    if name is None:
        return {}
    (place,) = study.local_source(params, dataset, name) or [f"data/{dataset}/{name}"]
    if not os.path.isfile(place):
        return {"references": {"missing": os.path.normpath(place)}}
    return {"references": {"sha256": _sha256s([place])[0]}}


def submission(params: Params, system_id: str) -> str:
    _, benchmark, _ = study.system_of(params, system_id)
    return _spec({"benchmark": benchmark, "code": _code("submission", benchmark, "submission")})


def tune(params: Params, system_id: str) -> str:
    _, benchmark, _ = study.system_of(params, system_id)
    return _spec({"benchmark": benchmark, "code": _code("tune", benchmark, "tune")})


def tables(params: Params, dataset: str, table: str) -> str:
    """The rows in order: a table that reads no system's files has none."""
    benchmark, facts = study.facts_of(params, dataset)
    reads = facts["tables"][table]
    module = reads.get("module", table)
    systems = [params["systems"][id] for id in study.systems_of(params, dataset)] if reads["files"] else []
    person = study.person_file(params, dataset, table)
    return _spec(
        {
            "benchmark": benchmark,
            "table": module,
            "rows": [
                {
                    "id": system["id"],
                    "label": system["label"],
                    "settings": {key: system[key] for key in reads.get("row", [])},
                }
                for system in systems
            ],
            "settings": {key: params["datasets"][dataset][key] for key in reads.get("dataset", [])}
            | reads.get("arguments", {}),
            **{key: reads[key] for key in ("decimals", "spreadsheet") if key in reads},
            "person": next(iter(person), None),
            "person_sha256": _sha256s(filter(os.path.isfile, person)),
            "code": _code("tables", benchmark, f"tables.{module}"),
        }
    )


def figures(params: Params, dataset: str, table: str) -> str:
    benchmark, _ = study.facts_of(params, dataset)
    code = _code("figures", benchmark, f"figures.{table}")
    return _spec({"benchmark": benchmark, "figure": table, "code": code})


def report(params: Params) -> str:
    shown = [
        {
            "dataset": id,
            "table": table,
            "title": study.facts_of(params, id)[1]["tables"][table]["title"],
            "drawn": table in study.figures_of(params, id),
        }
        for id in study.shown_datasets(params)
        for table in study.tables_of(params, id)
    ]
    return _spec({"tables": shown, "code": _code("report", None)})
