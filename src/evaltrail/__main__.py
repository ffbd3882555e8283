"""The console script `evaltrail`."""

import argparse
from pathlib import Path

from evaltrail import steps


def main() -> None:
    steps.run(_main)


def _main(argv=None) -> None:
    parser = argparse.ArgumentParser(
        prog="evaltrail", description="Prove and inspect a project directory's files."
    )
    parser.add_argument(
        "--directory", type=Path, default=Path("."), help="the project directory (default: here)"
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    commands.add_parser(
        "restore", help="remove outputs that nothing proves current; the next run makes them again"
    )
    args = parser.parse_args(argv)

    from evaltrail import ledger  # after the arguments: --help needs no Snakemake

    {"restore": ledger.restore}[args.command](args.directory)


if __name__ == "__main__":
    main()
