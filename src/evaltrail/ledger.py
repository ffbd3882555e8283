"""The ledger: which of a project directory's files are proven to be what their names say."""

import sys
from pathlib import Path

from evaltrail.errors import InputError


def restore(directory: Path, targets: list[str]) -> None:
    """Removes the outputs in `directory` that are not as its Snakemake left them, so that the next run makes them.

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
            (directory / path).unlink()
            print(f"removed {path}: {why}", file=sys.stderr)
