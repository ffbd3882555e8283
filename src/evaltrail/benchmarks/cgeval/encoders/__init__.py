"""Encoders behind one small interface, a module a library, each with a class Encoder:

identity      what its vectors depend on, as JSON; part of the key under which they are kept; known before the model
              is loaded, which the first text asks for
tokens(text)  the start and end of each token, in characters
encode(texts) an array of float32, a row a text
"""

from importlib import import_module, util
from typing import Any

from evaltrail.errors import InputError


def load(settings: dict[str, Any]):
    """The encoder that `settings` names by its library. Raises InputError where that is not installed."""
    module = settings["library"].replace("-", "_")
    if util.find_spec(module) is None:
        fix = f"pip install {settings['library']}"
        raise InputError("params.yaml", f"the encoder needs the package {settings['library']}", fix=fix)
    return import_module(f"{__name__}.{module}").Encoder(settings)
