"""Where a local model comes from: the settings that say it, what names its weights, and how it is opened."""

import hashlib
import os
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import msgspec

from evaltrail import files
from evaltrail.errors import InputError

_COMMIT = re.compile("[0-9a-f]{40}")
_PINNED = re.compile("sha256:[0-9a-f]{64}")
# Of a folder: weights, tokenizer, configuration, chat template and code. A README or a log changes no reply.
_COUNTS = {".safetensors", ".bin", ".gguf", ".json", ".model", ".txt", ".tiktoken", ".jinja", ".py"}


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What params.yaml says of a local model.

    model: a hub id, a folder, or a GGUF file; adapter: a PEFT adapter on it, a hub id or a folder.
    revision, adapter_revision: of a hub id the commit, which it must have. Of a folder or file its `sha256:...`, which
    it may have: then it is checked, and its identity is known where the weights are not.
    api: `chat` fills in the tokenizer's chat template, `completions` continues a text.
    dtype: what to compute in; `auto` is what the weights are stored in, float32 for a GGUF file.
    batch_size: rows at once. batch_invariant: a reply does not depend on which others were asked for beside it.
    """

    model: str
    revision: str | None = None
    adapter: str | None = None
    adapter_revision: str | None = None
    trust_remote_code: bool = False
    api: Literal["chat", "completions"] = "chat"
    device: Literal["auto", "cpu", "cuda"] = "auto"
    dtype: Literal["auto", "float32", "bfloat16", "float16"] = "auto"
    batch_size: Annotated[int, msgspec.Meta(ge=1)] = 8
    batch_invariant: bool = False


class Source(msgspec.Struct, frozen=True):
    """Weights by name and revision: a commit, or sha256 of their files.

    path: where they lie; None: on the hub. hashed: the revision was computed from the files, not given.
    """

    name: str
    revision: str
    path: Path | None = None
    hashed: bool = False

    @classmethod
    def of(cls, place: str, revision: str | None, field: str) -> "Source":
        """The source that a setting names. Raises InputError where that could not be reproduced."""
        path = Path(place)
        if revision is None and path.exists():
            return cls(_name(path), sha256(path), path, hashed=True)
        if revision is None:
            what = f"{place} is no file or folder here; if it is a hub id, only its revision makes it reproducible"
            raise InputError(
                "params.yaml", what, field=field, fix="add the revision: a commit, 40 hex digits"
            )
        if _PINNED.fullmatch(revision):
            return cls(_name(path), revision, path)
        if not _COMMIT.fullmatch(revision):
            what = f"revision {revision} of {place} can move"
            raise InputError("params.yaml", what, field=field, fix="give the commit, 40 hex digits")
        if path.exists():
            what = f"{place} is a folder or file here, and its revision is a commit"
            raise InputError(
                "params.yaml", what, field=field, fix="leave out the revision, or move the folder"
            )
        return cls(place, revision)

    def check(self) -> None:
        """Raises InputError where the files are not there, or are not those of a revision that was given."""
        if self.path is None or self.hashed:
            return
        if not self.path.exists():
            raise InputError(self.path, "is not there", fix="the model's file or folder is needed to ask it")
        if (found := sha256(self.path)) != self.revision:
            raise InputError(
                self.path, f"is {found}, not {self.revision}", fix="mend revision, or bring that file"
            )


def _name(path: Path) -> str:
    return Path(os.path.abspath(path)).name


def sha256(path: Path) -> str:
    """`sha256:` and the hash of a file, or of a folder's weights, tokenizer and configuration.

    A folder's is the hash of what `sha256sum` prints of those files, sorted by name. Streams: memory stays small.
    Raises InputError for a folder without any.
    """
    if path.is_file():
        return f"sha256:{files.sha256(path)}"
    # A model of sentence-transformers lists its modules, most of which have a folder of their own.
    everywhere = path.rglob("*") if (path / "modules.json").is_file() else path.iterdir()
    parts = sorted(file for file in everywhere if file.suffix in _COUNTS and file.is_file())
    if not parts:
        raise InputError(path, "holds no model", fix="name the folder with its weights and config.json")
    lines = "".join(f"{files.sha256(file)}  {file.relative_to(path).as_posix()}\n" for file in parts)
    return f"sha256:{hashlib.sha256(lines.encode()).hexdigest()}"


class Opened(NamedTuple):
    """A model that is ready to generate.

    eos: the tokens that end a reply; context: the tokens that prompt and reply may take, None where it is not known.
    """

    model: Any
    tokenizer: Any
    eos: frozenset[int]
    context: int | None
    device: str


def open_model(settings: Settings, source: Source, adapter: Source | None) -> Opened:
    """The model on its device, and its tokenizer.

    Of the model's own generation settings only the end-of-sequence tokens are kept: the request says all else.
    No network is touched for a path. Raises InputError in one line for all that keeps a model from being opened.
    """
    import torch
    from transformers import GenerationConfig

    cuda = torch.cuda.is_available()
    device = ("cuda" if cuda else "cpu") if settings.device == "auto" else settings.device
    if device == "cuda" and not cuda:
        fix = "set device: auto or cpu"
        raise InputError("params.yaml", "no CUDA device is here", field="device", fix=fix)
    for weights in filter(None, (source, adapter)):
        weights.check()
    try:
        model, tokenizer = _base(settings, source)
        eos = _eos(model, tokenizer)
        model.generation_config = GenerationConfig()
        context = getattr(model.config.get_text_config(), "max_position_embeddings", None)
        if adapter:
            model = _adapted(model, adapter)
        model = model.to(device).eval()
    except (OSError, ValueError, KeyError, RuntimeError, ImportError, Warning) as error:
        sources = [source, *filter(None, [adapter])]
        raise told(error, sources, "mend the model's settings") from None
    shown = f"cuda: {torch.cuda.get_device_name()}" if device == "cuda" else device
    return Opened(model, tokenizer, eos, context, shown)


def _eos(model, tokenizer) -> frozenset[int]:
    """The tokens that end a reply: what the model's generation settings say, and the tokenizer's own."""
    told = model.generation_config.eos_token_id
    told = told if isinstance(told, list) else [told]
    return frozenset(token for token in [*told, tokenizer.eos_token_id] if token is not None)


def _base(settings: Settings, source: Source):
    from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig
    from transformers.utils import logging

    logging.disable_progress_bar()
    if source.path and (source.path / "adapter_config.json").exists():
        raise _without_base(source)
    place, options = _place(source)
    options["trust_remote_code"] = settings.trust_remote_code
    dtype, packed = settings.dtype, {}
    if "gguf_file" in options:
        # Plain weights, whether or not this machine has kernels for packed ones (and without looking for some).
        packed = {"quantization_config": GgufConfig(dequantize=True)}
        dtype = "float32" if dtype == "auto" else dtype
    tokenizer = AutoTokenizer.from_pretrained(place, **options)
    model, info = AutoModelForCausalLM.from_pretrained(
        place, dtype=dtype, output_loading_info=True, **options, **packed
    )
    if missing := sorted(info["missing_keys"]):  # the library would draw them at random
        what = f"has no weights for {missing[0]} ({len(missing)} are missing)"
        raise InputError(source.name, what, fix="give a model that generates text, with all its weights")
    if getattr(model, "_hf_peft_config_loaded", False):
        raise _without_base(source)
    return model, tokenizer


def _place(source: Source) -> tuple[str, dict[str, Any]]:
    """Where the library finds a source: the place, and the options that say which part of it."""
    if source.path is None:
        return source.name, {"revision": source.revision}
    if source.path.is_file():
        return str(source.path.parent), {"local_files_only": True, "gguf_file": source.path.name}
    return str(source.path), {"local_files_only": True}


def _without_base(source: Source) -> InputError:
    what = "is an adapter, and its base is not pinned"
    return InputError(source.name, what, fix="give its base as the model and it as the adapter")


def _adapted(model, adapter: Source):
    from peft import PeftModel

    options = {} if adapter.path else {"revision": adapter.revision}
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message="Found missing adapter keys")
        return PeftModel.from_pretrained(model, str(adapter.path or adapter.name), **options)


def told(error: Exception, sources: list[Source], fix: str) -> InputError:
    """What went wrong when a model of these sources was opened, in one line; fix: where no cause is known."""
    text = " ".join(str(error).split())
    if "trust_remote_code" in text:
        read = "read that code, then set trust_remote_code: true"
        return InputError(sources[0].name, "runs code of its own, which is not done unasked", fix=read)
    remote = [weights for weights in sources if weights.path is None]
    if remote and any(type(cause).__name__ in _UNREACHED for cause in _causes(error)):
        calls = " and ".join(
            f"hf download {weights.name} --revision {weights.revision}" for weights in remote
        )
        what = "not on this machine, and the hub cannot be reached"
        return InputError(remote[-1].name, what, fix=f"where there is a network: {calls}")
    return InputError(sources[0].name, f"cannot be opened: {text[:300]}", fix=fix)


_UNREACHED = {
    "LocalEntryNotFoundError",
    "OfflineModeIsEnabled",
    "ConnectError",
    "ConnectTimeout",
    "ConnectionError",
}


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
