"""A job as DVC's stage: its name, its entry in dvc.yaml, its entry in dvc.lock.

The job's spec, the text that Snakemake compares, is the stage's one parameter that counts, in specs.json. The keys of
params.yaml beside it are there for people who read `dvc params diff`.
"""

import copy
import hashlib
import json
import re
import shlex
from collections.abc import Callable
from datetime import date
from typing import Annotated, Any, Literal

import msgspec

from evaltrail.bridge import Job
from evaltrail.errors import InputError
from evaltrail.facts import benchmark_facts
from evaltrail.specs import MODEL_KEYS
from evaltrail.study import Params, systems_of

# The keys of params.yaml that a rule's spec is made from: those of the dataset, of the system, of all its systems.
_DATASET_KEYS = {
    "fetch": ["source"],
    "extract": ["benchmark", "file"],
    "score": ["tolerance", "weights", "metrics", "equivalence", "encoder"],
    "tables": ["stops", "tokens_per_gpu_second"],
}
_SYSTEM_KEYS = {
    "render": ["method", "instances", "shots"],
    "generate": ["client", "recorded_name", *MODEL_KEYS, "generation", "samples", "tools", "instances"],
    "cut": ["stop"],
    "predict": ["extraction"],
    "score": ["answers", "samples", "instances", "tau", "compat", "spans"],
}
_ROW_KEYS = {"tables": ["label", "pairs_with"]}

LONGEST_QUOTED = 20  # characters: with its key and its indentation it stays on one line

Digests = dict[str, tuple[str, int]]  # md5 and size in bytes, by path

# The md5 of a file, or of a listing of files (a directory); one that DVC has not computed is left out.
Md5 = Annotated[str, msgspec.Meta(pattern=r"^([0-9a-f]{32}(\.dir)?)?\Z")]


class File(msgspec.Struct):
    """A file as DVC writes it down, its path seen from the file that says so."""

    path: str
    md5: Md5 = ""
    size: int = 0


class Entry(msgspec.Struct):
    """A stage of dvc.lock."""

    cmd: str
    outs: list[File]
    deps: list[File] = []
    params: dict[str, dict[str, Any]] = {}


class Lock(msgspec.Struct):
    """dvc.lock, schema 2.0."""

    schema: Literal["2.0"]
    stages: dict[str, Entry]


def checked(document: Any, form: type, path, fix: str) -> Any:
    """`document` itself, if it has the form. Raises InputError when it has not."""
    try:
        msgspec.convert(document, form)
        return document
    except msgspec.ValidationError as error:
        raise InputError(path, f"is not as DVC writes it: {error}", fix=fix) from None


def names(jobs: list[Job]) -> dict[Job, str]:
    """The stage of each job: its rule, then what tells it from the rule's other jobs, `score-GPT4_CoT`.

    A dot would break DVC's parameter paths; where two jobs would come out alike, the later one gets a hash as well.
    """
    found: dict[str, Job] = {}
    for job in jobs:
        # A system's id is its own in all of params.yaml, so its dataset need not be named.
        skipped = {"dataset"} if "system" in job.wildcards else set()
        parts = [value for key, value in job.wildcards.items() if key not in skipped]
        name = re.sub(r"[^A-Za-z0-9_+-]", "_", "-".join([job.rule, *parts]))
        if name in found:
            name += f"-{hashlib.sha256(job.outputs[0].encode()).hexdigest()[:8]}"
        found[name] = job
    return {job: name for name, job in found.items()}


def stage(
    job: Job, name: str, params: Params, written: dict[str, Any], in_git: Callable[[str], bool]
) -> dict:
    """The job's entry in dvc.yaml. in_git: whether git holds the file, so that DVC's cache need not."""
    kinds: dict[str, list] = {"outs": [], "metrics": [], "plots": []}
    for path in sorted(job.outputs):
        properties = ({"cache": False} if in_git(path) else {}) | _axes(job, path, params)
        kinds[_kind(path)].append({path: properties} if properties else path)
    entry = {
        "cmd": command(job),
        "deps": sorted(job.inputs),
        "params": [*keys(job, params, written), {"specs.json": [name]}],
        **kinds,
    }
    return {key: value for key, value in entry.items() if value}


