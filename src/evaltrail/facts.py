"""What the benchmarks say of themselves as data: benchmark.yaml, and the names in its prompt wordings."""

import string
from functools import lru_cache
from pathlib import Path
from typing import Any

from evaltrail import yaml12

BENCHMARKS = Path(__file__).parent / "benchmarks"


@lru_cache
def benchmark_facts(benchmark: str) -> dict[str, Any]:
    """What `benchmark.yaml` says of a benchmark: where its files are, its prompts, its tables."""
    return yaml12.load(BENCHMARKS / benchmark / "benchmark.yaml").data


def fields_of(template: str) -> set[str]:
    """The names in braces in a prompt's wording. Raises ValueError for unbalanced braces and for `{a.b}`, `{a!r}`."""
    fields = set()
    for _, field, format_spec, conversion in string.Formatter().parse(template):
        if field is None:
            continue
        if not field.isidentifier() or format_spec or conversion:
            raise ValueError(f"{{{field}}} is no plain name in braces")
        fields.add(field)
    return fields
