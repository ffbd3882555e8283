r"""The value of a small piece of LaTeX or plain arithmetic, units left aside.

`1.2 \times 10^{-3} \mathrm{~mol}`, `\frac{7}{3}`, `2\sqrt{3}`, `16\pi`, `1,234.5 kJ/mol`, `e^{2}` have a value;
`\frac{GM}{2R}`, `2\alpha` and `\infty` have none. Nothing is ever executed, and no number leaves the range of the
decimal context, so that a tower of powers costs nothing. What this parser does not know goes to a library, if it is
small enough for one (see `functions`); on what it does know the two agree, which a test holds.
"""

import re
from decimal import Context, Decimal, DecimalException, localcontext
from math import comb, factorial

from evaltrail.benchmarks.jeebench.extraction import functions, units

LONGEST = 300  # characters of one expression
_DEEPEST = 40  # nested brackets
_LARGEST = 40  # digits before the point, or zeros behind it
_CONTEXT = Context(prec=28, Emax=200, Emin=-200)
_SHOWN = Context(prec=12)
_PI = Decimal("3.141592653589793238462643383")
_E = Decimal("2.718281828459045235360287471")

_SPACING = re.compile(
    r"\\(?:left|right|displaystyle|quad|qquad|bigg?|Bigg?|[,;:! ])(?![a-z])|\\?\$|[~*`]|\\(?=$)|\s+"
)
_OUTSIDE = re.compile(r"^\.(?!\d)[.,;: ]*")  # a point that begins no number
_SUPERSCRIPT = re.compile("[⁻⁺⁰¹²³⁴-⁹]+")
_SUPERSCRIPTS = str.maketrans("⁻⁺⁰¹²³⁴⁵⁶⁷⁸⁹", "-+0123456789")
_REWRITES = (
    (re.compile(r"\\[dt]frac"), r"\\frac"),
    (re.compile(r"(?<=\d)(?:,|\{,\})(?=\d{3}(?!\d))"), ""),  # thousands
    (re.compile(r"[−–]"), "-"),
    (re.compile(r"^(?:minus|negative) (?=[\d.\\])"), "-"),
    (re.compile(r"^(-?\d{1,6}) (\d{1,4}) ?/ ?(\d{1,4})$"), r"\1\\frac{\2}{\3}"),  # "3 1/2"
    (re.compile(r"\\times|\\cdot|×|·|⋅|\\ast"), "*"),
    (re.compile(r"\\div|÷"), "/"),
    (re.compile(r"π"), r"\\pi"),
    (re.compile(r"√ ?\("), r"\\sqrt("),
    (re.compile(r"√ ?(\d+)"), r"\\sqrt{\1}"),
    (re.compile(r"(?<=[\d.]) ?[eE] ?([+-]?\d{1,3})(?![\d.])"), r"*10^{\1}"),
    (re.compile(r"(?<=\d) ?[xX] ?(?=10 ?\^)|(?<=\d) [xX] (?=\d)"), "*"),
)
_TOKEN = re.compile(r" *(\d{1,40}(?:\.\d{0,40})?|\.\d{1,40}|\\[A-Za-z]+|[-+*/^_(){}\[\]!]|[eE](?![A-Za-z]))")
_CLOSING = {"(": ")", "{": "}", "[": "]"}


class _NoValue(Exception):
    """The text has no value."""


def evaluate(text: str) -> Decimal | None:
    """The value of `text`, units aside; None when it is no number, symbolic, or outside the range."""
    if len(text) > LONGEST * 3:
        return None
    expression = _simplified(text)
    if not expression or len(expression) > LONGEST:
        return None
    try:
        with localcontext(_CONTEXT):
            value = _Parser(expression).value()
    except (_NoValue, DecimalException):
        value = functions.evaluate(expression)
    if value is None:
        return None
    if not value.is_finite() or (value and abs(value.adjusted()) > _LARGEST):
        return None
    return value


def written(value: Decimal) -> str:
    """A plain decimal: as many digits as were written, at most 12 significant ones; no exponent, no "-0"."""
    if len(value.as_tuple().digits) > _SHOWN.prec:
        value = _SHOWN.plus(value)
    shown = format(value, "f")
    if "." in shown:
        shown = shown.rstrip("0").rstrip(".")
    return "0" if shown in ("-0", "") else shown


def _simplified(text: str) -> str:
    """`text` without units, spacing commands and thousands separators, in the tokens that the parser knows."""
    text = _SPACING.sub(" ", units.without_signs(text))
    text = _OUTSIDE.sub("", text.lstrip(",;: ").rstrip(".,;: "))
    text = _SUPERSCRIPT.sub(lambda match: f"^{{{match[0].translate(_SUPERSCRIPTS)}}}", text)
    for pattern, replacement in _REWRITES:
        text = pattern.sub(replacement, text)
    return units.without_names(text).strip()


