"""The one exception for what a user can mend."""

LONGEST = 1000  # characters of the line


class InputError(Exception):
    """Bad input, told in one line: where it is, what is wrong, what to do.

    file:  the file as the user knows it (a path, or a URL).
    what:  what is wrong; fix: what to do about it.
    row:   which row, as the file counts them (a line number, or an instance's id).
    field: which field of that row.
    """

    def __init__(self, file, what, *, fix=None, row=None, field=None):
        self.file, self.what, self.fix, self.row, self.field = str(file), what, fix, row, field
        super().__init__(str(self))

    def __str__(self):
        place = [self.file]
        if self.row is not None:
            place.append(f"row {self.row}")
        if self.field is not None:
            place.append(f"field {self.field}")
        line = ": ".join([*place, self.what])
        if self.fix:
            line += f"; {self.fix}"
        # One line always, and nothing that a terminal obeys: what a model wrote may be part of the message.
        line = line if len(line) <= LONGEST else f"{line[: LONGEST // 2]} ... {line[-LONGEST // 2 :]}"
        return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in line)
