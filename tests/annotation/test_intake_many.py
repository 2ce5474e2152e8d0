"""Readings of more votes than one block of columns, against a plain loop over all of them."""

from __future__ import annotations

import random
from typing import Any

import pytest

from pipeline.annotation.intake import rows
from pipeline.annotation.intake.intake import Taken, intake
from pipeline.annotation.intake.vote import RawVote


def _records(seed: int, count: int) -> list[RawVote]:
    chance = random.Random(seed)
    return [
        RawVote(
            chance.choice(["a.jsonl", "b.jsonl"]),
            chance.randrange(1, count),
            {
                "item": f"i{chance.randrange(12)}",
                "annotator": chance.choice(["kim", "lee", None]),
                "seat": chance.choice(["1", "2"]),
                "role": chance.choice(["annotator", "expert"]),
                **chance.choice(({"label": 1}, {"label": 2}, {"report": "hate"})),
            },
        )
        for _ in range(count)
    ]


def _by_hand(records: list[RawVote]) -> tuple[dict[Any, Any], int, list[tuple[str, int]]]:
    """Return the answers that stand, how many repeat one, and the places of the refused."""
    stand: dict[Any, Any] = {}
    unchanged, refused = 0, []
    for record in sorted(records, key=lambda r: (r.file, r.line)):
        vote = record.value
        label, report = vote.get("label"), vote.get("report")
        seat = vote["seat"] if vote["annotator"] is None or vote["role"] == "expert" else None
        key = (vote["item"], vote["role"], vote["annotator"], seat, None if label else report)
        if key not in stand:
            stand[key] = label, report
        elif stand[key] == (label, report):
            unchanged += 1
        else:
            refused.append((record.file, record.line))
    return stand, unchanged, refused


def _places(taken: Taken) -> list[tuple[str, int]]:
    return [(row["file"], row["line"]) for row in taken.ledger.to_pylist()]


@pytest.mark.parametrize("seed", range(5))
def test_blocks_change_nothing(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    records = _records(seed, 200)
    whole = intake(records, level="ordinal")
    monkeypatch.setattr(rows, "_BLOCK", 7)
    taken = intake(records, level="ordinal")
    assert taken.votes.equals(whole.votes)
    assert taken.ledger.equals(whole.ledger)
    stand, unchanged, refused = _by_hand(records)
    assert (taken.counts.new, taken.counts.unchanged) == (len(stand), unchanged)
    assert _places(taken) == refused
    found = {
        (row["label"] and int(row["label"]), row["report"], row["item"])
        for row in taken.votes.to_pylist()
    }
    assert found == {(label, report, key[0]) for key, (label, report) in stand.items()}


@pytest.mark.parametrize("seed", range(5))
def test_a_second_reading_replaces_or_repeats(seed: int) -> None:
    first = intake(_records(seed, 60), level="ordinal")
    records = _records(seed + 100, 60)
    again = intake(records, level="ordinal", existing=first.votes, replace=True)
    stand, _, refused = _by_hand(records)
    assert again.counts.quarantined == len(refused)
    edits = sum(row["action"] == "edit" for row in again.ledger.to_pylist())
    assert again.counts.replaced == edits
    assert again.votes.num_rows == first.votes.num_rows + again.counts.new
    answers = {
        (r["item"], r["role"], r["annotator"], r["label"] and int(r["label"]), r["report"])
        for r in again.votes.to_pylist()
    }
    assert {(k[0], k[1], k[2], *content) for k, content in stand.items()} <= answers


def test_no_record_is_a_reading_too() -> None:
    taken = intake([], level="nominal")
    assert (taken.votes.num_rows, taken.ledger.num_rows, taken.files) == (0, 0, ())
