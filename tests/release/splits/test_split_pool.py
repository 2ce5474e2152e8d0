"""The pool that is split: gold alone, with what ties examples together, from six tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from pipeline.core import schemas, store
from pipeline.core.jsontext import canonical
from pipeline.release.splits.groups import read_pool
from pipeline.release.splits.member import Member

Row = dict[str, Any]


def _stored(folder: Path, **tables: pa.Table) -> Path:
    folder.mkdir(parents=True)
    for name, table in tables.items():
        store.write_table(folder, name, "all", table)
    return folder


def _item(name: str, task: str = "tc", **more: Any) -> Row:
    fields = {"title": f"제목 {name}"}
    return {"item": name, "task": task, "source": "yna", "fields": canonical(fields), **more}


def _gold(name: str, label: Any, **more: Any) -> Row:
    row = {"item": name, "task": "tc", "status": "gold", "rule": "r@1", "votes": 3,
           "simulated": False, "label": canonical(label)}  # fmt: skip
    return {**row, **more}


def _drawn(name: str, unit: str) -> Row:
    return {"item": name, "task": "tc", "unit": unit, "source": "yna"}


def _kept(unit: str, document: str, cluster: str) -> Row:
    return {"id": unit, "source": "yna", "document": document, "kind": "sentence", "ordinal": 0,
            "start": 0, "end": 1, "text": "글", "cluster": cluster}  # fmt: skip


def _pool(
    folder: Path,
    items: list[Row],
    gold: list[Row],
    drawn: list[Row],
    *,
    drew: list[Row] | None = None,
    kept: list[Row] | None = None,
    far: dict[str, float] | None = None,
    styles: dict[str, str] | None = None,
    splits: dict[str, Any] | None = None,
) -> tuple[list[Member], dict[str, list[str]]]:
    candidates = schemas.build("items", items if drew is None else drew)
    folders = {
        "items": _stored(folder / "items", items=schemas.build("items", items)),
        "gold": _stored(folder / "gold", gold=schemas.build("gold", gold)),
        "candidates": _stored(
            folder / "drawn", items=candidates, drawn=schemas.build("drawn", drawn)
        ),
    }
    if kept is not None:
        folders["dedup"] = _stored(folder / "dedup", kept=schemas.build("kept", kept))
    if far is not None:
        rows: list[Row] = [
            {"item": name, "distance": value, "log_p": [-1.1, -1.1, -1.1]}
            for name, value in far.items()
        ]
        folders["distances"] = _stored(folder / "far", distances=schemas.build("distances", rows))
    return read_pool(folders, styles=styles or {}, splits=splits or {})


def _by_id(found: list[Member]) -> dict[str, Member]:
    return {one.id: one for one in found}


def test_only_gold_is_in_it(tmp_path: Path) -> None:
    items = [_item("a"), _item("b"), _item("c")]
    gold = [
        _gold("a", ["사회"], agreement=0.75, simulated=True),
        _gold("b", None) | {"status": "unresolved", "label": None},
        _gold("c", None) | {"status": "removed", "label": None},
    ]
    (one,) = _pool(tmp_path, items, gold, [])[0]
    assert (one.id, one.source, one.label) == ("a", "yna", ["사회"])
    assert (one.agreement, one.simulated, one.kept) == (0.75, True, None)
    assert one.fields == {"title": "제목 a"}


def test_what_items_and_earlier_versions_say_comes_along(tmp_path: Path) -> None:
    meta = canonical({"date": "2020-12-16T09:00", "press": "가상일보"})
    items = [_item("a", sampler="uniform", meta=meta), _item("b", source=None)]
    gold = [_gold("a", ["사회"]), _gold("b", ["경제"])]
    found = _by_id(
        _pool(
            tmp_path, items, gold, [], styles={"yna": "formal"}, splits={"b": "test", "z": "dev"}
        )[0]
    )
    assert (found["a"].date, found["a"].style, found["a"].sampler) == (
        "2020-12-16", "formal", "uniform")  # fmt: skip
    assert found["a"].meta["press"] == "가상일보"
    assert (found["a"].kept, found["b"].kept) == (None, "test")
    assert (found["b"].source, found["b"].style, found["b"].date) == ("unknown", None, None)


@pytest.mark.parametrize("given", ["2020", "", None, 20201216])
def test_what_is_no_day_is_none(tmp_path: Path, given: Any) -> None:
    items = [_item("a", meta=canonical({"date": given}))]
    (one,) = _pool(tmp_path, items, [_gold("a", ["사회"])], [])[0]
    assert one.date is None


def test_units_clusters_and_documents_tie_examples(tmp_path: Path) -> None:
    """Two headlines of one document, two of near-duplicate units, and one alone."""
    names = ["a", "b", "c", "d", "e"]
    units = {"a": "u1", "b": "u2", "c": "u3", "d": "u4", "e": "u5"}
    kept = [
        _kept("u1", "d1", "u1"),
        _kept("u2", "d1", "u2"),
        _kept("u3", "d3", "u3"),
        _kept("u4", "d4", "u3"),
        _kept("u5", "d5", "u5"),
        _kept("u6", "d1", "u1"),
    ]
    members, links = _pool(
        tmp_path,
        [_item(name) for name in names],
        [_gold(name, ["사회"]) for name in names],
        [_drawn(name, unit) for name, unit in units.items()],
        kept=kept,
    )
    tied = {name: set(links[name]) | set(one.documents) for name, one in _by_id(members).items()}
    shared = {(a, b) for a in names for b in names if a < b and tied[a] & tied[b]}
    assert shared == {("a", "b"), ("c", "d")}


def test_a_pair_of_two_units_has_both(tmp_path: Path) -> None:
    members, links = _pool(
        tmp_path,
        [_item("a", "sts")],
        [_gold("a", 3)],
        [_drawn("a", "u1"), _drawn("a", "u2")],
        kept=[_kept("u1", "d1", "u1"), _kept("u2", "d2", "u9")],
    )
    assert members[0].documents == ("d1", "d2")
    assert {"u1", "u2", "u9"} <= set(links["a"])


def test_pairs_of_one_premise_hang_together(tmp_path: Path) -> None:
    """NLI: items are pairs; units, evidence and candidates are those of the premise."""
    premise = _item("nli-c1", "nli", meta=canonical({"date": "2019-05-01"}))
    origin = canonical({"origin": "nli-c1"})
    pairs = [_item(f"nli-c1.{n}", "nli", meta=origin) for n in "12"]
    members, links = _pool(
        tmp_path,
        pairs,
        [_gold(one["item"], "neutral") for one in pairs],
        [_drawn("nli-c1", "u1")],
        drew=[premise],
        kept=[_kept("u1", "d1", "u1")],
        far={"nli-c1.1": 1.2, "nli-c1.2": 1.5},
    )
    assert [one.distance for one in members] == [1.2, 1.5]
    assert all(one.documents == ("d1",) and one.date == "2019-05-01" for one in members)
    assert all({"nli-c1", "u1"} <= set(keys) for keys in links.values())


def test_a_document_told_in_meta_counts(tmp_path: Path) -> None:
    """MRC: passages name their document, and have no dedup of their own."""
    items = [_item("a", "mrc", meta=canonical({"document": "acrofan-d1"}))]
    (one,) = _pool(tmp_path, items, [_gold("a", {})], [])[0]
    assert one.documents == ("acrofan-d1",)
