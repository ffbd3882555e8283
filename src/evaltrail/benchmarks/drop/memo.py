"""What was worked out once for a text, within limits: memory stays the same however many texts come."""

from collections.abc import Callable
from typing import Any


class Memo(dict):
    """`memo[text]` is `make(text)`, looked up where it was made before.

    Texts longer than `longest` are not kept; when `most` are kept it is emptied.
    """

    def __init__(self, make: Callable[[str], Any], most: int, longest: int) -> None:
        self._make, self._most, self._longest = make, most, longest

    def __missing__(self, text: str) -> Any:
        made = self._make(text)
        if len(text) <= self._longest:
            if len(self) >= self._most:
                self.clear()
            self[text] = made
        return made
