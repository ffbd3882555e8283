"""The mini DROP dataset: its form, its mix, and a computed proof of every gold number."""

from __future__ import annotations

import json
import re
from collections import Counter
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from uuid import UUID

import pytest

FOLDER = Path(__file__).resolve().parents[1] / "data" / "mini" / "drop"
KINDS = ["number", "date", "spans"]
NUMBER = re.compile(r"(?<![\w.,])-?\d+(?:,\d{3})*(?:\.\d+)?")
FORMATS = {3: "%d %B %Y", 2: "%B %Y", 1: "%Y"}

# How each number follows from its passage: an operation on numbers that stand there, written as they stand
# there, or on further operations; "count" is of texts that stand there.
PROOFS = {
    "2bcc12af-bb6d-4d06-9943-e5cf0cb3af8f": ("difference", "1,001,360", "874,212"),
    "03ca3bb6-0efa-4406-9981-2f36d9eb28b7": ("difference", "45.2", "12.75"),
    "1b5fcb15-023d-43f9-96c8-5e17fba44c10": ("difference", "4.75", "3.50"),
    "4bf2caf0-c18d-498e-9b58-ccdc16a7d8f3": ("difference", "9", "3"),
    "ad792531-4304-4b22-9ca3-0161cabee006": ("difference", "118", ("sum", "63", "29")),
    "81879767-dc36-48c3-af27-4269e61a31c4": ("difference", "8.3", "-11.4"),
    "a3ffa376-4876-43f6-a811-7f271063c899": ("least", "-38", "-41", "-36", "27"),
    "8cd68a97-b39f-4e12-a1f3-dc194d9f899d": ("difference", "26", "7"),
    "8a354d1a-a507-40cb-bb0a-99cacdf672b9": ("sum", "19.35", "8.85"),
    "d1780df8-2b26-42c6-a29a-0228acfa0206": ("difference", "64", ("sum", "41", "14")),
    "1100ed90-1647-4a26-80bd-fcf8a926dda1": ("greatest", "44", "29", "38"),
    "c32b9919-c9d3-4359-a641-80271da8f754": ("count", "17", "35 yards", "ran 6 yards", "fumble 58 yards"),
    "d84ecb89-3a4b-4c0c-b929-751595f82b5f": ("difference", "3", "3"),
    "31a4a957-553c-4ff0-b0f7-21e9d10e5095": ("difference", "12.50", "8.75"),
    "a5df3d5e-298d-44ca-8140-db755aa20384": ("sum", "12", "30"),
    "90d555e2-618b-4099-9d32-56c7e314430a": ("difference", "-19", "-26"),
    "73ac134f-f378-44e0-aaef-6091484633bb": ("difference", "38.5", "21.75"),
    "72b67475-451b-41c2-bc23-78778cb423d3": ("sum", "4", "-6", "-1"),
    "83ba74a3-ec7c-4291-9a36-b32c8e662a58": ("count", "45-yard field goal", "39", "24 yards"),
    "5534e917-7528-436c-ab09-9d18430e8a6a": ("difference", "312", "168"),
    "a7ffaf61-e272-4549-8490-4280f956bbc2": ("difference", "71.4", "48.65"),
}

# Dates that are the first or the last of those that stand in the passage.
DATES = {
    "bd436396-f8a9-4ae6-a3ee-4e7e1ffaf5db": ("first", "September 1702", "May 1704", "March 1706"),
    "79ebfe8e-caea-4fd1-bf19-0399afc9f926": ("last", "5 November 1868", "23 August 1871", "30 June 1954"),
    "71f8edc0-b4c1-4896-b3ec-51629ad3ced5": ("first", "1655", "1702", "1731"),
    "77ab54f4-a1b0-4af0-bdbe-a141d38434cb": ("last", "January 1977", "October 1979", "September 1982"),
    "0f45f188-2791-4740-aaa4-8f23c997d2ff": ("first", "1911", "1948", "1967"),
}


RAW = (FOLDER / "drop_dataset_dev.json").read_bytes().decode("utf-8")
DATASET = json.loads(RAW)
PAIRS = [(entry["passage"], pair) for entry in DATASET.values() for pair in entry["qa_pairs"]]
BY_ID = {pair["query_id"]: (passage, pair) for passage, pair in PAIRS}


def content(answer):
    """The kind of an answer and its value: a number as text, a date as the texts of its parts, or spans."""
    value = {**answer, "date": tuple(filter(None, answer["date"].values())), "spans": tuple(answer["spans"])}
    ((kind, found),) = [(kind, value[kind]) for kind in KINDS if value[kind]]
    return kind, found


