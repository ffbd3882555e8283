"""The clients: how each kind of model is asked.

A client has `identity`, which names its folder of the response log, and `ask(requests)`, which yields an Exchange
as each request is answered, in any order.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any

CLIENTS = {"openai": "evaltrail.clients.openai", "transformers": "evaltrail.clients.transformers"}


def connect(name: str, settings: dict[str, Any], say: Callable[[str], None]):
    """The client of that name. say: takes a line for the user, for standard error.

    Raises InputError for settings that no request can be sent with. Only the client that is used is imported.
    """
    return import_module(CLIENTS[name]).Client(settings, say)
