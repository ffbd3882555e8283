"""`metrics: library`: the definitions of `text_metrics`, by sacrebleu and rouge-score themselves."""

from collections.abc import Iterable, Iterator

from evaltrail.benchmarks.cgeval.text_metrics import BETA, BLEU_ORDER, CHRF_ORDER, TextScores


class _Characters:
    """rouge-score's tokenizer interface: each character is a token, white space is none."""

    def tokenize(self, text: str) -> list[str]:
        return [character for character in text if not character.isspace()]


def text_scores(pairs: Iterable[tuple[str, str]]) -> Iterator[TextScores]:
    """The scores of (reply, reference) pairs, in their order."""
    from rouge_score.rouge_scorer import RougeScorer

    bleu, chrf = sacrebleu_metrics()
    rouge = RougeScorer(["rouge2"], tokenizer=_Characters())
    for reply, reference in pairs:
        yield TextScores(
            bleu4=min(
                bleu.sentence_score(reply, [reference]).score / 100, 1.0
            ),  # it gives 100.00000000000004
            rouge2=float(rouge.score(target=reference, prediction=reply)["rouge2"].fmeasure),
            chrf=chrf.sentence_score(reply, [reference]).score / 100,
        )


def sacrebleu_metrics():
    """sacrebleu's BLEU and chrF as CG-Eval's Gscore takes them."""
    from sacrebleu.metrics import BLEU, CHRF

    bleu = BLEU(tokenize="zh", smooth_method="exp", max_ngram_order=BLEU_ORDER, effective_order=True)
    return bleu, CHRF(char_order=CHRF_ORDER, word_order=0, beta=BETA)
