"""Soft labels of a release: in the order of the classes, withheld in test, absent in old tables."""

from __future__ import annotations

from typing import Any

import pytest

from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import load_spec
from pipeline.core import schemas
from pipeline.core.jsontext import canonical
from pipeline.release.checks.contents import label_faults
from pipeline.release.soft_labels import SOFT_LABEL, label_order, soft_fault, soft_value
from pipeline.release.tables import COLUMNS, as_examples, examples_of, hide_labels, rows

WITH = ("tc", "nli", "re", "sts")


def _nli(**shares: float) -> Any:
    order = label_order(COLUMNS["nli"], load_spec("nli"))
    example = {
        **{"id": "nli-1", "task": "nli", "split": "train", "source": "nsmc", "group": "nli-1"},
        "fields": canonical({"premise": "비가 온다.", "hypothesis": "날이 궂다."}),
        **{"label": canonical("entailment"), "documents": [], "simulated": False, "kept": False},
        "meta": canonical({"set": "s1", SOFT_LABEL: soft_value(shares, order)}),
    }
    return schemas.build("examples", [example])


@pytest.mark.parametrize("task", sorted(TASKS))
def test_the_column_is_the_last_of_tasks_whose_votes_are_counted(task: str) -> None:
    names = COLUMNS[task].schema.names
    assert (SOFT_LABEL in names) == (task in WITH)
    assert task not in WITH or names[-1] == SOFT_LABEL
    assert task not in WITH or SOFT_LABEL in COLUMNS[task].hidden_in_test


@pytest.mark.parametrize("task", ["tc", "nli", "re"])
def test_the_order_is_that_of_the_classes_that_load(task: str) -> None:
    spec = load_spec(task)
    order = label_order(COLUMNS[task], spec)
    assert list(order) == list(COLUMNS[task].classes(spec)["label"])
    assert set(order) == set(spec.ids())
    shares = {label: 1 / len(order) for label in spec.ids()}
    assert soft_value(shares, order) == [1 / len(order)] * len(order)
    assert soft_value({order[1]: 1}, order) == [0, 1, *[0] * (len(order) - 2)]
    assert soft_value(None, order) is None


def test_a_row_has_it_and_gives_it_back() -> None:
    examples = _nli(entailment=0.8, contradiction=0.2)
    table = rows(examples, "nli", labels=True)
    assert table[SOFT_LABEL].to_pylist() == [[0.8, 0.0, 0.2]]
    again = rows(as_examples(table, "nli", "train"), "nli", labels=True)
    assert again.equals(table)
    (example,) = examples_of(table, "nli")
    assert example.soft_label == [0.8, 0.0, 0.2] and SOFT_LABEL not in example.meta


def test_a_public_test_file_has_none() -> None:
    examples = _nli(entailment=0.8, contradiction=0.2)
    assert rows(examples, "nli", labels=False)[SOFT_LABEL].to_pylist() == [None]
    labelled = rows(examples, "nli", labels=True)
    assert hide_labels(labelled, "nli")[SOFT_LABEL].to_pylist() == [None]


def test_tables_of_releases_before_are_read() -> None:
    before = rows(_nli(neutral=1.0), "nli", labels=True).drop_columns([SOFT_LABEL])
    assert COLUMNS["nli"].accepts(before.schema)
    (example,) = examples_of(before, "nli")
    assert example.soft_label is None
    assert not list(label_faults(before, load_spec("nli")))


def test_faults_are_named() -> None:
    assert soft_fault([0.5, 0.5], labels=2, sums_to_one=True) is None
    assert soft_fault([0.5, 0.9], labels=2, sums_to_one=False) is None
    assert soft_fault(None, labels=2, sums_to_one=True) is None
    assert "sum to 1" in str(soft_fault([0.5, 0.4], labels=2, sums_to_one=True))
    assert "2 shares" in str(soft_fault([1.0], labels=2, sums_to_one=True))
    assert "0 to 1" in str(soft_fault([1.5, -0.5], labels=2, sums_to_one=True))
    wrong = rows(_nli(entailment=0.8, contradiction=0.1), "nli", labels=True)
    assert any("nli-1" in fault for fault in label_faults(wrong, load_spec("nli")))
