"""params.yaml, the only configuration: read strictly, checked whole, defaults filled in.

Nothing but the Snakefile reads it; a step sees only its own job's spec (see `specs`).
"""

import copy
from typing import Any

from evaltrail import checks, yaml12
from evaltrail.facts import BENCHMARKS, benchmark_facts
from evaltrail.problem import Problem

# What a dataset or a system has where params.yaml says nothing.
DATASET_DEFAULTS = {
    "tolerance": "paper",
    "stops": [".", "\n"],
    "tokens_per_gpu_second": 1000,
    "weights": {"bleu4": 0.2, "rouge2": 0.25, "chrf": 0.25, "similarity": 0.3},
    "metrics": "numpy",
    "equivalence": "strict",
    "encoder": {
        "library": "sentence-transformers",
        "model": "BAAI/bge-large-zh-v1.5",
        "revision": "79e7739b6ab944e86d6171e44d24c997fc1e0116",
    },
    "default": False,
}
ENCODER_DEFAULTS = {"window": 256, "stride": 128, "pooling": "mean", "device": "cpu"}
SYSTEM_DEFAULTS = {
    "client": "recorded",
    "api": "chat",
    "samples": 1,
    "stop": None,
    "answers": "rules",
    "extraction": {"without": []},
    "tau": 0.5,
    "compat": "paper",
    "spans": "whole",
    "shots": None,
    "instances": "all",
    "pairs_with": None,
    "of": None,
    "tools": None,
    "connection": {},
}


def load(path, schema_path) -> dict[str, Any]:
    """The params at `path`, valid under the schema and complete: each dataset and system with all its settings.

    Datasets, systems and methods keep the order of the file. Each system has `id` and `label`; `methods` holds, by
    benchmark, the benchmark's own wordings and those of the file; a method that goes with one reading of replies brings
    it. Raises InputError with row and field.
    """
    document = yaml12.load(path)
    problem = Problem(path, document.lines)
    checks.check_schema(document.data, yaml12.load(schema_path).data, problem)
    params = _complete(document.data)
    checks.check(params, document.data.get("methods", {}), problem)
    for system in params["systems"].values():
        readings = benchmark_facts(params["datasets"][system["dataset"]]["benchmark"]).get("readings", {})
        if system["method"] in readings:
            system["extraction"].setdefault("reading", readings[system["method"]])
    return params


def _complete(data: dict[str, Any]) -> dict[str, Any]:
    datasets = {id: {**DATASET_DEFAULTS, **dataset} for id, dataset in data["datasets"].items()}
    for dataset in datasets.values():
        dataset["encoder"] = dataset["encoder"] and {**ENCODER_DEFAULTS, **dataset["encoder"]}
    shared = data.get("defaults", {})
    systems = {}
    for id, own in data["systems"].items():
        system = copy.deepcopy({**SYSTEM_DEFAULTS, **shared, **own})
        for key in ("generation", "connection", "extraction"):
            system[key] = {**SYSTEM_DEFAULTS.get(key, {}), **shared.get(key, {}), **own.get(key, {})}
        systems[id] = {"id": id, "label": id, **system}
    methods = copy.deepcopy(data.get("methods", {}))
    for benchmark in {dataset["benchmark"] for dataset in datasets.values()}:
        if (BENCHMARKS / benchmark / "benchmark.yaml").is_file():
            methods[benchmark] = {**benchmark_facts(benchmark)["methods"], **methods.get(benchmark, {})}
    return {"datasets": datasets, "systems": systems, "methods": methods, "prices": data.get("prices", {})}
