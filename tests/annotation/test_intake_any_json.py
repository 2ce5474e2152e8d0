"""Whatever JSON a record holds, it is a vote or is quarantined: nothing else can happen."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from voting import make_items, raws, take

from pipeline.annotation.intake.intake import intake
from pipeline.annotation.intake.vote import KEYS, RULES
from pipeline.contracts.registry import TASKS
from pipeline.core.jsontext import canonical, parsed

WORDS = ["a", "07", "label", "사회", "neutral", "write", "validate", "author", "expert", "verdict"]
WORDS += ["accept", "revise", "answer", "start", "end", "PS", "heads", "deprels", "VP", "turns"]
WORDS += ["role", "text", "state", "user", "question", "type", "answers", "hate", "tc@1.0.0", ""]
LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 9),
    st.just(10**400),
    st.floats(),
    st.sampled_from(WORDS),
    st.text(st.characters(), max_size=5),  # half surrogate pairs too
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(WORDS), inner, max_size=4)
    ),
    max_leaves=8,
)
RECORDS = st.fixed_dictionaries(
    {
        "item": st.one_of(st.sampled_from(["a", "b"]), VALUES),
        "annotator": st.one_of(st.just("07"), VALUES),
    },
    optional=dict.fromkeys([*sorted({*KEYS} - {"item", "annotator"}), "more"], VALUES),
)


@pytest.mark.parametrize("task", sorted(TASKS))
@given(values=st.lists(RECORDS, max_size=4))
def test_for_a_task(task: str, values: list[dict[str, Any]]) -> None:
    taken = take(*values, task=task)
    assert set(taken.counts.rules) <= set(RULES)
    for label in taken.votes.column("label").to_pylist():
        assert label is None or canonical(parsed(label)) == label


@given(values=st.lists(RECORDS, max_size=4), level=st.sampled_from(["nominal", "ratio"]))
def test_on_a_level(values: list[dict[str, Any]], level: str) -> None:
    taken = intake(raws(*values), level=level, items=make_items(["a", "b"]))
    assert set(taken.counts.rules) <= set(RULES)


@pytest.mark.parametrize("task", sorted(TASKS))
def test_deep_answers_are_refused(task: str) -> None:
    deep: Any = []
    for _ in range(5000):
        deep = [deep]
    taken = take({"item": "a", "annotator": "07", "label": deep}, task=task)
    assert taken.counts.quarantined == 1
