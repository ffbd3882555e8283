r"""Whether two canonical expressions (see `latex`) have the same value, by latex2sympy2_extended and sympy.

`python -m evaltrail.benchmarks.cgeval.symbolic` answers one question a line: JSON `[a, b, seconds]` in, `true` or
`false` out, or `null` where memory was not enough. The system ends it, in the middle of whatever it is doing, when a
question costs more seconds of CPU than that: sympy can compute for ever within one call that no exception reaches.
`judge` asks it and starts it anew.

Two expressions are equal when they are at each of a few fixed points, to 100 digits. That is quicker and surer than to
simplify their difference, which sympy often cannot. Nothing of a text is ever executed.
"""

import json
import re
import resource
import sys

_MEMORY = 4 << 30  # bytes of address space
_DIGITS, _SAME = 150, 100
# Numerators and denominators of where variables are put: below and above 1, and far from it.
_POINTS = (
    (37, 53),
    (211, 89),
    (61, 97),
    (941, 127),
    (503, 151),
    (19, 11),
    (7, 3),
    (2003, 83),
    (2311, 61),
    (17, 59),
    (6007, 89),
    (10007, 97),
)
_POSITIVE = 4  # points at which all variables are positive; at the others each combination of signs comes
_STEP = (17, 71)  # between one variable and the next

# What is no formula, or what the parser would read in another way than it may be meant.
_NO_FORMULA = re.compile(
    "|".join(
        (
            r"[^\x20-\x7e]|['=<>,%:]",
            r"\\(?:circ|pm|mp|approx|sum|prod|int|lim|partial|begin|angle|triangle|overline|vec|wedge)(?![a-z])",
            r"\^\{(?:T|H|\\top ?|\\dagger ?|\((?:\d+|n)\))\}",  # transposed, and derivatives
            r"[A-Z]\^\{-1\}",  # of a matrix: the order of factors counts
            r"(?<![A-Za-z\\])[A-Za-z]+\d|\)\d",  # x2
            r"\d_|\[[A-Za-z]\]|\d ?e ?-?\d",  # a number of another base, a whole part, 1e5
            r"\d ?\\frac\{\d+\}\{\d+\}",  # 2\frac{1}{2}x, mixed or a product
            r"\^\{[^{}]*\}\^",  # 2^{3}^{2}
            r"/(?:[\d.]+|[A-Za-z]|\\pi ?|\([^()]*\))(?:\^\{[^{}]*\})? ?[A-Za-z(\\]",  # 1/2x
        )
    )
)
_LONG_ARGUMENT = re.compile(r"[^\d ].*(?:e\^|\\frac|\\sqrt)")  # \sin xe^{x}
_FUNCTION = re.compile(r"\\(?:arc)?(?:sin|cos|tan|cot|sec|csc)(?![a-z])|\\(?:ln|lg|log)(?![a-z])")
_SIZE = re.compile(r" ?\|[^|]*\|")  # |x|
_SCRIPT = re.compile(r" ?[\^_](?=\{)")
_REWRITES = (
    (re.compile(r"\\lg(?![a-z])"), r"\\log_{10}"),
    (re.compile(r"\*"), r"\\times "),
    (re.compile(r"^\+"), ""),
)


def equal(first: str, second: str) -> bool:
    r"""Whether two canonical expressions have the same value; False also where one is no expression.

    Where both end in a constant C of integration they may differ by a constant; a C that is a factor, or stands in a
    power, is a variable. Points count where both have a value over the reals, or, where those are fewer than two,
    where neither has: \sqrt{x^2} is |x| and not x, but \ln x is \ln|x|, and \sqrt{a}\sqrt{b} is \sqrt{ab}.
    """
    import sympy

    expressions = [_expression(text) for text in (first, second)]
    if not all(isinstance(expression, sympy.Expr) for expression in expressions):
        return False
    constant = sympy.Symbol("C")
    integrals = all(_has_constant(expression, constant) for expression in expressions)
    if integrals:
        expressions = [expression.subs(constant, 0) for expression in expressions]
    exact = [expression.doit() for expression in expressions if not expression.free_symbols]
    if len(exact) == 2 and all(number.is_Rational for number in exact):
        return bool(exact[0] == exact[1])  # digits do not tell 2^{100} from its neighbour
    pairs = _values(expressions)
    if not pairs:
        return False
    offset = (pairs[0][0] - pairs[0][1]).evalf(_DIGITS) if integrals else 0
    return all(
        abs((a - b).evalf(_DIGITS) - offset) < max(1, abs(a), abs(b)) * sympy.Float(10) ** -_SAME
        for a, b in pairs
    )


def _has_constant(expression, constant) -> bool:
    """Whether it ends in a constant of integration: C is added, and no A or B says that C is one more of them."""
    return expression.diff(constant) == 1 and not {"A", "B"} & set(map(str, expression.free_symbols))


