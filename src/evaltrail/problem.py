"""An error in params.yaml: one line that says where it lies, what is wrong and what to do."""

import difflib

import jsonschema

from evaltrail import yaml12
from evaltrail.errors import InputError

LONGEST = 200  # characters of a message that quotes the file


class Problem:
    """Makes one-line errors that say where in params.yaml they lie."""

    def __init__(self, path, lines: dict[yaml12.Place, int]):
        self.path, self.lines = path, lines

    def at(self, place: yaml12.Place, what: str, fix: str | None = None) -> InputError:
        """`place` may stand in `defaults` alone: then the row is that of the nearest key that is written down."""
        row = next(self.lines[place[:n]] for n in range(len(place), -1, -1) if place[:n] in self.lines)
        return InputError(self.path, what, row=row, field=".".join(map(str, place)) or None, fix=fix)

    def unknown(self, place: yaml12.Place, kind: str, name: str, known: list[str]) -> InputError:
        near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
        fix = f"did you mean {near[0]}?" if near else f"known: {', '.join(known)}"
        return self.at(place, f"unknown {kind} {name}", fix)

    def of_schema(self, error: jsonschema.ValidationError) -> InputError:
        """One line for an error of the schema; the nearest known key or value is named."""
        place = tuple(error.absolute_path)
        if error.validator == "additionalProperties":
            known = list(error.schema["properties"])
            extra = next(key for key in error.instance if key not in known)
            return self.unknown((*place, extra), "key", extra, known)
        if error.validator == "required":
            missing = next(key for key in error.validator_value if key not in error.instance)
            return self.at(place, f"has no {missing}", f"add `{missing}: ...`")
        if error.validator == "enum":
            return self.unknown(place, "value", str(error.instance), error.validator_value)
        if error.validator == "type":
            wanted = error.validator_value
            wanted = wanted if isinstance(wanted, str) else " or ".join(wanted)
            return self.at(
                place, f"{error.instance!r} is no {wanted}"[:LONGEST], f"write a value of type {wanted}"
            )
        if "propertyNames" in error.absolute_schema_path:
            return self.at(
                (*place, error.instance), f"{error.instance!r} is no id", "use letters, digits, _, + and -"
            )
        return self.at(
            place, error.message[:LONGEST], "workflow/schemas/params.schema.yaml says what may stand here"
        )
