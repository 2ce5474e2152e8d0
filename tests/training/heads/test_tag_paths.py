"""The best path of tags, against a search through all sequences."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pipeline.training.heads.tagging import best_tags

#: O, B-x, I-x, B-y, I-y.
TAGS = 5


def _allowed(path: tuple[int, ...]) -> bool:
    follows = all(b in (0, 1, 3) or a in (b, b - 1) for a, b in pairwise(path))
    return follows and path[:1] not in ((2,), (4,))


def _best(scores: np.ndarray) -> list[int]:  # type: ignore[type-arg]
    paths = [path for path in product(range(TAGS), repeat=len(scores)) if _allowed(path)]
    return list(max(paths, key=lambda path: sum(scores[at, tag] for at, tag in enumerate(path))))


@given(st.lists(st.integers(0, 4), max_size=5), st.integers(0, 2**32 - 1))
def test_no_allowed_sequence_is_better(lengths: list[int], seed: int) -> None:
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    scores = np.random.default_rng(seed).normal(size=(starts[-1], TAGS)).astype(np.float32)
    found = best_tags(scores, starts)
    for begin, end in pairwise(starts):
        assert found[begin:end].tolist() == _best(scores[begin:end])


def test_chances_and_logits_say_the_same() -> None:
    scores = np.random.default_rng(1).normal(size=(300, TAGS)).astype(np.float32)
    chances = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
    starts = np.array([0, 300])
    assert best_tags(scores, starts).tolist() == best_tags(chances, starts).tolist()


def test_nothing_gives_nothing() -> None:
    assert best_tags(np.zeros((0, TAGS), dtype=np.float32), np.array([0, 0, 0])).tolist() == []
