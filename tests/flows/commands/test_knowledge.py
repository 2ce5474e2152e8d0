"""`klue knowledge build`: dumps of an invented world to a base that a build can read."""

from __future__ import annotations

import bz2
import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from flows.cli import app
from pipeline.core.errors import InputError
from pipeline.tasks.re.knowledge import Fact, NameInfo, create_knowledge, open_knowledge

PAGE = """<mediawiki><page><title>가람포 FC</title><ns>0</ns><id>7</id><revision><text>{{축구단 정보
| 연고지 = [[한빛섬]]
| 감독 = 문태율
}}
'''가람포 FC'''는 축구단이다.</text></revision></page></mediawiki>"""


def _entity(name: str, label: str, **claims: Any) -> dict[str, Any]:
    statements = {
        key: [{"mainsnak": {"datavalue": {"value": value}}, "rank": "normal"}]
        for key, value in claims.items()
    }
    return {"id": name, "labels": {"ko": {"value": label}}, "claims": statements}


def _dump() -> bytes:
    person = _entity("Q1", "차은목", P31={"id": "Q5"}, P19={"id": "Q2"}, P26={"id": "Q3"})
    person["aliases"] = {"ko": [{"value": "목은재"}]}
    entities = [person, _entity("Q2", "한빛섬"), _entity("Q3", "백소령", P31={"id": "Q5"})]
    lines = ",\n".join(json.dumps(one, ensure_ascii=False) for one in entities)
    return f"[\n{lines}\n]\n".encode()


def _klue(*arguments: object, code: int = 0) -> dict[str, Any]:
    given = ["knowledge", "build", *map(str, arguments), "--json"]
    result = CliRunner().invoke(app, given)
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


@pytest.mark.parametrize(("name", "pack"), [("d.json.bz2", bz2.compress), ("d.json", bytes)])
def test_dumps_become_a_base(tmp_path: Path, name: str, pack: Any) -> None:
    (tmp_path / name).write_bytes(pack(_dump()))
    (tmp_path / "wiki.xml.gz").write_bytes(gzip.compress(PAGE.encode()))
    dumps = (tmp_path / name, tmp_path / "wiki.xml.gz")
    made = _klue(*dumps, "--out", tmp_path / "one.base")
    assert (made["facts"], made["pairs"], made["faults"]) == (5, 5, 0)
    _klue(*dumps, "--out", tmp_path / "two.base")
    assert (tmp_path / "one.base").read_bytes() == (tmp_path / "two.base").read_bytes()
    with create_knowledge(tmp_path / "kb.sqlite") as copy:
        copy.add_base(tmp_path / "one.base")
    with open_knowledge(tmp_path / "kb.sqlite") as base:
        assert base.look_up(["차은목", "목은재", "한빛섬"]) == {
            "차은목": NameInfo("PER", False),
            "목은재": NameInfo("PER", False),
            "한빛섬": NameInfo("LOC", False),
        }
        assert base.facts_between(["차은목", "한빛섬"]) == [Fact("차은목", "한빛섬", "P19", name)]
        assert base.facts_between(["목은재", "한빛섬"]) == [Fact("목은재", "한빛섬", "P19", name)]
        (fact,) = base.facts_between(["가람포fc", "문태율"])
        assert fact.origin == "wiki.xml.gz"


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("plain.json", _dump()[:-200]),
        ("between.json", _dump().removesuffix(b"\n]\n")),
        ("packed.json.bz2", bz2.compress(_dump())[:-20]),
        ("packed.json.gz", gzip.compress(_dump())[:-20]),
        ("wiki.xml", PAGE.encode()[:-40]),
    ],
    ids=["plain", "between", "bz2", "gz", "wiki"],
)
def test_a_dump_that_is_cut_gives_one_error_and_no_base(
    tmp_path: Path, name: str, data: bytes
) -> None:
    (tmp_path / name).write_bytes(data)
    error = _klue(tmp_path / name, "--out", tmp_path / "a.base", code=2)["error"]
    assert name in error and "fetch it again" in error
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_properties_that_no_relation_has_are_kept_when_asked(tmp_path: Path) -> None:
    entities = [
        _entity("Q1", "차은목", P1344={"id": "Q2"}, P19={"id": "Q2"}),
        _entity("Q2", "여울"),
    ]
    (tmp_path / "d.json").write_text("\n".join(json.dumps(entity) for entity in entities))
    out = tmp_path / "a.base"
    assert _klue(tmp_path / "d.json", "--out", out)["facts"] == 1
    assert _klue(tmp_path / "d.json", "--out", out, "--force", "--all-properties")["facts"] == 2


def test_an_older_base_stays_unless_told(tmp_path: Path) -> None:
    (tmp_path / "d.json").write_bytes(_dump())
    (tmp_path / "a.base").write_text("mine")
    error = _klue(tmp_path / "d.json", "--out", tmp_path / "a.base", code=2)["error"]
    assert "--force" in error and (tmp_path / "a.base").read_text() == "mine"


@pytest.mark.parametrize(
    "data", [b"no base", b"SQLite format 3\0" + b"x" * 9000], ids=["text", "damaged"]
)
def test_a_file_that_is_no_base_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.base").write_bytes(data)
    with (
        create_knowledge(tmp_path / "kb.sqlite") as base,
        pytest.raises(InputError, match="is no knowledge base, or damaged"),
    ):
        base.add_base(tmp_path / "a.base")


def test_all_files_are_looked_at_before_one_is_read(tmp_path: Path) -> None:
    (tmp_path / "d.json").write_bytes(_dump())
    (tmp_path / "empty.json").touch()
    for other, fault in (("nowhere.json", "no such file"), ("empty.json", "is empty"), ("", "one")):
        given = map(str, (tmp_path / "d.json", tmp_path / other, "--out", tmp_path / "new" / "kb"))
        result = CliRunner().invoke(app, ["knowledge", "build", *given])
        assert result.exit_code == 2
        assert fault in result.stderr and "reading" not in result.stderr
    assert not (tmp_path / "new").exists()
    assert _klue(tmp_path / "d.json", "--out", tmp_path / "new" / "kb")["facts"]
