r"""The normalisation of final answers: one way of writing what is the same in LaTeX, Markdown and plain text.

It changes how a formula is written and never what it says: nothing is computed, sorted, expanded or left out but
signs that only lay out. In the canonical form

- white space, `$`, `\(`, `\left`, `\displaystyle`, `\quad` and the like are gone, and so are `\text`, `\boxed` and
  braces that only group; signs of full width are those of ASCII, and `；` and `、` are commas;
- an exponent, a subscript and what belongs to `\frac` and `\sqrt` stand in braces: `x^{2}` for `x²`, `x^2`, `x^(2)`
  and `x**2` (but `x2` stays), `\frac{1}{2}` for `\dfrac12`;
- each sign has one name: `*` for `\times`, `\cdot` and `×` (none where no digit follows: `2·x` is `2x`), `\le`, `\pm`,
  `\pi`, `或` for `or`, `\ln` for `ln`;
- a decimal number has no zeros that say nothing: `2.5` for `2.50`, `0.5` for `.5`.
"""

import re

_LONGEST = 2000  # characters
_DEEPEST = 50  # nested groups

_WIDTH = {point: point - 0xFEE0 for point in range(0xFF01, 0xFF5F)}
_SIGNS = {
    **dict.fromkeys("、；;", ","),
    **dict.fromkeys("−–—", "-"),
    **dict.fromkeys("×·⋅∙•", "*"),
    **dict.fromkeys("′’", "'"),
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
    rf"\\[A-Za-z]+|\\.|[0-9]+(?:\.[0-9]+)?|\.[0-9]+|<=|>=|!=|\*\*|{_FUNCTIONS}"
    r"|(?<![A-Za-z])or(?![A-Za-z])|\S"
)
_LAYOUT = re.compile(
    r"\\(?:left|right|[bB]igg?[lr]?|displaystyle|textstyle|limits|quad|qquad|[,;:! ()\[\]$])|[$~`]"
    r"|\\(?:text|textbf|math(?:rm|bf|it)|bm|boldsymbol|operatorname|boxed|fbox|mbox|rm)"
)
_SAME = {
    **dict.fromkeys((r"\dfrac", r"\tfrac", r"\cfrac"), r"\frac"),
    **dict.fromkeys((r"\times", r"\cdot", r"\ast"), "*"),
    **dict.fromkeys((r"\leq", r"\leqslant", "<="), r"\le"),
    **dict.fromkeys((r"\geq", r"\geqslant", ">="), r"\ge"),
    **dict.fromkeys((r"\neq", "!="), r"\ne"),
    **dict.fromkeys(("or", r"\lor", r"\vee"), "或"),
    **{name: rf"\{name}" for name in _FUNCTIONS.split("|")},
    r"\div": "/",
    r"\lt": "<",
    r"\gt": ">",
    r"\colon": ":",
    r"\prime": "'",
    r"\%": "%",
    r"\lbrace": r"\{",
    r"\rbrace": r"\}",
    r"\lvert": "|",
    r"\rvert": "|",
    r"\ldots": "…",
    r"\cdots": "…",
    r"\dots": "…",
    "**": "^",
}
# A command that would take in the letter behind it, or two numbers.
_COMMAND_AND_LETTER = re.compile(r"\\[A-Za-z]+[A-Za-z]$|\d\d$", re.ASCII)
_ARGUMENTS = {r"\frac": 2, r"\binom": 2, r"\sqrt": 1, "^": 1, "_": 1}


def canonical(text: str) -> str:
    """The one way to write `text`. What is too long or too deep for a final answer loses its white space alone."""
    plain = "".join(text.split())
    if len(plain) > _LONGEST:
        return plain
    text = text.translate(_TRANSLATION)
    for pattern, sign, table in _SCRIPTS:
        text = pattern.sub(lambda found, s=sign, t=table: f"{s}{{{found[0].translate(t)}}}", text)
    try:
        return _Writer(text).written()
    except _TooDeep:
        return plain


class _TooDeep(Exception):
    """Groups nested as in no final answer."""


class _Writer:
    """Reads tokens from left to right and writes each in its canonical form."""

    def __init__(self, text: str):
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
            if token != "*" or self._peek()[:1].isdigit():
                pieces.append(self._piece(token))
        return _joined(pieces)

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
        if command in (r"\frac", r"\binom") and token.isdigit() and len(token) > 1:
            self.at -= 1
            self.tokens[self.at] = token[1:]
            return token[0]
        return self._piece(token)


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
