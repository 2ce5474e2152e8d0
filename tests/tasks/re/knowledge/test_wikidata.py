"""Triples out of a dump of Wikidata: labels in place of ids, and what is passed over."""

from __future__ import annotations

import gzip
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from pipeline.tasks.re.knowledge import wikidata
from pipeline.tasks.re.knowledge.triples import Broken, Triple
from pipeline.tasks.re.knowledge.wikidata import read_wikidata


def _entity(name: str, label: str | None, claims: dict[str, list[Any]]) -> dict[str, Any]:
    statements = {
        relation: [
            {"mainsnak": {"snaktype": "value", "datavalue": {"value": value}}, "rank": "normal"}
            for value in values
        ]
        for relation, values in claims.items()
    }
    labels = {"ko": {"language": "ko", "value": label}} if label else {"en": {"value": "x"}}
    return {"type": "item", "id": name, "labels": labels, "claims": statements}


def _dump(path: Path, entities: list[Any]) -> None:
    lines = [e if isinstance(e, str) else json.dumps(e, ensure_ascii=False) for e in entities]
    path.write_bytes(gzip.compress(("[\n" + ",\n".join(lines) + "\n]\n").encode()))


def test_a_dump_of_wikidata_gives_labels(tmp_path: Path) -> None:
    person = _entity(
        "Q1",
        "차은목",
        {
            "P31": [{"id": "Q5"}],
            "P19": [{"id": "Q2"}, {"id": "Q404"}],
            "P102": [{"id": "Q2"}],
            "P569": [{"time": "+1949-11-08T00:00:00Z", "precision": 11}],
            "P570": [{"time": "+2016-00-00T00:00:00Z", "precision": 9}],
            "P1082": [{"amount": "+3"}],
            "P21": [{"time": "-0300-01-01T00:00:00Z", "precision": 11}],
        },
    )
    person["aliases"] = {"ko": [{"value": "목은재"}]}
    person["claims"]["P26"] = [
        {"mainsnak": {"datavalue": {"value": {"id": "Q2"}}}, "rank": "deprecated"},
        {"mainsnak": {"snaktype": "novalue"}},
        "broken",
    ]
    path = tmp_path / "dump.json.gz"
    _dump(
        path,
        [
            person,
            "{broken",
            _entity("Q3", None, {"P19": [{"id": "Q2"}]}),
            "[1]",
            _entity("Q2", "한빛섬", {}),
        ],
    )
    scratch = sqlite3.connect(":memory:", isolation_level=None)
    found = list(read_wikidata(path, scratch, keeps=lambda name: name != "P102"))
    assert [f for f in found if isinstance(f, Broken)] == [
        Broken(3, "not JSON"),
        Broken(5, 'no entity with an "id"'),
    ]
    assert [f[:3] for f in found if isinstance(f, Triple)] == [
        ("차은목", "aliases", "목은재"),
        ("차은목", "P31", "Q5"),
        ("차은목", "P19", "한빛섬"),
        ("차은목", "P569", "1949-11-08"),
        ("차은목", "P570", "2016"),
        ("목은재", "P31", "Q5"),
    ]
    assert scratch.execute("SELECT * FROM sqlite_master").fetchall() == []


def test_lines_without_a_korean_label_are_not_parsed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parse, parsed = wikidata._parse, list[bytes]()

    def record(text: bytes) -> Any:
        parsed.append(text)
        return parse(text)

    monkeypatch.setattr(wikidata, "_parse", record)
    path = tmp_path / "dump.json.gz"
    others = [_entity(f"Q{n}", None, {"P19": [{"id": "Q2"}]}) for n in range(10, 60)]
    _dump(path, [*others, _entity("Q1", "차은목", {"P19": [{"id": "Q2"}]}), '{"x": 1}', "{"])
    found = list(read_wikidata(path, sqlite3.connect(":memory:"), keeps=lambda _: True))
    assert found == [Broken(53, 'no entity with an "id"'), Broken(54, "not JSON")]
    assert [json.loads(text)["id"] for text in parsed[:-1]] == ["Q1"]
