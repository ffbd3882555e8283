"""The command line of `evaltrail diff`.

Exit status, as that of diff: 0 when nothing differs, 1 when something does, 2 for an error.
"""

import argparse
import contextlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from evaltrail.errors import InputError

if TYPE_CHECKING:  # at run time it is imported when the arguments are read: --help needs it not
    from evaltrail.audit.diff import Report


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the command line of `evaltrail diff`."""
    parser.add_argument("a", metavar="A", help="a project directory, or a git revision of this one")
    parser.add_argument("b", metavar="B", nargs="?", help="another (default: the project directory)")
    parser.add_argument(
        "--directory", metavar="DIR", default=".", help="the project directory of revisions (default: here)"
    )
    parser.add_argument("--table", metavar="TABLE", help="this table alone, e.g. jeebench_table2 or table2")
    parser.add_argument("--json", action="store_true", help="print all that differs as JSON")
    parser.add_argument("--html", metavar="FILE", help="also write a page with the texts side by side")
    parser.add_argument(
        "--all", action="store_true", help="show all instances, not just the first of each kind"
    )
    parser.epilog = "Exit status: 0 when nothing differs, 1 when something does, 2 for an error."


def run(args: argparse.Namespace) -> int:
    """Runs `evaltrail diff` and returns its exit status."""
    try:
        from evaltrail.audit.diff import diff
        from evaltrail.audit.revisions import project_directory

        names = args.a, args.b or args.directory
        with contextlib.ExitStack() as stack:
            a, b = (stack.enter_context(project_directory(name, Path(args.directory))) for name in names)
            return report_on(diff(a, b, args.table, names), args)
    except InputError as error:
        line = str(error)
    except BrokenPipeError:  # the reader of our output, such as `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        line = f"{error.filename or 'a file'}: {error.strerror or error}"
    sys.stdout.flush()
    print(f"evaltrail: {line}", file=sys.stderr)
    return 2


def report_on(report: "Report", args: argparse.Namespace) -> int:
    """Prints and writes what the command line asks for; the exit status."""
    from evaltrail.audit import diff_json, diff_page, diff_text

    if args.html:
        diff_page.write(report, args.html, args.all)
    chunks = diff_json.chunks(report) if args.json else diff_text.chunks(report, args.all)
    for chunk in chunks:
        sys.stdout.buffer.write(chunk)
    sys.stdout.flush()
    return int(report.differs)
