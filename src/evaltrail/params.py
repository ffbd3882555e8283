"""params.yaml, the only configuration: read strictly, checked whole, defaults filled in.

Nothing but the Snakefile reads it; a step sees only its own job's spec (see `specs`).
"""

import copy
import difflib
import string
from functools import lru_cache
from pathlib import Path
from typing import Any

import jsonschema
from jsonschema.exceptions import best_match

from evaltrail import yaml12
from evaltrail.errors import InputError

BENCHMARKS = Path(__file__).parent / "benchmarks"

# What a dataset or a system has where params.yaml says nothing.
DATASET_DEFAULTS = {"tolerance": "paper", "default": False}
SYSTEM_DEFAULTS = {
    "client": "recorded",
    "samples": 1,
    "stop": None,
    "answers": "rules",
    "instances": "all",
    "pairs_with": None,
}


@lru_cache
def benchmark_facts(benchmark: str) -> dict[str, Any]:
    """What `benchmark.yaml` says of a benchmark: where its files are, its prompts, its tables."""
    return yaml12.load(BENCHMARKS / benchmark / "benchmark.yaml").data


def load(path, schema_path) -> dict[str, Any]:
    """The params at `path`, valid under the schema and complete: each dataset and system with all its settings.

    Datasets, systems and methods keep the order of the file. Each system has `id` and `label`; `methods` holds, by
    benchmark, the benchmark's own wordings and those of the file. Raises InputError with row and field.
    """
    document = yaml12.load(path)
    problem = _Problem(path, document.lines)
    validator = jsonschema.Draft202012Validator(yaml12.load(schema_path).data)
    # relevance: the error that stands deepest tells most, as everywhere in jsonschema
    if error := best_match(validator.iter_errors(document.data)):
        raise problem.of_schema(error)
    params = _complete(document.data)
    for dataset_id, dataset in params["datasets"].items():
        _check_dataset(dataset_id, dataset, problem)
    for benchmark, own in (document.data.get("methods") or {}).items():
        _check_methods(benchmark, own, params, problem)
    for system_id, system in params["systems"].items():
        _check_system(system_id, system, params, problem)
    return params


def _complete(data: dict[str, Any]) -> dict[str, Any]:
    datasets = {id: {**DATASET_DEFAULTS, **dataset} for id, dataset in data["datasets"].items()}
    shared = data.get("defaults") or {}
    systems = {}
    for id, own in (data["systems"] or {}).items():
        system = copy.deepcopy({**SYSTEM_DEFAULTS, **shared, **own})
        system["generation"] = {**shared.get("generation", {}), **own.get("generation", {})}
        systems[id] = {"id": id, "label": id, **system}
    methods = copy.deepcopy(data.get("methods") or {})
    for benchmark in {dataset["benchmark"] for dataset in datasets.values()}:
        if (BENCHMARKS / benchmark / "benchmark.yaml").is_file():
            methods[benchmark] = {**benchmark_facts(benchmark)["methods"], **methods.get(benchmark, {})}
    return {"datasets": datasets, "systems": systems, "methods": methods}


def _check_dataset(id: str, dataset: dict[str, Any], problem: "_Problem") -> None:
    known = [folder.parent.name for folder in sorted(BENCHMARKS.glob("*/benchmark.yaml"))]
    if dataset["benchmark"] not in known:
        raise problem.unknown(("datasets", id, "benchmark"), "benchmark", dataset["benchmark"], known)
    if dataset["source"] != "published" and not Path(dataset["source"]).is_dir():
        what = f"{dataset['source']} is no folder"
        raise problem.at(
            ("datasets", id, "source"), what, "give `published` or a folder, as seen from the project"
        )


def _check_methods(benchmark: str, own: dict[str, str], params: dict[str, Any], problem: "_Problem") -> None:
    """Every {field} of a user's wording must be one that some wording of the benchmark has."""
    used = sorted({dataset["benchmark"] for dataset in params["datasets"].values()})
    if benchmark not in used:
        raise problem.unknown(("methods", benchmark), "benchmark", benchmark, used)
    facts = benchmark_facts(benchmark)
    known = sorted(set().union(*(fields_of(template) for template in facts["methods"].values())))
    for name, template in own.items():
        place = ("methods", benchmark, name)
        try:
            fields = fields_of(template)
        except ValueError as error:
            raise problem.at(
                place, f"no template: {error}", "write {{ and }} for braces in the text"
            ) from None
        for field in sorted(fields - set(known)):
            raise problem.unknown(place, "field", field, known)


