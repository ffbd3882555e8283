"""The signs of a sentence about options: letters, and words that say something of them.

`SIGNS` is the vocabulary. A sentence that the rules misread is mended by a word here.
"""

import re
from typing import NamedTuple

_NOUN = r"(?:options?|answers?|choices?|statements?|alternatives?|responses?)(?:\s?\(s\))?"
# What joins an approving phrase to the letters behind it: "... are", "... among these is(are)", "...:".
_LINK = (
    r"(?P<link>(?:\s+(?!rest\b|others\b|remaining\b)[\w'-]+){0,6}?\s*[\"']?"
    r"(?::|=|\bis\s?\(are\)|\b(?:is|are|was|were|be|being|includes?)\b)(?!\s+not\b))"
)
_GIVEN = r"(?:(?:the|these|given|provided|available|above|listed|answer|four|4|multiple-choice)\s+){0,4}"
_TO_LETTER = r"(?=\s+\W{0,3}(?:the\s+)?(?:options?\s+|statements?\s+|choices?\s+)?\W?[A-D]\b)"
_ONE = r"(?:(?:options?|statements?)\s+)?[(\[]?[A-D]\b[)\]]?"
_LISTED = r"(?:(?<=[)\]:|.] )|(?<=[)\]:|.]   ))"  # behind a letter with its bracket or colon, perhaps in bold
_STILL = r"(?:\s+(?:a|an|the|always|among|one|of|so|be|\w{2,12}ly)){0,4}\s+"

# Name and pattern, ignoring case. At each place the first that fits counts, so a longer phrase stands before a
# shorter one that begins it. A group "link" says that letters are to follow, "letters" holds them.
SIGNS = (
    # No option holds.
    ("none", r"\bnone\s+of(?!\s+(?:the\s+)?(?:other|remaining|rest))|\bnone\s*(?=[.\s]*$)"),
    ("none", r"\bneither\s+of\s+the\s+(?:options|choices|answers)"),
    (
        "none",
        r"\bno\s+(?:(?:correct|valid|such|suitable|given)\s+){0,2}(?:options?|answers?|choices?)\b(?!\s*[(\[:])",
    ),
    (
        "none",
        r"\bn(?:ot|'t)\s+(?:\w+\s+){0,3}?(?:one\s+of|any\s+of|among|in|match(?:es|ed)?(?:\s+with)?|correspond\s+to"
        r"|(?:present|listed|given|included|found)\s+(?:in|among|as))"
        rf"\s+(?:any\s+(?:of\s+)?|one\s+of\s+|an?\s+)?{_GIVEN}(?:options?|choices|answers)",
    ),
    ("none", r"\bnone(?=\s+(?:but|except|other\s+than|apart\s+from)\b)"),
    ("neither", rf"\bneither{_TO_LETTER}"),
    # "not (A)", "(B) rather than (A)".
    (
        "contrast",
        r"\b(?:(?:(?:is|are|was)\s+)?not|instead\s+of|rather\s+than|as\s+opposed\s+to)"
        r"\s+(?=\W{0,12}(?:options?\s*)?\W?[A-D]\b)",
    ),
    # The answer by name.
    (
        "answer",
        rf"\b(?:correct|right|final|best|closest|nearest|required|appropriate)\s+(?:\w+\s+)?{_NOUN}{_LINK}?",
    ),
    ("answer", rf"\b(?:answers?|ans)\b(?!\s+(?:the|this|these|each|it)\b)(?:\s?\(s\))?{_LINK}"),
    ("answer", r"\banswers?\b(?P<link>\s*(?=[(\[][A-D]\b))"),
    # Words of rejection and of approval.
    ("no", rf"\b(?:incorrect|false|wrong|invalid|untrue|inaccurate|impossible)\b(?:\s+{_NOUN})?{_LINK}?"),
    ("no", rf"\bn(?:ot|'t){_STILL}(?:correct|true|right|valid|possible|satisf\w+|{_NOUN})\b{_LINK}?"),
    # "This rules out (B)", "(B) is excluded".
    (
        "out",
        r"\b(?:eliminat(?:e|es|ed|ing)|exclud(?:e|es|ed|ing)|discard(?:s|ed|ing)?|rul(?:e|es|ed|ing)\s+out)\b",
    ),
    ("not", r"\b(?:is|are|do|does|did|was|were|can|will)\s?(?:n't|not)\b|\bcannot\b"),
    ("yes", rf"\b(?:correct|true|right|valid|possible)\b(?:\s+(?:{_NOUN}|ones?))?{_LINK}?"),
    # The verdict of a list: "(A) ✓", "(B) No".
    ("yes", rf"[✓✔✅☑]|{_LISTED}yes\b(?=[\s|]*(?:$|[.,;:!]))"),
    ("no", rf"[✗✘❌✖☒]|{_LISTED}no\b(?=[\s|]*(?:$|[.,;:!]))"),
    ("does", r"\b(?:holds?|satisf(?:y|ies)|works?)\b"),
    # All of them, perhaps but some.
    (
        "all",
        rf"\ball\s+(?:of\s+)?{_GIVEN}(?:options|statements|choices|answers|expressions|above|four|them)\b",
    ),
    (
        "all",
        r"\ball\s+(?=(?:are|is)\s+(?:true|correct|possible)|except|(?:but|other|apart)\b)"
        r"|\ball\s+(?:of\s+)?the\s+given\s+\w+",
    ),
    ("all", r"\b(?:each|every)\s+(?:option|statement)\b"),
    ("rest", r"\b(?:rest|others|remaining\s+(?:\w+\s+)?)(?:of\s+\w+\s+\w+\s*)?(?=\s*\b(?:is|are)\b)"),
    ("except", r"\bexcept(?:\s+for)?\b|\bother\s+than\b|\bapart\s+from\b"),
    (
        "except",
        rf"(?:(?<=all )|(?<=none )|(?<=option )|(?<=options )|(?<=statement )|(?<=statements ))but{_TO_LETTER}",
    ),
    ("break", rf"\bunlike\s+{_ONE}(?:\s+(?:and|or)\s+{_ONE})*"),
    # Another clause begins.
    ("break", r";|\b(?:but|while|whereas|however|although|because|since|as)\b"),
    # The letters: (A), [A], (A, C), (a), A), option A, A, ABD.
    (
        "marked",
        r"(?<![A-Za-z0-9_^\\}'])[(\[]\s*(?P<letters>[A-D](?:\s*(?:,|;|/|&|(?:,\s*)?\band\b)\s*[A-D])*)"
        r"\s*[)\]](?![A-Za-z0-9_^])",
    ),
    ("half", r"(?m:^)[ \t]*[-•|][ \t]*(?P<letters>[A-D])[ \t]*(?=[|:])"),
    ("half", r"(?<![\w(\[^_\\'.-])(?P<letters>[A-D])\)(?!\w)"),
    (
        "named",
        r"\b(?:options?|choices?|statements?|answers?|alternatives?)\s*:?\s*['\"‘“]?(?P<letters>[A-D])\b(?!['’]\w)",
    ),
    (
        "bare",
        r"(?<![\w\\'’_^.-])(?P<letters>[A-D]|(?=[A-D]{2,4}\b)A?B?C?D?)(?![\w'’_^(\[]|\s*[=<>+^_|/]|-\w)",
    ),
)
# "small": marked, in lower case; "rest": all that have not been spoken of.
LETTERS = ("marked", "small", "half", "named", "bare", "all", "rest")

