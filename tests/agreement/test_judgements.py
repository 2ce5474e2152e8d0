"""Answers as judgements: places of structures, and how many labels are kept."""

from __future__ import annotations

from typing import Any

import pytest
from vote_tables import table

from pipeline.agreement.annotators import judgements as module
from pipeline.agreement.annotators.judgements import NOTHING, OTHERS, Judgements, judgements
from pipeline.agreement.votes.selection import Selection, select
from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import load_spec


def answers(task: str, round_: str, by_name: dict[str, Any]) -> Selection:
    rows = [("i0", name, answer, {"round": round_}) for name, answer in by_name.items()]
    return select(table(rows, task=task), task=TASKS[task], spec=load_spec(task))


def labelled(judged: Judgements) -> list[tuple[int, str]]:
    pairs = zip(judged.unit.tolist(), judged.value.tolist(), strict=True)
    return [(unit, judged.labels[value]) for unit, value in pairs]


def test_a_place_that_one_marks_is_judged_by_all() -> None:
    span = {"start": 0, "end": 2, "label": "PS"}
    other = {"start": 4, "end": 6, "label": "LC"}
    judged = judgements(answers("ner", "tag", {"a": [span, other], "b": [span]}))
    assert judged is not None
    assert labelled(judged) == [(0, "PS"), (0, "PS"), (1, "LC"), (1, NOTHING)]
    assert judged.item.tolist() == [0, 0]


def test_sets_of_labels_are_judged_label_by_label() -> None:
    rows = [("i0", "a", ["x", "y"]), ("i0", "b", ["y"]), ("i1", "a", ["x"])]
    judged = judgements(select(table(rows), level="multilabel"))
    assert judged is not None
    assert labelled(judged) == [(0, "x"), (0, NOTHING), (1, "y"), (1, "y")]


def test_an_item_of_one_vote_is_no_judgement_and_units_are_numbered_anew() -> None:
    rows = [("i0", "a", "x"), ("i1", "a", "x"), ("i1", "b", "y")]
    judged = judgements(select(table(rows), level="nominal"))
    assert judged is not None
    assert judged.unit.tolist() == [0, 0] and judged.item.tolist() == [1]


def test_scores_of_many_values_are_no_labels() -> None:
    rows = [(f"i{n}", who, n + 0.5) for n in range(20) for who in "ab"]
    assert judgements(select(table(rows), level="interval")) is None


def test_rare_labels_share_a_code_where_there_are_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = [(f"i{n}", who, f"L{min(n, 9 - n):02d}") for n in range(10) for who in "ab"]
    monkeypatch.setattr(module, "_MOST_CONFUSIONS", 4 * 9)  # three labels for two people
    judged = judgements(select(table(rows), level="nominal"))
    assert judged is not None
    assert judged.labels == ("L00", "L01", OTHERS)
    assert (judged.value == 2).sum() == 12
