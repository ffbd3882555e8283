"""BLEU4, ROUGE-2 and chrF: against values computed by hand, and against sacrebleu and rouge-score."""

import math
import random
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh

from evaltrail.benchmarks.cgeval import library_metrics, ngrams, signatures, zh_tokens
from evaltrail.benchmarks.cgeval.text_metrics import text_scores

# reply, reference, BLEU4, ROUGE-2, chrF
BY_HAND = [
    # n-grams that match: 4 of 5, 2 of 4, 0 of 3 (counts as 1/2), 0 of 2 (as 1/4); chrF: no 6-grams, so five orders
    (
        "猫在垫子上",
        "猫在椅子上",
        (4 / 5 * 2 / 4 * (1 / 2) / 3 * (1 / 4) / 2) ** 0.25,
        2 / 4,
        (4 / 5 + 2 / 4) / 5,
    ),
    # all of the reply's n-grams match, three orders; half as long as the reference
    ("一二三", "一二三四五六", math.exp(1 - 6 / 3), 4 / 7, 5 * (1.15 / 3) / (4 + 1.15 / 3)),
    # clipped: one of three counts; the reference has one character, so no bigram
    ("的的的", "的", (1 / 3 * (1 / 2) / 2 * (1 / 4) / 1) ** (1 / 3), 0, 5 * (1 / 3) / (4 / 3 + 1)),
    ("猫", "猫", 1, 0, 1),
    ("猫狗", "猫狗", 1, 1, 1),
    ("猫", "狗", 0, 0, 0),
    # a number is one token; spaces are none and part nothing
    ("长1.5米", "长 1.5 米", 1, 1, 1),
    ("3.14", "314", 0, (2 * (1 / 3) * (1 / 2)) / (1 / 3 + 1 / 2), None),
    # x² is not x2, ａ is not a, 國 is not 国
    ("x²", "x2", 0, 0, None),
    ("ａ", "a", 0, 0, 0),
    ("國", "国", 0, 0, 0),
]
# texts in which nothing is left to count
EMPTY = ["", " ", "\n\t", "\u2028\u3000"]


@pytest.mark.parametrize(("reply", "reference", "bleu4", "rouge2", "chrf"), BY_HAND)
def test_values_computed_by_hand(reply, reference, bleu4, rouge2, chrf):
    (found,) = text_scores([(reply, reference)])
    assert found.bleu4 == pytest.approx(bleu4, abs=1e-12)
    assert found.rouge2 == pytest.approx(rouge2, abs=1e-12)
    if chrf is not None:
        assert found.chrf == pytest.approx(chrf, abs=1e-12)


@pytest.mark.parametrize("empty", EMPTY)
@pytest.mark.parametrize("other", ["", "猫在垫子上", " "])
def test_a_text_without_characters_scores_0(empty, other):
    assert list(text_scores([(empty, other), (other, empty), ("猫狗", "猫狗")])) == [
        (0, 0, 0),
        (0, 0, 0),
        (1, 1, 1),
    ]


def test_no_pairs_no_scores():
    assert list(text_scores([])) == []


ODD = {
    "10,000 characters": ("中文" * 5000, "中文字" * 3333),
    "no two characters alike": (
        "".join(map(chr, range(0x4E00, 0x7510))),
        "".join(map(chr, range(0x5000, 0x7710))),
    ),
    "one character": ("的" * 10_000, "的" * 9_999),
    "half and full width": ("ＤＮＡ（脱氧核糖核酸），100％", "DNA(脱氧核糖核酸),100%"),
    "traditional": ("國家機關的職權範圍", "国家机关的职权范围"),
    "emoji": ("好👍🏽的👨‍👩‍👧", "好👍的👨‍👩‍👧‍👦"),
    "lone surrogates": ("前\ud83d后\udc4d", "前\ud83d\udc4d后"),
    "combining marks": ("e\u0301te\u0301", "ét\u00e9"),
    "separators": ("一\u2028二\u2029三\x85四\x1c五", "一二\n三\r\n四五"),
    "null": ("a\0b", "a\0c"),
    "marks alone": ("...,,.", ".,.,"),
    "words alone": ("the cat sat on the mat.", "the cat is on the mat"),
}


@pytest.mark.parametrize("name", ODD)
def test_odd_texts_score_as_the_libraries_have_it(name):
    assert_like_the_libraries([ODD[name], ODD[name][::-1], (ODD[name][0], ODD[name][0])])


def assert_like_the_libraries(pairs):
    ours, theirs = np.array(list(text_scores(pairs))), np.array(list(library_metrics.text_scores(pairs)))
    apart = np.abs(ours - theirs).max(axis=1)
    worst = int(apart.argmax())
    assert apart[worst] <= 1e-9, (pairs[worst], ours[worst], theirs[worst])


ALPHABETS = [
    "的一是不了人我在有他这中大来上国，。",
    "的一是不 ，。：；“”（）—…　、《》",
    "ab 12.,-",
    "1.,-",
    "0123456789.,-+*/=() ",
    "的是abcXYZ0123456789 .,-!\"#$%&'()*+/:;<=>?@[]^_`{|}~\\",
    "DNA酶ＤＮＡ１２％()（）國国\u200b\ufeff",
    "🙂👍🏽👨\u200d👩e\u0301\u0300\ud800\udc00\udfff²x2½①㈠㊀々〇㐀𠀀䶿\u2028\u2029\x1c\x85\t\n\r\0",
]