def stands(text: str, fragment: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(fragment)}(?!\w)", text) is not None


def computed(passage: str, proof) -> Decimal:
    if isinstance(proof, str):
        assert proof in NUMBER.findall(passage), proof
        return Decimal(proof.replace(",", ""))
    operation, *operands = proof
    if operation == "count":
        assert len(set(operands)) == len(operands) and all(stands(passage, text) for text in operands)
        return Decimal(len(operands))
    values = [computed(passage, operand) for operand in operands]
    if operation == "difference":
        first, second = values
        return first - second
    return {"sum": sum, "least": min, "greatest": max}[operation](values)


def test_form():
    assert json.dumps(DATASET, ensure_ascii=False, indent=2) + "\n" == RAW
    assert list(DATASET) == [f"{kind}_{i}" for kind in ("history", "nfl") for i in range(1, 7)]
    assert len(PAIRS) == len(BY_ID) == len({pair["question"] for _, pair in PAIRS}) == 48
    for entry in DATASET.values():
        assert list(entry) == ["passage", "qa_pairs"] and len(entry["qa_pairs"]) == 4
        assert 60 <= len(entry["passage"].split()) <= 130
        assert entry["passage"] == " ".join(entry["passage"].split())
        for pair in entry["qa_pairs"]:
            assert list(pair) == ["question", "answer", "query_id", "validated_answers"]
            assert re.fullmatch(r"[A-Z][^?]*[^?\s]\?", pair["question"])
            assert str(UUID(pair["query_id"])) == pair["query_id"] and UUID(pair["query_id"]).version == 4
            assert list(pair["answer"]) == KINDS
            for answer in pair["validated_answers"]:
                assert list(answer) == [*KINDS, "worker_id", "hit_id"]
                assert answer["worker_id"] == answer["hit_id"] == ""


@pytest.mark.parametrize("identity", list(BY_ID))
def test_golds_are_well_formed_and_stand_in_the_text(identity):
    passage, pair = BY_ID[identity]
    golds = [content(answer) for answer in (pair["answer"], *pair["validated_answers"])]
    for kind, value in golds:
        if kind == "number":
            assert re.fullmatch(r"-?(0|[1-9]\d*)(\.\d*[1-9])?", value) and value != "-0"
            assert golds[0] == (kind, value)
        elif kind == "date":
            assert list(pair["answer"]["date"]) == ["day", "month", "year"]
            assert datetime.strptime(" ".join(value), FORMATS[len(value)])
            assert stands(passage, " ".join(value))
        else:
            assert len(set(value)) == len(value) <= 4
            assert all(stands(passage, span) or stands(pair["question"], span) for span in value), value


def test_mix():
    golds = [content(pair["answer"]) for _, pair in PAIRS]
    numbers = [value for kind, value in golds if kind == "number"]
    decimals = [number for number in numbers if "." in number]
    spans = Counter(len(value) > 1 for kind, value in golds if kind == "spans")
    assert (len(numbers) - len(decimals), len(decimals), spans[False], spans[True]) == (14, 7, 11, 7)
    assert "0" in numbers and any(number.startswith("-") for number in numbers)
    assert Counter(len(value) for kind, value in golds if kind == "date") == {3: 3, 2: 3, 1: 3}
    assert {len(value) for kind, value in golds if kind == "spans"} == {1, 2, 3, 4}
    others = [
        {content(a) for a in pair["validated_answers"]} - {content(pair["answer"])} for _, pair in PAIRS
    ]
    assert (sum(map(bool, others)), sum(not pair["validated_answers"] for _, pair in PAIRS)) == (23, 12)


def test_every_number_has_a_proof():
    assert list(PROOFS) == [i for i, (_, pair) in BY_ID.items() if pair["answer"]["number"]]


@pytest.mark.parametrize("identity", list(PROOFS))
def test_number_is_proved(identity):
    passage, pair = BY_ID[identity]
    assert computed(passage, PROOFS[identity]) == Decimal(pair["answer"]["number"])


@pytest.mark.parametrize("identity", list(DATES))
def test_date_is_the_first_or_the_last(identity):
    passage, pair = BY_ID[identity]
    choice, *dates = DATES[identity]
    assert all(stands(passage, date) for date in dates)
    ordered = sorted(dates, key=lambda date: datetime.strptime(date, FORMATS[len(date.split())]))
    assert content(pair["answer"]) == ("date", tuple(ordered[0 if choice == "first" else -1].split()))