# "A" is an article before a word in lower case, unless the word goes with a letter.
_ARTICLE = re.compile(
    r"\s+(?!(?:and|n?or|through|is|are|only|alone|with|as|because|since|but|was|to|in|has|does|do"
    r"|while|will|must|by)\b)[a-z]"
)
_COMMAND = re.compile(r"\s*\\")
_AWAITS = re.compile(r"(?:\b(?:is|are|be|and|options?|answer)|[:,])\W*$")


def _numbered(number: int, pattern: str) -> str:
    """The pattern as a group "sign7", its inner groups as "link7" and "letters7": a group's name may occur once."""
    for group in ("link", "letters"):
        pattern = pattern.replace(f"(?P<{group}>", f"(?P<{group}{number}>")
    return f"(?P<sign{number}>{pattern})"


_SIGN = re.compile("|".join(_numbered(n, pattern) for n, (_, pattern) in enumerate(SIGNS)), re.IGNORECASE)


class Sign(NamedTuple):
    name: str
    letters: list[str]
    link: bool
    start: int
    end: int


def signs_of(sentence: str) -> list[Sign]:
    """The signs of a plain sentence, from left to right.

    Other letters count only where none stands in brackets, "all" only where no letter stands at all or some are
    excepted, "except" only with "all".
    """
    found = [sign for match in _SIGN.finditer(sentence) if (sign := _sign(match, sentence)) is not None]
    names = {sign.name for sign in found}
    dropped = set()
    if "marked" in names:
        dropped |= {"small", "half", "bare"}
    if "except" not in names and names & set(LETTERS) - {"rest"} != {"all"}:
        dropped.add("all")
    if not names & {"all", "none"}:
        dropped.add("except")
    return [sign for sign in found if sign.name not in dropped]


def _sign(match: re.Match[str], sentence: str) -> Sign | None:
    number = next(n for n in range(len(SIGNS)) if match[f"sign{n}"] is not None)
    groups = match.groupdict()
    name, written = SIGNS[number][0], groups.get(f"letters{number}") or ""
    letters = list("ABCD") if name in ("all", "rest") else _letters(name, written, match, sentence)
    if name in LETTERS and not letters:
        return None
    if name == "marked" and written.islower():
        name = "small"
    return Sign(name, letters, groups.get(f"link{number}") is not None, match.start(), match.end())


def _letters(name: str, written: str, match: re.Match[str], sentence: str) -> list[str]:
    """The letters that a sign stands for; none where it turns out to be a word or a variable."""
    if name == "marked":
        return re.findall("[A-D]", re.sub("and", "", written, flags=re.IGNORECASE).upper())
    if not written.isupper() or (written == "A" and name != "half" and _ARTICLE.match(sentence, match.end())):
        return []
    before = sentence[max(0, match.start() - 30) : match.start()].rstrip()
    if name == "half":
        return [] if before.rfind("(") > before.rfind(")") else [written]
    if name == "bare" and (
        before[-1:] in tuple("=+-<>|^_/\\")
        or re.search(r"\\[a-z]+$", before)
        or (_COMMAND.match(sentence, match.end()) and not _AWAITS.search(before))
    ):
        return []
    return list(written)
