"""The table of the protocol (docs/protocol.md): its places exist, and what is not met says why."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "protocol.md"
UNMET = {"in part", "different", "missing", "to come"}
SECTIONS = {"2.1", "2.2", "2.3", "2.4", *(f"3.{task}" for task in range(1, 9)), "4.1", "5.1", "5.2"}


class Statement(NamedTuple):
    section: str
    text: str
    places: list[str]
    status: str
    reason: str


def _statements() -> list[Statement]:
    rows = re.findall(r"^\| (\d.*) \|$", PAGE.read_text("utf-8"), re.MULTILINE)
    statements = []
    for row in rows:
        section, text, where, result = (cell.strip() for cell in row.split("|"))
        status, _, reason = result.partition(": ")
        statements.append(Statement(section, text, re.findall(r"`([^`]+)`", where), status, reason))
    return statements


STATEMENTS = _statements()


@cache
def _names(path: Path) -> frozenset[str]:
    """Return what a module defines at its top level."""
    names: set[str] = set()
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        names |= {target.id for target in targets if isinstance(target, ast.Name)}
    return frozenset(names)


@cache
def _yaml(path: Path) -> Any:
    return yaml.safe_load(path.read_bytes())


def _exists(place: str) -> bool:
    """Tell whether a file exists and has the name: of a module, or a path of keys (lists: ids)."""
    file, _, name = place.partition(":")
    path = ROOT / file
    if not path.exists() or not name:
        return path.exists()
    if path.suffix == ".py":
        return name in _names(path)
    value = _yaml(path)
    for key in name.split("."):
        entries = {entry["id"]: entry for entry in value} if isinstance(value, list) else value
        if key not in entries:
            return False
        value = entries[key]
    return True


@pytest.mark.parametrize("section", sorted({row.section for row in STATEMENTS}))
def test_each_place_exists(section: str) -> None:
    for row in STATEMENTS:
        if row.section == section:
            missing = [place for place in row.places if not _exists(place)]
            assert not missing, f"{section} {row.text!r} names {missing}"


def test_a_wrong_place_is_noticed() -> None:
    assert _exists("pipeline/tasks/tc/split.py:split")
    assert not _exists("pipeline/tasks/tc/split.py:splits")
    assert not _exists("pipeline/tasks/tc/splits.py")
    assert _exists("annotation_specs/re/spec.yaml:rounds.resolve.per_item")
    assert not _exists("annotation_specs/re/spec.yaml:rounds.inspect")


def test_each_statement_has_a_status_and_what_is_not_met_a_reason() -> None:
    for row in STATEMENTS:
        if row.status == "met":
            assert row.places and not row.reason, row
        else:
            assert row.status in UNMET and len(row.reason) > 10, row
        assert row.places or row.status == "to come", row


def test_every_section_with_a_protocol_is_there() -> None:
    assert {row.section for row in STATEMENTS} >= SECTIONS
    assert len(STATEMENTS) >= 101
    assert len({(row.section, row.text) for row in STATEMENTS}) == len(STATEMENTS)
