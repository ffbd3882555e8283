"""The `exact` normaliser by a table of cases, the three side by side, and a text split into spans."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltrail.benchmarks.drop.exact import is_number
from evaltrail.benchmarks.drop.metric import Scorer
from evaltrail.benchmarks.drop.normalisers import NORMALISERS
from evaltrail.benchmarks.drop.spans import split_spans

# (text, its words by `exact`, those of them that are numbers)
EXACT = [
    # decimals
    ("12.25", "12.25", "12.25"),
    ("12.25.", "12.25", "12.25"),
    ("(12.25),", "12.25", "12.25"),
    ("“12.25”", "12.25", "12.25"),
    ("**12.25**", "12.25", "12.25"),
    ("5.", "5", "5"),
    (".5", "0.5", "0.5"),
    ("(.5)", "0.5", "0.5"),
    ("0.50", "0.5", "0.5"),
    ("...5", "5", "5"),
    ("0", "0", "0"),
    ("0.0", "0", "0"),
    ("007", "7", "7"),
    ("0.1000000000000000055511151231257827", "0.1000000000000000055511151231257827", "0.1000000000000000055511151231257827"),
    ("123456789012345678901234567891", "123456789012345678901234567891", "123456789012345678901234567891"),
    # signs
    ("-7", "-7", "-7"),
    ("−7", "-7", "-7"),
    ("－７", "-7", "-7"),
    ("(-7)", "-7", "-7"),
    ("(3,-7)", "3 -7", "3 -7"),
    ("*-7*", "-7", "-7"),
    ("-.5", "-0.5", "-0.5"),
    ("+7", "7", "7"),
    ("“-7”", "-7", "-7"),
    ("-0", "0", "0"),
    ("--7", "7", "7"),
    ("- 7", "7", "7"),
    ("3-7", "3 7", "3 7"),
    ("3–7", "3 7", "3 7"),
    ("5%-7%", "5 % 7 %", "5 7"),
    ("40-yard", "40 yard", "40"),
    ("B-52", "b 52", "52"),
    ("1990-1995", "1990 1995", "1990 1995"),
    ("well-known", "well known", ""),
    # percent and currency
    ("12.5%", "12.5 %", "12.5"),
    ("12.5 %.", "12.5 %", "12.5"),
    ("１２．５％", "12.5 %", "12.5"),
    ("12.5 percent", "12.5 percent", "12.5"),
    ("37.5°C", "37.5 ° c", "37.5"),
    ("$3.50", "$ 3.5", "3.5"),
    ("-$3.50", "$ -3.5", "-3.5"),
    ("$-3.50", "$ -3.5", "-3.5"),
    ("$5-$7", "$ 5 $ 7", "5 7"),
    ("US$5", "us $ 5", "5"),
    ("€1,000.50", "€ 1000.5", "1000.5"),
    ("$.50/lb", "$ 0.5 lb", "0.5"),
    ("£3.5m", "£ 3.5m", ""),
    ("%", "%", ""),
    # thousands
    ("1,001,360", "1001360", "1001360"),
    ("1,001,360.", "1001360", "1001360"),
    ("-1,000", "-1000", "-1000"),
    ("10,000-seat", "10000 seat", "10000"),
    ("1,000km", "1000km", ""),
    ("3,5", "3 5", "3 5"),
    ("1990,1991", "1990 1991", "1990 1991"),
    ("1,001,36", "1 1 36", "1 1 36"),
    ("1.000,50", "1 50", "1 50"),
    # digits of other scripts
    ("１２", "12", "12"),
    ("١٢٫٥", "12.5", "12.5"),
    ("१२", "12", "12"),
    ("x²", "x²", ""),
    ("½", "½", ""),
    ("Ⅻ", "ⅻ", ""),
    # beside words
    ("Answer:10", "answer 10", "10"),
    ("10.So", "10 so", "10"),
    ("No.7", "no 7", "7"),
    ("10\n\nPassage:", "10 passage", "10"),
    ("10\u2028\x1c\u30007", "10 7", "10 7"),
    ("10\u200b", "10", "10"),
    ("\ufeff10", "10", "10"),
    ("10\ud800", "10 \ud800", "10"),
    # words, no numbers
    ("3rd", "3rd", ""),
    ("1990s", "1990s", ""),
    ("5km", "5km", ""),
    ("3.5m", "3.5m", ""),
    ("v1.2", "v1.2", ""),
    ("1/2", "1/2", ""),
    ("1/2,3/4", "1/2 3/4", ""),
    ("3:30", "3:30", ""),
    ("3:30pm", "3:30pm", ""),
    ("9/11/2001", "9/11/2001", ""),
    ("1_000", "1_000", ""),
    ("1.2.3", "1.2.3", ""),
    ("2+3", "2+3", ""),
    ("nan", "nan", ""),
    ("inf", "inf", ""),
    ("-inf", "inf", ""),
    ("1e5", "1e5", ""),
    ("1e400", "1e400", ""),
    ("0x10", "0x10", ""),
    ("seven", "seven", ""),
    # as the official one has it, for punctuation of every script
    ("The Bears", "bears", ""),
    ("a U.S. team's", "us teams", ""),
    ("“don’t”", "dont", ""),
    ("and/or", "andor", ""),
    ("the—end", "end", ""),
    ("- & ... —", "", ""),
    ("", "", ""),
]  # fmt: skip


@pytest.mark.parametrize(("text", "words", "numbers"), EXACT)
def test_what_survives_the_exact_normaliser(text, words, numbers):
    found = Scorer("exact").normalised(text)
    assert found == words
    assert [word for word in found.split() if is_number(word)] == numbers.split()


# (predicted, gold, then exact match and F1 by official, whitespace, exact)
SIDE_BY_SIDE = [
    ("12.25.", "12.25", (0, 0), (0, 0), (1, 1)),
    ("It is 12.25, so", "12.25", (0, 0), (0, 0), (0, 0.4)),
    ("-7", "7", (1, 1), (1, 1), (0, 0)),
    ("$3.50", "$3.50", (1, 1), (1, 1), (1, 1)),
    ("$3.50", "350", (1, 1), (1, 1), (0, 0)),
    ("$3.50", "3.5", (0, 0), (0, 0), (0, 0.67)),
    ("$3.50", "€3.50", (0, 0), (0, 0), (0, 0.5)),
    ("12.5%", "12.5", (0, 0), (0, 0), (0, 0.67)),
    ("12%", "12", (1, 1), (1, 1), (0, 0.67)),
    ("1/2", "12", (1, 1), (1, 1), (0, 0)),
    ("1,001,360", "1001360", (1, 1), (1, 1), (1, 1)),
    ("1_000", "1000", (1, 1), (1, 1), (0, 0)),
    ("1e3", "1000", (1, 1), (1, 1), (0, 0)),
    ("10\nSo", "10", (0, 0), (0, 0.67), (0, 0.67)),
    ("10\tyards", "10 yards", (0, 0), (1, 1), (1, 1)),
    ("10\xa0yards", "10 yards", (0, 0), (1, 1), (1, 1)),
    ("40-yard", "40 yard", (1, 1), (1, 1), (1, 1)),
    ("red\ngreen", "red green", (1, 1), (1, 1), (1, 1)),
]


@pytest.mark.parametrize("case", SIDE_BY_SIDE)
def test_the_three_normalisers_side_by_side(case):
    predicted, gold, *scores = case
    assert {name: Scorer(name).metrics(predicted, gold) for name in NORMALISERS} == dict(
        zip(NORMALISERS, scores, strict=True)
    )


NEAR_NUMBERS = st.text(st.sampled_from("0123456789.,-+$%/:_ eax\n’−５–"), max_size=30)


@given(st.one_of(st.text(), NEAR_NUMBERS))
def test_normalising_twice_changes_nothing_in_exact(text):
    once = Scorer("exact").normalised(text)
    assert Scorer("exact").normalised(once) == once


@pytest.mark.parametrize("name", NORMALISERS)
@given(one=NEAR_NUMBERS, other=NEAR_NUMBERS)
def test_scores_are_between_0_and_1_and_1_for_the_same(name, one, other):
    scorer = Scorer(name)
    exact_match, f1 = scorer.metrics(one, other)
    assert exact_match in (0, 1) and 0 <= f1 <= 1 and (f1 == 1 or not exact_match)
    assert scorer.metrics(one, one) == (1, 1)


@given(st.integers(-(10**30), 10**30), st.integers(0, 12))
def test_a_number_keeps_its_value_in_every_writing(digits, places):
    sign, number = "-" if digits < 0 else "", f"{abs(digits):0{places + 1}d}"
    whole, fraction = number[: len(number) - places], number[len(number) - places :]
    plain = f"{sign}{whole}.{fraction}" if places else f"{sign}{whole}"
    grouped = f"{sign}{int(whole):,}.{fraction}" if places else f"{sign}{int(whole):,}"
    scorer = Scorer("exact")
    for text in (grouped, f"({plain})", f"{plain}.", f"{grouped}!", f"“{plain}”", plain.replace("-", "−")):
        assert scorer.metrics(text, plain) == (1, 1)
    assert scorer.metrics(f"{sign}${grouped}", f"{sign}${plain}") == (1, 1)
    if digits:
        assert scorer.metrics(plain, plain[1:] if sign else f"-{plain}") == (0, 0)


SPLIT = [
    ("Bears", ["Bears"]),
    ("Bears, Lions and Packers", ["Bears", "Lions", "Packers"]),
    ("Bears, Lions, and Packers.", ["Bears", "Lions", "Packers."]),
    ("Bears; Lions AND Packers", ["Bears", "Lions", "Packers"]),
    ("Bears\nLions\r\nPackers\u2028Colts", ["Bears", "Lions", "Packers", "Colts"]),
    ("1. Bears\n2) Lions\n- Packers\n* Colts\n  • Rams", ["Bears", "Lions", "Packers", "Colts", "Rams"]),
    ("1,001,360", ["1,001,360"]),
    ("1,001,360, 3,5 and 7", ["1,001,360", "3,5", "7"]),
    ("12.5%, -7", ["12.5%", "-7"]),
    ("-7\n- 8\n10.", ["-7", "8", "10."]),
    ("May 5, 2001", ["May 5, 2001"]),
    ("May 5, 2001, Sept. 11, 2001 and 7 June 1999", ["May 5, 2001", "Sept. 11, 2001", "7 June 1999"]),
    ("May 5, 20 yards", ["May 5", "20 yards"]),
    ("rock-and-roll, sand and band", ["rock-and-roll", "sand", "band"]),
    ("Smith and Wesson", ["Smith", "Wesson"]),  # an "and" within a name is not known
    ("and", []),
    (", ;\n and ,", []),
    ("", []),
    (" \u2028\n", []),
    ("\ud800, \ud801", ["\ud800", "\ud801"]),
]


@pytest.mark.parametrize(("text", "spans"), SPLIT)
def test_a_text_is_split_into_spans(text, spans):
    assert split_spans(text) == spans


@given(st.text(st.sampled_from("a1,;. \n-*and\u2028")))
def test_spans_hold_all_of_the_text_but_separators_and_marks(text):
    spans = split_spans(text)
    assert all(span and span == span.strip() for span in spans)
    rest = text
    for span in spans:
        before, found, rest = rest.partition(span)
        assert found and not set(before) - set("1.,; \n-*and\u2028")


def test_a_reply_with_all_spans_scores_once_it_is_split():
    reply, golds = "the Packers and the Bears", [("Bears", "Packers")]
    assert Scorer("official").score(reply, golds) == (0, 0.25)  # 1 of 3 and 1 of 1 for one of two spans
    assert Scorer("official").score(split_spans(reply), golds) == (1, 1)
