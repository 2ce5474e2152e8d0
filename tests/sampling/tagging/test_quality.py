"""Entity F1: the paper's example, and counts done by hand."""

from __future__ import annotations

import pytest

from pipeline.sampling.tagging.labelled import Figures, Labelled, Quality, Span, compare


def _compare(
    gold: list[tuple[Span, ...]],
    found: list[tuple[Span, ...]],
    sources: list[str],
    labels: tuple[str, ...],
) -> Quality:
    texts = [Labelled("a", s, "", spans) for s, spans in zip(sources, gold, strict=True)]
    return compare(texts, found, labels=labels)


def test_the_example_of_the_paper() -> None:
    """Section 3.4.2: gold PS 0-2 and OG 4-6; a PS that is too long is wrong, the OG is right."""
    gold, found = [((0, 2, "PS"), (4, 6, "OG"))], [((0, 3, "PS"), (4, 6, "OG"))]
    quality = _compare(gold, found, ["wikitree"], labels=("PS", "LC", "OG"))
    assert {name: one.f1 for name, one in quality.by_label.items()} == {"PS": 0.0, "OG": 1.0}
    assert quality.macro_f1 == 0.5
    assert quality.micro == Figures(2, 2, 1)


def test_counts_by_hand() -> None:
    gold = [((0, 2, "PS"), (3, 5, "LC")), ((0, 1, "QT"),), ()]
    found = [((0, 2, "PS"), (3, 5, "OG")), (), ((7, 9, "PS"),)]
    quality = _compare(gold, found, ["a", "b", "b"], labels=("PS", "LC", "OG", "QT", "DT"))
    assert quality.micro == Figures(3, 3, 1)
    assert quality.by_label["PS"] == Figures(1, 2, 1)
    assert quality.by_label["PS"].f1 == pytest.approx(2 / 3)
    assert set(quality.by_label) == {"PS", "LC", "OG", "QT"}  # no DT anywhere: it counts for none
    assert quality.macro_f1 == pytest.approx((2 / 3 + 0 + 0 + 0) / 4)
    assert quality.by_source == {"a": Figures(2, 2, 1), "b": Figures(1, 1, 0)}


def test_nothing_at_all_is_nought() -> None:
    quality = _compare([()], [()], [""], labels=("PS",))
    assert (quality.macro_f1, quality.micro.f1) == (0.0, 0.0)
    assert quality.micro.precision == quality.micro.recall == 0.0
