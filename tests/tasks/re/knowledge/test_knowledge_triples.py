"""Triples out of files: what is broken is told by line, and never stops the rest."""

from __future__ import annotations

import gzip
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from pipeline.core.errors import InputError
from pipeline.tasks.re.knowledge import triples
from pipeline.tasks.re.knowledge.properties import PROPERTIES
from pipeline.tasks.re.knowledge.triples import Broken, Triple, read_triples


def _read(path: Path, form: str = "tsv") -> list[Triple | Broken]:
    return list(read_triples(path, form, sqlite3.connect(":memory:")))


def test_tables_of_triples(tmp_path: Path) -> None:
    path = tmp_path / "kb.tsv"
    lines = ["차은목\tspouse\t백소령", "", "둘\t뿐", "하나\t둘\t셋\t넷", "차은목\t\t백소령"]
    path.write_bytes("\r\n".join(lines).encode() + b"\n\xff\xfe\tx\ty\n")
    found = _read(path)
    assert found[0] == Triple("차은목", "spouse", "백소령", 1)
    assert [f.line for f in found[1:]] == [3, 4, 5, 6]
    assert all(isinstance(f, Broken) for f in found[1:])
    assert not any("차은목" in f.reason for f in found[1:] if isinstance(f, Broken))


def test_json_lines_of_triples(tmp_path: Path) -> None:
    path = tmp_path / "kb.jsonl.gz"
    good = {"subject": "솔하", "relation": "본명", "object": "임소윤"}
    wrong = ["{", "[]", '{"subject": 1}', json.dumps({**good, "object": ""}), "[" * 5000]
    text = "\n".join([json.dumps(good), *wrong])
    path.write_bytes(gzip.compress(text.encode()))
    found = _read(path, "jsonl")
    assert found[0] == Triple("솔하", "본명", "임소윤", 1)
    assert [f.line for f in found if isinstance(f, Broken)] == [2, 3, 4, 5, 6]


def test_a_file_of_another_form_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(triples, "BROKEN", 3)
    path = tmp_path / "kb.tsv"
    path.write_text("no table\n" * 9, "utf-8")
    with pytest.raises(InputError, match=r"kb.tsv:4: 4 broken lines.*subject, relation, object"):
        _read(path)


def test_a_cut_off_or_absent_file_is_told(tmp_path: Path) -> None:
    path = tmp_path / "kb.tsv.gz"
    path.write_bytes(gzip.compress(b"a\tb\tc\n" * 9999)[:-30])
    with pytest.raises(InputError, match="is cut off after"):
        _read(path)
    with pytest.raises(InputError, match="no such file"):
        _read(tmp_path / "absent.tsv")


def test_a_line_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(triples, "LINE", 100)
    path = tmp_path / "kb.tsv"
    path.write_text("x" * 101, "utf-8")
    with pytest.raises(InputError, match="more than 100 bytes"):
        _read(path)


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
    found = list(read_triples(path, "wikidata", scratch))
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
    ]
    assert scratch.execute("SELECT * FROM sqlite_master").fetchall() == []


def test_the_sample_knowledge_is_whole() -> None:
    found = _read(PROPERTIES.with_name("sample.tsv"))
    assert len(found) > 80
    assert all(isinstance(one, Triple) for one in found)
