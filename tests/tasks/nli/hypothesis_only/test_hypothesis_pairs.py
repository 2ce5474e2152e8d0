"""Pairs out of items: labels, gold in their stead, and what belongs to one premise."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from pipeline.contracts.official.files import read_official
from pipeline.core import schemas
from pipeline.core.jsontext import canonical
from pipeline.tasks.nli.hypothesis_only import pairs_of

LABELS = ("entailment", "contradiction", "neutral")


def _items(*rows: tuple[str, str, str | None, str | None]) -> pa.Table:
    return schemas.build(
        "items",
        [
            {
                "item": item,
                "task": "nli",
                "fields": canonical({"premise": premise, "hypothesis": f"가설 {item}"}),
                "gold": None if gold is None else canonical(gold),
                "meta": None if origin is None else canonical({"origin": origin}),
            }
            for item, premise, gold, origin in rows
        ],
    )


def test_pairs_belong_together_by_origin_or_by_premise() -> None:
    items = _items(
        ("a", "전제", "neutral", "x"),
        ("b", "전제", "neutral", "y"),
        ("c", "전제", "neutral", None),
        ("d", "전제", "entailment", None),
    )
    found = pairs_of(items, LABELS, None)["premise"].to_pylist()
    assert found[:2] == ["x", "y"]
    assert found[2] == found[3] not in ("x", "y")


def test_pairs_without_a_label_are_left_out() -> None:
    items = _items(("a", "전제", None, "x"), ("b", "전제", "neutral", "x"))
    assert pairs_of(items, LABELS, None)["pair"].to_pylist() == ["b"]


def test_gold_stands_in_for_the_items_own_label() -> None:
    items = _items(("a", "전제", "neutral", "x"), ("b", "전제", "neutral", "x"))
    assert pairs_of(items, LABELS, {"a": "entailment"}).select(["pair", "label"]).to_pylist() == [
        {"pair": "a", "label": "entailment"}
    ]


def test_official_sets(data_dir: Path) -> None:
    items = read_official("nli", data_dir / "klue" / "klue-nli-v1.1_dev.json").items
    found = pairs_of(items, LABELS, None)
    sizes = found.group_by("premise").aggregate([("pair", "count")])["pair_count"].to_pylist()
    assert sizes == [3] * 1000
