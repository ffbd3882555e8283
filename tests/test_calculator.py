"""The calculator that a model may call: results as people write them, and an answer to whatever a model sends."""

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltrail.calculator import FUNCTIONS, TOOLS, answer


def call(name, arguments) -> dict:
    return {"id": "call_1", "type": "function", "function": {"name": name, "arguments": arguments}}


# (function, a, b as the model writes them, result); by hand
RESULTS = [
    ("add", "2", "3", "5"),
    ("add", "0.1", "0.2", "0.3"),
    ("add", "1.50", "1.50", "3"),
    ("add", "99", "1", "100"),
    ("add", "1e2", "-1E+2", "0"),
    ("add", "1e20", "0", "1e+20"),
    ("add", "99999999999999999999", "0", "99999999999999999999"),
    ("add", "1e999", "1", "1e+999"),
    ("add", "1e19", "1", "10000000000000000001"),
    ("add", "1e20", "1", "1e+20"),
    ("subtract", "3", "5", "-2"),
    ("subtract", "0.30", "0.3", "0"),
    ("subtract", "-0.0", "0", "0"),
    ("subtract", "0", "0.25", "-0.25"),
    ("multiply", "123456789", "987654321", "121932631112635269"),
    ("multiply", "6.02e23", "100", "6.02e+25"),
    ("multiply", "6.626e-34", "3.0e8", "1.9878e-25"),
    ("multiply", "-0", "5", "0"),
    ("multiply", "0.001", "0.001", "0.000001"),
    ("multiply", "0.001", "0.0001", "1e-7"),
    ("multiply", "0e-9999", "7", "0"),
    ("divide", "1", "3", "0.33333333333333333333"),
    ("divide", "2", "3", "0.66666666666666666667"),
    ("divide", "-200", "3", "-66.666666666666666667"),
    ("divide", "1", "8", "0.125"),
    ("divide", "1000", "1e-3", "1000000"),
    ("divide", "0", "7", "0"),
    # arguments are taken exactly: a alone would be rounded down, the sum is not
    ("add", "1.00000000000000000005", "1e-21", "1.0000000000000000001"),
    ("subtract", "1." + "0" * 400 + "1", "1", "1e-401"),
]


@pytest.mark.parametrize(("name", "a", "b", "result"), RESULTS)
def test_a_result_reads_as_people_write_it(name, a, b, result):
    assert answer(call(name, f'{{"b": {b}, "a": {a}}}')) == (result, False)


