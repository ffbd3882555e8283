"""Vectors that are kept from run to run: one SQLite file an encoder, shared by jobs, a row a text.

A row has the sha256 of its text, the vector as float32, and the sha256 of both. A row that does not fit its own digest
is as good as missing, and is written anew: what a disk did to a file changes no score.
"""

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np

from evaltrail.errors import InputError

_WAIT = 600  # seconds for other jobs that write
_AT_ONCE = 500  # texts of one question to SQLite


def kept(path: Path, texts: Iterable[str]) -> dict[str, np.ndarray]:
    """Those of the texts whose vectors the file holds. Raises InputError where it cannot be read."""
    keys = {_key(text): text for text in texts}
    asked, found = list(keys), {}
    with _opened(path) as store:
        for at in range(0, len(asked), _AT_ONCE):
            some = asked[at : at + _AT_ONCE]
            places = ",".join("?" * len(some))
            for key, vector, digest in store.execute(
                f"SELECT key, vector, digest FROM vectors WHERE key IN ({places})", some
            ):
                if isinstance(vector, bytes) and digest == _digest(key, vector):
                    found[keys[key]] = np.frombuffer(vector, np.float32)
    return found


def keep(path: Path, vectors: Mapping[str, np.ndarray]) -> None:
    """Adds the vectors by text. Raises InputError for one that is not finite, and where the file cannot be written."""
    rows = []
    for text, vector in vectors.items():
        if not np.isfinite(vector).all():
            what = f"the encoder gives no finite vector for {text[:60]!r}"
            raise InputError("params.yaml", what, field="encoder", fix="name another encoder")
        key, content = _key(text), vector.astype(np.float32).tobytes()
        rows.append((key, content, _digest(key, content)))
    with _opened(path) as store, store:
        store.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(path, timeout=_WAIT)) as store:
            store.execute(
                "CREATE TABLE IF NOT EXISTS vectors (key TEXT PRIMARY KEY, vector BLOB, digest TEXT)"
            )
            yield store
    except (sqlite3.Error, OSError) as error:
        fix = "make room or mend its rights; a damaged one may be deleted: vectors are computed again"
        raise InputError(path, f"cannot be used: {error}", fix=fix) from None


def _key(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _digest(key: str, vector: bytes) -> str:
    return hashlib.sha256(key.encode() + vector).hexdigest()
