"""The votes of the quickstart on audits: made again, they hold what they are said to."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import klue_rebuild

SAMPLE = Path(__file__).resolve().parents[2] / "data" / "sample"


def test_the_same_votes_every_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(SAMPLE))
    for name in ("make_votes", "draws"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    import make_votes

    assert make_votes.main(["--out", str(tmp_path / "votes.csv")]) == 0
    assert (tmp_path / "votes.csv").read_bytes() == (SAMPLE / "votes.csv").read_bytes()


def test_the_audit_finds_who_was_made_to_stand_out_and_no_one_else() -> None:
    labels = ["부정", "중립", "긍정"]
    flags = klue_rebuild.audit(SAMPLE / "votes.csv", labels=labels, bootstrap=0).flags
    found = set(zip(flags["annotator"], flags["code"], strict=True))
    assert found == {("narae", "random"), ("narae", "fast"), ("daon", "habit")}
