"""What every step's command line shares: `--spec` and file arguments, and one line for what went wrong."""

import argparse
import contextlib
import json
import os
import sys
from importlib import import_module


def arguments(
    description: str, *names: str, many: tuple[str, ...] = (), optional: tuple[str, ...] = (), argv=None
):
    """The parsed command line of a step: `spec` as a dict, each of `names` one path, each of `many` a list of paths.

    `optional` names may stand without a path, as a rule's empty input leaves them, and are None then. The spec is
    the JSON text that Snakemake compares.
    """
    parser = argparse.ArgumentParser(description=(description or "").partition("\n")[0])
    parser.add_argument("--spec", required=True, type=json.loads, help="the job's settings, as JSON")
    for name in names:
        parser.add_argument(f"--{name}", required=True)
    for name in optional:
        parser.add_argument(f"--{name}", nargs="?")
    for name in many:
        parser.add_argument(f"--{name}", nargs="*", default=[])
    return parser.parse_args(argv)


def plugin(benchmark: str, part: str):
    """The module of a benchmark that does its part of a step: `evaltrail.benchmarks.{benchmark}.{part}`."""
    return import_module(f"evaltrail.benchmarks.{benchmark}.{part}")


def run(main, in_run: bool = True) -> None:
    """Runs a step or command and ends the process; what a user can mend becomes one line and exit status 1.

    in_run: the line is also left for the run that the process may be part of.
    """
    from evaltrail.errors import InputError

    try:
        sys.exit(main())
    except InputError as error:
        line = str(error)
    except BrokenPipeError:  # whoever read the output has seen enough
        sys.stderr.close()
        sys.exit(0)
    except OSError as error:
        line = f"{error.filename or 'a file'}: {error.strerror or error}"
    except KeyboardInterrupt:
        sys.exit(130)
    sys.stdout.flush()
    print(f"evaltrail: {line}", file=sys.stderr)
    if in_run:
        _tell_run(line)
    sys.exit(1)


def _tell_run(line: str) -> None:
    """Leaves the line for the run that this step is part of, if any: Snakemake says much more after it."""
    from evaltrail import files

    if os.environ.get(files.RUN):
        with (
            contextlib.suppress(OSError),
            open(files.STOPPED, "a", encoding="utf-8", errors="replace") as file,
        ):
            file.write(f"{line}\n")
