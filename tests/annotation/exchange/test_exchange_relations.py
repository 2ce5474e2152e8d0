"""Relations: those that fit the types come first in every tool, and none is ruled out (3.5.1)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from exchange_samples import FIELDS, SPECS, items, round_of
from exchange_tools import ANNOTATOR, USERS, fill

from pipeline.annotation.exchange import argilla, doccano, jsonl, label_studio
from pipeline.annotation.exchange.formats import FORMATS
from pipeline.annotation.intake.intake import intake
from pipeline.contracts.registry import TASKS
from pipeline.core.jsontext import parsed

SPEC, ROUND = SPECS["re"], round_of("re", "main")
LABELS = SPEC.ids()
#: The relations of a person with a place.
OF_A_PLACE = {
    "no_relation",
    "per:place_of_birth",
    "per:place_of_death",
    "per:place_of_residence",
    "per:origin",
    "per:employee_of",
}


def _fields(subject: str, object_: str) -> dict[str, Any]:
    return FIELDS["re"] | {
        "subject": FIELDS["re"]["subject"] | {"type": subject},
        "object": FIELDS["re"]["object"] | {"type": object_},
    }


def _orders(folder: Path, fields: dict[str, Any]) -> dict[str, list[str]]:
    """Return the relations that may be chosen, in the order in which each tool tells them."""
    for tool in FORMATS:
        FORMATS[tool].write(items("re", fields), spec=SPEC, round_=ROUND, folder=folder / tool)
    (task,) = json.loads((folder / "label-studio" / label_studio.TASKS).read_text("utf-8"))
    row = json.loads((folder / "jsonl" / jsonl.ITEMS).read_text("utf-8"))
    types = json.loads((folder / "doccano" / doccano.CATEGORIES).read_text("utf-8"))
    settings = json.loads((folder / "argilla" / argilla.SETTINGS).read_text("utf-8"))
    label = next(q for q in settings["questions"] if q["name"] == "label")
    return {
        "label-studio": [one["alias"] for one in task["data"][label_studio.OFFERED]],
        "jsonl": row["options"]["label"],
        "doccano": [t["text"].removeprefix("label:") for t in types if t["text"][:6] == "label:"],
        "argilla": [one["value"] for one in label["settings"]["options"]],
    }


@pytest.mark.parametrize(
    ("pair", "first"),
    [
        (("PER", "LOC"), OF_A_PLACE),
        (("ORG", "DAT"), {"no_relation", "org:founded", "org:dissolved"}),
        (("LOC", "LOC"), {"no_relation"}),
    ],
)
def test_what_fits_the_types_comes_first_and_all_can_be_chosen(
    pair: tuple[str, str], first: set[str], tmp_path: Path
) -> None:
    orders = _orders(tmp_path, _fields(*pair))
    assert all(sorted(order) == sorted(LABELS) for order in orders.values())
    for tool in ("label-studio", "jsonl"):
        assert set(orders[tool][: len(first)]) == first


def test_tools_of_one_order_tell_what_fits(tmp_path: Path) -> None:
    _orders(tmp_path, FIELDS["re"])
    row = json.loads((tmp_path / "doccano" / doccano.EXAMPLES).read_text("utf-8"))
    (record,) = json.loads((tmp_path / "argilla" / argilla.RECORDS).read_text("utf-8"))
    told = row["text"].rpartition("[먼저 볼 답]\n")[2]
    for text in (told, record["fields"]["first"]):
        assert {label for label in LABELS if f"({label})" in text} == OF_A_PLACE


@pytest.mark.parametrize("tool", FORMATS)
def test_a_relation_that_fits_no_type_is_a_valid_vote(tool: str, tmp_path: Path) -> None:
    table = items("re", _fields("PER", "LOC"), len(LABELS))
    FORMATS[tool].write(table, spec=SPEC, round_=ROUND, folder=tmp_path)
    export = fill(tool, "re", ROUND, tmp_path, [{"label": label} for label in LABELS])
    ids = {USERS[tool]: ANNOTATOR} if tool in USERS else None
    raw = FORMATS[tool].read(export, task=TASKS["re"], spec=SPEC, annotators=ids)
    taken = intake(raw, task=TASKS["re"], spec=SPEC, items=table)
    assert taken.ledger.num_rows == 0
    votes = {row["item"]: parsed(row["label"]) for row in taken.votes.to_pylist()}
    assert votes == {f"re-{n}": label for n, label in enumerate(LABELS, 1)}
