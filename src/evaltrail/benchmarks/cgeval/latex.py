r"""The normalisation of final answers: one way of writing what is the same in LaTeX, Markdown and plain text.

It changes how a formula is written and never what it says: nothing is computed, sorted, expanded or left out but
signs that only lay out. In the canonical form

- white space, `$`, `\(`, `\left`, `\displaystyle`, `\quad`, `\therefore` and the like are gone, and so are `\text`,
  `\mathbb`, `\boxed`, `\underline`, colours, tags and braces that only group; signs of full width are those of ASCII,
  and `；` and `、` are commas;
- rows are parts between commas: of several lines, of `\\`, of aligned equations and of `cases`; but a row that begins
  or ends with a sign that needs another side goes on, and a matrix stays what it is;
- an exponent, a subscript and what belongs to `\frac`, `\sqrt` and `\overline` stand in braces: `x^{2}` for `x²`,
  `x^2`, `x^(2)` and `x**2` (but `x2` stays), `\frac{1}{2}` for `\dfrac12`; `\log_23` without more is `\log_{2}3`, as
  LaTeX reads it;
- each sign has one name: `*` for `\times`, `\cdot` and `×`, `\le`, `\pm`, `\pi`, `\emptyset`, `|` for `\mid`, `或` for
  `or`, `或者` and `，或`, `\ln` for `ln`, `…` for `...`, `m^{2}` for `㎡`; `{1,2}` by itself is the set `\{1,2\}`;
- a product is a `*` only before a digit or a sign, between a number and a fraction, and behind a function or `/`:
  `2·x` is `2x`, but `2\cdot\frac{1}{3}` is no mixed number and `\ln 2\cdot x` no `\ln 2x`;
- a decimal number has no zeros that say nothing: `2.5` for `2.50`, `0.5` for `.5`.
"""

import re

LONGEST = 2000  # characters of a final answer; what is longer is none and need not look like one
_DEEPEST = 50  # nested groups

_WIDTH = {point: point - 0xFEE0 for point in range(0xFF01, 0xFF5F)}
_SIGNS = {
    **dict.fromkeys("、；;", ","),
    **dict.fromkeys("−–—‐‑﹣➖", "-"),
    **dict.fromkeys("×·⋅∙•✖✕", "*"),
    **dict.fromkeys("′’`", "'"),
    **dict.fromkeys("∣｜", "|"),
    **dict.fromkeys("∴【】\ufe0f\xad", ""),
    **{"″": "''", "ℝ": "R", "∅": r"\emptyset "},
    **{"㎡": "m²", "㎥": "m³", "㎏": "kg", "㎝": "cm", "㎜": "mm", "㎞": "km", "℃": r"^{\circ}C"},
    "÷": "/",
    "∶": ":",
    "≤": r"\le ",
    "⩽": r"\le ",
    "≥": r"\ge ",
    "⩾": r"\ge ",
    "≠": r"\ne ",
    "≈": r"\approx ",
    "±": r"\pm ",
    "∓": r"\mp ",
    "∞": r"\infty ",
    "√": r"\sqrt ",
    "∪": r"\cup ",
    "∩": r"\cap ",
    "∈": r"\in ",
    "°": r"^{\circ}",
}
_GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "θ": "theta", "λ": "lambda",
    "μ": "mu", "π": "pi", "ρ": "rho", "σ": "sigma", "τ": "tau", "φ": "phi", "ω": "omega",
}  # fmt: skip
_TRANSLATION = _WIDTH | str.maketrans(_SIGNS | {sign: rf"\{name} " for sign, name in _GREEK.items()})
_RAISED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ", "0123456789+-n", strict=True))
_LOWERED = dict(zip("₀₁₂₃₄₅₆₇₈₉", "0123456789", strict=True))
_SCRIPTS = (
    (re.compile(f"[{''.join(_RAISED)}]+"), "^", str.maketrans(_RAISED)),
    (re.compile(f"[{''.join(_LOWERED)}]+"), "_", str.maketrans(_LOWERED)),
)

