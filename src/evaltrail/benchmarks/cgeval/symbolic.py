r"""Whether two canonical expressions (see `latex`) have the same value, by latex2sympy2_extended and sympy.

`python -m evaltrail.benchmarks.cgeval.symbolic` answers one question a line: JSON `[a, b, seconds]` in, `true` or
`false` out, or `null` where memory was not enough. The system ends it, in the middle of whatever it is doing, when a
question costs more seconds of CPU than that: sympy can compute for ever within one call that no exception reaches.
`judge` asks it and starts it anew.

Two expressions are equal when they are at each of a few fixed points, to 20 digits. That is quicker and surer than to
simplify their difference, which sympy often cannot. Nothing of a text is ever executed.
"""

import json
import re
import resource
import sys

_MEMORY = 4 << 30  # bytes of address space
_DIGITS, _SAME = 30, 20
# Numerators and denominators of where variables are put: below and above 1, and negative.
_POINTS = ((37, 53), (211, 89), (-61, 97), (941, 127), (-503, 151), (19, 11), (-7, 3))
_STEP = (17, 71)  # between one variable and the next

# Words that are no formula, derivatives, degrees, and what the parser would read in another way than it is meant.
_NO_FORMULA = re.compile(
    r"[^\x20-\x7e]|['=<>,%]|\\(?:circ|pm|mp|approx|sum|prod|int|lim|partial|begin)(?![a-z])"
)
_REWRITES = (
    (re.compile(r"\\lg(?![a-z])"), r"\\log_{10}"),
    (re.compile(r"\*"), r"\\times "),
    (re.compile(r"^\+"), ""),
)


def equal(first: str, second: str) -> bool:
    r"""Whether two canonical expressions have the same value; False also where one is no expression.

    Where both have a constant C of integration they may differ by a constant. A point counts when both values are real
    or neither is, and finite: \sqrt{x^2} is |x| and not x, but \ln x is \ln|x|.
    """
    import sympy

    expressions = [_expression(text) for text in (first, second)]
    if not all(isinstance(expression, sympy.Expr) for expression in expressions):
        return False
    constant = sympy.Symbol("C")
    free_of = all(constant in expression.free_symbols for expression in expressions)
    if free_of:
        expressions = [expression.subs(constant, 0) for expression in expressions]
    variables = sorted(set.union(*(expression.free_symbols for expression in expressions)), key=str)
    differences = []
    for values in _points(sympy, len(variables)):
        a, b = (_value(expression, dict(zip(variables, values, strict=True))) for expression in expressions)
        if a is not None and b is not None and a.is_real == b.is_real:
            size = max(1, abs(a), abs(b))
            differences.append(((a - b).evalf(_DIGITS), size))
    if len(differences) < min(2, len(variables) + 1):
        return False
    offset = differences[0][0] if free_of else 0
    return all(
        abs(difference - offset) < size * sympy.Float(10) ** -_SAME for difference, size in differences
    )


def _expression(text: str):
    """`text` as sympy has it, with decimals as they are written and e the number; None when it is no formula."""
    import sympy
    from latex2sympy2_extended import latex2sympy
    from latex2sympy2_extended.latex2sympy2 import ConversionConfig

    if _NO_FORMULA.search(text):
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


def _points(sympy, variables: int) -> list[list]:
    """Values for each of the variables, at each point; of no variables there is one point."""
    step = sympy.Rational(*_STEP)
    points = [[sympy.Rational(*point) + n * step for n in range(variables)] for point in _POINTS]
    return points if variables else points[:1]


def _value(expression, values: dict):
    """The finite value at a point; None where there is none."""
    try:
        value = expression.subs(values).evalf(_DIGITS)
    except MemoryError:
        raise
    except Exception:  # what sympy cannot compute has no value
        return None
    return value if value.is_number and value.is_finite else None


def _limit(seconds: int) -> None:
    """Lets this process live for so many more seconds of CPU."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    soft = int(used.ru_utime + used.ru_stime) + 1 + seconds
    resource.setrlimit(resource.RLIMIT_CPU, (soft, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def main() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
    for line in sys.stdin:
        first, second, seconds = json.loads(line)
        _limit(seconds)
        try:
            verdict = equal(first, second)
        except MemoryError:
            verdict = None
        print(json.dumps(verdict), flush=True)


if __name__ == "__main__":
    main()
