"""`evaltrail crate`: where a project directory's files come from, as a Workflow Run RO-Crate.

All that the workflow made is described as one run of it: params.yaml, raw files and other files that no job makes went
in, everything else came out. It is read from the graph of jobs, so a new step, client or benchmark needs no word here.
The same files give the same bytes; the only times are those of the files.
Source: https://w3id.org/ro/wfrun/workflow/0.5, on RO-Crate 1.1 and Workflow RO-Crate 1.0.
"""

import hashlib
import json
import os
import platform
import shutil
import subprocess
import tomllib
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any
from urllib.parse import quote

from rocrate.model.contextentity import ContextEntity
from rocrate.model.entity import Entity
from rocrate.rocrate import ROCrate

from evaltrail import bridge, codehash, files, jsonl, ledger
from evaltrail.errors import InputError
from evaltrail.facts import BENCHMARKS, benchmark_facts
from evaltrail.files import sha256
from evaltrail.records import Generation
from evaltrail.study import Params

REPO = bridge.SNAKEFILE.parent
# What of REPO the outputs hang on.
CODE = ("Snakefile", "workflow", "src", "pyproject.toml", "requirements.lock")
COPY = "ro-crate-workflow"  # a crate holds its workflow: here, where evaltrail's repository lies elsewhere

PROFILES = {
    "https://w3id.org/ro/wfrun/process/0.5": "Process Run Crate",
    "https://w3id.org/ro/wfrun/workflow/0.5": "Workflow Run Crate",
    "https://w3id.org/workflowhub/workflow-ro-crate/1.0": "Workflow RO-Crate",
}
TERMS = {"sha256": "https://w3id.org/ro/terms/workflow-run#sha256"}  # RO-Crate 1.1 itself has no word for it
ENCODINGS = {
    ".csv": "text/csv",
    ".html": "text/html",
    ".json": "application/json",
    ".jsonl": "application/jsonl",
    ".svg": "image/svg+xml",
    ".yaml": "application/yaml",
}


def write(directory: Path, output: Path | None = None) -> str:
    """Writes the crate of a project directory, to its ro-crate-metadata.json or to `output`; returns what to say of it.

    Raises InputError when nothing is made, and when what is made is not what params.yaml and the code ask for now.
    """
    output = output or directory / "ro-crate-metadata.json"
    destination = output.absolute()
    with ledger.open_ledger(directory, ignoring=()) as book:
        made = [job for job in book.graph.jobs if all(map(os.path.isfile, job.outputs))]
        _check(made, book, directory)
        crate = _Crate(made, book.params)
        jsonl.write_document(destination, crate.document())
    return f"{output}: {len(crate.raw)} raw files, {len(crate.results())} outputs"


def _check(made: list[bridge.Job], book: ledger.Ledger, directory: Path) -> None:
    if all(job.rule == "fetch" for job in made):
        raise InputError(directory, "nothing is made here", fix="run make or snakemake first")
    if stale := sorted(path for job in made if book.graph.needs_run(job) for path in job.outputs):
        more = f" (and {len(stale) - 1} more)" if stale[1:] else ""
        what = f"is not what params.yaml and the code ask for now{more}"
        raise InputError(directory / stale[0], what, fix="run make or snakemake first")
    raw = {path for job in made if job.rule == "fetch" for path in job.outputs}  # `raw_file` looks at these
    if changed := [path for path in book.current()[1] if path not in raw]:
        raise InputError(directory / changed[0], "was changed since it was made", fix="`evaltrail restore`")


