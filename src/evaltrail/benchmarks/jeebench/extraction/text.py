r"""A reply as statements: sentences, each with its place in the reply.

Everything here keeps positions. `plain` replaces mark-up by as many blanks, so that a span in the plain text
is the same span in the reply.
"""

import re
from typing import NamedTuple

# A reply of 2,048 tokens has at most about 8,000 characters, and the answer stands at its end: what lies further
# back is not looked at, so that the time a reply takes is bounded whatever a model writes.
WINDOW = 16_000
LONGEST_STATEMENT = 3_000
LONGEST_BOX = 2_000
MOST_BOXES = 20
MOST_SENTENCES = 400

_MARKUP = re.compile(
    r"\\(?:text|textbf|textrm|textit|textsf|mathrm|mathbf|mathit|mathsf|boldsymbol|bold|bf|rm|underline|boxed|fbox"
    r"|left|right|quad|qquad|displaystyle|tag)(?![A-Za-z])"
    r"|\\[,;:! ()\[\]]|[{}$*`~#]|</answer>"
)
_WIDE = str.maketrans("（）［］：，；。【】", "()[]:,;.[]")
# A sentence ends before a capital, a bracket or mathematics, at each line's end, and where only mark-up follows.
_SENTENCE_END = re.compile(r"(?<=[.!?])\*{0,3}\s+(?=\*{0,3}[A-Z(\[$\\])|[\r\n]+|[\s$*{}`~#]{40,}")
_ABBREVIATION = re.compile(
    r"\b(?:i\.e|e\.g|approx|resp|viz|[Ee]q|[Ff]ig|No|[Ss]ec|[Ee]x|vs|conc|dil|aq|temp|vol|wt|sol|Dr|St|cf)\.$"
)
_NUMBERED = re.compile(r"\W*\d{1,2}\.")  # the "2." of a numbered list
# "The correct options are:" goes on in the lines below it.
_GOES_ON = re.compile(
    r"(?:[:=]|\b(?:is|are|be|by|equals?|gives?|get|that|[Oo]ptions?|[Aa]nswers?)|\bis\(are\))[\s$*{\\\[(]*$"
)
_LISTED = re.compile(
    r"[\s\-*•.\d{}$\\#>]{0,12}(?:\\(?:text|textbf|mathrm|mathbf|boxed)[\s{*$]{0,4}){0,3}(?:[Oo]ptions? )?"
    r"[(\[]?[A-D](?:[)\].:](?!\w)|[\s*$}.,]*\Z)"
)
# "Answer: A" may go on in lines that hold a letter each.
_BEGINS_LIST = re.compile(
    r"\b(?:answers?|options?|statements?)\b[^\n]{0,10}[:=]\W{0,9}[A-D]\W{0,9}\Z", re.IGNORECASE
)
_LETTER = re.compile(r"[\s*$(\[\-•]{0,12}[A-D][\s*$).\],]{0,12}\Z")
_NEXT_PROBLEM = re.compile(
    r"^[ \t*#>]{0,9}(?:Problem(?: ?\d{1,3})?|Question ?\d{1,3})[ \t*]{0,5}[:.]", re.MULTILINE
)
_ANSWERED = re.compile(
    r"\banswers?\b[^\n]{0,20}(?:\bis\b|\bare\b|:)|\\boxed|\bcorrect\s(?:option|choice|statement)",
    re.IGNORECASE,
)


class Statement(NamedTuple):
    """A sentence, with the lines that it announces; `start` and `end` count code points of the reply."""

    start: int
    end: int
    text: str


class Box(NamedTuple):
    r"""What stands inside `\boxed{...}`."""

    start: int
    end: int
    text: str


def plain(text: str) -> str:
    """`text` with mark-up blanked and full-width punctuation narrowed; of the same length."""
    text = text.translate(_WIDE).replace("<answer>", "answer: ")
    return _MARKUP.sub(lambda match: " " * len(match[0]), text)


def first_problem(text: str) -> int:
    """Where the reply to the first problem ends: at its end, or where a further problem follows an answer."""
    start = max(0, len(text) - WINDOW)
    answered = _ANSWERED.search(text, start)
    following = _NEXT_PROBLEM.search(text, answered.end()) if answered else None
    return following.start() if following else len(text)


def statements(text: str) -> list[Statement]:
    """The statements of the last `WINDOW` characters, in order."""
    sentences = _sentences(text, max(0, len(text) - WINDOW))[-MOST_SENTENCES:]
    found: list[Statement] = []
    index = 0
    while index < len(sentences):
        start, end = sentences[index]
        index += 1
        listing, one = False, None
        while index < len(sentences) and sentences[index][1] - start <= LONGEST_STATEMENT:
            goes_on = _GOES_ON.search(text[max(start, end - 60) : end])
            listed = _LISTED.match(text[slice(*sentences[index])][:80])
            begun = _BEGINS_LIST.search(text[max(start, end - 60) : end])
            one = (begun or one) and _LETTER.match(text[slice(*sentences[index])])
            if not (goes_on or one or (listing and listed)):
                break
            listing = bool(listed)
            end = sentences[index][1]
            index += 1
        found.append(Statement(start, end, text[start:end]))
    return found


def _sentences(text: str, start: int) -> list[tuple[int, int]]:
    """Spans of the sentences from `start` on; none of them without a letter or a digit."""
    pieces = []
    for match in _SENTENCE_END.finditer(text, start):
        before = text[max(start, match.start() - 8) : match.start()]
        if _ABBREVIATION.search(before) or (len(before) < 8 and _NUMBERED.fullmatch(before)):
            continue
        pieces.append((start, match.start()))
        start = match.end()
    pieces.append((start, len(text)))
    shortened = ((max(first, last - LONGEST_STATEMENT), last) for first, last in pieces)
    return [(first, last) for first, last in shortened if re.search(r"\w", text[first:last])]


def boxes(text: str) -> list[Box]:
    r"""The last closed `\boxed{...}` and `\fbox{...}` of `text`, in order; those without a closing brace left out."""
    opened = list(re.finditer(r"\\(?:boxed|fbox|framebox)\s?\{", text))[-MOST_BOXES:]
    ends = [(match.end(), _closing_brace(text, match.end())) for match in opened]
    return [Box(start, end, text[start:end]) for start, end in ends if end is not None]


def _closing_brace(text: str, start: int) -> int | None:
    """Index of the brace that closes the one opened just before `start`."""
    depth = 1
    for match in re.compile(r"\\.|[{}]", re.DOTALL).finditer(
        text, start, min(len(text), start + LONGEST_BOX)
    ):
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if depth == 0:
            return match.start()
    return None
