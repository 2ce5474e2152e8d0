"""Triples out of files: what is broken is told by line, and never stops the rest."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from pipeline.core.errors import InputError
from pipeline.tasks.re.knowledge import triples
from pipeline.tasks.re.knowledge.properties import PROPERTIES
from pipeline.tasks.re.knowledge.triples import Broken, Triple, read_triples


def _read(path: Path, form: str = "tsv") -> list[Triple | Broken]:
    return list(read_triples(path, form))


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


def test_the_sample_knowledge_is_whole() -> None:
    found = _read(PROPERTIES.with_name("sample.tsv"))
    assert len(found) > 80
    assert all(isinstance(one, Triple) for one in found)
