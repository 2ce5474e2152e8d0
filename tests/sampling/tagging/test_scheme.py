"""Tags of pieces: spans come back as they went in, and no tags at all break the reading."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from train_tagger import encode

from pipeline.sampling.tagging.pieces import Piece, Run, decode

KINDS = ("O", *(f"{kind}-{label}" for kind in "BIES" for label in ("PS", "LC")))


def _pieces(n: int) -> list[Piece]:
    return [Piece("가나", "NNG", 2 * i, 2 * i + 2, "", True, True) for i in range(n)]


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(1, 3), st.sampled_from(("PS", "LC")))))
def test_spans_come_back(given_: list[tuple[int, int, str]]) -> None:
    spans, expected, at = [], [], 0
    for gap, size, label in given_:
        first = at + gap
        at = first + size
        spans.append((2 * first, 2 * at, label))
        expected.append(Run(first, at - 1, label))
    assert decode(encode(_pieces(at), spans)) == expected


def test_a_piece_partly_in_a_span_counts() -> None:
    assert encode(_pieces(4), [(3, 5, "PS")]) == ["O", "B-PS", "E-PS", "O"]
    assert encode(_pieces(2), [(0, 1, "QT"), (90, 99, "QT")]) == ["S-QT", "O"]


@given(st.lists(st.sampled_from(KINDS), max_size=12))
def test_any_tags_give_runs_that_cover_what_is_tagged(given_: list[str]) -> None:
    found = decode(given_)
    covered = [i for run in found for i in range(run.first, run.last + 1)]
    assert covered == [i for i, tag in enumerate(given_) if tag != "O"]
    for run in found:
        labels = {given_[i].partition("-")[2] for i in range(run.first, run.last + 1)}
        assert labels == {run.label}


def test_plain_bio_is_read_too() -> None:
    found = decode(["B-PS", "I-PS", "B-PS", "O", "I-LC", "I-PS"])
    assert found == [Run(0, 1, "PS"), Run(2, 2, "PS"), Run(4, 4, "LC"), Run(5, 5, "PS")]
