"""The command line of `evaltrail log`: is the response log as it was written, and what does it hold of a key."""

import argparse
from pathlib import Path

from evaltrail.study import RESPONSES


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the command line of `evaltrail log`."""
    commands = parser.add_subparsers(dest="log_command", required=True, metavar="COMMAND")
    check = commands.add_parser("check", help="read all of the log and name each line that is wrong")
    check.epilog = "Exit status: 0 when nothing is wrong, 1 when something is."
    check.set_defaults(part=_check)
    show = commands.add_parser("show", help="print the request of a key and its replies")
    show.add_argument("key", metavar="KEY", help="a key, or how it begins")
    show.set_defaults(part=_show)
    for command in (check, show):
        command.add_argument(
            "--directory", type=Path, default=Path("."), help="the project directory (default: here)"
        )


def run(args: argparse.Namespace) -> int:
    """Runs `evaltrail log` and returns its exit status. Raises InputError where there is no log, or no such key."""
    from evaltrail.errors import InputError

    folders = sorted(path for path in (args.directory / RESPONSES).glob("*") if path.is_dir())
    if not folders:
        raise InputError(
            args.directory / RESPONSES, "holds no log", fix="name a project directory by --directory"
        )
    return args.part(args, folders)


def _check(args: argparse.Namespace, folders: list[Path]) -> int:
    from evaltrail.audit import log_check

    return log_check.report(folders)


def _show(args: argparse.Namespace, folders: list[Path]) -> int:
    from evaltrail.audit import log_show

    return log_show.report(folders, args.key)
