"""A release is checked against its profile: what was to leave is found, what was kept is not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from flows.publish.verified import personal_data, personal_data_detail
from pipeline.core.buildfile import PersonalData
from pipeline.release.checks.subject import Subject
from pipeline.release.manifest import Input
from pipeline.release.tables import COLUMNS


class _Entry:
    def __init__(self, task: str) -> None:
        self.task = task


class _Manifest:
    def __init__(self, settings: dict[str, Any], profiles: dict[str, str]) -> None:
        self.build = {"personal_data": settings}
        self.inputs = [
            Input(source=name, licence="MIT", files=[], profile=profile)  # type: ignore[arg-type]
            for name, profile in profiles.items()
        ]
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


def _subject(profiles: dict[str, str], **given: Any) -> _Subject:
    settings = PersonalData.model_validate(given).model_dump()
    return _Subject(Path(), _Manifest(settings, profiles), None)  # type: ignore[arg-type]


def _faults(**given: Any) -> list[str]:
    return list(personal_data(_subject({}, **given)))


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


class _Pairs(_Subject):
    """A release of pairs: reviews, official texts and their round trips hold a number each."""

    def split(self, config: str, split: Any, columns: Any = None) -> pa.Table:
        del config, columns
        rows = [
            {"guid": name, "source": name, "sentence1": "전화는 010-2345-6789로", "sentence2": ""}
            for name in ("policy", "policy-rtt", "airbnb-rtt")
        ]
        schema = COLUMNS["sts"].schema
        return pa.Table.from_pylist(rows if split == "test" else [], schema=schema)


def test_each_source_is_checked_against_its_own_profile() -> None:
    def faults(profiles: dict[str, str], **given: Any) -> list[str]:
        subject = _Pairs(Path(), _subject(profiles, **given).manifest, None)
        subject.manifest.tasks = {"sts": _Entry("sts")}  # type: ignore[assignment,dict-item]
        return [fault.partition(";")[0] for fault in personal_data(subject)]

    phones = "sts has {} of type phone in its texts".format
    assert faults({"policy": "klue"}) == [phones(1)]
    assert faults({"airbnb": "klue"}) == [phones(2)]
    assert faults({"airbnb": "klue", "policy": "klue"}) == []
    assert faults({"airbnb": "strict"}, profile="klue") == [phones(1)]
    assert faults({"airbnb": "strict"}, profile="klue", keep={"phone": "read"}) == []


def test_the_check_says_what_was_promised_of_which_source() -> None:
    detail = personal_data_detail(_subject({"airbnb": "klue", "policy": "klue"}, drop=["ip"]))
    own, official = detail.split("; ")
    assert own.startswith("no address, bank_account")
    assert official == (
        "of airbnb, policy, by profile klue: no email, ip, mention, url at 0.5 or surer"
    )
