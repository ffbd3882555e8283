r"""Trigonometric functions of plain numbers, by latex2sympy2_extended: `2\sin\frac{\pi}{6}`, `\tan^{-1}(\frac{3}{4})`.

The library takes half a second to import and for ever on twenty nested brackets, so it sees only what is made of a
few known words and small numbers. An angle must be given with \pi: of `\sin 4` nobody can tell whether it is degrees.
"""

import re
from decimal import Decimal

_LONGEST = 60  # characters
_MOST_BRACKETS = 8
_FUNCTION = r"\\(?:arc)?(?:sin|cos|tan|cot|sec|csc)(?![a-z])"
_KNOWN = re.compile(
    rf"(?:{_FUNCTION}|\\(?:frac|sqrt|pi)(?![a-z])|[-+*/^(){{}} ]|(?<![0-9.])[0-9]{{1,6}}(?:\.[0-9]{{1,6}})?)*"
)
_RADIANS = re.compile(r"\\pi|\\arc|\^ *(?:-1|\{ *-1 *\})")
# An exponent is one digit, and has no exponent itself: a tower of powers fills any memory.
_TOWER = re.compile(r"\^(?! *(?:\{ *-?[0-9] *\}|-?[0-9](?![0-9.])))|\^ *\{? *-?[0-9] *\}? *\^")


def evaluate(expression: str) -> Decimal | None:
    """The value of a small expression with a trigonometric function in it; None for any other."""
    if len(expression) > _LONGEST or not re.search(_FUNCTION, expression):
        return None
    brackets = expression.count("(") + expression.count("{")
    if brackets > _MOST_BRACKETS or _TOWER.search(expression) or not _RADIANS.search(expression):
        return None
    if not _KNOWN.fullmatch(expression):
        return None
    return _by_library(expression.replace("*", r"\times "))


def _by_library(latex: str) -> Decimal | None:
    from latex2sympy2_extended import latex2sympy

    try:
        value = latex2sympy(latex).evalf(28)
    except Exception:  # whatever a parser of others raises, the text is no number
        return None
    return Decimal(str(value)) if value.is_Float or value.is_Integer else None
