"""The console script `evaltrail`."""

import argparse
from pathlib import Path

from evaltrail import steps
from evaltrail.audit import diff_command


def main() -> None:
    steps.run(_main)


def _main(argv=None) -> int:
    args = _parser().parse_args(argv)
    return args.run(args) or 0


def _restore(args: argparse.Namespace) -> None:
    from evaltrail import ledger  # here, for --help needs no Snakemake

    ledger.restore(args.directory, args.targets)


def _show(args: argparse.Namespace) -> None:
    from evaltrail import tables

    print(tables.as_text(args.file))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="evaltrail", description="Prove and inspect a project directory's files."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    restore = commands.add_parser(
        "restore", help="remove outputs that nothing proves current; the next run makes them again"
    )
    restore.add_argument(
        "--directory", type=Path, default=Path("."), help="the project directory (default: here)"
    )
    restore.add_argument(
        "targets", nargs="*", help="look at what these need alone (default: all that can be made)"
    )
    restore.set_defaults(run=_restore)
    show = commands.add_parser("show", help="print a CSV file as a table")
    show.set_defaults(run=_show)
    show.add_argument("file", type=Path)
    compare = commands.add_parser(
        "diff", help="say what differs between two project directories, and from which step on"
    )
    compare.set_defaults(run=diff_command.run)
    diff_command.add_arguments(compare)
    return parser


if __name__ == "__main__":
    main()
