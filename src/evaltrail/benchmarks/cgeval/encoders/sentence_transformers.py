"""A model of sentence-transformers: a hub id with its commit as revision, or a folder with its sha256."""

from collections.abc import Iterator
from functools import cached_property
from importlib import metadata
from itertools import groupby
from typing import Any

import numpy as np
import torch
from sentence_transformers import SentenceTransformer

from evaltrail.clients.local_weights import Source, told
from evaltrail.errors import InputError
from evaltrail.jsonl import as_utf8

ROWS = 8  # of a batch: more make texts of a usual length no quicker


class Encoder:
    """Vectors as the model pools them; tokens by its own tokenizer.

    On a CPU a vector has the same bits whatever else is encoded beside it and however many cores there are: a batch is
    always of ROWS texts of as many tokens, so that each is computed in the same shape, and one thread adds up. On
    `cuda` the last bits may differ.
    """

    def __init__(self, settings: dict[str, Any]):
        self._source = Source.of(settings["model"], settings.get("revision"), "encoder.revision")
        self._window, self._device = settings["window"], settings["device"]
        self.identity = {
            "encoder": self._source.name,
            "revision": self._source.revision,
            "device": self._device,
            "version": metadata.version("sentence-transformers"),
        }

    @cached_property
    def _model(self) -> SentenceTransformer:
        self._source.check()
        torch.set_num_threads(1)
        place = str(self._source.path or self._source.name)
        of_hub = None if self._source.path else self._source.revision
        try:
            model = SentenceTransformer(place, revision=of_hub, device=self._device)
        except (OSError, ValueError, KeyError, RuntimeError, ImportError) as error:
            raise told(error, [self._source], "mend the dataset's `encoder`") from None
        room = model.max_seq_length - model.tokenizer.num_special_tokens_to_add()
        if self._window > room:
            what = (
                f"a window of {self._window} tokens is longer than the {room} that {self._source.name} reads"
            )
            raise InputError("params.yaml", what, field="encoder.window", fix="lower `window`")
        return model

    def tokens(self, text: str) -> list[tuple[int, int]]:
        found = self._model.tokenizer(
            as_utf8(text), add_special_tokens=False, return_offsets_mapping=True, truncation=False
        )
        return [(start, end) for start, end in found["offset_mapping"] if end > start]

    def encode(self, texts: list[str]) -> np.ndarray:
        texts = list(map(as_utf8, texts))
        vectors: dict[int, np.ndarray] = {}
        for places in self._batches(texts):
            filled_up = places + places[-1:] * (ROWS - len(places))
            batch = [texts[place] for place in filled_up]
            found = self._model.encode(batch, batch_size=ROWS, show_progress_bar=False)
            vectors |= zip(filled_up, found.astype(np.float32), strict=True)
        return np.stack([vectors[place] for place in range(len(texts))])

    def _batches(self, texts: list[str]) -> Iterator[list[int]]:
        """The places of the texts, at most ROWS at once and all of as many tokens."""
        lengths = list(map(len, self._model.tokenizer(texts)["input_ids"]))
        for _, places in groupby(sorted(range(len(texts)), key=lengths.__getitem__), key=lengths.__getitem__):
            alike = list(places)
            yield from (alike[at : at + ROWS] for at in range(0, len(alike), ROWS))