def lock_entry(
    job: Job, name: str, params: Params, written: dict[str, Any], digests: Digests
) -> dict[str, Any]:
    """The job's entry in dvc.lock, as DVC itself would write it."""
    narrow = {key: _value(written, key) for key in keys(job, params, written)}
    entry = {
        "cmd": command(job),
        "deps": [_file(path, digests) for path in sorted(job.inputs)],
        "params": {"params.yaml": narrow, "specs.json": {name: job.spec}},
        "outs": [_file(path, digests) for path in sorted(job.outputs)],
    }
    if not narrow:
        del entry["params"]["params.yaml"]
    return {key: value for key, value in entry.items() if value}


def command(job: Job) -> str:
    """What DVC runs: this job alone, for DVC has put its inputs in place."""
    return f"snakemake --allowed-rules {job.rule} -- {shlex.quote(job.outputs[0])}"


def keys(job: Job, params: Params, written: dict[str, Any]) -> list[str]:
    """The keys of params.yaml behind the job's spec, as far as they stand in the file; `written` is what it says."""
    dataset, system = job.wildcards.get("dataset"), job.wildcards.get("system")
    places = [[("datasets", dataset, key)] for key in _DATASET_KEYS.get(job.rule, [])]
    rows = [system] if system else systems_of(params, dataset) if dataset else []
    own = _SYSTEM_KEYS.get(job.rule, []) if system else _ROW_KEYS.get(job.rule, [])
    places += [[("systems", id, key), ("defaults", key)] for id in rows for key in own]
    if job.rule == "render":
        benchmark = params["datasets"][dataset]["benchmark"]
        places.append([("methods", benchmark, params["systems"][system]["method"])])
    standing = [[place for place in either if _stands(written, place)] for either in places]
    return sorted({".".join(either[0]) for either in standing if either})


def _stands(written: Any, place: tuple[str, ...]) -> bool:
    for part in place:
        if not isinstance(written, dict) or part not in written or "." in part:
            return False
        written = written[part]
    return _survives(written)


def _survives(value: Any) -> bool:
    """Whether DVC reads from dvc.lock what it wrote there: no date, no text with odd characters, and no long one with
    apostrophes or line ends, which it writes in double quotes, folded so that blanks come in (see `specs`).
    """
    if isinstance(value, dict):
        return all(map(_survives, value.values()))
    if isinstance(value, list):
        return all(map(_survives, value))
    if isinstance(value, str):
        quoted = set(value) & set("'\n")
        return value.replace("\n", "").isprintable() and not (quoted and len(value) > LONGEST_QUOTED)
    return not isinstance(value, date)


def _value(written: dict[str, Any], key: str) -> Any:
    for part in key.split("."):
        written = written[part]
    return copy.deepcopy(written)  # what several stages share would be written down as a YAML alias


def _file(path: str, digests: Digests) -> dict[str, Any]:
    md5, size = digests[path]
    return {"path": path, "hash": "md5", "md5": md5, "size": size}


def _kind(path: str) -> str:
    if path.endswith("metrics.json"):
        return "metrics"
    return "plots" if path.startswith("results/") and path.endswith((".csv", ".svg")) else "outs"


def is_small(path: str) -> bool:
    """Whether a file is a table, a figure or metrics: what people diff, and git can hold."""
    return _kind(path) != "outs"


def _axes(job: Job, path: str, params: Params) -> dict[str, Any]:
    """How DVC draws a table, as benchmark.yaml has it."""
    if job.rule != "tables":
        return {}
    benchmark = params["datasets"][job.wildcards["dataset"]]["benchmark"]
    return benchmark_facts(benchmark)["tables"][job.wildcards["table"]].get("plot", {})


def spec_of(entry: dict[str, Any], name: str) -> str | None:
    """The spec under which a lock entry has its outputs."""
    return entry.get("params", {}).get("specs.json", {}).get(name)


def spec_changes(before: str | None, after: str) -> list[str]:
    """The settings in which two specs differ, for people; `code` is that of the step. before: as dvc.lock has it."""
    try:
        old, new = json.loads(before or "{}"), json.loads(after)
    except ValueError:
        return ["all of it"]
    return sorted(key for key in {**old, **new} if old.get(key) != new.get(key))
