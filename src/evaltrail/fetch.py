"""fetch: brings one raw file of a benchmark into the project, byte for byte as it was published.

Takes a file of the project (--source), of a mirror (EVALTRAIL_MIRROR=DIR: DIR/{benchmark}/{member}), or of
the network: one member of a zip archive pinned by its git blob id or sha256, or a plain file pinned by its sha256.
Downloads are kept in data/.archives of the project, where all jobs share them.
Gives the file at --output, verified, or nothing.
"""

import hashlib
import os
import re
import stat
from pathlib import Path, PurePosixPath

from evaltrail import download, steps
from evaltrail.errors import InputError
from evaltrail.files import atomic_path, sha256

ARCHIVES = Path("data/.archives")
LARGEST_MEMBER = 1 << 30  # bytes; the largest published file is a few MB, so more than this is a zip bomb


def main(argv=None) -> None:
    args = steps.arguments(__doc__, "output", optional=("source",), argv=argv)
    fetch(args.spec, Path(args.output), args.source)


def fetch(spec: dict, output: Path, source: str | None = None) -> None:
    """Puts the file that `spec` describes at `output`: a copy of `source` where one is given, else the published one.

    Raises InputError when the spec is wrong, or the file is not to be had or not the pinned one; `output` is
    then as it was before.
    """
    _check(spec, local=source is not None)
    mirror = os.environ.get("EVALTRAIL_MIRROR")
    if source is not None:
        _copy(Path(source), output, spec["sha256"], "it was changed while the run began: run again")
    elif mirror and spec.get("sha256"):
        _from_mirror(Path(mirror).absolute(), spec, output)
    elif spec.get("archive"):
        _from_archive(spec, output)
    else:
        _from_url(spec, output)


def _check(spec, local: bool) -> None:
    """Refuses a spec whose words are not what they stand for; some of them become part of a path."""
    if not isinstance(spec, dict):
        raise InputError("--spec", "is not a JSON object")
    archive = spec.get("archive") or {}
    if not isinstance(archive, dict):
        raise InputError("--spec", "is no object with url and a pin", field="archive")
    web, plain = r"https?://\S+", not (local or archive)
    for field, value, pattern, needed in (
        ("benchmark", spec.get("benchmark"), r"[A-Za-z0-9_-]+", True),
        ("member", spec.get("member"), r"(?s:.+)", True),
        ("sha256", spec.get("sha256"), r"[0-9a-f]{64}", local or plain),
        ("url", spec.get("url"), web, plain),
        ("archive.url", archive.get("url"), web, bool(archive)),
        (
            "archive.git_blob",
            archive.get("git_blob"),
            r"[0-9a-f]{40}",
            bool(archive) and "sha256" not in archive,
        ),
        ("archive.sha256", archive.get("sha256"), r"[0-9a-f]{64}", False),
    ):
        if value is None and needed:
            raise InputError("--spec", "is missing", field=field)
        if value is not None and not (isinstance(value, str) and re.fullmatch(pattern, value)):
            raise InputError("--spec", f"{value!r} does not match {pattern}", field=field)
    member = spec["member"]
    if reason := _strays(member):
        raise InputError("--spec", f"{member!r} {reason}", field="member")
    if member == "." or str(PurePosixPath(member)) != member:
        raise InputError(
            "--spec", f"{member!r} is not a plain path such as data/dataset.json", field="member"
        )


def _strays(name: str) -> str | None:
    """Why a path could leave the folder it is meant for, on any operating system; None when it cannot."""
    if name.startswith("/"):
        return "is an absolute path"
    if "\\" in name:
        return "has a backslash"
    if re.match("[A-Za-z]:", name):
        return "has a drive letter"
    if ".." in name.split("/"):
        return "has a '..'"
    if "\0" in name:
        return "has a NUL"
    return None


def _from_mirror(mirror: Path, spec: dict, output: Path) -> None:
    benchmark, member = spec["benchmark"], spec["member"]
    path = mirror / benchmark / member
    if not mirror.is_dir():
        raise InputError(mirror, "is no folder", fix="mend EVALTRAIL_MIRROR, or unset it to download")
    ways = "unset EVALTRAIL_MIRROR to download it, or take its system out of params.yaml"
    fix = f"put {benchmark}'s {member} as published there, {ways}"
    _copy(path, output, spec["sha256"], fix)


