"""The stage `split`: every gold example has a split or a row that says why not."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from pipeline.contracts.spec import load_spec
from pipeline.core import running, schemas, store
from pipeline.core.errors import InputError
from pipeline.core.jsontext import canonical
from pipeline.core.stage import Call, call

MODULE = "pipeline.release.splits.splitting"
TOPICS = ("정치", "경제", "사회", "생활문화", "세계", "IT과학", "스포츠")
#: Nouns that no two headlines share.
WORDS = "".join(chr(code) for code in range(0xAC00, 0xAC00 + 4000, 4))


def _name(n: int) -> str:
    return f"tc-c{n:020x}"


def _title(n: int) -> str:
    return " ".join(WORDS[6 * n + k : 6 * n + k + 2] for k in (0, 2, 4))


def _tables(count: int) -> dict[str, pa.Table]:
    """Return headlines of 2019, every fifth one of 2020, all of them gold."""
    items: list[dict[str, object]] = []
    gold: list[dict[str, object]] = []
    for n in range(count):
        day = f"20{20 if n % 5 == 0 else 19}-03-{n % 28 + 1:02}"
        items.append({"item": _name(n), "task": "tc", "source": "yna", "sampler": "sections",
                      "fields": canonical({"title": _title(n)}),
                      "meta": canonical({"date": day})})  # fmt: skip
        gold.append({"item": _name(n), "task": "tc", "status": "gold", "rule": "gold.majority@1",
                     "votes": 3, "simulated": True, "agreement": 1.0,
                     "label": canonical([TOPICS[n // 5 % 7]])})  # fmt: skip
    return {"items": schemas.build("items", items), "gold": schemas.build("gold", gold)}


def _split(
    folder: Path,
    tables: dict[str, pa.Table],
    *,
    kept: dict[str, str] | None = None,
    withdrawn: dict[str, str] | None = None,
    seed: int = 3,
) -> Call:
    places = []
    for name in ("items", "gold", "drawn"):
        place = folder / name
        place.mkdir(parents=True)
        places.append(place)
    store.write_table(places[0], "items", "all", tables["items"])
    store.write_table(places[1], "gold", "all", tables["gold"])
    store.write_table(places[2], "items", "all", tables["items"])
    store.write_table(places[2], "drawn", "all", schemas.empty("drawn"))
    spec = load_spec("tc")
    planned = call(
        MODULE,
        work=folder,
        source="tc",
        params={"task": "tc", "seed": seed, "spec": spec.name, "styles": {}, "has": []},
        arguments={"kept": kept or {}, "withdrawn": withdrawn or {}, "versions": []},
    )
    done = replace(planned, inputs=tuple(places))
    running.complete(done)
    return done


def _rows(done: Call, name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = store.read_all(done.folder, name).to_pylist()
    return rows


def _splits(done: Call) -> dict[str, str]:
    return {row["id"]: row["split"] for row in _rows(done, "examples")}


def test_every_gold_example_has_a_place(tmp_path: Path) -> None:
    tables = _tables(140)
    done = _split(tmp_path, tables)
    found = _rows(done, "examples")
    left = {row["unit"] for row in _rows(done, "ledger")}
    ids = [row["id"] for row in found]
    assert ids == sorted(set(ids))
    assert set(ids) | left == set(tables["gold"]["item"].to_pylist())
    assert not set(ids) & left
    assert all(row["split"] == "train" or row["split"] in ("dev", "test") for row in found)
    assert Counter(row["split"] for row in found)["train"] > 70
    dates = {row["id"]: row["date"] for row in found}
    for name, split in _splits(done).items():
        assert split != "train" or dates[name] < "2020"


def test_an_example_keeps_all_that_is_known_of_it(tmp_path: Path) -> None:
    tables = _tables(140)
    found = {row["id"]: row for row in _rows(_split(tmp_path, tables), "examples")}
    for item, gold in zip(tables["items"].to_pylist(), tables["gold"].to_pylist(), strict=True):
        row = found[item["item"]]
        assert (row["fields"], row["label"]) == (item["fields"], gold["label"])
        assert (row["task"], row["source"], row["sampler"]) == ("tc", "yna", "sections")
        assert (row["simulated"], row["kept"], row["agreement"]) == (True, False, 1.0)
        assert row["group"] == row["id"]


def test_its_constraints_are_those_of_the_rule(tmp_path: Path) -> None:
    done = _split(tmp_path, _tables(140))
    told = _rows(done, "constraints")
    sizes = {row["split"]: row["found"] for row in told if row["name"] == "size"}
    assert sizes == dict(Counter(_splits(done).values()))
    assert {row["task"] for row in told} == {"tc"}
    before = next(row for row in told if row["name"] == "published_before")
    assert before["met"] is True


def test_order_makes_no_difference_and_the_seed_does(tmp_path: Path) -> None:
    tables = _tables(140)
    turned = {
        name: table.take(pa.array(range(table.num_rows - 1, -1, -1)))
        for name, table in tables.items()
    }
    one, two = _split(tmp_path / "one", tables), _split(tmp_path / "two", turned)
    assert _rows(one, "examples") == _rows(two, "examples")
    assert _rows(one, "constraints") == _rows(two, "constraints")
    assert _splits(_split(tmp_path / "three", tables, seed=4)) != _splits(one)


def test_earlier_splits_are_kept(tmp_path: Path) -> None:
    """Half of the pool was there before; another seed and the new half move nothing of it."""
    first = _splits(_split(tmp_path / "first", _tables(70)))
    again = _split(tmp_path / "again", _tables(140), kept=first, seed=99)
    found = _splits(again)
    assert {name: found.get(name) for name in first} == first
    assert len(found) == 140
    assert {row["id"] for row in _rows(again, "examples") if row["kept"]} == set(first)


def test_what_was_withdrawn_is_left_out_and_told(tmp_path: Path) -> None:
    gone = {_name(3): "complaint", _name(10): "personal_data"}
    done = _split(tmp_path, _tables(140), withdrawn=gone)
    assert not gone.keys() & _splits(done).keys()
    told = {row["unit"]: row for row in _rows(done, "ledger")}
    assert set(told) >= set(gone)
    assert {told[name]["rule"] for name in gone} == {"split.withdrawn@1"}
    assert {told[name]["action"] for name in gone} == {"drop"}


def test_two_like_headlines_share_a_split(tmp_path: Path) -> None:
    """The second differs by a mark alone, and is of the other year."""
    tables = _tables(140)
    rows = tables["items"].to_pylist()
    rows[1]["fields"] = canonical({"title": f"{_title(0)}!"})
    done = _split(tmp_path, tables | {"items": schemas.build("items", rows)})
    found = _splits(done)
    assert found[_name(0)] == found[_name(1)] != "train"
    groups = {row["id"]: row["group"] for row in _rows(done, "examples")}
    assert groups[_name(0)] == groups[_name(1)] == _name(0)


def test_too_few_examples_name_what_binds(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        _split(tmp_path, _tables(1))
    told = str(caught.value)
    assert told.startswith("tc")
    assert any(split in told for split in ("train", "dev", "test"))