class _Parser:
    r"""Recursive descent over sums, products, powers, `\frac`, `\sqrt`, brackets and factorials."""

    def __init__(self, expression: str):
        self.tokens: list[str] = []
        self.index = 0
        self.depth = 0
        position = 0
        while position < len(expression):
            match = _TOKEN.match(expression, position)
            if match is None:
                raise _NoValue
            self.tokens.append(match[1])
            position = match.end()

    def value(self) -> Decimal:
        value = self._sum()
        if self.index < len(self.tokens):
            raise _NoValue
        return value

    def _peek(self) -> str:
        return self.tokens[self.index] if self.index < len(self.tokens) else ""

    def _take(self) -> str:
        token = self._peek()
        self.index += 1
        return token

    def _sum(self) -> Decimal:
        value = self._product()
        while self._peek() in ("+", "-"):
            value = value + self._product() if self._take() == "+" else value - self._product()
        return value

    def _product(self) -> Decimal:
        value = self._signed()
        while (token := self._peek()) and token not in ")}]+-":
            if token == "*":
                self._take()
                value *= self._signed()
            elif token == "/":
                self._take()
                value /= self._signed()
            elif token[0] in ".0123456789":
                raise _NoValue  # two numbers side by side are no product
            else:
                value *= self._power()
        return value

    def _signed(self) -> Decimal:
        sign = 1
        while self._peek() in ("+", "-"):
            sign = -sign if self._take() == "-" else sign
        return sign * self._power()

    def _power(self) -> Decimal:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise _NoValue
        base = self._atom()
        while self._peek() == "!":
            self._take()
            base = _factorial(base)
        if self._peek() == "^":
            self._take()
            base = base ** (self._atom() if self._peek() == "{" else self._signed())
        self.depth -= 1
        return base

    def _atom(self) -> Decimal:
        token = self._take()
        if token[:1] and token[0] in ".0123456789":
            return Decimal(token) + self._fraction_behind(token)
        if token in ("(", "{", "["):
            value = self._sum()
            if self._take() != _CLOSING[token]:
                raise _NoValue
            return value
        if token == "\\frac":
            return self._argument() / self._argument()
        if token == "\\sqrt":
            degree = self._atom() if self._peek() == "[" else Decimal(2)
            argument = self._argument()
            return argument.sqrt() if degree == 2 else argument ** (1 / degree)
        if token in ("\\ln", "\\log", "\\exp"):
            return self._function(token)
        if token == "\\binom":
            return _binomial(self._argument(), self._argument())
        if token == "\\pi":
            return _PI
        if token == "e" and self._peek() == "^":
            return _E
        raise _NoValue

    def _fraction_behind(self, token: str) -> Decimal:
        r"""What a mixed number such as `3\frac{1}{2}` adds to its integer: a fraction of integers below one."""
        behind = self.tokens[self.index : self.index + 7]
        power = self.index > 1 and self.tokens[self.index - 2] == "^"
        if power or not token.isdigit() or behind[:1] != ["\\frac"]:
            return Decimal(0)
        short = len(behind) > 1 and behind[1].isdigit() and len(behind[1]) == 2
        if short:  # `\frac12`
            above, below = behind[1]
        elif [*behind[1:2], *behind[3:5], *behind[6:]] == ["{", "}", "{", "}"]:
            above, below = behind[2], behind[5]
        else:
            return Decimal(0)
        if not (above.isdigit() and below.isdigit() and int(above) < int(below)):
            return Decimal(0)
        self.index += 2 if short else 7
        return Decimal(above) / Decimal(below)

    def _function(self, name: str) -> Decimal:
        r"""`\ln 2`, `\log_{10} 3`, `\exp(2)`. A bare `\log` has none: its base is anyone's guess. Nor has `\sin 4`, of
        which it is not clear whether it counts degrees."""
        if name == "\\exp":
            return self._power().exp()
        base = _E
        if self._peek() == "_":
            self._take()
            if self._peek() in ("e", "\\e"):
                self._take()
            else:
                base = self._argument()
        elif name == "\\log":
            raise _NoValue
        argument = self._power()
        return argument.ln() if base == _E else argument.ln() / base.ln()

    def _argument(self) -> Decimal:
        r"""`{12}`, or, as in `\frac12`, the next digit."""
        token = self._peek()
        if token.isdigit():
            if len(token) > 1:
                self.tokens[self.index] = token[1:]
            else:
                self.index += 1
            return Decimal(token[0])
        return self._atom()


def _factorial(number: Decimal) -> Decimal:
    if number != number.to_integral_value() or not 0 <= number <= 30:
        raise _NoValue
    return Decimal(factorial(int(number)))


def _binomial(n: Decimal, k: Decimal) -> Decimal:
    if n != n.to_integral_value() or k != k.to_integral_value() or not 0 <= k <= n <= 1000:
        raise _NoValue
    return Decimal(comb(int(n), int(k)))
