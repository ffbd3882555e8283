"""What counts as the code of a job."""

import ast
import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from conftest import REPO
from evaltrail import codehash

SOURCES = sorted((REPO / "src/evaltrail").rglob("*.py"))


def shape(text):
    return "".join(codehash._shape(ast.parse(text)))


# (two texts, whether they are the same code)
PAIRS = [
    ("x = 1", "x = 1  # one", True),
    ("x = 1", "x = (1)\n", True),
    ("x = 1", "x = 2", False),
    ("x = 1", "x = 1.0", False),
    ("x = 1", "x = True", False),
    ('"""doc"""\nx = 1', "x = 1", True),
    ('def f():\n    """doc"""\n    return 1', "def f():\n    return 1", True),
    ("class A:\n    'doc'\n    x = 1", "class A:\n    x = 1", True),
    ("def f():\n    x = 'text'", "def f():\n    x = 'other'", False),
    ("def f():\n    return 1\n    'no docstring'", "def f():\n    return 1", False),
    ("f(a, b)", "f(a, b=b)", False),
    ("f(a)(b)", "f(a, b)", False),
    ("[a, [b]]", "[[a], b]", False),
    ("a\nb", "b\na", False),
    ("x = u'a'", "x = 'a'", True),
    ("if a:\n    b\nelse:\n    c", "if a:\n    c\nelse:\n    b", False),
    ("def f(a, *, b): pass", "def f(a, b): pass", False),
    ("x = {**a, 'k': b}", "x = {'k': b, **a}", False),
    ("x = {**a, k: b}", "x = {k: a, **b}", False),
    ("def f(*, a, b=1): pass", "def f(*, a=1, b): pass", False),
]


@pytest.mark.parametrize(("one", "other", "same"), PAIRS)
def test_code_is_the_same_or_not(one, other, same):
    assert (shape(one) == shape(other)) == same


def test_the_closure_follows_imports_inside_functions_and_packages_on_the_way():
    closure, packages = codehash._closure(("evaltrail.fetch",))
    assert {
        "evaltrail",
        "evaltrail.fetch",
        "evaltrail.download",
        "evaltrail.files",
        "evaltrail.errors",
    } <= closure
    assert "evaltrail.score" not in closure
    assert "requests" in packages


def test_a_plug_in_reaches_what_it_imports():
    closure, _ = codehash._closure(("evaltrail.benchmarks.jeebench.tables.table2",))
    assert "evaltrail.benchmarks.jeebench.score" in closure
    assert "evaltrail.benchmarks.jeebench.predict" not in closure


def test_the_hash_is_the_same_in_another_process_and_under_another_hash_seed():
    command = [
        sys.executable,
        "-c",
        "from evaltrail.codehash import code_hash; print(code_hash('evaltrail.score'))",
    ]
    hashes = {
        subprocess.check_output(command, env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(REPO / "src")})
        for seed in "123"
    }
    assert hashes == {f"{codehash.code_hash('evaltrail.score')}\n".encode()}


def test_every_package_that_the_code_imports_has_a_version_to_hash():
    locked = re.findall(r"^([A-Za-z0-9_.-]+)==", (REPO / "requirements.lock").read_text(), flags=re.MULTILINE)
    project = tomllib.loads((REPO / "pyproject.toml").read_text())["project"]
    # torch and what goes with it is in no lock: which build is right depends on the machine.
    extras = [*project["optional-dependencies"]["local"], *project["optional-dependencies"]["encoder"]]
    locked += [re.match("[A-Za-z0-9_.-]+", name)[0] for name in extras]
    locked = {name.replace("_", "-").lower() for name in locked}
    modules = [".".join(path.relative_to(REPO / "src").with_suffix("").parts) for path in SOURCES]
    _, packages = codehash._closure(tuple(name.removesuffix(".__init__") for name in modules))
    for package in packages:
        name = codehash._DISTRIBUTIONS.get(package, package)
        assert name.replace("_", "-").replace(".", "-").lower() in locked, (
            f"name the distribution of {package}"
        )
        assert metadata.version(name)


def test_a_step_imports_nothing_heavy():
    """Many small jobs run: start-up counts."""
    heavy = {
        "pandas",
        "numpy",
        "sympy",
        "openai",
        "transformers",
        "torch",
        "snakemake",
        "dvc",
        "requests",
        "jinja2",
    }
    for step in ("fetch", "extract", "render", "generate", "cut", "predict", "score"):
        code = f"import evaltrail.{step}, sys; print(*sys.modules)"
        loaded = subprocess.check_output(
            [sys.executable, "-c", code], text=True, env={"PYTHONPATH": str(REPO / "src")}
        )
        assert not heavy & set(loaded.split()), step


def test_no_module_is_longer_than_300_lines():
    longer = [path for path in SOURCES if len(path.read_text().splitlines()) > 300]
    assert longer == []


def test_the_snakefile_is_a_table_of_contents():
    assert len(Path(REPO / "Snakefile").read_text().splitlines()) <= 40
    assert len(Path(REPO / "workflow/rules/common.smk").read_text().splitlines()) <= 60
