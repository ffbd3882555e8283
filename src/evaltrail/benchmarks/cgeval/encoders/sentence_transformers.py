"""A model of sentence-transformers: a hub id with its commit as revision, or a folder with its sha256."""

from functools import cached_property
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
from sentence_transformers import SentenceTransformer

from evaltrail.benchmarks.cgeval.encoders import utf8
from evaltrail.errors import InputError


class Encoder:
    """Vectors as the model pools them; tokens by its own tokenizer."""

    def __init__(self, settings: dict[str, Any]):
        self._name, self._revision = settings["model"], settings.get("revision")
        self._window = settings["window"]
        version = metadata.version("sentence-transformers")
        self.identity = {"encoder": self._name, "revision": self._revision, "version": version}

    @cached_property
    def _model(self) -> SentenceTransformer:
        of_hub = None if Path(self._name).exists() else self._revision
        model = SentenceTransformer(self._name, revision=of_hub, device="cpu")
        room = model.max_seq_length - model.tokenizer.num_special_tokens_to_add()
        if self._window > room:
            what = f"a window of {self._window} tokens is longer than the {room} that {self._name} reads"
            raise InputError("params.yaml", what, field="encoder.window", fix="lower `window`")
        return model

    def tokens(self, text: str) -> list[tuple[int, int]]:
        found = self._model.tokenizer(
            utf8(text), add_special_tokens=False, return_offsets_mapping=True, truncation=False
        )
        return [(start, end) for start, end in found["offset_mapping"] if end > start]

    def encode(self, texts: list[str]) -> np.ndarray:
        batch = list(map(utf8, texts))
        return self._model.encode(batch, convert_to_numpy=True, show_progress_bar=False).astype(np.float32)
