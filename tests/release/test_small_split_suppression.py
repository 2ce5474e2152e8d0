"""What is told of small test splits: no count by label, neither directly nor by subtraction."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from pipeline.core import schemas
from pipeline.release.privacy import FLOOR, open_constraints, open_examples


def _examples(test: int) -> pa.Table:
    row = {"task": "mrc", "source": "ked", "group": "g", "fields": "{}", "label": "{}"}
    more: dict[str, Any] = {"documents": [], "simulated": False, "kept": False}
    splits = ["train", "train", "dev", *["test"] * test]
    return schemas.build(
        "examples",
        [{**row, **more, "id": f"e{i:03d}", "split": split} for i, split in enumerate(splits)],
    )


def _constraints(task: str, *names: tuple[str, str | None]) -> pa.Table:
    row = {"task": task, "wanted": 1.0, "found": 1.0, "met": True, "binds": False, "detail": ""}
    return schemas.build("constraints", [{**row, "name": n, "split": s} for n, s in names])


@pytest.mark.parametrize(("test", "left"), [(0, 0), (1, 0), (29, 0), (30, 30), (31, 31)])
def test_a_small_test_split_takes_no_part_in_aggregates(test: int, left: int) -> None:
    assert FLOOR == 30
    given = _examples(test)
    found = open_examples(given)["split"].to_pylist()
    assert (found.count("train"), found.count("dev"), found.count("test")) == (2, 1, left)
    assert open_examples(given).schema.equals(given.schema)


@pytest.mark.parametrize(
    ("task", "name"),
    [
        ("tc", "label_share"),
        ("sts", "uniform_bins"),
        ("sts", "full_bins"),
        ("sts", "least_overlap"),
        ("nli", "complete_sets"),
        ("ner", "entity_types"),
        ("ner", "unseen_entities"),
        ("mrc", "question_type"),
        ("dst", "domains"),
        ("dst", "counterfactual"),
        ("dst", "unseen_instances"),
    ],
)
def test_counts_by_label_are_left_out_of_all_splits_where_test_is_small(
    task: str, name: str
) -> None:
    """What a rule wanted of train is a share of the whole: with it that of test is known."""
    given = _constraints(task, *((name, split) for split in ("train", "dev", "test", None)))
    given = pa.concat_tables([given, _constraints(task, ("size", "test"))])
    assert open_constraints(given, _examples(29))["name"].to_pylist() == ["size"]
    assert open_constraints(given, _examples(30)).equals(given)
    assert open_constraints(given, _examples(0)).equals(given)


def test_entities_of_a_relation_are_in_its_text_and_no_label() -> None:
    given = _constraints("re", ("unseen_entities", "test"), ("other_samplers", "test"))
    assert open_constraints(given, _examples(2)).equals(given)
