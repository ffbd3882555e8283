"""The calculator that a model may call: add, subtract, multiply, divide (Arora et al. 2023 gave GPT-4 these four)."""

import json
from collections.abc import Callable
from decimal import Context, Decimal, InvalidOperation, Overflow, Subnormal
from typing import Any

PRECISION = 20  # significant digits of a result; more are rounded, a half to the even digit
LARGEST = 999  # power of ten of the first digit of a number; the smallest is its negative
LONGEST = 500  # characters of a number as the model writes it; up to there it is taken exactly
NAMED = 60  # characters of the model's own that an error quotes
PLAIN = (Decimal("1e-6"), Decimal(10) ** PRECISION)  # from, below: written without a power of ten

_TRAPS = [InvalidOperation, Overflow, Subnormal]
_RESULT = Context(prec=PRECISION, Emin=-LARGEST, Emax=LARGEST, traps=_TRAPS)
_EXACT = Context(prec=LONGEST, Emin=-LARGEST, Emax=LARGEST, traps=_TRAPS)

# By name: what it computes, for the model, and how.
FUNCTIONS: dict[str, tuple[str, Callable[[Decimal, Decimal], Decimal]]] = {
    "add": ("a + b", _RESULT.add),
    "subtract": ("a - b", _RESULT.subtract),
    "multiply": ("a * b", _RESULT.multiply),
    "divide": ("a / b", _RESULT.divide),
}
ARGUMENTS = ("a", "b")

TOOLS: tuple[dict[str, Any], ...] = tuple(
    {
        "type": "function",
        "function": {
            "name": name,
            "description": f"Returns {formula}, to {PRECISION} significant digits.",
            "parameters": {
                "type": "object",
                "properties": {argument: {"type": "number"} for argument in ARGUMENTS},
                "required": list(ARGUMENTS),
                "additionalProperties": False,
            },
        },
    }
    for name, (formula, _) in FUNCTIONS.items()
)


class _Bad(ValueError):
    """A call that cannot be answered; the text tells the model why."""


class _Number(str):
    """A number of a JSON text as it stands there: Python would round it, or refuse one of 4,301 digits."""


def answer(call: dict[str, Any]) -> tuple[str, bool]:
    """The text of the tool message that answers a tool call of the chat API, and whether the call was bad.

    The text is the result as `written` has it, or an error that says what is wrong with the call. Raises nothing.
    """
    try:
        function = call.get("function")
        name, text = (
            function.get(key) if isinstance(function, dict) else None for key in ("name", "arguments")
        )
        if not isinstance(name, str) or name not in FUNCTIONS:
            raise _Bad(f"there is no function {_shown(name)}; there are {', '.join(FUNCTIONS)}")
        a, b = _arguments(text)
        if name == "divide" and not b:
            raise _Bad("division by zero: b must not be 0")
        return written(FUNCTIONS[name][1](a, b)), False
    except Overflow:
        return f"Error: the result is too large: its power of ten is above {LARGEST}", True
    except Subnormal:
        return f"Error: the result is too close to 0: its power of ten is below -{LARGEST}", True
    except _Bad as error:
        return f"Error: {error}", True


def written(value: Decimal) -> str:
    """A finite number as people write it, its value unchanged: 5, -0.25, 6.02e+23; no zeros at the end."""
    if not value:
        return "0"
    if PLAIN[0] <= abs(value) < PLAIN[1]:
        text = f"{value:f}"
        return text.rstrip("0").rstrip(".") if "." in text else text
    digits, _, power = f"{value:e}".partition("e")
    return f"{digits.rstrip('0').rstrip('.') if '.' in digits else digits}e{power}"


def _arguments(text: Any) -> list[Decimal]:
    """The values of a and b. Raises _Bad for all else."""
    try:
        given = json.loads(
            text,
            parse_int=_Number,
            parse_float=_Number,
            parse_constant=_no_number,
            object_pairs_hook=_object,
        )
    except (ValueError, TypeError, RecursionError) as error:
        what = error if isinstance(error, ValueError) else "a JSON object is needed"
        raise _Bad(f"the arguments are no JSON: {what}") from None
    if not isinstance(given, dict):
        raise _Bad('the arguments are no JSON object such as {"a": 1, "b": 2}')
    for name in ARGUMENTS:
        if name not in given:
            raise _Bad(f"the argument {name} is missing")
    for name in given:
        if name not in ARGUMENTS:
            raise _Bad(f"there is no argument {_shown(name)}; there are {', '.join(ARGUMENTS)}")
    return [_value(name, given[name]) for name in ARGUMENTS]


def _value(name: str, given: Any) -> Decimal:
    """An argument, exactly as given."""
    if not isinstance(given, _Number):
        raise _Bad(f"{name} must be a number, not {_shown(given)}")
    if len(given) > LONGEST:
        raise _Bad(f"{name} is too long: {len(given)} characters, at most {LONGEST}")
    try:
        return _EXACT.create_decimal(given)
    except (InvalidOperation, Overflow, Subnormal):
        raise _Bad(f"{name} is out of range: powers of ten go from -{LARGEST} to {LARGEST}") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Which of two values of one name is meant is anyone's guess."""
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError("an argument stands twice")
    return made


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is no number")


def _shown(value: Any) -> str:
    """What the model sent, in ASCII and short."""
    return ascii(value[:NAMED]) if isinstance(value, str) else f"of type {type(value).__name__}"
