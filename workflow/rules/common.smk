# What the rules share: the params, how ids may look in paths, and the inputs that depend on params.
import re
import sys
from os.path import isfile
from pathlib import Path

from evaltrail import guard, params, specs, study
from evaltrail.errors import InputError

guard.prepare(workflow)

try:
    PARAMS = params.load("params.yaml", Path(workflow.basedir) / "workflow/schemas/params.schema.yaml")
except InputError as error:
    sys.exit(f"evaltrail: {error}")
except FileNotFoundError as error:
    sys.exit(f"evaltrail: {error.filename}: no such file; name a project directory with --directory")


def one_of(names):
    """A pattern that matches exactly `names`."""
    return "|".join(map(re.escape, names)) or "(?!)"


wildcard_constraints:
    dataset=one_of(PARAMS["datasets"]),
    system=one_of(PARAMS["systems"]),
    table=one_of(study.all_tables(PARAMS)),


def system_files(wildcards):
    """The files that a table reads, system by system."""
    folders = [f"results/{wildcards.dataset}/{id}" for id in study.systems_of(PARAMS, wildcards.dataset)]
    return [f"{folder}/{name}" for folder in folders for name in study.files_of(PARAMS, **wildcards)]


def tables_of(datasets, tables=study.tables_of):
    return [f"results/{id}_{table}.csv" for id in datasets for table in tables(PARAMS, id)]


def figures_of(datasets, figures=study.figures_of):
    return [f"results/figures/{id}_{table}.svg" for id in datasets for table in figures(PARAMS, id)]
