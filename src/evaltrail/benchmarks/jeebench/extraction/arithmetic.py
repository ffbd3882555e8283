r"""The value of a small piece of LaTeX or plain arithmetic, units left aside.

`1.2 \times 10^{-3} \mathrm{~mol}`, `\frac{7}{3}`, `2\sqrt{3}`, `16\pi`, `1,234.5 kJ/mol`, `e^{2}` have a value;
`\frac{GM}{2R}`, `2\alpha` and `\infty` have none. Nothing is ever executed, and no number may leave the range
that a recorded answer can have. What needs a function (`\ln 2`) goes to `latex2sympy2_extended`, which is
imported only then.
"""

import re
from decimal import Context, Decimal, DecimalException, localcontext

LONGEST = 300  # characters of one expression
DEEPEST = 40  # nested brackets
_LARGEST = 40  # digits before or after the point
_CONTEXT = Context(prec=28, Emax=200, Emin=-200)
_PI = Decimal("3.141592653589793238462643383")
_E = Decimal("2.718281828459045235360287471")

_UNIT_NAMES = (
    "mol|kmol|mmol|kg|mg|μg|ug|g|gm|amu|u|km|cm|mm|nm|pm|μm|um|fm|m|ms|ns|μs|us|s|sec|secs|seconds?|min|minutes?|h|hr|hrs|hours?"
    "|days?|yr|years?|Hz|kHz|MHz|GHz|kJ|MJ|J|cal|kcal|eV|keV|MeV|GeV|kV|mV|V|mA|μA|A|kW|MW|W|mW|kPa|MPa|GPa|Pa|bar|mbar|atm|torr|Torr"
    "|mmHg|N|kN|mN|T|mT|Wb|H|mH|F|μF|pF|nF|C|μC|nC|K|L|l|mL|ml|dm|cc|rad|deg|degrees?|S|Ω|ohms?|M|mM|dB|D|B\\.?M\\.?|moles?|meters?|metres?"
    "|grams?|joules?|volts?|units?|times|ways|per|rads|Newtons?|N|ppm|lit(?:er|re)s?|torr"
)
UNIT = rf"(?:{_UNIT_NAMES})(?![A-Za-z])(?:\s*\^?\s*\{{?\s*[-−–]?\d\s*\}}?)?"
_UNITS = re.compile(
    rf"(?P<before>[\d)}}.]|\\pi)(?=[\s~]|[A-Za-zμΩ]{{2}})\s*(?P<units>[\s~·.]*{UNIT}(?:[\s~/·.\-()]*{UNIT})*[\s.)]*)$"
)
_UNITS_IN_TEXT = re.compile(
    r"(?:/\s*)?\\(?:text|textrm|textbf|mathrm|mathbf|operatorname|mbox|rm|bf)\s*\{(?P<body>[^{}]{0,60}(?:\{[^{}]{0,20}\}[^{}]{0,60}){0,4})\}(?:\s*\^\s*(?:\{[^{}]{0,8}\}|[-−]?\d))?"
)
_DEGREE = re.compile(
    r"\^\s*\{?\s*\\?(?:circ|°)\s*\}?\s*(?:[CFK]\b)?|°\s*[CF]?|\\(?:degree|Omega|AA)(?![A-Za-z])|\\?%|\\mu\s*(?=[A-Z])"
)
_SPACING = re.compile(r"\\(?:left|right|displaystyle|quad|qquad|bigg?|Bigg?|[,;:! ])(?![a-z])|[$~*`]|\\(?=$)")
_REWRITES = (
    (re.compile(r"\\[dt]frac"), r"\\frac"),
    (re.compile(r"(?<=\d)(?:,|\{,\})(?=\d{3}(?!\d))"), ""),
    (re.compile(r"[−–]"), "-"),
    (re.compile(r"\\times|\\cdot|×|·|⋅|\\ast"), "*"),
    (re.compile(r"\\div|÷"), "/"),
    (re.compile(r"π"), r"\\pi"),
    (re.compile(r"√\s*\("), r"\\sqrt("),
    (re.compile(r"√\s*(\d+)"), r"\\sqrt{\1}"),
    (re.compile(r"(?<=[\d.])\s*[eE]\s*([+-]?\d{1,3})(?![\d.])"), r"*10^{\1}"),
    (re.compile(r"(?<=\d)\s+[xX]\s*(?=10\s*\^)|(?<=\d)[xX](?=10\s*\^)|(?<=\d)\s+[xX]\s+(?=\d)"), "*"),
)
_SUPERSCRIPT = re.compile("[⁻⁺⁰¹²³⁴-⁹]+")
_SUPERSCRIPTS = str.maketrans("⁻⁺⁰¹²³⁴⁵⁶⁷⁸⁹", "-+0123456789")
_TOKEN = re.compile(
    r"\s*(\d[\d]{0,39}(?:\.\d{0,40})?|\.\d{1,40}|\\[A-Za-z]+|[-+*/^(){}\[\]!]|[eE](?![A-Za-z]))"
)
# No sine or cosine: of a bare number it is not clear whether that counts degrees.
_FUNCTIONS = re.compile(r"\\(?:ln|log|exp|binom)(?![A-Za-z])")
_PARSEABLE = re.compile(
    r"(?:\\(?:ln|log|exp|binom|frac|sqrt|pi)(?![A-Za-z])|[\d.\s+\-*/(){}_]|\^\{?-?\d{1,2}\}?(?!\d)|\^\{\\frac\{\d\}\{\d\}\})*"
)


class _NoValue(Exception):
    """The text has no value."""


