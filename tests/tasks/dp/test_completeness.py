"""Completeness: planted faults are named, and sentences that people selected are taken."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from dp_release import sentences

from pipeline.contracts.spec import load_spec
from pipeline.tasks.dp.candidates import refusal
from pipeline.tasks.dp.spec import DependencySampling

SPEC = load_spec("dp").sampling
assert isinstance(SPEC, DependencySampling)

GOOD = [
    "달못시가 지난해 물레공원에 놀이터를 열었다.",
    "숙소가 깨끗하고 바다까지 가까워서 좋았어요!",
    "시장은 '올해 안에 짓겠다’고 말했다.",
    "공사에 12억원(시비 4억원)을 썼다.",
    '주인이 "여기가 좋다. 꼭 오라."고 말했다.',
    "길이가 3㎞쯤 되는 길을 걸었습니다.",
    "It's 카페의 커피가 참 맛있었어요.",
    "아침마다 새 소리가 들리는 곳이네요.",
]
BAD = {
    "방이 넓었다.": "dp.length",
    " ".join(["방이"] * 35) + " 넓었다.": "dp.length",
    "- 방이 아주 넓고 깨끗했다.": "dp.start",
    "방이 아주 넓고 깨끗했어요 ㅎㅎ.": "dp.emoticon",
    "방이 아주 넓고 깨끗했어요 🍊.": "dp.emoticon",
    "시장은 '올해 안에 짓겠다고 말했다.": "dp.balance",
    "공사에 12억원(시비 4억원을 썼다.": "dp.balance",
    "공사에 12억원)시비 4억원(을 썼다.": "dp.balance",
    "방이 넓었어요. 그리고 바다가 보였어요.": "dp.one_sentence",
    "지난해 물레공원에 놀이터를 연 달못시": "dp.unfinished",
    "달못시가 지난해 물레공원에 놀이터를 열었다": "dp.unfinished",
    "숙소가 깨끗하고 바다까지 가까워서.": "dp.unfinished",
}


@pytest.mark.parametrize("text", GOOD)
def test_complete_sentences_are_taken(text: str) -> None:
    assert refusal(text, SPEC) is None


@pytest.mark.parametrize("text", BAD)
def test_each_fault_has_its_rule(text: str) -> None:
    found = refusal(text, SPEC)
    assert found is not None
    assert found.rule == f"{BAD[text]}@1"
    assert "방이" not in found.reason


def test_selected_sentences_are_taken(data_dir: Path) -> None:
    """KLUE-DP dev: 99 % of Wikitree's and 96 % of Airbnb's thousand sentences."""
    told = Counter[tuple[str, bool]]()
    for source, text, _ in sentences(data_dir):
        told[source, refusal(text, SPEC) is None] += 1
    assert told["wikitree", True] >= 990
    assert told["airbnb", True] >= 960


def test_the_lengths_are_those_of_the_release(data_dir: Path) -> None:
    lengths = [len(rows) for _, _, rows in sentences(data_dir)]
    assert (min(lengths), max(lengths)) == (SPEC.fewest, SPEC.most)