_FUNCTIONS = "arcsin|arccos|arctan|sin|cos|tan|cot|sec|csc|ln|lg|log|sqrt"
_TOKEN = re.compile(
    rf"\\[A-Za-z]+|\\.|~~|[0-9]+(?:\.[0-9]+)?|\.[0-9]+|<=|>=|(?<![0-9)])!=|\*\*|{_FUNCTIONS}"
    r"|(?<![A-Za-z])or(?![A-Za-z])|或者|\S"
)
_LAYOUT = re.compile(
    r"\\(?:left|right|[bB]igg?[lr]?|displaystyle|textstyle|limits|quad|qquad|[,;:! ()\[\]$])|[$~]"
    r"|\\(?:text|textbf|math(?:rm|bf|it|bb)|bm|boldsymbol|operatorname|boxed|fbox|mbox|rm|underline)"
    r"|\\(?:therefore|blacksquare)"
)
_SAME = {
    **dict.fromkeys((r"\dfrac", r"\tfrac", r"\cfrac"), r"\frac"),
    **dict.fromkeys((r"\times", r"\cdot", r"\ast"), "*"),
    **dict.fromkeys((r"\leq", r"\leqslant", "<="), r"\le"),
    **dict.fromkeys((r"\geq", r"\geqslant", ">="), r"\ge"),
    **dict.fromkeys((r"\neq", "!="), r"\ne"),
    **dict.fromkeys(("or", r"\lor", r"\vee", "或者"), "或"),
    **dict.fromkeys((r"\mid", r"\lvert", r"\rvert", r"\vert"), "|"),
    **{name: rf"\{name}" for name in _FUNCTIONS.split("|")},
    r"\bar": r"\overline",
    r"\overrightarrow": r"\vec",
    r"\div": "/",
    r"\lt": "<",
    r"\gt": ">",
    r"\colon": ":",
    r"\prime": "'",
    r"\%": "%",
    r"\lbrace": r"\{",
    r"\rbrace": r"\}",
    r"\varnothing": r"\emptyset",
    r"\*": "*",
    r"\ldots": "…",
    r"\cdots": "…",
    r"\dots": "…",
    "**": "^",
}
# What lays out and takes an argument, or is the frame of rows.
_FRAMES = (
    (re.compile(r"\\(?:text)?color\{\w*\}|\\tag\*?\{[^{}]*\}"), ""),
    (re.compile(r"[.。]\s*(?=\\end\{)"), ""),
    (
        re.compile(
            r"\\left\\\{\s*\\begin\{(array|aligned|matrix|cases)\}(?:\{\w*\})?(.*?)\\end\{\1\}\s*\\right\s*\.?",
            re.DOTALL,
        ),
        r"\2",
    ),
    (re.compile(r"\\(?:begin|end)\{(?:aligned|align|equation|gathered|gather|split|cases)\*?\}"), ""),
    (re.compile(r"(?:…|⋯|\.{3}|·{3}|\\[lc]?dots(?![A-Za-z])\s*)+"), "…"),
    (re.compile(r"(?:\\times|×)(?=\s*\\(?:vec|overrightarrow)(?![A-Za-z]))"), r"\\wedge "),
    (re.compile(r"((?:^|[=∈]|\\in)\s*)\{([^{}]*[,，|∣][^{}]*)\}\s*$"), r"\1\\{\2\\}"),
)
_ROW_END = re.compile(r"\\\\|[\n\r\u2028\u2029]")
_ROW_GOES_ON = re.compile(
    r"&?[+*/=<>≤≥×÷)\]}{,，;；、或|^_]|&-|\\(?:right|end|times|cdot|div|le|ge|text\{\s*或)"
)
_ROW_IS_OPEN = frozenset("+-*/=<>≤≥×÷([{,，;；、或:：^_")
# A command that would take in the letter behind it, or two numbers.
_COMMAND_AND_LETTER = re.compile(r"\\[A-Za-z]+[A-Za-z]$|\d[\d.]$", re.ASCII)
_NAMES = frozenset(rf"\{name}" for name in _FUNCTIONS.split("|"))
_ENDED_BY_PRODUCT = _NAMES | {"/"}  # an argument or a divisor, which would take in what follows
_NO_ARGUMENT = frozenset(["", *"+-*/=,)]}或"])
_OVER = (r"\overline", r"\vec", r"\hat", r"\widehat", r"\tilde", r"\dot", r"\ddot")
_ARGUMENTS = {r"\frac": 2, r"\binom": 2, **dict.fromkeys((r"\sqrt", "^", "_", *_OVER), 1)}


def canonical(text: str, products: bool = False) -> str:
    """The one way to write `text`; products: with every `*`, as who computes needs it.

    What is too long or too deep for a final answer loses its white space alone.
    """
    plain = "".join(text.split())
    if len(plain) > LONGEST:
        return plain
    for pattern, replacement in _FRAMES:
        text = pattern.sub(replacement, text)
    if r"\begin" not in text:
        text = _in_one_row(text)
    text = text.translate(_TRANSLATION)
    for pattern, sign, table in _SCRIPTS:
        text = pattern.sub(lambda found, s=sign, t=table: f"{s}{{{found[0].translate(t)}}}", text)
    try:
        written = _Writer(text, products).written()
    except _TooDeep:
        return plain
    return written.replace(",或", "或").replace("或,", "或").strip(",")