class _Crate:
    """The crate of the current directory, in which the jobs `made` are done."""

    def __init__(self, made: list[bridge.Job], params: Params):
        self.params, self.made = params, made
        self.raw = [job for job in made if job.rule == "fetch"]
        self.steps = [job for job in made if job.rule != "fetch"]
        self.crate = ROCrate(version="1.1")
        self.crate.metadata.extra_terms.update(TERMS)

    def results(self, **wildcards: str) -> dict[str, bridge.Job]:
        """What came out of the jobs that have these wildcards, each file with its job."""
        jobs = [job for job in self.steps if wildcards.items() <= job.wildcards.items()]
        return {path: job for job in jobs for path in job.outputs}

    def document(self) -> dict[str, Any]:
        """The crate as JSON-LD: its root, one action, and what these refer to, in the order of their ids."""
        datasets = [id for id in self.params["datasets"] if self.results(dataset=id)]
        systems = [self.system(id) for id in self.params["systems"] if self.results(system=id)]
        action = self.action()
        root = self.crate.root_dataset
        root["name"] = f"evaltrail: {', '.join(datasets)}"
        root["description"] = (
            f"Language models evaluated on {', '.join(datasets)}, from raw replies to tables. "
            "The outputs quote the data, so the licences of the data hold for them."
        )
        root["datePublished"] = action["endTime"]
        licences = self.licences(datasets)
        root["license"] = licences if len(licences) > 1 else licences[0]
        root["conformsTo"] = [self.entity(id, "CreativeWork", name=name) for id, name in PROFILES.items()]
        root["mentions"] = [action, *systems]
        root["hasPart"] = sorted(root["hasPart"], key=lambda part: part.id)
        document = self.crate.metadata.generate()
        return document | {"@graph": sorted(document["@graph"], key=lambda entity: entity["@id"])}

    def action(self) -> Entity:
        """The run: what went in, what came out."""
        own = {path for job in self.made for path in job.outputs}
        sources = {_inside(path) for job in self.made for path in job.inputs} - own - {None}
        inputs = [self.file(path) for path in sorted({"params.yaml", *sources})]
        inputs += [self.raw_file(job) for job in self.raw]
        results = [self.result(path, job) for path, job in self.results().items()]
        ended = datetime.fromtimestamp(max(map(os.path.getmtime, self.results())), UTC)
        state = "".join(f"{file.id} {file['sha256']}\n" for file in inputs + results)
        return self.entity(
            f"#run/{hashlib.sha256(state.encode()).hexdigest()[:16]}",
            "CreateAction",
            name="evaltrail's workflow on this directory",
            description="snakemake, with the settings of params.yaml",
            instrument=self.workflow(),
            object=inputs,
            result=results,
            actionStatus="http://schema.org/CompletedActionStatus",
            endTime=ended.isoformat(timespec="seconds"),
        )

    def entity(self, id: str, kind: str, **properties: Any) -> Entity:
        """Something that is no file; properties without a value are left out."""
        return self.crate.add(ContextEntity(self.crate, id, {"@type": kind, **_given(properties)}))

    def file(self, path: str, **properties: Any) -> Entity:
        """A file of the project directory."""
        return self.crate.add_file(dest_path=path, properties=_file(path) | _given(properties))

    def values(self, owner: str, values: dict[str, Any]) -> list[Entity]:
        """Named values of `owner`; what is no text stands as JSON."""
        return [
            self.entity(
                f"{owner}/{quote(name)}",
                "PropertyValue",
                name=name,
                value=value if isinstance(value, str) else jsonl.canonical(value),
            )
            for name, value in _given(values).items()
        ]

    def raw_file(self, job: bridge.Job) -> Entity:
        """A raw file: what was published, with its licence, or the file of the project that it is a copy of.

        Raises InputError when it is not the file that was fetched.
        """
        (path,), spec = job.outputs, json.loads(job.spec)
        if spec.get("sha256") and sha256(Path(path)) != spec["sha256"]:
            raise InputError(path, "is not the file that was fetched", fix="remove it and run again")
        published = spec.get("archive") or spec
        if "url" not in published:
            source = _inside(job.inputs[0])
            return self.file(path, isBasedOn=source and {"@id": quote(source)})
        name, url, blob = f"{spec['benchmark']} as published", published["url"], published.get("git_blob")
        pin = blob and f"swh:1:cnt:{blob}"  # ISO/IEC 18670: the id of these very bytes
        licence = self.spdx(benchmark_facts(spec["benchmark"])["licence"])
        origin = self.entity(url, "CreativeWork", name=name, url=url, identifier=pin, license=licence)
        return self.file(path, isBasedOn=origin, license=licence)

    def result(self, path: str, job: bridge.Job) -> Entity:
        about = {"@id": f"#system/{job.wildcards['system']}"} if "system" in job.wildcards else None
        return self.file(path, description=f"made by {job.rule}", about=about)

    def system(self, id: str) -> Entity:
        """A system with all its settings; its version is what the replies say of their model."""
        settings = self.params["systems"][id]
        replies = [path for path in self.results(system=id) if path.endswith("/generations.jsonl")]
        models = {row.model for path in replies for row in jsonl.read(path, Generation)} - {None}
        own = {key: value for key, value in settings.items() if key not in ("id", "label", "dataset")}
        return self.entity(
            f"#system/{id}",
            "SoftwareApplication",
            name=settings["label"],
            identifier=id,
            description=f"a system on {settings['dataset']}",
            softwareVersion=", ".join(sorted(models)),
            additionalProperty=self.values(f"#system/{id}", own),
        )

    def workflow(self) -> Entity:
        """The Snakefile, with the files that it includes and the code that its jobs run."""
        folder, code = _inside(REPO), self.code()
        paths = [path for path in (REPO / "workflow").rglob("[!.]*") if path.is_file()]
        places = {}
        for path in [bridge.SNAKEFILE, *sorted(paths)]:
            places[path] = os.path.normpath(os.path.join(folder or COPY, path.relative_to(REPO)))
            if folder is None:
                with files.atomic_path(places[path]) as partial:
                    shutil.copyfile(path, partial)
        main = places.pop(bridge.SNAKEFILE)
        workflow = self.crate.add_workflow(
            dest_path=main,
            main=True,
            lang="snakemake",
            lang_version=metadata.version("snakemake"),
            properties=_file(main) | {"name": "evaltrail", "version": code["version"]},
        )
        workflow["license"], workflow["softwareRequirements"] = code["license"], code
        workflow["hasPart"] = [self.file(place) for place in places.values()]
        return workflow

    def code(self) -> Entity:
        """evaltrail itself: its commit, the code hash of each step, and the packages that compute."""
        project = tomllib.loads((REPO / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        hashes, modules = {}, set()
        for job in self.made:
            spec = json.loads(job.spec)
            step = [job.rule, spec.get("benchmark"), job.wildcards.get("table")]
            hashes[f"code of {', '.join(filter(None, step))}"] = spec["code"]
            modules |= {f"evaltrail.{job.rule}", *_modules(spec.get("benchmark"))}
        packages = {"Python": platform.python_version()} | codehash.packages(*modules)
        return self.entity(
            "#evaltrail",
            "SoftwareSourceCode",
            name="evaltrail",
            description=project["description"],
            version=project["version"],
            license=self.spdx(project["license"]),
            additionalProperty=self.values("#evaltrail", _revision() | hashes),
            softwareRequirements=[
                self.entity(f"#package/{name}", "SoftwareApplication", name=name, softwareVersion=version)
                for name, version in packages.items()
                if version != codehash.ABSENT
            ],
        )

    def licences(self, datasets: list[str]) -> list[Entity | str]:
        """Those of the published data, and a word on data of which nothing is known."""
        published = [id for id in datasets if self.params["datasets"][id]["source"] == "published"]
        unknown = ", ".join(id for id in datasets if id not in published)
        stated = {benchmark_facts(self.params["datasets"][id]["benchmark"])["licence"] for id in published}
        stating = [self.spdx(licence) for licence in sorted(stated)]
        return stating + [f"No licence is stated for the data of {unknown}."] * bool(unknown)

    def spdx(self, id: str) -> Entity:
        url = f"https://spdx.org/licenses/{id}"
        return self.entity(url, "CreativeWork", name=id, description=f"the licence {id}", url=url)


def _given(properties: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in properties.items() if value not in (None, "", [])}


def _inside(path) -> str | None:
    """`path` as seen from the current directory; None where it lies elsewhere: a crate does not name it."""
    relative = os.path.relpath(path)
    return None if relative.split(os.sep)[0] == os.pardir else relative


def _file(path: str) -> dict[str, Any]:
    """What the entity of any file says."""
    return {
        "name": path,
        "sha256": sha256(Path(path)),
        "contentSize": str(os.path.getsize(path)),
        "encodingFormat": ENCODINGS.get(os.path.splitext(path)[1], "text/plain"),
    }


def _modules(benchmark: str | None) -> list[str]:
    """All modules of a benchmark."""
    paths = (BENCHMARKS / benchmark).rglob("*.py") if benchmark else []
    parts = [path.relative_to(BENCHMARKS).with_suffix("").parts for path in paths]
    return [".".join(["evaltrail.benchmarks", *names]) for names in parts]


def _revision() -> dict[str, Any]:
    """The commit of evaltrail's repository, if it is one, and whether its code is another than that commit's."""
    if not (REPO / ".git").exists():
        return {}
    changed = _git("status", "--porcelain", "--", *CODE)
    return {"git commit": _git("rev-parse", "HEAD"), "uncommitted changes": bool(changed)}


def _git(*arguments: str) -> str:
    """What git says of REPO, whatever repository the environment names."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    command = ["git", "--no-optional-locks", "-C", str(REPO), *arguments]
    result = subprocess.run(command, env=environment, capture_output=True, text=True)
    if result.returncode:
        raise InputError(REPO, " ".join(result.stderr.split()), fix="mend the repository of evaltrail")
    return result.stdout.strip()
