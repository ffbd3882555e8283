"""What the official scripts make of the material of `drop_records`, as numbers, a line each.

To be run by the Python of `lm_eval_environment`, with the first seed into the files of `tests/data`:

    python tests/drop_official.py records 2000 1 > tests/data/drop_records.txt

        exact match, F1    the greatest over the golds, by lm-evaluation-harness
        checksum           16 bits of the CRC-32 of the normalised predicted spans
        exact match, F1    for each gold in turn; F1 in hundredths

    python tests/drop_official.py matrices 2000 1 > tests/data/drop_matrices.txt

        the mean over the alignment that scipy finds, unrounded

Stops where allennlp's script gives anything else than lm-evaluation-harness'.
"""

import importlib.util
import sys
import zlib
from pathlib import Path

from drop_records import matrices, records

SCRIPTS = {"lm-eval": "lm_eval/tasks/drop/utils.py", "allennlp": "allennlp_models/rc/tools/drop.py"}


def script(name: str):
    """The module of an official script. It is loaded from its file: its package would load a hundred others."""
    folder = next(Path(entry) for entry in sys.path if entry.endswith("site-packages"))
    spec = importlib.util.spec_from_file_location(name, folder / SCRIPTS[name])
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def checksum(normalised: list[str]) -> int:
    return zlib.crc32("|".join(normalised).encode("utf-8", "surrogatepass")) & 0xFFFF


def hundredths(value: float) -> int:
    """A score as a whole number of hundredths: exactly, or this stops."""
    found = round(float(value) * 100)
    assert found / 100 == value, value
    return found


def print_records(count: int, seed: int) -> None:
    lm_eval, allennlp = script("lm-eval"), script("allennlp")
    for predicted, golds in records(count, seed):
        pairs = [lm_eval.get_metrics(predicted, gold) for gold in golds]
        assert pairs == [allennlp.get_metrics(predicted, gold) for gold in golds], (predicted, golds)
        normalised = lm_eval._answer_to_bags(predicted)[0]
        assert normalised == allennlp._answer_to_bags(predicted)[0], predicted
        most = lm_eval.process_results({"answers": golds}, predicted)
        row = [most["em"], hundredths(most["f1"]), checksum(normalised)]
        for exact_match, f1 in pairs:
            row += [exact_match, hundredths(f1)]
        print(*map(int, row))


def print_matrices(count: int, seed: int) -> None:
    import numpy
    from scipy.optimize import linear_sum_assignment

    for matrix in matrices(count, seed):
        scores = numpy.array(matrix)
        taken = numpy.zeros(max(scores.shape))
        rows, columns = linear_sum_assignment(-scores)
        taken[rows] = scores[rows, columns]
        print(repr(float(numpy.mean(taken))))


if __name__ == "__main__":
    kind, count, seed = sys.argv[1:]
    {"records": print_records, "matrices": print_matrices}[kind](int(count), int(seed))
