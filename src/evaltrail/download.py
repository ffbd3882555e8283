"""One pinned file from a URL to disk: downloaded once for all jobs, resumed where it broke off, verified.

Beside the finished file PATH lie PATH.part (what has arrived so far), PATH.part.version (which version of the
file the server said that is) and PATH.lock. Nothing stands at PATH that has not been verified.
"""

import hashlib
import os
import sys
from collections.abc import Callable
from pathlib import Path

from evaltrail.errors import InputError

TIMEOUT = (10, 60)  # seconds: to connect, and between two arrivals of data
TRIES = 6  # the first, and five more that each go on where the last one broke off
PAUSE = 0.25  # seconds before the second try; doubles with each
PASSING = {429, 500, 502, 503, 504}  # statuses that may be gone at the next try
# Small, since a chunk that was not filled when the connection breaks is lost.
CHUNK = 1 << 14


def git_blob(path: Path) -> str:
    """The id that git gives a file's bytes: sha1 of "blob", a space, the size, NUL and the bytes, in hex.

    Source: https://git-scm.com/book/en/v2/Git-Internals-Git-Objects
    """
    with open(path, "rb") as file:
        digest = hashlib.sha1(b"blob %d\0" % os.fstat(file.fileno()).st_size, usedforsecurity=False)
        while chunk := file.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()


def ensure(url: str, path: Path, digest: Callable[[Path], str], pin: str, hint: str) -> None:
    """Makes `path` hold the file at `url` whose `digest` (`sha256` or `git_blob`) is `pin`.

    A file that is there already is verified and kept. Jobs that want the same `path` wait for one another, so
    only the first downloads. Raises InputError when the file cannot be had (ending in `hint`: what a user
    without a network can do) or is not the pinned one; that one is removed, so the next call downloads again.
    """
    from filelock import FileLock

    path.parent.mkdir(parents=True, exist_ok=True)
    part = Path(f"{path}.part")
    with FileLock(f"{path}.lock"):
        if path.exists() and digest(path) == pin:
            return
        # A part may be complete: its job was killed before the last step, and the server has no more to send.
        if not part.exists() or digest(part) != pin:
            _download(url, part, hint)
        found = digest(part)
        if found != pin:
            _discard(part)
            what = f"what was downloaded has the {digest.__name__} {found}, not {pin} as pinned"
            raise InputError(
                url, what, fix="it was removed; run again, and if this repeats the published file has changed"
            )
        os.replace(part, path)
        _version_file(part).unlink(missing_ok=True)


def _download(url: str, part: Path, hint: str) -> None:
    """Completes `part`; the one layer that tries again. Raises InputError when that did not help."""
    import requests
    from tenacity import Retrying, retry_if_exception, stop_after_attempt, wait_exponential

    again = Retrying(
        retry=retry_if_exception(_passes),
        stop=stop_after_attempt(TRIES),
        wait=wait_exponential(PAUSE),
        reraise=True,
    )
    try:
        with _session(url) as session:
            again(_attempt, session, url, part)
    except requests.HTTPError as error:
        what = f"the server answers {error.response.status_code} {error.response.reason}"
        raise InputError(url, what, fix=hint) from error
    except requests.RequestException as error:
        kept = f"{part} keeps the {_size(part):,} bytes that arrived and the next run goes on from there; "
        what = f"no connection, or it broke off ({_reason(error)})"
        raise InputError(url, what, fix=(kept if _size(part) else "") + hint) from error


def _passes(error: BaseException) -> bool:
    """Whether another try may end better."""
    from requests import exceptions

    if isinstance(error, exceptions.HTTPError):
        return error.response.status_code in PASSING
    return isinstance(
        error, (exceptions.ConnectionError, exceptions.Timeout, exceptions.ChunkedEncodingError)
    )


def _reason(error: BaseException) -> str:
    """What the operating system said: the innermost of the exceptions that libraries wrapped around it."""
    while error.__cause__ or error.__context__:
        error = error.__cause__ or error.__context__
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


def _session(url: str):
    """A session with the environment's proxies and certificates that never sends a password from ~/.netrc."""
    import requests

    session = requests.Session()
    session.proxies = requests.utils.get_environ_proxies(url)
    session.verify = os.environ.get("REQUESTS_CA_BUNDLE") or os.environ.get("CURL_CA_BUNDLE") or True
    session.trust_env = False
    return session


def _attempt(session, url: str, part: Path) -> None:
    """One request for what `part` lacks. Raises requests' exceptions; what had arrived stays in `part`."""
    have = _size(part)
    with session.get(url, headers=_headers(part, have), stream=True, timeout=TIMEOUT) as reply:
        if have and reply.status_code in (206, 416) and not _continues(reply, have):
            _discard(part)
            _attempt(session, url, part)  # asks for no range now, so this happens once
            return
        reply.raise_for_status()
        if reply.status_code != 206:  # the whole file: the first request, a new version, or no ranges there
            _discard(part)
            _version_file(part).write_text(_version(reply), encoding="utf-8")
        _append(reply, part)


def _headers(part: Path, have: int) -> dict[str, str]:
    headers = {"Accept-Encoding": "identity"}  # a compressed transfer could not be resumed by counting bytes
    if have:
        headers["Range"] = f"bytes={have}-"
        version = _version_file(part)
        if version.exists() and (said := version.read_text(encoding="utf-8")):
            headers["If-Range"] = said
    return headers


def _continues(reply, have: int) -> bool:
    return reply.status_code == 206 and reply.headers.get("Content-Range", "").startswith(f"bytes {have}-")


def _version(reply) -> str:
    """What If-Range may hold (RFC 9110, 13.1.5): a strong ETag, else the date; empty if neither was sent."""
    etag = reply.headers.get("ETag", "")
    return etag if etag.startswith('"') else reply.headers.get("Last-Modified", "")


def _append(reply, part: Path) -> None:
    from tqdm import tqdm

    have = _size(part)
    length = reply.headers.get("Content-Length", "")
    total = have + int(length) if length.isdigit() else None
    # disable=None: no bar where standard error is no terminal.
    bar = tqdm(
        desc=part.stem, initial=have, total=total, unit="B", unit_scale=True, disable=None, file=sys.stderr
    )
    with bar, open(part, "ab") as file:
        for chunk in reply.iter_content(CHUNK):
            file.write(chunk)
            bar.update(len(chunk))
        file.flush()
        os.fsync(file.fileno())


def _size(part: Path) -> int:
    return part.stat().st_size if part.exists() else 0


def _version_file(part: Path) -> Path:
    return Path(f"{part}.version")


def _discard(part: Path) -> None:
    part.unlink(missing_ok=True)
    _version_file(part).unlink(missing_ok=True)
