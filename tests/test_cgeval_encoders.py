"""Encoders: a small BERT made on the spot, by sentence-transformers as a user has it."""

import random
import shutil
from pathlib import Path

import numpy as np
import pytest

from evaltrail.benchmarks.cgeval import encoders
from evaltrail.benchmarks.cgeval.similarity import Similarity
from evaltrail.clients.local_weights import sha256
from evaltrail.errors import InputError

CHARACTERS = "封闭式提问是什么意思的了在有和人这中大为上个国"


@pytest.fixture(scope="module")
def model(tmp_path_factory) -> str:
    """A folder with a model of 2 layers, its weights random, its tokens single characters."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
    from transformers import BertConfig, BertModel, BertTokenizerFast

    folder = tmp_path_factory.mktemp("encoder")
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *CHARACTERS]
    vocabulary = {word: number for number, word in enumerate(words)}
    BertTokenizerFast(vocab=vocabulary).save_pretrained(folder / "bert")
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(words),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=64,
    )
    BertModel(config).save_pretrained(folder / "bert")
    transformer = Transformer(str(folder / "bert"), max_seq_length=64)
    pooling = Pooling(transformer.get_embedding_dimension())
    SentenceTransformer(modules=[transformer, pooling]).save(str(folder / "model"))
    return str(folder / "model")


def settings(model: str, **others) -> dict:
    return {
        "library": "sentence-transformers",
        "model": model,
        "window": 8,
        "stride": 4,
        "pooling": "mean",
        "device": "cpu",
        **others,
    }


def test_vectors_and_tokens_are_the_models_own(model):
    from sentence_transformers import SentenceTransformer

    encoder = encoders.load(settings(model))
    texts = ["封闭式提问", "是什么意思的人"]
    own = SentenceTransformer(model, device="cpu").encode(texts)
    assert np.allclose(encoder.encode(texts), own, atol=1e-6)
    assert encoder.tokens(" 提问 是") == [(1, 2), (2, 3), (4, 5)]
    assert encoder.tokens(" \n") == []


def test_a_long_text_is_the_mean_of_its_windows(model, tmp_path):
    """A straightforward double loop: windows by characters, for each is a token; the mean; the cosine."""
    similarity = Similarity(settings(model), tmp_path)
    long, short = CHARACTERS[:20], CHARACTERS[5:12]
    encoder = encoders.load(settings(model))
    windows = [long[0:8], long[4:12], long[8:16], long[12:20]]
    assert similarity.windows(long) == windows
    a = np.mean([encoder.encode([window])[0] for window in windows], axis=0)
    b = encoder.encode([short])[0]
    expected = float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))
    assert similarity.of_pairs([(long, short)]) == [pytest.approx(expected, abs=1e-5)]


def test_the_signature_names_model_version_and_windows(model, tmp_path):
    signature = Similarity(settings(model), tmp_path).signature
    assert signature.startswith(f"cosine|encoder:model|revision:{sha256(Path(model))}|device:cpu|version:")
    assert signature.endswith("|window:8|stride:4|pooling:mean")


def test_a_vector_has_the_same_bits_whatever_is_encoded_beside_it(model):
    encoder = encoders.load(settings(model))
    rng = random.Random(0)
    texts = ["".join(rng.choices(CHARACTERS, k=rng.randint(1, 60))) for _ in range(200)]
    alone = np.stack([encoder.encode([text])[0] for text in texts])
    assert len({tuple(vector) for vector in alone}) == len(set(texts))
    assert np.array_equal(encoder.encode(texts), alone)
    assert np.array_equal(encoder.encode(texts[::-1])[::-1], alone)


def test_a_folder_that_is_not_the_one_of_its_revision_is_refused(model, tmp_path):
    pinned = sha256(Path(model))
    other = shutil.copytree(model, tmp_path / "model")
    assert encoders.load(settings(str(other), revision=pinned)).encode(["提问"]).shape == (1, 16)
    config = other / "1_Pooling/config.json"
    config.write_text(config.read_text().replace("mean", "max"))
    with pytest.raises(InputError, match=f"model: is sha256:.*, not {pinned}; mend revision"):
        encoders.load(settings(str(other), revision=pinned)).encode(["提问"])


@pytest.mark.parametrize("revision", [None, "main", "v1.5"])
def test_a_hub_id_needs_a_commit(revision):
    with pytest.raises(InputError, match="commit, 40 hex digits"):
        encoders.load(settings("BAAI/bge-large-zh-v1.5", revision=revision))


def test_an_encoder_that_cannot_be_had_says_how_in_one_line(monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    commit = "79e7739b6ab944e86d6171e44d24c997fc1e0116"
    with pytest.raises(InputError, match=f"hf download BAAI/bge-large-zh-v1.5 --revision {commit}") as error:
        encoders.load(settings("BAAI/bge-large-zh-v1.5", revision=commit)).encode(["提问"])
    assert "\n" not in str(error.value)


def test_a_window_longer_than_the_model_reads_is_refused_and_one_as_long_is_not(model):
    assert encoders.load(settings(model, window=62)).encode(["提问"]).shape == (1, 16)
    with pytest.raises(InputError, match=r"a window of 63 tokens is longer than the 62 that .* reads; lower"):
        encoders.load(settings(model, window=63)).encode(["提问"])


def test_a_library_that_is_not_installed_is_named(monkeypatch):
    monkeypatch.setattr(encoders.util, "find_spec", lambda name: None)
    with pytest.raises(InputError, match="pip install sentence-transformers"):
        encoders.load(settings("x"))