def _from_url(spec: dict, output: Path) -> None:
    kept = ARCHIVES / spec["sha256"]
    download.ensure(spec["url"], kept, sha256, spec["sha256"], _without_network(spec, kept))
    _copy(kept, output, spec["sha256"], "run again")


def _from_archive(spec: dict, output: Path) -> None:
    archive = spec["archive"]
    digest = sha256 if "sha256" in archive else download.git_blob
    pin = archive[digest.__name__]
    kept = ARCHIVES / f"{pin}.zip"
    download.ensure(archive["url"], kept, digest, pin, _without_network(spec, kept))
    _unpack(kept, spec["member"], output, spec.get("sha256"))


def _without_network(spec: dict, kept: Path) -> str:
    """What a user can do whom the network does not serve."""
    if spec.get("sha256"):
        return (
            f"without a network set EVALTRAIL_MIRROR=DIR, with DIR/{spec['benchmark']}/{spec['member']} in it"
        )
    return (
        f"without a network put the published archive at {kept} (EVALTRAIL_MIRROR=DIR serves only files "
        f"whose sha256 is known, and that of {spec['member']} is not)"
    )


def _copy(source: Path, output: Path, sha256: str | None, fix: str) -> None:
    if not source.is_file():
        raise InputError(source, "no such file", fix=fix)
    with atomic_path(output) as partial, open(source, "rb") as stream:
        _pour(stream, partial, sha256, source, fix)


def _unpack(archive: Path, member: str, output: Path, sha256: str | None) -> None:
    """Takes one member out of a verified archive and nothing else; no name inside it becomes a path."""
    import zipfile
    import zlib

    fix = "this archive is not one that evaltrail can use; check which one the benchmark pins"
    try:
        with zipfile.ZipFile(archive) as file:
            info = _find(file.infolist(), member, archive)
            declared = info.file_size
            # zipfile stops without a word at the declared size; room for one byte betrays a lying entry.
            info.file_size += 1
            with atomic_path(output) as partial, file.open(info) as stream:
                _pour(stream, partial, sha256, f"{archive}: {member}", fix)
                if partial.stat().st_size != declared:
                    raise zipfile.BadZipFile(f"it does not hold the {declared} bytes that it declares")
    # RuntimeError: encrypted, or a compression that zipfile does not know.
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError) as error:
        raise InputError(archive, f"{member} cannot be unpacked ({error})", fix=fix) from error


def _find(infos: list, member: str, archive: Path):
    """The entry of `member`. Raises InputError when there is none, or when any entry at all is a trap."""
    for info in infos:
        if reason := _strays(info.orig_filename) or _special(info):
            raise InputError(archive, f"refused: its entry {info.orig_filename!r} {reason}")
    found = [info for info in infos if info.filename == member]
    if not found:
        raise InputError(archive, f"has no member {member}", fix=_similar(member, infos))
    if len(found) > 1:
        raise InputError(archive, f"refused: it has {len(found)} entries {member!r}")
    if found[0].file_size > LARGEST_MEMBER:
        raise InputError(
            archive,
            f"refused: its entry {member!r} declares {found[0].file_size:,} bytes, over {LARGEST_MEMBER:,}",
        )
    return found[0]


def _special(info) -> str | None:
    """Why an entry is neither file nor folder; the upper half of external_attr is Unix's st_mode."""
    mode = info.external_attr >> 16
    if stat.S_ISLNK(mode):
        return "is a symbolic link"
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
        return "is no plain file"
    return None


def _similar(member: str, infos: list) -> str:
    import difflib

    names = [info.filename for info in infos if not info.is_dir()]
    near = difflib.get_close_matches(member, names, n=3)
    return f"similar: {', '.join(near)}" if near else f"nor a similar one among its {len(names)} files"


def _pour(stream, partial: Path, sha256: str | None, origin, fix: str) -> None:
    """Writes the stream to `partial`. Raises InputError when its sha256 is not the expected one."""
    digest = hashlib.sha256()
    with open(partial, "wb") as file:
        while chunk := stream.read(1 << 20):
            digest.update(chunk)
            file.write(chunk)
    if sha256 and digest.hexdigest() != sha256:
        raise InputError(origin, f"its sha256 is {digest.hexdigest()}, not {sha256} as pinned", fix=fix)


if __name__ == "__main__":
    steps.run(main)
