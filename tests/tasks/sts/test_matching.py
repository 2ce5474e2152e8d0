"""Greedy matching: the fast one draws the pairs of the reference, and both those of the paper."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import reference_matching as reference
from hypothesis import given
from hypothesis import strategies as st
from reference_matching import KoreanTokenizer

from pipeline.core.ids import draw
from pipeline.tasks.sts import matching
from pipeline.tasks.sts.matching import Match, match_sentences
from pipeline.tasks.sts.spec import Algorithm, Rouge

ALGORITHMS: tuple[Algorithm, ...] = ("anchors", "global")
ROUGES: tuple[Rouge, ...] = ("rouge1", "rougeL")


class Blanks:
    """A tokenizer that cuts at blanks."""

    def tokenize(self, text: str) -> list[str]:
        """Cut."""
        return text.split()


def _both(
    texts: list[str], order: list[int], algorithm: Algorithm, rouge: Rouge
) -> tuple[list[Match], list[Match]]:
    slow = reference.match(texts, order=order, algorithm=algorithm, rouge=rouge, tokenizer=Blanks())
    tokens = [text.split() for text in texts]
    return slow, match_sentences(tokens, order=order, algorithm=algorithm, rouge=rouge)


def test_the_anchor_takes_its_best_and_global_the_best_of_all() -> None:
    # 0 and 1 share 2 of 4 words, 1 and 2 share 3 of 4: the first anchor does not wait for 1's best.
    texts = ["a b x y", "a b c d", "b c d z", "q"]
    for slow, quick, expected in (
        (*_both(texts, [0, 1, 2, 3], "anchors", "rouge1"), [(0, 1, 500_000), (2, 3, 0)]),
        (*_both(texts, [0, 1, 2, 3], "global", "rouge1"), [(1, 2, 750_000), (0, 3, 0)]),
        (*_both(texts, [3, 2, 1, 0], "anchors", "rouge1"), [(3, 0, 0), (2, 1, 750_000)]),
    ):
        assert slow == quick == expected


def test_rouge_l_counts_order_and_rouge_1_how_often() -> None:
    texts = ["a b c", "c b a", "a a a"]
    for algorithm in ALGORITHMS:
        assert _both(texts, [0, 1, 2], algorithm, "rouge1") == ([Match(0, 1, 1_000_000)],) * 2
        assert _both(texts, [0, 1, 2], algorithm, "rougeL") == ([Match(0, 1, 333_333)],) * 2


def test_sentences_that_share_nothing_are_matched_by_place() -> None:
    for algorithm in ALGORITHMS:
        for rouge in ROUGES:
            slow, quick = _both(["a", "b", "", "c", ""], [0, 1, 2, 3, 4], algorithm, rouge)
            assert slow == quick == [(0, 1, 0), (2, 3, 0)]


@pytest.mark.parametrize("size", [0, 1, 2])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_too_few_sentences_give_what_they_can(size: int, algorithm: Algorithm) -> None:
    slow, quick = _both(["a b"] * size, list(range(size)), algorithm, "rougeL")
    assert slow == quick == [(0, 1, 1_000_000)] * (size // 2)


@given(
    texts=st.lists(st.lists(st.sampled_from("abcd"), max_size=6).map(" ".join), max_size=14),
    chance=st.randoms(use_true_random=False),
    rows=st.sampled_from([1, 2, 5, 256]),
    collected=st.sampled_from([1, 2, 7, 1000]),
)
@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("rouge", ROUGES)
def test_ties_and_blocks_make_no_difference(
    algorithm: Algorithm, rouge: Rouge, texts: list[str], chance: object, rows: int, collected: int
) -> None:
    order = list(range(len(texts)))
    chance.shuffle(order)  # type: ignore[attr-defined]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matching, "_ROWS", rows)
        patch.setattr(matching, "_COLLECTED", collected)
        patch.setattr(matching, "_LOOKED_AT", rows)
        slow, quick = _both(texts, order, algorithm, rouge)
    assert slow == quick
    assert len({place for match in quick for place in match[:2]}) == len(texts) // 2 * 2


@pytest.mark.thin("algorithm", "rouge")
@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("rouge", ROUGES)
@pytest.mark.parametrize("count", [200, pytest.param(500, marks=pytest.mark.full)])
def test_real_sentences_give_the_pairs_of_the_reference(
    data_dir: Path, algorithm: Algorithm, rouge: Rouge, count: int
) -> None:
    rows = json.loads((data_dir / "klue" / "klue-nli-v1.1_train.json").read_text("utf-8"))
    found = [
        row[name]
        for row in rows
        if row["genre"] in ("airbnb", "policy")
        for name in ("premise", "hypothesis")
    ]
    texts = list(dict.fromkeys(found))
    texts = texts[:: len(texts) // count][:count]
    order = sorted(range(count), key=lambda place: draw(1, "test", str(place)))
    tokenizer = KoreanTokenizer()
    tokens = [tokenizer.tokenize(text) for text in texts]
    quick = match_sentences(tokens, order=order, algorithm=algorithm, rouge=rouge)
    assert quick == reference.match(
        texts, order=order, algorithm=algorithm, rouge=rouge, tokenizer=tokenizer
    )
    assert len(quick) == count // 2
