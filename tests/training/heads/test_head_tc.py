"""Topics: the first one of a label is learnt."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("torch", reason="the optional part `train` is not installed")
pytest.importorskip("transformers", reason="the optional part `train` is not installed")

from training.heads.made_inputs import head_of, made
from training.heads.made_tokens import bert

from pipeline.core.errors import InputError


def test_the_first_topic_is_the_target() -> None:
    head = head_of("tc")
    labels = (["경제", "사회"], ["사회", "경제"], ["경제"])
    given = [made("tc", i, {"title": "하늘시 소식"}, label) for i, label in enumerate(labels)]
    head.check(given, labels=True)
    found = head.encode(given, bert(), labels=True).columns["target"]
    assert [head.labels[number] for number in found] == ["경제", "사회", "경제"]


@pytest.mark.parametrize("label", [None, [], "경제", {"label": "경제"}, [None]])
def test_no_topic_is_no_label(label: Any) -> None:
    given = [made("tc", 0, {"title": "하늘시 소식"}, label)]
    head_of("tc").check(given, labels=False)
    with pytest.raises(InputError, match=r"1 of 1 examples have no label, the first is tc-000"):
        head_of("tc").check(given, labels=True)
