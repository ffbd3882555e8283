"""Table 1: how many instances there are of each subject and type."""

from collections import Counter

import pandas

from evaltrail.benchmarks.jeebench.kinds import SUBJECTS, TYPES
from evaltrail.records import Instance
from evaltrail.tables import TableRow


def table(instances: list[Instance], rows: list[TableRow]) -> pandas.DataFrame:
    """A row a subject and a row for all; a column a type and a column for all. `rows` is empty: no system counts."""
    counts = Counter((instance.subject, instance.type) for instance in instances)
    lines = []
    for subject, name in [*SUBJECTS.items(), (None, "Total")]:
        of = {
            column: sum(n for (s, t), n in counts.items() if subject in (s, None) and t == type)
            for type, column in TYPES.items()
        }
        lines.append({"subject": name, **of, "Total": sum(of.values())})
    return pandas.DataFrame(lines)
