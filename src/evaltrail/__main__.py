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
    show = commands.add_parser("show", help="print a CSV file as a table")
    show.add_argument("file", type=Path)
    args = parser.parse_args(argv)

    from evaltrail import ledger, tables  # after the arguments: --help needs neither

    if args.command == "restore":
        ledger.restore(args.directory)
    else:
        print(tables.as_text(args.file))


if __name__ == "__main__":
    main()
