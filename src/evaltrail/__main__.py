"""The console script `evaltrail`."""

import argparse
from pathlib import Path

from evaltrail import steps


def main() -> None:
    steps.run(_main)


def _main(argv=None) -> None:
    args = _parser().parse_args(argv)

    from evaltrail import ledger, tables  # after the arguments: --help needs neither

    if args.command == "restore":
        ledger.restore(args.directory, args.targets)
    else:
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
    show = commands.add_parser("show", help="print a CSV file as a table")
    show.add_argument("file", type=Path)
    return parser


if __name__ == "__main__":
    main()
