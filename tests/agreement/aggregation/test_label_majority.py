"""Gold of several labels an item: each label that more than a share of the votes name."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from small_votes import end, ends, spec, vote, votes

from pipeline.agreement.aggregation.aggregate import aggregate
from pipeline.agreement.audit import audit
from pipeline.contracts.registry import TASKS

RULE = {
    "rule": "label_majority",
    "roles": ["annotator"],
    "minimum": 3,
    "needed": 0.5,
    "empty": False,
    "otherwise": "removed",
}
TASK = replace(TASKS["tc"], kind="labels", view=frozenset)


def _gold(labels: list[list[str]], **rule: Any) -> Any:
    rows = votes("tc", [vote("a", f"w{n}", own) for n, own in enumerate(labels)])
    return aggregate(rows, task=TASK, spec=spec("tc", aggregation=RULE | rule))


@pytest.mark.parametrize(
    ("labels", "rule", "expected"),
    [
        ([["b", "a"], ["a", "b"], ["a"]], {}, ("gold", ["a", "b"], None, None)),
        ([["a", "b"], ["a"], ["c"], ["b"]], {}, ("removed", None, "no_majority", None)),
        (
            [["a"], ["b"], ["c"]],
            {"otherwise": "expert"},
            ("unresolved", None, "no_majority", "expert"),
        ),
        ([["a"], ["b"], ["c"]], {"empty": True}, ("gold", [], None, None)),
        ([["a"], ["a"]], {}, ("unresolved", None, "too_few_votes", "votes")),
        ([["a"], ["a", "b"], ["b"]], {"needed": 0.7}, ("removed", None, "no_majority", None)),
        ([["a"], ["a", "b"], ["c"]], {"needed": 0.3}, ("gold", ["a", "b", "c"], None, None)),
    ],
)
def test_a_label_is_gold_where_more_than_the_share_name_it(
    labels: list[list[str]], rule: dict[str, Any], expected: tuple[Any, ...]
) -> None:
    assert end(_gold(labels, **rule)) == expected


def test_evidence_counts_labels_and_agreement_the_votes_for_all_of_gold() -> None:
    row = ends(_gold([["a", "b"], ["b", "a"], ["a"], []]))["a"]
    assert row["evidence"]["counts"] == {"a": 3, "b": 2}
    assert (row["label"], row["agreement"]) == (["a"], 0.25)


def test_the_audit_of_a_task_counts_its_gold() -> None:
    labels = (["a"], ["a", "b"], ["a"])
    table = votes("tc", [vote("h1", who, own) for who, own in zip("pqr", labels, strict=True)])
    rules = spec("tc", aggregation=RULE)
    gold = aggregate(table, task=TASK, spec=rules).gold
    record = audit(table, task=TASK, spec=rules, gold=gold, bootstrap=10)
    assert record["lead"] == "krippendorff_alpha_masi"
    assert record["gold"]["resolved"] == 1
    assert record["facts"]["unanimous"] == 0
