"""The two halves of a question: a model that saw it before can go on where the first one ends."""

import re

# A formula: $$...$$, $...$, \[...\] or \(...\). Outside of one a dollar \$ and a line break \\ open none.
_FORMULA = re.compile(
    r"\\[\\$]"
    r"|(?P<formula>\$\$(?:\\.|[^\\$])+\$\$|\$(?:\\.|[^\\$])+\$|\\\[(?:\\[^\]]|[^\\])*\\\]|\\\((?:\\[^)]|[^\\])*\\\))",
    re.DOTALL,
)
_SPACE = re.compile(r"(?<=\S)\s+(?=\S)")


def halves(question: str) -> tuple[str, str]:
    """The two halves of `question`; joined they are the question, and the second one starts with white space.

    They part before the white space whose start is nearest to the middle (in code points; of two equally near the
    first), formulas left aside. Where all white space stands in formulas, at the nearest of it; where there is none,
    in the middle.
    """
    formulas = [match.span() for match in _FORMULA.finditer(question) if match["formula"]]
    spaces = [match.start() for match in _SPACE.finditer(question)]
    outside = [at for at in spaces if not any(start < at < end for start, end in formulas)]
    middle = len(question) / 2
    at = min(outside or spaces or [len(question) // 2], key=lambda at: abs(at - middle))
    return question[:at], question[at:]
