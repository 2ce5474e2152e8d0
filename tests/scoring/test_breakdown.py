"""Parts of the examples, against scoring each part by itself."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from gold_cases import CLASSES, gold, pairs
from hypothesis import given
from hypothesis import strategies as st

from pipeline.contracts.example import Example, Prediction
from pipeline.scoring.breakdown import breakdown, by_length, parts
from pipeline.scoring.scorer import scores

PAIRS = pairs(40)
GOLD = gold(PAIRS)
SAID = [Prediction(one.id, CLASSES[place % 4 % 3]) for place, one in enumerate(PAIRS)]


def _alone(chosen: list[bool]) -> float | None:
    examples = [one for one, is_in in zip(PAIRS, chosen, strict=True) if is_in]
    said = [one for one, is_in in zip(SAID, chosen, strict=True) if is_in]
    return scores(gold(examples).measures(said, "klue"), len(examples)).values["accuracy"]


def test_a_part_scores_as_it_does_alone() -> None:
    found = breakdown(GOLD, SAID, GOLD.measures(SAID, "klue"))
    assert list(found) == ["source", "label", "length"]
    assert list(found["source"]) == ["nsmc", "policy"]
    assert tuple(found["label"]) == CLASSES
    for name, one in found["source"].items():
        chosen = [example.source == name for example in PAIRS]
        assert one == {"n": 20, "accuracy": _alone(chosen)}
    for name, one in found["label"].items():
        chosen = [example.label == name for example in PAIRS]
        assert one == {"n": sum(chosen), "accuracy": _alone(chosen)}
    lengths = [len(one.fields["premise"]) + len(one.fields["hypothesis"]) for one in PAIRS]
    for name, one in found["length"].items():
        low, high = map(int, name.split("-"))
        chosen = [low <= length <= high for length in lengths]
        assert one == {"n": 10, "accuracy": _alone(chosen)}


def test_the_classes_of_topics_have_their_recall() -> None:
    """Two of three politics headlines are found: over them macro F1 is (0.8 + 0) / 2."""
    examples = [Example(f"h{n}", "yna", {"title": "제목" * (n + 1)}, ["정치"]) for n in range(3)]
    said = [Prediction(f"h{n}", one) for n, one in enumerate(["정치", "경제", "정치"])]
    headlines = gold(examples, "tc")
    found = breakdown(headlines, said, headlines.measures(said, "klue"))
    assert found["label"] == {
        "정치": {"n": 3, "macro_f1": 40.0, "accuracy": pytest.approx(200 / 3)}
    }
    assert set(found["source"]["yna"]) == {"n", "macro_f1"}


def test_an_example_of_several_classes_is_in_each() -> None:
    spans = [{"start": 0, "end": 2, "label": "PS"}, {"start": 3, "end": 5, "label": "OG"}]
    texts = [
        Example("e1", "nsmc", {"text": "한별 가람"}, spans),
        Example("e2", "nsmc", {"text": "아무도 없다"}, []),
    ]
    found = parts(gold(texts, "ner"))["label"]
    assert {name: marks.tolist() for name, marks in found.items()} == {
        "PS": [True, False],
        "OG": [True, False],
    }


def test_lengths_are_parted_at_their_quartiles() -> None:
    found = by_length([3, 1, 4, 1, 5, 9, 2, 6])
    assert {name: marks.tolist() for name, marks in found.items()} == {
        "1": [False, True, False, True, False, False, False, False],
        "2-3": [True, False, False, False, False, False, True, False],
        "4-5": [False, False, True, False, True, False, False, False],
        "6-9": [False, False, False, False, False, True, False, True],
    }


@pytest.mark.parametrize(
    ("lengths", "names"), [([7], ["7"]), ([7, 7, 7], ["7"]), ([2, 8], ["2", "3-8"])]
)
def test_few_or_equal_lengths_make_fewer_parts(lengths: list[int], names: list[str]) -> None:
    assert list(by_length(lengths)) == names


@given(st.lists(st.integers(0, 500), min_size=1, max_size=60))
def test_every_length_is_in_one_part_and_the_parts_leave_no_gap(lengths: list[int]) -> None:
    found = by_length(lengths)
    assert 1 <= len(found) <= 4
    assert np.sum(list(found.values()), axis=0).tolist() == [1] * len(lengths)
    ends = [(int(name.split("-")[0]), int(name.split("-")[-1])) for name in found]
    assert (ends[0][0], ends[-1][1]) == (min(lengths), max(lengths))
    assert all(before[1] + 1 == after[0] for before, after in pairwise(ends))
    for (low, high), marks in zip(ends, found.values(), strict=True):
        assert all(
            (low <= length <= high) == bool(is_in)
            for length, is_in in zip(lengths, marks, strict=True)
        )
    assert list(by_length(sorted(lengths))) == list(found)
