"""The ledger: which of a project directory's files are proven to be what their names say."""

import os
import sys
from pathlib import Path

from evaltrail.errors import InputError

REMOVED = Path(".snakemake/evaltrail.removed")


def restore(directory: Path, targets: list[str]) -> None:
    """Takes away the outputs in `directory` that are not as its Snakemake left them, so that the next run makes them.

    They go to .snakemake/evaltrail.removed, where the latest of each name is kept: one may be a person's work.

    A copied folder or a fresh clone has such outputs. Snakemake would take them for current whatever their params
    were. Only what the targets need is looked at, without targets all that can be made; a file of no rule is never
    touched. Raises InputError when `directory` is no project directory or a source is missing.
    """
    from evaltrail import snakemake_bridge

    if not (directory / "params.yaml").is_file():
        raise InputError(directory / "params.yaml", "no such file", fix="go to a project directory")
    unknown = snakemake_bridge.unknown_outputs(directory, targets)
    if unknown is None:
        return
    # Snakemake does not make a file again that only current ones were made from, so what is behind must go as well.
    for paths, why in (
        (unknown.paths, "not made here, or changed since"),
        (unknown.behind, "made from such a file"),
    ):
        for path in paths:
            kept = directory / REMOVED / path
            kept.parent.mkdir(parents=True, exist_ok=True)
            os.replace(directory / path, kept)
            print(f"removed {path}: {why}", file=sys.stderr)
    print(f"what was removed is kept in {REMOVED}", file=sys.stderr)