def _check_system(id: str, system: dict[str, Any], params: dict[str, Any], problem: "_Problem") -> None:
    place = ("systems", id)
    if system["dataset"] not in params["datasets"]:
        raise problem.unknown((*place, "dataset"), "dataset", system["dataset"], list(params["datasets"]))
    dataset = params["datasets"][system["dataset"]]
    benchmark = dataset["benchmark"]
    for key in ("method", "recorded_name"):
        if key not in system:
            raise problem.at(place, f"has no {key}", f"add `{key}: ...`")
    if dataset["source"] == "published":
        _check_published(id, system, benchmark, problem)
    methods = list(params["methods"][benchmark])
    if system["method"] not in methods:
        raise problem.unknown((*place, "method"), "method", system["method"], methods)
    own = [
        other
        for other, its in params["systems"].items()
        if its["dataset"] == system["dataset"] and other != id
    ]
    if system["pairs_with"] is not None and system["pairs_with"] not in own:
        raise problem.unknown((*place, "pairs_with"), "system of the dataset", system["pairs_with"], own)
    parts = ["all", "present", *benchmark_facts(benchmark)["subsets"]]
    if system["instances"] not in parts:
        raise problem.unknown((*place, "instances"), "part of the instances", system["instances"], parts)


def _check_published(id: str, system: dict[str, Any], benchmark: str, problem: "_Problem") -> None:
    """Published replies are pinned one by one, so their names are known."""
    facts = benchmark_facts(benchmark)
    if facts["recorded"].format_map(system) not in facts["members"]:
        before, after = facts["recorded"].split("{recorded_name}")
        known = [m[len(before) : -len(after)] for m in facts["members"] if m.startswith(before)]
        place = ("systems", id, "recorded_name")
        raise problem.unknown(place, "published replies", system["recorded_name"], known)


def fields_of(template: str) -> set[str]:
    """The names in braces in a prompt's wording. Raises ValueError for unbalanced braces and for `{a.b}`, `{a!r}`."""
    fields = set()
    for _, field, format_spec, conversion in string.Formatter().parse(template):
        if field is None:
            continue
        if not field.isidentifier() or format_spec or conversion:
            raise ValueError(f"{{{field}}} is no plain name in braces")
        fields.add(field)
    return fields


class _Problem:
    """Makes one-line errors that say where in params.yaml they lie."""

    def __init__(self, path, lines: dict[yaml12.Path_, int]):
        self.path, self.lines = path, lines

    def at(self, place: yaml12.Path_, what: str, fix: str | None = None) -> InputError:
        """`place` may stand in `defaults` alone: then the row is that of the nearest key that is written down."""
        row = next(self.lines[place[:n]] for n in range(len(place), -1, -1) if place[:n] in self.lines)
        return InputError(self.path, what, row=row, field=".".join(map(str, place)) or None, fix=fix)

    def unknown(self, place: yaml12.Path_, kind: str, name: str, known: list[str]) -> InputError:
        near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
        fix = f"did you mean {near[0]}?" if near else f"known: {', '.join(known)}"
        return self.at(place, f"unknown {kind} {name}", fix)

    def of_schema(self, error: jsonschema.ValidationError) -> InputError:
        """One line for an error of the schema; the nearest known key or value is named."""
        place = tuple(error.absolute_path)
        if error.validator == "additionalProperties":
            known = list(error.schema["properties"])
            extra = next(key for key in error.instance if key not in known)
            return self.unknown((*place, extra), "key", extra, known)
        if error.validator == "required":
            missing = next(key for key in error.validator_value if key not in error.instance)
            return self.at(place, f"has no {missing}", f"add `{missing}: ...`")
        if error.validator == "enum":
            return self.unknown(place, "value", str(error.instance), error.validator_value)
        if error.validator == "type":
            wanted = error.validator_value
            wanted = wanted if isinstance(wanted, str) else " or ".join(wanted)
            return self.at(
                place, f"{error.instance!r} is no {wanted}"[:200], f"write a value of type {wanted}"
            )
        if "propertyNames" in error.absolute_schema_path:
            return self.at(
                (*place, error.instance), f"{error.instance!r} is no id", "use letters, digits, _, + and -"
            )
        return self.at(place, error.message[:200])
