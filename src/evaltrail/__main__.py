"""The console script `evaltrail`."""

import argparse
from pathlib import Path

from evaltrail import steps
from evaltrail.audit import diff_command, log_command


def main() -> None:
    steps.run(_main, in_run=False)


def _main(argv=None) -> int:
    args = _parser().parse_args(argv)
    return args.run(args) or 0


def _restore(args: argparse.Namespace) -> None:
    from evaltrail.record import record  # here, for --help needs no Snakemake
    from evaltrail.restore import restore

    if restore(args.directory, args.targets, args.pull):
        record(args.directory)


def _record(args: argparse.Namespace) -> None:
    from evaltrail.record import record

    record(args.directory, args.after_run, args.push)


def _verify(args: argparse.Namespace) -> int:
    from evaltrail.audit.verify import verify

    checked, findings = verify(args.directory, args.rederive)
    for finding in findings:
        print(finding)
    if not findings:
        again = ", and all comes out the same when it is computed again" if args.rederive else ""
        print(f"{checked} files are as dvc.lock records them{again}")
    return bool(findings)


def _plan(args: argparse.Namespace) -> None:
    from evaltrail.audit import plan

    print(*plan.lines(plan.plan(args.directory, args.targets)), sep="\n")


def _crate(args: argparse.Namespace) -> None:
    from evaltrail.audit import crate

    print(crate.write(args.directory, args.output))


def _show(args: argparse.Namespace) -> None:
    from evaltrail import tables

    print(tables.as_text(args.file))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="evaltrail", description="Prove and inspect a project directory's files."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    project = argparse.ArgumentParser(add_help=False)
    project.add_argument(
        "--directory", type=Path, default=Path("."), help="the project directory (default: here)"
    )
    restore = commands.add_parser(
        "restore",
        parents=[project],
        help="prove the outputs by DVC's record of them, take known ones from its cache, remove what is unproven",
    )
    restore.add_argument(
        "targets", nargs="*", help="look at what these need alone (default: all that can be made)"
    )
    restore.add_argument("--pull", action="store_true", help="fetch what the cache lacks from DVC's remote")
    restore.set_defaults(run=_restore)
    record = commands.add_parser(
        "record", parents=[project], help="record what is current in dvc.lock and DVC's cache"
    )
    record.add_argument("--push", action="store_true", help="push it to DVC's remote as well")
    record.add_argument("--after-run", action="store_true", help=argparse.SUPPRESS)
    record.set_defaults(run=_record)
    verify = commands.add_parser(
        "verify", parents=[project], help="hold every file against dvc.lock; exit status 1 when one differs"
    )
    verify.add_argument(
        "--rederive", action="store_true", help="also compute all again, offline, and compare byte for byte"
    )
    verify.set_defaults(run=_verify)
    plan = commands.add_parser(
        "plan", parents=[project], help="say what `evaltrail restore` and `snakemake` would do"
    )
    plan.add_argument("targets", nargs="*", help="what would be made (default: what `snakemake` makes)")
    plan.set_defaults(run=_plan)
    show = commands.add_parser("show", help="print a CSV file as a table")
    show.set_defaults(run=_show)
    show.add_argument("file", type=Path)
    crate = commands.add_parser(
        "crate", parents=[project], help="write down where the outputs come from, as ro-crate-metadata.json"
    )
    crate.add_argument("--output", type=Path, metavar="FILE", help="write it to this file instead")
    crate.set_defaults(run=_crate)
    compare = commands.add_parser(
        "diff", help="say what differs between two project directories or revisions, and from which step on"
    )
    compare.set_defaults(run=diff_command.run)
    diff_command.add_arguments(compare)
    log = commands.add_parser(
        "log", help="check the log of the models' replies, or show what it holds of a key"
    )
    log.set_defaults(run=log_command.run)
    log_command.add_arguments(log)
    return parser


if __name__ == "__main__":
    main()