def fuzzed(seed: int, count: int) -> list[tuple[str, str]]:
    """Pairs of all kinds: short and long, alike and not, of one alphabet or of several."""
    rng = random.Random(seed)

    def text() -> str:
        letters = "".join(rng.sample(ALPHABETS, rng.choice((1, 1, 1, 2, 8))))
        letters = rng.sample(letters, min(len(letters), rng.choice((2, 5, 20, 200))))
        return "".join(rng.choices(letters, k=rng.randint(0, rng.choice((0, 1, 3, 3, 10, 40, 150)))))

    def other(first: str) -> str:
        way = rng.random()
        if way < 0.1:
            return first
        if way < 0.5:  # some characters lost, others new
            kept = [c if rng.random() < 0.8 else rng.choice(["", *first]) for c in first]
            return "".join(kept) + (text() if rng.random() < 0.3 else "")
        return text()

    pairs = ((first, other(first)) for first in (text() for _ in range(count)))
    return [pair if rng.random() < 0.5 else pair[::-1] for pair in pairs]


def test_3_000_fuzzed_pairs_score_as_the_libraries_have_it():
    assert_like_the_libraries(fuzzed(1, 3_000))


@pytest.mark.long
def test_50_000_fuzzed_pairs_score_as_the_libraries_have_it():
    assert_like_the_libraries(fuzzed(2, 50_000))


def test_scores_depend_neither_on_the_block_nor_on_threads():
    pairs = fuzzed(3, 400)
    expected = list(text_scores(pairs))
    for block in (1, 100, 10_000, 10**9):
        assert list(text_scores(pairs, block)) == expected
    with ThreadPoolExecutor(4) as pool:
        assert (
            list(pool.map(lambda block: list(text_scores(pairs, block)), [50, 500, 5_000, 50_000]))
            == [expected] * 4
        )


def test_pairs_are_taken_block_by_block():
    taken = []

    def pairs():
        for number in range(100):
            taken.append(number)
            yield "一二三四五", "一二三四五"

    next(text_scores(pairs(), block=30))
    assert taken == [0, 1, 2]


def names_of(tokens: list[str]) -> list[int]:
    """Each token as `zh_tokens` names it: a character by its code point, a longer token in the order of appearance."""
    names: dict[str, int] = {}
    return [ord(t) if len(t) == 1 else names.setdefault(t, 0x110000 + len(names)) for t in tokens]


def tokens_of(*texts: str) -> list[list[int]]:
    text = "".join(texts)
    points = np.array([ord(character) for character in text], np.int64)
    owner = np.repeat(np.arange(len(texts)), [len(one) for one in texts])
    symbols, owners = zh_tokens.tokens(text, points, zh_tokens.KINDS[points], owner)
    return [symbols[owners == number].tolist() for number in range(len(texts))]


@pytest.mark.parametrize(
    "plane", [0, *(pytest.param(plane, marks=pytest.mark.long) for plane in range(1, 17))]
)
def test_every_code_point_is_of_the_kind_that_sacrebleu_gives_it(plane):
    text = " ".join(f"a{chr(point)}a{chr(point)}1" for point in range(plane << 16, (plane + 1) << 16))
    assert tokens_of(text) == [names_of(TokenizerZh()(text).split())]


# Where full stops, commas and hyphens meet digits, and where a text begins and ends.
MARKS = """3.14 3. .5 ..5 ...5 1..5 1...5 1.a a.1 a..1 a...1 1,000.5 -1 1-2 1--2 a-b 5.- 5-. 一.5 5.一 (.5) 5.) , . 1.,2"""


@pytest.mark.parametrize("run", MARKS.split())
def test_marks_break_runs_as_in_sacrebleu(run):
    texts = [run, f" {run} ", f"一{run}", f"{run}一", f"a {run} b", f"{run} {run}", f"1 {run} 1", run * 2]
    for text in texts:
        assert tokens_of(text) == [names_of(TokenizerZh()(text).split())], text


def test_tokens_do_not_reach_into_the_next_text():
    texts = ["1", ".5", "5.", "3", "1", "-2", "a", "b", " ", ",", "一", "."]
    together = tokens_of(*texts)
    assert [len(tokens) for tokens in together] == [len(TokenizerZh()(text).split()) for text in texts]
    assert together[0] == together[4] == [ord("1")]


def test_sorting_large_keys_gives_what_sorting_small_ones_gives():
    rng = np.random.default_rng(0)
    key, place = rng.integers(0, 50, 1000), rng.permutation(1000)
    small, large = ngrams._sorted(key, place), ngrams._sorted(key << 55, place)
    assert np.array_equal(small[0], large[0] >> 55)
    for number in range(50):  # of equal keys the order means nothing
        assert set(small[1][small[0] == number]) == set(large[1][large[0] >> 55 == number])


def test_signatures_are_those_of_sacrebleu():
    assert signatures.of_text_metrics() == {
        "bleu4": "BLEU|nrefs:1|case:mixed|eff:yes|tok:zh|smooth:exp|version:2.6.0",
        "rouge2": "ROUGE-2|nrefs:1|case:mixed|tok:char|space:no|stem:no|count:clipped|score:F1",
        "chrf": "chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0",
    }
