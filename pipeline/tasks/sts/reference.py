"""The ROUGE score of a matched pair, computed anew by rouge-score."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from pipeline.contracts.reference import Comparison, Reference
from pipeline.tasks.sts.matching import content_words


class _Cut:
    """Hands over words that are cut already."""

    def tokenize(self, words: list[str]) -> list[str]:
        """Return the words."""
        return words


@cache
def _scorer(rouge: str) -> Any:
    from rouge_score.rouge_scorer import RougeScorer

    return RougeScorer([rouge], tokenizer=_Cut())


def compare_rouge(fields: Mapping[str, Any], meta: Mapping[str, Any]) -> Comparison | None:
    """Compare the score in the evidence of a pair; None for a pair that was not matched by ROUGE.

    Ours is rounded to millionths. Both take the content words of the two sentences.
    """
    rouge, score = meta.get("rouge"), meta.get("score")
    if rouge is None or score is None:
        return None
    sentences = (content_words(fields[name]) for name in ("sentence1", "sentence2"))
    theirs = float(_scorer(rouge).score(*sentences)[rouge].fmeasure)
    return Comparison(rouge, "rouge-score", float(score), theirs)


REFERENCE: Final[Reference] = compare_rouge
