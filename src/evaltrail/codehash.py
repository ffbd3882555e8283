"""The hash of the code that a job runs: its modules and all of evaltrail that they import, to the last function.

Comments, docstrings, layout and time stamps do not count; every other change does. The version of each third-party
package that the code imports counts too, save those that only carry bytes.
"""

import ast
import hashlib
import sys
from collections.abc import Iterator
from functools import lru_cache
from importlib import metadata
from pathlib import Path

SOURCE = Path(__file__).parent.parent
PACKAGE = "evaltrail"

# Packages that read, fetch or show and cannot change what a number is.
_CARRIERS = {"msgspec", "requests", "urllib3", "filelock", "tenacity", "tqdm", "pyarrow"}

# What else decides the numbers of a package: it computes through these.
_BEHIND = {
    "latex2sympy2_extended": {"sympy", "mpmath", "antlr4-python3-runtime"},
    "sympy": {"mpmath"},
    "pandas": {"numpy"},
    "scipy": {"numpy"},
    "matplotlib": {"numpy"},
}

ABSENT = "absent"  # in place of the version of an extra that is not installed

# Import names that are not the name of their distribution.
_DISTRIBUTIONS = {"ruamel": "ruamel.yaml"}


def code_hash(*modules: str) -> str:
    """A short hash of the import closure of `modules` (dotted names within evaltrail).

    The same on every machine and every Python from 3.11 on.
    """
    digest = hashlib.sha256()
    closure, imported = _closure(modules)
    for module in sorted(closure):
        digest.update(f"{module} {_module_hash(module)}\n".encode())
    for package in _computing(imported):
        digest.update(f"{package} {_version(package)}\n".encode())
    return digest.hexdigest()[:16]


def packages(*modules: str) -> dict[str, str]:
    """The distributions that decide what `modules` compute, each with its version or ABSENT."""
    computing = _computing(_closure(modules)[1])
    return {_DISTRIBUTIONS.get(package, package): _version(package) for package in computing}


def _computing(imported: set[str]) -> list[str]:
    """Those of the imported packages that can change what a number is, and what they compute through."""
    return sorted(imported.union(*(_BEHIND.get(package, ()) for package in imported)) - _CARRIERS)


def _closure(modules: tuple[str, ...]) -> tuple[set[str], set[str]]:
    """All modules of evaltrail that `modules` load, and the top-level names of third-party packages."""
    closure: set[str] = set()
    packages: set[str] = set()
    queue = list(modules)
    while queue:
        module = queue.pop()
        if module in closure:
            continue
        closure.add(module)
        for imported in _imports(module):
            if imported.split(".")[0] == PACKAGE:
                queue.append(imported)
            elif imported.split(".")[0] not in sys.stdlib_module_names:
                packages.add(imported.split(".")[0])
        if "." in module:  # importing a.b runs a/__init__.py first
            queue.append(module.rpartition(".")[0])
    return closure, packages


@lru_cache
def _tree(module: str) -> ast.Module:
    return ast.parse(_file(module).read_bytes())


def _file(module: str) -> Path:
    path = SOURCE.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


@lru_cache
def _imports(module: str) -> frozenset[str]:
    """The modules that `module` imports anywhere in its text, also within functions."""
    names = set()
    for node in ast.walk(_tree(module)):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            source = _absolute(node, module)
            names.add(source)
            # `from a import b` may load the module a.b
            inner = [f"{source}.{alias.name}" for alias in node.names]
            names.update(name for name in inner if name.split(".")[0] == PACKAGE and _file(name).is_file())
    return frozenset(names)


def _absolute(node: ast.ImportFrom, module: str) -> str:
    """The full name behind `from ..a import b` within `module`."""
    if not node.level:
        return node.module
    package = module.split(".") if _file(module).name == "__init__.py" else module.split(".")[:-1]
    return ".".join([*package[: len(package) - node.level + 1], *filter(None, [node.module])])


@lru_cache
def _module_hash(module: str) -> str:
    return hashlib.sha256("".join(_shape(_tree(module))).encode("utf-8", "surrogatepass")).hexdigest()


def _shape(node: ast.AST) -> Iterator[str]:
    """The syntax tree as text. Unlike `ast.dump` it is the same for all Pythons: empty fields are left out."""
    yield f"({type(node).__name__}"
    for name, value in ast.iter_fields(node):
        if name == "body" and _has_docstring(node):
            value = value[1:]
        items = value if isinstance(value, list) else [value]
        for item in items:
            if isinstance(item, ast.AST):
                yield name
                yield from _shape(item)
            elif name != "kind" and (item is not None or isinstance(value, list)):
                # within a list None has a place: the key of {**a}, the default of a keyword without one
                yield f"{name}={item!r};"
    yield ")"


def _has_docstring(node: ast.AST) -> bool:
    if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    return ast.get_docstring(node, clean=False) is not None


@lru_cache
def _version(package: str) -> str:
    """The installed version of the distribution that gives `package`; ABSENT where there is none."""
    try:
        return metadata.version(_DISTRIBUTIONS.get(package, package))
    except metadata.PackageNotFoundError:
        return ABSENT
