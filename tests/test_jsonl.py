"""The one reader and writer: what is written is read, in one canonical form, and a bad line is named."""

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltrail import files, jsonl
from evaltrail.errors import InputError
from evaltrail.records import Completion, Prompt, Score

any_text = st.text(st.characters(codec=None, exclude_categories=())) | st.text(
    alphabet='\ud800\udfff\u2028\x85\r\n\x00"\\'
)
# As JSON texts hold them: a high surrogate before a low one is one character.
any_text = any_text.map(lambda text: text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass"))


@given(rows=st.lists(st.builds(Prompt, instance=any_text, prompt=any_text), max_size=5))
def test_what_is_written_is_read(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("jsonl") / "rows.jsonl"
    jsonl.write(path, rows)
    assert list(jsonl.read(path, Prompt)) == rows
    content = path.read_bytes()
    assert content.count(b"\n") == len(rows)
    assert b"\r" not in content
    content.decode("utf-8")


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_is_written_by_repr(number):
    assert jsonl.encode(number) == repr(number).encode()


def test_text_is_written_as_it_reads_and_a_lone_surrogate_as_its_escape():
    assert jsonl.encode("é中\u2028") == '"é中\u2028"'.encode()
    assert jsonl.encode("a\ud83d") == b'"a\\ud83d"'
    assert jsonl.encode("\\ud83d") == b'"\\\\ud83d"'


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_a_number_that_json_lacks_is_never_written(tmp_path, number):
    with pytest.raises(ValueError):
        jsonl.write(tmp_path / "s.jsonl", [Score("i", None, ("A",), number, ())])
    assert not list(tmp_path.iterdir())


GOOD = {"instance": "i", "sample": 0, "text": "t", "end": 1, "stop": None, "finish": "stop"}
# (a bad second line, what is said of it)
BAD = [
    (b"{", "row 2: no Completion: Expecting property name"),
    (b"", "row 2: no Completion: Expecting value"),
    (b"[]", "row 2: no Completion: Expected `object`, got `array`"),
    (
        json.dumps({**GOOD, "sample": "0"}).encode(),
        "row 2: no Completion: Expected `int`, got `str` - at `$.sample`",
    ),
    (json.dumps({**GOOD, "more": 1}).encode(), "row 2: no Completion: Object contains unknown field `more`"),
    (json.dumps({"instance": "i"}).encode(), "row 2: no Completion: Object missing required field `sample`"),
    (b'{"instance": "\xff"}', "row 2: no Completion: 'utf-8' codec can't decode"),
]


@pytest.mark.parametrize(("line", "said"), BAD)
def test_a_bad_line_is_named(tmp_path, line, said):
    path = tmp_path / "completions.jsonl"
    path.write_bytes(json.dumps(GOOD).encode() + b"\n" + line + b"\n")
    with pytest.raises(InputError) as error:
        list(jsonl.read(path, Completion))
    assert str(error.value).startswith(f"{path}: {said}")
    assert "remove it and run again" in str(error.value)


def test_rows_stream(tmp_path):
    path = tmp_path / "rows.jsonl"
    jsonl.write(path, (Prompt(str(n), "p") for n in range(3)))
    assert next(jsonl.read(path, Prompt)) == Prompt("0", "p")


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "rows.jsonl"
    jsonl.write(path, [Prompt("old", "p")])

    def rows():
        yield Prompt("new", "p")
        raise KeyError

    with pytest.raises(KeyError):
        jsonl.write(path, rows())
    assert list(jsonl.read(path, Prompt)) == [Prompt("old", "p")]
    assert list(tmp_path.iterdir()) == [path]


def test_sweep_takes_partial_files_alone(tmp_path):
    kept = tmp_path / ".a.partial"
    kept.write_text("a user's own")
    (tmp_path / ".rows.jsonl.abcdefgh.partial").mkdir()
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep/.rows.jsonl.k3_x9a0b.partial").write_text("")
    files.sweep(tmp_path, tmp_path / "missing")
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [kept]


@given(st.text(alphabet="a\r\n;\x0b\x0c\x1c\x85\u2028", max_size=9))
def test_an_error_is_one_line_whatever_is_in_it(text):
    assert len(str(InputError("f", text, row=text, field=text, fix=text)).splitlines()) == 1


def test_rows_are_frozen():
    with pytest.raises(AttributeError):
        Prompt("i", "p").prompt = "q"
    assert issubclass(Prompt, msgspec.Struct)
