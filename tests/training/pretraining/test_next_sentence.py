"""Pairs: half follow each other, half are of two documents, and nothing is lost on the way."""

from __future__ import annotations

import numpy as np
import pytest

from pipeline.core.ids import draw
from pipeline.training.pretraining.next_sentence import FOLLOWS, FRAME, RANDOM, Pairs
from pipeline.training.pretraining.packing import NO_LABEL, Sequence

LONGEST = 40


def text(many: int, longest: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the bounds of sentences and documents: 2 to 12 tokens, 1 to `longest` sentences."""
    sizes = [1 + int(draw(1, "size", str(i)) * longest) for i in range(many)]
    lengths = [2 + int(draw(1, "length", str(i)) * 11) for i in range(sum(sizes))]
    return np.cumsum([0, *lengths]), np.cumsum([0, *sizes])


def pairs(many: int = 600, longest: int = 30, seed: int = 0) -> tuple[list[Sequence], np.ndarray]:
    sentences, documents = text(many, longest)
    made = Pairs(sentences, documents, LONGEST, seed)
    return list(made.sequences(between=1)), sentences[documents]


def test_half_of_the_pairs_follow() -> None:
    """Within four standard deviations of a fair coin."""
    made, _ = pairs()
    labels = [one.label for one in made if one.label != NO_LABEL]
    assert abs(np.mean(labels) - 0.5) < 4 * 0.5 / np.sqrt(len(labels))
    assert len(labels) > 1_000


def test_a_pair_is_what_its_label_says() -> None:
    made, breaks = pairs()
    for one in made:
        if one.label == NO_LABEL:
            continue
        first = np.searchsorted(breaks, [one.start, one.end - 1], side="right")
        second = np.searchsorted(breaks, [one.next_start, one.next_end - 1], side="right")
        assert first[0] == first[1] and second[0] == second[1]  # each of one document
        assert (first[0] == second[0]) == (one.label == FOLLOWS)
        assert one.label == RANDOM or one.next_start == one.end
        size = one.end - one.start + one.next_end - one.next_start
        assert one.length == size + FRAME <= LONGEST
        assert one.end > one.start and one.next_end > one.next_start


def test_most_pairs_are_as_long_as_they_may_be() -> None:
    made, _ = pairs(longest=200)
    lengths = np.array([one.length for one in made if one.label != NO_LABEL])
    assert 0.05 < (lengths < LONGEST - 12).mean() < 0.2


def test_all_tokens_are_learnt_from_but_those_cut_off() -> None:
    made, breaks = pairs()
    seen = np.zeros(breaks[-1], dtype=bool)
    for one in made:
        seen[one.start : one.end] = True
        if one.label == FOLLOWS:
            seen[one.next_start : one.next_end] = True
    assert seen.mean() > 0.9


def test_documents_of_one_sentence_have_no_next_sentence() -> None:
    made, _ = pairs(many=200, longest=1)
    assert {one.label for one in made} == {NO_LABEL}
    assert max(one.length for one in made) > LONGEST - 15  # packed together


@pytest.mark.parametrize("many", [1, 2])
def test_few_documents(many: int) -> None:
    made, _ = pairs(many=many, longest=60)
    labels = {one.label for one in made if one.label != NO_LABEL}
    assert labels == {FOLLOWS} if many == 1 else labels <= {FOLLOWS, RANDOM}


def test_seeds_differ() -> None:
    assert pairs(seed=1)[0] != pairs(seed=2)[0]
    assert pairs(seed=1)[0] == pairs(seed=1)[0]
