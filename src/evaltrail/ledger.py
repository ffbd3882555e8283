"""The ledger: which of a project directory's files are proven to be what their names say."""

import sys
from pathlib import Path

from evaltrail.errors import InputError


def restore(directory: Path) -> None:
    """Removes the outputs in `directory` that its Snakemake did not make, so that the next run makes them again.

    A copied folder or a fresh clone has such outputs. Snakemake would take them for current whatever their params
    were. Raises InputError when `directory` is no project directory; a file of no rule is never touched.
    """
    from evaltrail import snakemake_bridge

    if not (directory / "params.yaml").is_file():
        raise InputError(directory / "params.yaml", "no such file", fix="go to a project directory")
    for path in snakemake_bridge.unknown_outputs(directory):
        (directory / path).unlink()
        print(f"removed {path}: not made here", file=sys.stderr)
