r"""Units, taken off a value: `5 \mathrm{~kg}`, `30^{\circ}`, `25 m/s`, `5.6\%`."""

import re

_NAMES = (
    "mol|kmol|mmol|moles? kg|mg|μg|ug|g|gm|grams? amu|u km|cm|mm|nm|pm|μm|um|fm|dm|m met(?:er|re)s? ms|ns|μs|us|s"
    " secs?|seconds?|min|minutes?|h|hrs?|hours?|days?|yr|years? Hz|kHz|MHz|GHz J|kJ|MJ|joules?|cal|kcal|eV|keV|MeV|GeV"
    " V|kV|mV|volts? A|mA|μA W|kW|MW|mW"
    " Pa|kPa|MPa|GPa|bar|mbar|atm|[Tt]orr|mmHg N|kN|mN|[Nn]ewtons? T|mT|Wb|H|mH F|μF|pF|nF"
    " C|μC|nC K L|l|mL|ml|cc|lit(?:er|re)s? rads?|deg|degrees? S|Ω|ohms? M|mM|D|dB|ppm times|ways|units?|per"
).replace(" ", "|")
# One unit with its exponent, as in "s^{-2}" or "cm3".
UNIT = rf"(?:{_NAMES})(?![A-Za-z])(?:\s?\^?\{{?[-−–]?\d\}}?)?+"
# Units that end a value. A letter stuck to a number, as in "2m", is a symbol.
_AT_END = re.compile(
    rf"(?P<value>[\d)}}.]|\\pi)(?=[\s~]|[A-Za-zμΩ]{{2}})[\s~·.]*+{UNIT}(?:[\s~/·.\-()]*+{UNIT})*+[\s.)]*+$"
)
_IN_TEXT = re.compile(
    r"(?:/\s?)?\\(?:text|textrm|textbf|mathrm|mathbf|operatorname|mbox|rm|bf)\s?"
    r"\{(?P<body>[^{}]{0,60}(?:\{[^{}]{0,20}\}[^{}]{0,60}){0,4})\}(?:\s?\^\s?(?:\{[^{}]{0,8}\}|[-−]?\d))?"
)
_SIGNS = re.compile(
    r"\^\s?\{?\s?\\?(?:circ|°)\s?\}?\s?(?:[CFK]\b)?|°\s?[CF]?"
    r"|\\(?:degree|Omega|AA)(?![A-Za-z])|\\?%|\\mu\s?(?=[A-Z])"
)


def without_signs(text: str) -> str:
    r"""`text` without `\mathrm{...}` and the like, degrees, percent signs.

    A number inside `\text{...}` stays; so do "or" and "and", lest `5 \text{ or } -5` become a difference.
    """
    return _SIGNS.sub(" ", _IN_TEXT.sub(_number_inside, text))


def without_names(text: str) -> str:
    """`text` without the names of units at its end."""
    return _AT_END.sub(r"\g<value>", text)


def _number_inside(match: re.Match[str]) -> str:
    body = match["body"].strip(" ~")
    return f" {body} " if re.match(r"[-.]?\d|(?:or|and)\b", body) else " "