def evaluate(text: str) -> Decimal | None:
    """The value of `text`, units aside; None when it is no number, symbolic, or outside the range."""
    if len(text) > LONGEST * 3:
        return None
    expression = _simplify(text)
    if not expression or len(expression) > LONGEST:
        return None
    try:
        with localcontext(_CONTEXT):
            value = _Parser(expression).value()
    except (_NoValue, DecimalException, RecursionError):
        value = _parsed(expression)
    if value is None or not value.is_finite() or abs(value.adjusted() if value else 0) > _LARGEST:
        return None
    return value


def written(value: Decimal) -> str:
    """A plain decimal: as many digits as were written, at most 12 significant ones; no exponent, no "-0"."""
    if len(value.as_tuple().digits) > 12:
        value = Context(prec=12).plus(value)
    shown = format(value, "f")
    if "." in shown:
        shown = shown.rstrip("0").rstrip(".")
    return "0" if shown in ("-0", "") else shown


def _simplify(text: str) -> str:
    """`text` without units, spacing commands and thousands separators, in the signs that the parser knows."""
    text = _UNITS_IN_TEXT.sub(_unit_or_value, text)
    text = _DEGREE.sub(" ", text)
    text = _SPACING.sub(" ", text).strip().strip(".,;: ")
    text = _SUPERSCRIPT.sub(lambda match: f"^{{{match[0].translate(_SUPERSCRIPTS)}}}", text)
    for pattern, replacement in _REWRITES:
        text = pattern.sub(replacement, text)
    return _UNITS.sub(r"\g<before>", text).strip()


def _unit_or_value(match: re.Match[str]) -> str:
    r"""`\text{12}` is a number, `\mathrm{~kg}` a unit."""
    body = match["body"].strip(" ~")
    return f" {body} " if body[:1].isdigit() or body[:1] in "-." else " "


class _Parser:
    """Recursive descent over sums, products, powers, `\\frac`, `\\sqrt`, brackets and factorials."""

    def __init__(self, expression: str):
        self.tokens = []
        position = 0
        while position < len(expression):
            match = _TOKEN.match(expression, position)
            if match is None:
                raise _NoValue
            self.tokens.append(match[1])
            position = match.end()
        self.index = 0
        self.depth = 0

    def value(self) -> Decimal:
        value = self.sum()
        if self.index < len(self.tokens):
            raise _NoValue
        return value

    def peek(self) -> str:
        return self.tokens[self.index] if self.index < len(self.tokens) else ""

    def take(self) -> str:
        token = self.peek()
        self.index += 1
        return token

    def sum(self) -> Decimal:
        self.depth += 1
        if self.depth > DEEPEST:
            raise _NoValue
        value = self.product()
        while self.peek() in ("+", "-"):
            value = value + self.product() if self.take() == "+" else value - self.product()
        self.depth -= 1
        return value

    def product(self) -> Decimal:
        value = self.signed()
        while (token := self.peek()) and token not in ")}]+-":
            if token == "*":
                self.take()
                value *= self.signed()
            elif token == "/":
                self.take()
                value /= self.signed()
            elif token[0].isdigit() or token[0] == ".":
                raise _NoValue  # two numbers side by side are no product
            else:
                value *= self.power()
        return value

    def signed(self) -> Decimal:
        sign = 1
        while self.peek() in ("+", "-"):
            sign = -sign if self.take() == "-" else sign
        return sign * self.power()

    def power(self) -> Decimal:
        base = self.atom()
        while self.peek() == "!":
            self.take()
            base = _factorial(base)
        if self.peek() == "^":
            self.take()
            self.depth += 1
            if self.depth > DEEPEST:
                raise _NoValue
            base = base ** (self.signed() if self.peek() != "{" else self.atom())
            self.depth -= 1
        return base

    def atom(self) -> Decimal:
        token = self.take()
        if token[:1].isdigit() or token[:1] == ".":
            return Decimal(token)
        if token in ("(", "{", "["):
            value = self.sum()
            if self.take() != {"(": ")", "{": "}", "[": "]"}[token]:
                raise _NoValue
            return value
        if token == "\\frac":
            return self.argument() / self.argument()
        if token == "\\sqrt":
            degree = self.atom() if self.peek() == "[" else Decimal(2)
            argument = self.argument()
            return argument.sqrt() if degree == 2 else argument ** (1 / degree)
        if token == "\\pi":
            return _PI
        if token in ("e", "\\e") and self.peek() == "^":
            return _E
        raise _NoValue

    def argument(self) -> Decimal:
        r"""`{12}`, or, as in `\frac12`, the next digit."""
        token = self.peek()
        if token.isdigit() and len(token) > 1:
            self.tokens[self.index] = token[1:]
            return Decimal(token[0])
        return self.atom()


def _factorial(number: Decimal) -> Decimal:
    if number != number.to_integral_value() or not 0 <= number <= 30:
        raise _NoValue
    value = Decimal(1)
    for factor in range(2, int(number) + 1):
        value *= factor
    return value


def _parsed(expression: str) -> Decimal | None:
    """The value by the LaTeX parser, for an expression with functions and nothing else that is not a number."""
    if not _FUNCTIONS.search(expression) or len(expression) > 120 or not _PARSEABLE.fullmatch(expression):
        return None
    if re.search(r"\d{16}", expression):
        return None
    from latex2sympy2_extended import latex2sympy

    try:
        value = latex2sympy(expression.replace("*", r"\times ")).evalf(28)
        return Decimal(str(value)) if value.is_real and value.is_finite else None
    except Exception:  # whatever a parser of foreign text may raise: the text has no value
        return None
