"""What stands with every number, so that it can be made again: the definitions of the metrics in one line each."""

from collections.abc import Mapping
from importlib import metadata

from evaltrail.benchmarks.cgeval import final_answer
from evaltrail.benchmarks.cgeval.gscore import STEP_WEIGHT, WEIGHTS
from evaltrail.benchmarks.cgeval.library_metrics import sacrebleu_metrics
from evaltrail.benchmarks.cgeval.text_metrics import ROUGE_ORDER


def of_text_metrics() -> dict[str, str]:
    """By column; BLEU's and chrF's are sacrebleu's own, with the version whose values they are."""
    found = {
        "rouge2": f"ROUGE-{ROUGE_ORDER}|nrefs:1|case:mixed|tok:char|space:no|stem:no|count:clipped|score:F1"
    }
    for column, metric in zip(("bleu4", "chrf"), sacrebleu_metrics(), strict=True):
        name = metric.sentence_score("一", ["一"]).name  # a signature is there once something was scored
        found[column] = f"{name}|{metric.get_signature()}"
    return {column: found[column] for column in ("bleu4", "rouge2", "chrf")}


def of_gscore(weights: Mapping[str, float] = WEIGHTS) -> str:
    return "Gscore|" + "|".join(f"{part}:{float(weights[part])!r}" for part in WEIGHTS)


def of_mathematics(equivalence: str) -> str:
    """equivalence: strict or symbolic, which is named with the versions of the libraries that compare."""
    libraries = ("sympy", "latex2sympy2_extended") if equivalence == "symbolic" else ()
    versions = "".join(f"|{library}:{metadata.version(library)}" for library in libraries)
    return f"Gscore|accuracy:{equivalence}{versions}|rules:{final_answer.VERSION}|steps:{STEP_WEIGHT!r}|chrf"
