"""How alike two texts are to an encoder: the cosine of their vectors (Zeng et al. 2023; a sliding window, its mean).

A text is cut into windows of `window` tokens, each `stride` after the one before; the last is the first that reaches
the end. Its vector is the mean of the windows' vectors (`pooling: mean`), or all of them one behind the other
(`concat`), which only texts of equally many windows have in common: of others the means are compared. A text without
tokens is like nothing: 0. Cosines are kept to six decimals, so that the last bits of a machine's arithmetic do not
show, and those below 0 count as 0.
"""

import fcntl
import hashlib
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from evaltrail.benchmarks.cgeval import encoders, vectors
from evaltrail.jsonl import canonical

DECIMALS = 6
BATCH = 128  # windows that an encoder gets at once, of similar lengths; then they are kept


class Similarity:
    """Cosines by the encoder that `settings` name, with window, stride and pooling.

    store: a folder in which vectors are kept by encoder and content, so that none is computed twice; shared by jobs.
    """

    def __init__(self, settings: dict[str, Any], store: Path, encoder=None):
        self._settings = settings
        self._encoder = encoder or encoders.load(settings)
        self._store = store / hashlib.sha256(canonical(self._encoder.identity).encode()).hexdigest()[:16]

    @property
    def signature(self) -> str:
        """What stands with every number: the encoder as it is loaded, and how texts become vectors."""
        shape = [f"{key}:{self._settings[key]}" for key in ("window", "stride", "pooling")]
        named = [f"{key}:{value}" for key, value in self._encoder.identity.items()]
        return "|".join(["cosine", *named, *shape])

    def of_pairs(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """The similarity of each pair, 0 to 1."""
        windows = {text: self.windows(text) for pair in pairs for text in pair}
        with self._one_at_a_time():  # jobs of other systems wait here for the vectors of the same references
            vector = self._vectors({window for _, reference in pairs for window in windows[reference]})
        vector |= self._vectors({window for own in windows.values() for window in own} - set(vector))
        return [
            cosine(
                *([vector[window] for window in windows[text]] for text in pair), self._settings["pooling"]
            )
            for pair in pairs
        ]

    def windows(self, text: str) -> list[str]:
        """The text's windows, as texts."""
        places = self._encoder.tokens(text)
        return [
            text[places[start][0] : places[end - 1][1]]
            for start, end in window_places(len(places), self._settings["window"], self._settings["stride"])
        ]

    @contextmanager
    def _one_at_a_time(self) -> Iterator[None]:
        """Waits for the lock of the store, which a job that was killed does not keep."""
        self._store.mkdir(parents=True, exist_ok=True)
        with open(self._store / "lock", "w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def _vectors(self, texts: Iterable[str]) -> dict[str, np.ndarray]:
        """The vector of each text: those kept, and the rest computed, the shortest first."""
        file = self._store / "vectors.sqlite"
        found = vectors.kept(file, texts)
        missing = sorted(set(texts) - set(found), key=lambda text: (len(text), text))
        for batch in _shown([missing[at : at + BATCH] for at in range(0, len(missing), BATCH)]):
            made = dict(zip(batch, self._encoder.encode(batch), strict=True))
            vectors.keep(file, made)
            found |= made
        return found


def _shown(batches: list[list[str]]) -> Iterable[list[str]]:
    """The batches, with a bar on a terminal and a line now and then elsewhere, if they take longer than a moment."""
    from tqdm import tqdm

    every = 0.5 if sys.stderr.isatty() else 30
    return tqdm(batches, desc="vectors of texts", unit="batch", delay=5, mininterval=every)


def window_places(tokens: int, window: int, stride: int) -> list[tuple[int, int]]:
    """The first token of each window and the one after its last; none for no tokens."""
    starts = range(0, max(tokens - window, 0) + stride, stride) if tokens else []
    return [
        (start, min(start + window, tokens))
        for start in starts
        if start == 0 or start < tokens - window + stride
    ]


def cosine(first: Sequence[np.ndarray], second: Sequence[np.ndarray], pooling: str) -> float:
    """The cosine of two texts by the vectors of their windows; 0 where one has none or is all zero."""
    if not first or not second:
        return 0.0
    joined = pooling == "concat" and len(first) == len(second)
    a, b = (_joined(own) if joined else _mean(own) for own in (first, second))
    norms = float(np.sqrt(np.sum(a * a)) * np.sqrt(np.sum(b * b)))
    value = float(np.sum(a * b)) / norms if norms else 0.0
    return round(min(max(value, 0.0), 1.0), DECIMALS)


def _joined(vectors: Sequence[np.ndarray]) -> np.ndarray:
    return np.concatenate([np.asarray(vector, np.float64) for vector in vectors])


def _mean(vectors: Sequence[np.ndarray]) -> np.ndarray:
    return np.mean([np.asarray(vector, np.float64) for vector in vectors], axis=0)
