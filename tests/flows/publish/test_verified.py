"""A release is checked against its profile: what was to leave is found, what was kept is not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from flows.publish.verified import personal_data
from pipeline.core.buildfile import PersonalData
from pipeline.release.checks.subject import Subject


class _Entry:
    def __init__(self, task: str) -> None:
        self.task = task


class _Manifest:
    def __init__(self, settings: dict[str, Any]) -> None:
        self.build = {"personal_data": settings}
        self.tasks = {"ynat": _Entry("tc"), "klue_re": _Entry("re"), "wos": _Entry("dst")}


class _Subject(Subject):
    """A release of two tables; its train splits hold a number, and one deep in a struct."""

    def split(self, config: str, split: Any, columns: Any = None) -> pa.Table:
        del columns
        text = "전화는 010-2345-6789로" if split == "train" else "없다"
        row = {"guid": "x-1", "url": "https://news.example.org/1", "title": text, "label": "정치"}
        if config == "klue_re":
            entity = {"word": "hana@example.com", "start": 0, "end": 3}
            row = {"guid": "x-1", "sentence": "없다", "subject_entity": entity}
        return pa.Table.from_pylist([row])


def _faults(**given: Any) -> list[str]:
    settings = PersonalData.model_validate(given).model_dump()
    return list(personal_data(_Subject(Path(), _Manifest(settings), None)))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given", "faults"),
    [
        ({}, ["klue_re has 3 of type email", "ynat has 1 of type phone"]),
        ({"profile": "klue"}, ["klue_re has 3 of type email"]),
        ({"keep": {"phone": "read", "email": "read"}}, []),
        ({"profile": "klue", "mask": ["phone"]}, ["klue_re has 3", "ynat has 1 of type phone"]),
    ],
)
def test_what_was_promised_to_leave_is_found(given: dict[str, Any], faults: list[str]) -> None:
    found = sorted(_faults(**given))
    assert len(found) == len(faults)
    assert all(told.startswith(fault) for told, fault in zip(found, faults, strict=True))
    assert not any("2345" in told or "hana" in told for told in found)
