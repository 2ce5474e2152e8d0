"""The possible spans of the `crf` tagger beside its best ones."""

from __future__ import annotations

import pytest

from pipeline.sampling.tagging.crf import SHIPPED, Crf, load_crf
from pipeline.sampling.tagging.pieces import OUTSIDE, Run
from pipeline.sampling.tagging.spans import LEAST, SpanTagger, possible_runs

TEXT = "가람포 유나이티드의 주장 오렐 데 빌라가 별솔 FC 대 한빛전자 경기를 보았다"


@pytest.fixture(scope="module")
def shipped() -> Crf:
    return load_crf(SHIPPED)


def test_runs_of_given_probabilities() -> None:
    table = [
        {OUTSIDE: 0.1, "B-OG": 0.6, "S-LC": 0.3},
        {OUTSIDE: 0.4, "E-OG": 0.5, "I-OG": 0.1},
        {OUTSIDE: 0.97, "E-OG": 0.03},
        {OUTSIDE: 0.2, "S-PS": 0.8},
    ]
    runs = possible_runs(lambda tag, i: table[i].get(tag, 0.0), len(table), ("LC", "OG", "PS"))
    assert list(runs) == [
        (Run(0, 0, "LC"), 0.3),
        (Run(0, 1, "OG"), 0.5),
        (Run(3, 3, "PS"), 0.8),
    ]


def test_the_best_spans_are_possible_ones(shipped: Crf) -> None:
    assert isinstance(shipped, SpanTagger)
    (best,), (possible,) = shipped.tag([TEXT]), shipped.spans([TEXT])
    assert {m for m in best if m.score >= LEAST} <= set(possible)
    assert len(possible) > len(best) and possible == sorted(possible)
    assert all(LEAST <= mention.score <= 1 for mention in possible)
    assert shipped.spans(["", " \n", "\ud800"]) == [[], [], []]
