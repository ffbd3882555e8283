"""What params.yaml asks for: which systems, tables and figures there are, and which files each of them reads."""

import os
from pathlib import Path
from typing import Any

from evaltrail.clients import CLIENTS
from evaltrail.facts import benchmark_facts, fields_of
from evaltrail.jsonl import canonical

Params = dict[str, Any]

RESPONSES = "data/responses"  # the log of what models replied


def systems_of(params: Params, dataset: str) -> list[str]:
    """The ids of the dataset's systems, in the order of params.yaml."""
    return [id for id, system in params["systems"].items() if system["dataset"] == dataset]


def tables_of(params: Params, dataset: str) -> list[str]:
    """The tables that a run without a target makes: the dataset's own choice, or all that need no asking.

    A table that reads a person's file is among them once the file is there.
    """
    reads = facts_of(params, dataset)[1]["tables"]
    offered = [table for table in possible_tables(params, dataset) if not reads[table].get("on_demand")]
    return params["datasets"][dataset].get("tables", offered)


def possible_tables(params: Params, dataset: str) -> list[str]:
    """The tables that can be made: all but those that read a person's file which is not there."""
    tables = facts_of(params, dataset)[1]["tables"]
    return [table for table in tables if all(map(os.path.isfile, person_file(params, dataset, table)))]


def all_tables(params: Params) -> list[str]:
    """The names of all tables that any dataset's benchmark has."""
    return sorted(
        {table for dataset in params["datasets"] for table in facts_of(params, dataset)[1]["tables"]}
    )


def figures_of(params: Params, dataset: str) -> list[str]:
    """Those of `tables_of` that are drawn."""
    drawn = facts_of(params, dataset)[1]["figures"]
    return [table for table in tables_of(params, dataset) if table in drawn]


def possible_figures(params: Params, dataset: str) -> list[str]:
    """Those of `possible_tables` that are drawn."""
    drawn = facts_of(params, dataset)[1]["figures"]
    return [table for table in possible_tables(params, dataset) if table in drawn]


def files_of(params: Params, dataset: str, table: str) -> list[str]:
    """The names of the files that a table reads of each system."""
    return facts_of(params, dataset)[1]["tables"][table]["files"]


def adjudications_of(dataset: str) -> list[str]:
    """The path of the dataset's adjudications, if a person wrote any."""
    return list(filter(os.path.isfile, [f"data/{dataset}/adjudications.csv"]))


def submissions_of(params: Params, dataset: str) -> list[str]:
    """The dataset's submission files, where the benchmark has a site that takes them."""
    there = facts_of(params, dataset)[1].get("submission")
    return [f"results/{dataset}_submission_{id}.csv" for id in systems_of(params, dataset)] if there else []


def completions_of(params: Params, system_id: str) -> list[str]:
    """The system's completions, where the benchmark's scores read more of a reply than its answer."""
    system, _, facts = system_of(params, system_id)
    there = facts["score"].get("completions")
    return [f"results/{system['dataset']}/{system_id}/completions.jsonl"] if there else []


def references_of(params: Params, dataset: str) -> list[str]:
    """The path of the dataset's references, where they are a file of their own and there is one.

    A folder brings it beside the questions; for what is published it is the user's, in data/{dataset}/.
    """
    name = facts_of(params, dataset)[1].get("references")
    if name is None:
        return []
    sources = local_source(params, dataset, name)
    if sources:
        return [f"data/{dataset}/raw/{name}"] * os.path.isfile(sources[0])
    return list(filter(os.path.isfile, [f"data/{dataset}/{name}"]))


def person_file(params: Params, dataset: str, table: str) -> list[str]:
    """The path of the file that a table needs from a person, if it needs one."""
    name = facts_of(params, dataset)[1]["tables"][table].get("person")
    return [f"data/{dataset}/{name}"] if name else []


def brought(params: Params, dataset: str) -> list[str]:
    """The files that people wrote for a dataset, as far as there are any."""
    tables = facts_of(params, dataset)[1]["tables"]
    files = [path for table in tables for path in person_file(params, dataset, table)]
    files += [path for id in systems_of(params, dataset) for path in own_replies(params, id)]
    files += [*references_of(params, dataset), *adjudications_of(dataset)]
    return list(filter(os.path.isfile, files))


def template_of(params: Params, system_id: str) -> str:
    """The wording of the system's method."""
    system, benchmark, _ = system_of(params, system_id)
    return params["methods"][benchmark][system["method"]]


