"""The similarity of two texts in the plainest way, for tests to compare with."""

from __future__ import annotations

from pipeline.corpus.signatures import letters


def similarity(left: str, right: str) -> float:
    """Return the Jaccard similarity of the trigrams of two texts, from 0 to 1."""
    a, b = _trigrams(left), _trigrams(right)
    return len(a & b) / len(a | b)


def _trigrams(text: str) -> set[str]:
    """Return the trigrams of a text's letters; one that has too few is its own only one."""
    kept = letters(text)
    return {kept[i : i + 3] for i in range(len(kept) - 2)} or {kept or text}
