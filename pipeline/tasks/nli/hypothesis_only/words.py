"""Which words go with which label: pointwise mutual information of morphemes and labels.

PMI(w, c) = log(p(w, c) / (p(w) p(c))), as in Section 3.3.1 and Gururangan et al., "Annotation
Artifacts in Natural Language Inference Data" (NAACL 2018), who add 100 to every count so that rare
words do not lead. A word is a morpheme with its tag, counted once a hypothesis.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from math import log
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pipeline.core.morphology import morphemes

#: What is added to the count of every word with every label.
SMOOTHING: Final = 100
#: Words of fewer hypotheses are not told.
LEAST: Final = 5

Row = dict[str, Any]


@lru_cache(maxsize=1 << 15)
def words_of(text: str) -> tuple[str, ...]:
    """Return the morphemes of a text as FORM/TAG, marks left out.

    The last ones are kept: every fold of cross-fitting asks for most texts again.
    """
    parts = (part for one in morphemes(text) for part in one.parts)
    return tuple(f"{form}/{tag}" for form, tag in parts if not tag.startswith("S") or tag in _KEPT)


#: Latin letters, Chinese characters and numbers are words; all other tags in S are marks.
_KEPT: Final = ("SL", "SH", "SN")


def association(
    texts: Sequence[str],
    labels: npt.NDArray[np.int64],
    classes: Sequence[str],
    *,
    top: int = 10,
    smoothing: float = SMOOTHING,
) -> dict[str, list[Row]]:
    """Return for each class its `top` words by PMI, in natural logarithms, ties by word.

    A row is ``{"word", "pmi", "hypotheses", "share"}``: in how many hypotheses of the class the
    word stands, and in which share of them. `pmi` and `share` are rounded to 1e-6.
    """
    pairs, words = _counted(texts, labels)
    sizes = Counter(labels.tolist())
    numbers = range(len(classes))
    within = {n: sum(pairs[word, n] + smoothing for word in words) for n in numbers}
    whole = sum(within.values())

    def row(word: str, n: int) -> Row:
        both, either = pairs[word, n] + smoothing, words[word] + len(classes) * smoothing
        return {
            "word": word,
            "pmi": round(log(both * whole / (either * within[n])), 6),
            "hypotheses": pairs[word, n],
            "share": round(pairs[word, n] / sizes[n], 6),
        }

    told = [word for word in words if words[word] >= LEAST]
    rows = {n: [row(word, n) for word in told] for n in numbers if sizes[n]}
    for found in rows.values():
        found.sort(key=lambda one: (-one["pmi"], one["word"]))
    return {name: rows.get(n, [])[:top] for n, name in enumerate(classes)}


def _counted(
    texts: Sequence[str], labels: npt.NDArray[np.int64]
) -> tuple[Counter[tuple[str, int]], Counter[str]]:
    pairs: Counter[tuple[str, int]] = Counter()
    words: Counter[str] = Counter()
    for text, label in zip(texts, labels.tolist(), strict=True):
        found = set(words_of(text))
        words.update(found)
        pairs.update((word, label) for word in found)
    return pairs, words