def is_few_shot(params: Params, system_id: str) -> bool:
    """Whether the system's wording has an example in it."""
    return any(field.startswith("example") for field in fields_of(template_of(params, system_id)))


def members_of(params: Params, dataset: str) -> list[str]:
    """The raw files that the dataset and its systems need."""
    own = systems_of(params, dataset)
    files = [dataset_file(params, dataset)]
    files += [path for of in (recorded_of, examples_of) for id in own for path in of(params, id)]
    files += references_of(params, dataset)
    raw = f"data/{dataset}/raw/"
    return [path.removeprefix(raw) for path in dict.fromkeys(files) if path.startswith(raw)]


def local_source(params: Params, dataset: str, member: str) -> list[str]:
    """The file behind a member of a local source, none for a published one.

    A source may be the folder that holds the benchmark's data/, as a mirror does, or that data/ itself.
    """
    source = params["datasets"][dataset]["source"]
    if source == "published":
        return []
    inside = member if os.path.isdir(Path(source, "data")) else member.removeprefix("data/")
    return [str(Path(source, inside))]


def default_datasets(params: Params) -> list[str]:
    """The datasets whose tables a run without a target makes."""
    return [id for id, dataset in params["datasets"].items() if dataset["default"]]


def shown_datasets(params: Params) -> list[str]:
    """The datasets of the report: the default ones, or all where none is."""
    return default_datasets(params) or list(params["datasets"])


def connection(params: Params, system_id: str) -> str:
    """How a live client is asked, which no reply depends on: so this is no part of the spec.

    logs: where a dataset's own folder brings replies, which never change, and last where new ones are kept.
    """
    system = params["systems"][system_id]
    source = params["datasets"][system["dataset"]]["source"]
    settings = system["connection"]
    if system["client"] == "openai" and system.get("model") in params["prices"]:
        settings = settings | {"prices": params["prices"][system["model"]]}
    brought = [str(Path(source, "log"))] if source != "published" else []
    return canonical({"label": system["label"], "logs": [*brought, RESPONSES], "settings": settings})


def is_live(params: Params, system_id: str) -> bool:
    """Whether a model is asked for the system's replies."""
    return params["systems"][system_id]["client"] in CLIENTS


def solutions_of(params: Params, system_id: str) -> list[str]:
    """The replies that the system's prompts quote, if they quote any."""
    system = params["systems"][system_id]
    return [f"results/{system['dataset']}/{system['of']}/generations.jsonl"] if system["of"] else []


def examples_of(params: Params, system_id: str) -> list[str]:
    """The file of few-shot examples, if the system's wording has any: the benchmark's, or a dataset's instances."""
    system, _, facts = system_of(params, system_id)
    if not is_few_shot(params, system_id):
        return []
    if "examples" in facts:
        return [f"data/{system['dataset']}/raw/{facts['examples']}"]
    return [f"data/{system['shots'].get('dataset', system['dataset'])}/instances.jsonl"]


def recorded_of(params: Params, system_id: str) -> list[str]:
    """The file of recorded replies, if the system has them from one."""
    system, _, facts = system_of(params, system_id)
    if system["client"] != "recorded":
        return []
    own = own_replies(params, system_id)
    return own or [f"data/{system['dataset']}/raw/{facts['recorded'].format_map(system)}"]


def own_replies(params: Params, system_id: str) -> list[str]:
    """The user's file of replies to published questions: in data/{dataset}/, where it is none of the published ones."""
    system, _, facts = system_of(params, system_id)
    dataset = system["dataset"]
    if system["client"] != "recorded" or params["datasets"][dataset]["source"] != "published":
        return []
    member = facts["recorded"].format_map(system)
    return [] if member in facts["members"] else [f"data/{dataset}/{member}"]


def dataset_file(params: Params, dataset: str) -> str:
    """The raw file that holds the dataset's instances."""
    file = params["datasets"][dataset].get("file") or facts_of(params, dataset)[1]["dataset"]
    return f"data/{dataset}/raw/{file}"


def facts_of(params: Params, dataset: str) -> tuple[str, dict[str, Any]]:
    """A dataset's benchmark and what benchmark.yaml says of it."""
    benchmark = params["datasets"][dataset]["benchmark"]
    return benchmark, benchmark_facts(benchmark)


def system_of(params: Params, system_id: str) -> tuple[dict[str, Any], str, dict[str, Any]]:
    """A system, its benchmark's name and that benchmark's facts."""
    system = params["systems"][system_id]
    return system, *facts_of(params, system["dataset"])