def _values(expressions: list) -> list[tuple]:
    """The values of both expressions at the points that count; none where those are too few to tell."""
    import sympy

    variables = sorted(set.union(*(expression.free_symbols for expression in expressions)), key=str)
    real, other = [], []
    for point in _points(sympy, len(variables)):
        at = dict(zip(variables, point, strict=True))
        pair = tuple(_value(expression, at) for expression in expressions)
        sides = {_over_reals(*one, at) for one in zip(expressions, pair, strict=True)}
        if None not in pair and len(sides) == 1:
            (real if True in sides else other).append(pair)
    enough = min(2, len(variables) + 1)
    counted = real if len(real) >= enough else real + other
    return counted if len(counted) >= enough else []


def _expression(text: str):
    """`text` as sympy has it, with decimals as they are written and e the number; None when it is no formula."""
    import sympy
    from latex2sympy2_extended import latex2sympy
    from latex2sympy2_extended.latex2sympy2 import ConversionConfig

    if _NO_FORMULA.search(text) or (text := _bracketed(text)) is None:
        return None
    for pattern, replacement in _REWRITES:
        text = pattern.sub(replacement, text)
    try:
        parsed = latex2sympy(text, conversion_config=ConversionConfig(lowercase_symbols=False))
        exact = {number: sympy.Rational(str(number)) for number in parsed.atoms(sympy.Float)}
        return parsed.xreplace(exact).subs(sympy.Symbol("e"), sympy.E)
    except MemoryError:
        raise
    except Exception:  # whatever a parser of others raises, the text is no formula
        return None


def _bracketed(text: str) -> str | None:
    r"""The text with brackets around each argument of a function: `\ln (x)*x`, which the parser would read as \ln(x^2).

    An argument ends before `*`, `/`, a sign, a bracket, and the next function. None where it may end earlier.
    """
    for function in reversed(list(_FUNCTION.finditer(text))):
        begin = _behind_scripts(text, function.end())
        size = _SIZE.match(text, begin)
        end = size.end() if size else begin
        while end < len(text) and text[end] not in "*/+-()[]}|" and not _FUNCTION.match(text, end):
            end = _behind_group(text, end) if text[end] == "{" else end + 1
        if _LONG_ARGUMENT.match(text[begin:end].strip()):
            return None
        if text[begin:end].strip():
            text = f"{text[:begin]}({text[begin:end]}){text[end:]}"
    return text


def _behind_scripts(text: str, at: int) -> int:
    """The place behind `^{2}` or `_{10}` after the name of a function."""
    while found := _SCRIPT.match(text, at):
        at = _behind_group(text, found.end())
    return at


def _behind_group(text: str, at: int) -> int:
    depth = 0
    for place in range(at, len(text)):
        depth += (text[place] == "{") - (text[place] == "}")
        if depth == 0:
            return place + 1
    return len(text)


def _points(sympy, variables: int) -> list[list]:
    """Values for each of the variables, at each point; of no variables there is one point.

    Neither of two variables is always the greater, and they have the same and different signs.
    """
    step = sympy.Rational(*_STEP)
    points = [
        [_sign(at, n) * (sympy.Rational(*point) + n * (-1) ** at * step) for n in range(variables)]
        for at, point in enumerate(_POINTS)
    ]
    # As decimals: powers of fractions would be computed exactly.
    floats = [[sympy.Float(value, 2 * _DIGITS) for value in point] for point in points]
    return floats if variables else floats[:1]


def _sign(point: int, variable: int) -> int:
    return -1 if point >= _POSITIVE and (point + 1) >> variable & 1 else 1


def _value(expression, values: dict):
    """The finite value at a point; None where there is none."""
    try:
        value = expression.subs(values).evalf(_DIGITS)
    except MemoryError:
        raise
    except Exception:  # what sympy cannot compute has no value
        return None
    return value if value.is_number and value.is_finite else None


def _over_reals(expression, value, values: dict) -> bool:
    """Whether the value at a point comes without a root or logarithm of a negative number on the way."""
    import sympy

    roots = [power.base for power in expression.atoms(sympy.Pow) if not power.exp.is_integer]
    inner = [_value(one, values) for one in (*roots, *(log.args[0] for log in expression.atoms(sympy.log)))]
    return all(one is not None and one.is_real for one in (value, *inner)) and all(one >= 0 for one in inner)


def _limit(what: int, most: int) -> None:
    """Lowers what this process may use, as far as it may use as much at all."""
    hard = resource.getrlimit(what)[1]
    resource.setrlimit(what, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def main() -> None:
    _limit(resource.RLIMIT_AS, _MEMORY)
    for line in sys.stdin:
        first, second, seconds = json.loads(line)
        used = resource.getrusage(resource.RUSAGE_SELF)
        _limit(resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime) + 1 + seconds)
        try:
            verdict = equal(first, second)
        except MemoryError:
            verdict = None
        except Exception:  # sympy raises errors of all kinds on what has no value, as \ln 0
            verdict = False
        print(json.dumps(verdict), flush=True)


if __name__ == "__main__":
    main()