def _in_one_row(text: str) -> str:
    """The rows of `text` with commas between them, where one does not go on in the next."""
    joined = ""
    for row in filter(None, (row.strip() for row in _ROW_END.split(text))):
        goes_on = not joined or joined[-1] in _ROW_IS_OPEN or _ROW_GOES_ON.match(row)
        joined += f"{'' if goes_on else ','}{row}"
    return joined.replace("&", "")


class _TooDeep(Exception):
    """Groups nested as in no final answer."""


class _Writer:
    """Reads tokens from left to right and writes each in its canonical form."""

    def __init__(self, text: str, products: bool):
        self.products = products
        tokens = [_SAME.get(token, token) for token in _TOKEN.findall(text)]
        self.tokens = [
            token
            for before, token in zip(["", *tokens], tokens, strict=False)
            if not _LAYOUT.fullmatch(token) and not (token == "." and before in (r"\left", r"\right"))
        ]
        self.at = 0
        self.depth = 0

    def written(self) -> str:
        pieces = []
        while self._peek():
            pieces.append(self._until("}"))  # a brace that nothing opened is left out
        return _joined(pieces)

    def _take(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1]

    def _peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def _until(self, closing: str) -> str:
        """All up to the token `closing`, which is taken and not written, or to the end."""
        pieces = []
        while self._peek():
            token = self._take()
            if token == closing:
                break
            if token != "*" or self._is_product(pieces[-1:]):
                behind_number = pieces and pieces[-1][-1:].isdecimal()
                pieces.append(token if behind_number and token.isdecimal() else self._piece(token))
        return _joined(pieces)

    def _is_product(self, before: list[str]) -> bool:
        """Whether a `*` is to be written: always, or else where without it two numbers would be another one."""
        following = self._peek()
        between = before and before[0][-1:].isdecimal() and following == r"\frac"
        ends = not _ENDED_BY_PRODUCT.isdisjoint(self.tokens[: self.at - 1]) or following in _NO_ARGUMENT
        return bool(self.products or following[:1].isdecimal() or between or ends)

    def _piece(self, token: str) -> str:
        """What `token` begins: a group, a command with its arguments, or nothing more than itself."""
        if token != "{" and token not in _ARGUMENTS:
            return _number(token)
        self.depth += 1
        if self.depth > _DEEPEST:
            raise _TooDeep
        piece = self._until("}") if token == "{" else self._with_arguments(token)
        self.depth -= 1
        return piece

    def _with_arguments(self, command: str) -> str:
        degree = ""
        if command == r"\sqrt" and self._peek() == "[":
            self._take()
            degree = f"[{self._until(']')}]"
        arguments = [self._argument(command) for _ in range(_ARGUMENTS[command])]
        if command == "^" and not arguments[0].strip("'"):
            return arguments[0]  # y^{\prime} is y'
        return command + degree + "".join(f"{{{argument}}}" for argument in arguments)

    def _argument(self, command: str) -> str:
        """A group, or one token; of a number behind `\\frac` the first digit alone."""
        if not self._peek():
            return ""
        token = self._take()
        if token == "(" and command in ("^", r"\sqrt"):
            return self._until(")")
        if token == "-" and command == "^" and self._peek():
            return token + self._piece(self._take())
        if token.isdecimal() and len(token) > 1 and (command in (r"\frac", r"\binom") or self._is_base()):
            self.at -= 1
            self.tokens[self.at] = token[1:]
            return token[0]
        return self._piece(token)

    def _is_base(self) -> bool:
        """Whether the number just taken is the script of a function that has no argument: `_23` of `\\log_23`."""
        before = self.tokens[max(self.at - 3, 0) : self.at - 1]
        is_script = len(before) == 2 and before[0] in _NAMES and before[1] in ("^", "_")
        return is_script and self._peek() in _NO_ARGUMENT


def _number(token: str) -> str:
    """`token` without zeros that say nothing, if it is a number."""
    if not token[-1].isdecimal():
        return token
    whole, _, decimals = token.partition(".")
    decimals = decimals.rstrip("0")
    return (whole.lstrip("0") or "0") + ("." if decimals else "") + decimals


def _joined(pieces: list[str]) -> str:
    """The pieces one behind another, with a space where two would else be read as one."""
    pieces = [piece for piece in pieces if piece]
    return "".join(
        f" {piece}" if _COMMAND_AND_LETTER.search(f"{before[-20:]}{piece[0]}") else piece
        for before, piece in zip(["", *pieces], pieces, strict=False)
    )


def split(text: str, separator: str) -> list[str]:
    """The parts of a canonical text between separators (one character) that stand in no bracket."""
    parts, begin, depth = [], 0, 0
    for at, character in enumerate(text):
        depth += (character in "([{") - (character in ")]}")
        if character == separator and depth <= 0:
            parts.append(text[begin:at])
            begin = at + 1
    return [*parts, text[begin:]]