ALL = "add, subtract, multiply, divide"
OBJECT = 'Error: the arguments are no JSON object such as {"a": 1, "b": 2}'
RANGE = "is out of range: powers of ten go from -999 to 999"
# (what is wrong, call, the text for the model)
BAD = [
    ("unknown name", call("power", '{"a": 1, "b": 2}'), f"Error: there is no function 'power'; there are {ALL}"),
    ("name in another case", call("Add", '{"a": 1, "b": 2}'), f"Error: there is no function 'Add'; there are {ALL}"),
    ("empty name", call("", "{}"), f"Error: there is no function ''; there are {ALL}"),
    ("no name", call(None, "{}"), f"Error: there is no function of type NoneType; there are {ALL}"),
    ("a list for a name", call(["add"], "{}"), f"Error: there is no function of type list; there are {ALL}"),
    ("a long name with line ends", call("é\n" * 999, "{}"), "Error: there is no function '" + "\\xe9\\n" * 30 + f"'; there are {ALL}"),
    ("no function", {"id": "1", "type": "function"}, f"Error: there is no function of type NoneType; there are {ALL}"),
    ("another kind of tool", {"id": "1", "type": "custom", "custom": {"name": "add", "input": "1"}}, f"Error: there is no function of type NoneType; there are {ALL}"),
    ("an empty call", {}, f"Error: there is no function of type NoneType; there are {ALL}"),
    ("no arguments", call("add", None), "Error: the arguments are no JSON: a JSON object is needed"),
    ("arguments that are no text", call("add", {"a": 1, "b": 2}), "Error: the arguments are no JSON: a JSON object is needed"),
    ("empty arguments", call("add", ""), "Error: the arguments are no JSON: Expecting value: line 1 column 1 (char 0)"),
    ("no JSON", call("add", "a=1"), "Error: the arguments are no JSON: Expecting value: line 1 column 1 (char 0)"),
    ("cut off", call("add", '{"a": 1, "b": '), "Error: the arguments are no JSON: Expecting value: line 1 column 15 (char 14)"),
    ("a formula", call("add", '{"a": 1+1, "b": 2}'), "Error: the arguments are no JSON: Expecting ',' delimiter: line 1 column 8 (char 7)"),
    ("NaN", call("add", '{"a": NaN, "b": 2}'), "Error: the arguments are no JSON: NaN is no number"),
    ("Infinity", call("add", '{"a": 1, "b": -Infinity}'), "Error: the arguments are no JSON: -Infinity is no number"),
    ("an argument twice", call("add", '{"a": 1, "b": 2, "a": 3}'), "Error: the arguments are no JSON: an argument stands twice"),
    ("nested too deeply", call("add", "[" * 10**6), "Error: the arguments are no JSON: a JSON object is needed"),
    ("a list", call("add", "[1, 2]"), OBJECT),
    ("a number", call("add", "1"), OBJECT),
    ("text", call("add", '"a"'), OBJECT),
    ("null", call("add", "null"), OBJECT),
    ("missing", call("add", '{"a": 1}'), "Error: the argument b is missing"),
    ("all missing", call("add", "{}"), "Error: the argument a is missing"),
    ("other names", call("add", '{"x": 1, "y": 2}'), "Error: the argument a is missing"),
    ("one too many", call("add", '{"a": 1, "b": 2, "c": 3}'), "Error: there is no argument 'c'; there are a, b"),
    ("digits as text", call("add", '{"a": "1", "b": 2}'), "Error: a must be a number, not '1'"),
    ("text", call("add", '{"a": 1, "b": "NaN"}'), "Error: b must be a number, not 'NaN'"),
    ("null", call("add", '{"a": null, "b": 2}'), "Error: a must be a number, not of type NoneType"),
    ("a truth value", call("add", '{"a": true, "b": 2}'), "Error: a must be a number, not of type bool"),
    ("a list", call("add", '{"a": [1], "b": 2}'), "Error: a must be a number, not of type list"),
    ("division by zero", call("divide", '{"a": 1, "b": 0}'), "Error: division by zero: b must not be 0"),
    ("zero by zero", call("divide", '{"a": 0, "b": -0.0e5}'), "Error: division by zero: b must not be 0"),
    ("too many digits", call("add", '{"a": 1, "b": ' + "9" * 10**6 + "}"), "Error: b is too long: 1000000 characters, at most 500"),
    ("too many decimals", call("add", '{"a": 0.' + "0" * 10**6 + '1, "b": 1}'), "Error: a is too long: 1000003 characters, at most 500"),
    ("a large argument", call("add", '{"a": 1e1000, "b": 1}'), f"Error: a {RANGE}"),
    ("a larger argument", call("add", '{"a": 1, "b": 1e' + "9" * 30 + "}"), f"Error: b {RANGE}"),
    ("a small argument", call("add", '{"a": 1, "b": -1e-1000}'), f"Error: b {RANGE}"),
    ("a large result", call("multiply", '{"a": 1e999, "b": -10}'), "Error: the result is too large: its power of ten is above 999"),
    ("a large result", call("add", '{"a": 9.99e999, "b": 1e998}'), "Error: the result is too large: its power of ten is above 999"),
    ("a small result", call("divide", '{"a": 1e-999, "b": 3}'), "Error: the result is too close to 0: its power of ten is below -999"),
]  # fmt: skip


@pytest.mark.parametrize(("what", "sent", "text"), BAD, ids=[f"{n}-{case[0]}" for n, case in enumerate(BAD)])
def test_a_bad_call_is_told_what_is_wrong(what, sent, text):
    assert answer(sent) == (text, True)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", "c"]) | st.text(), inner)
    ),
    max_leaves=8,
)
NAMES = st.sampled_from(list(FUNCTIONS)) | JSON
ARGUMENTS = st.text() | JSON.map(json.dumps) | JSON


FUNCTION = st.fixed_dictionaries({}, optional={"name": NAMES, "arguments": ARGUMENTS})


@given(st.fixed_dictionaries({}, optional={"function": FUNCTION | JSON}))
def test_any_call_gets_one_short_line(sent):
    text, bad = answer(sent)
    assert len(text.splitlines()) == 1 and len(text) < 500
    assert bad == text.startswith("Error: ")
    text.encode()


# by name: the value of a and b without rounding
EXACT = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "divide": lambda a, b: a / b,
}
NUMBERS = st.builds(
    lambda whole, power: f"{whole}e{power}", st.integers(-(10**25), 10**25), st.integers(-40, 40)
) | st.floats(-1e30, 1e30).map(repr)


@given(st.sampled_from(list(EXACT)), NUMBERS, NUMBERS)
def test_a_result_is_the_exact_one_rounded_once(name, a, b):
    if name == "divide" and not Fraction(b):
        return
    exact = EXACT[name](Fraction(a), Fraction(b))
    text, bad = answer(call(name, f'{{"a": {a}, "b": {b}}}'))
    assert not bad
    # half a unit of the 20th digit of a number of any first digit
    assert abs(Fraction(text) - exact) <= abs(exact) * Fraction(1, 2 * 10**19)


def test_the_tools_name_the_four_functions_and_their_arguments():
    assert [tool["function"]["name"] for tool in TOOLS] == ["add", "subtract", "multiply", "divide"]
    for tool in TOOLS:
        assert tool["type"] == "function"
        parameters = tool["function"]["parameters"]
        assert parameters["required"] == list(parameters["properties"]) == ["a", "b"]
        assert parameters["additionalProperties"] is False
    json.dumps(TOOLS)
