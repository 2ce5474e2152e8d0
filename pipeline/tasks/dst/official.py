"""KLUE-DST (Wizard of Seoul): dialogues with the state after each user turn."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from pipeline.contracts.official import documents
from pipeline.contracts.official.files import ReleaseFile
from pipeline.contracts.official.tables import Official, Row, fault, gather, more, need, rows_of

_KEYS: Final = ("guid", "domains", "dialogue")


def read(path: Path) -> Official:
    """Read Wizard of Seoul; raises InputError for any other file.

    The field `goal` of the items is null: the release does not hold the goals.
    """
    text = documents.read_text(path)
    records, frame = documents.load_list(text, path), documents.frame_of(text, path)
    return gather("dst", "json", path, records, _row, frame)


def write(official: Official, path: Path) -> None:
    """Write the items as Wizard of Seoul."""
    documents.save_json([_record(row) for row in rows_of(official)], path, official.frame)


def _row(record: Any) -> Row:
    guid, domains = need(record, "guid", str), need(record, "domains", list)
    given = need(record, "dialogue", list)
    if not given or not all(isinstance(domain, str) for domain in domains):
        raise fault("form", "no turn, or a domain that is no text")
    turns = [_turn(turn, f"turn {place}") for place, turn in enumerate(given, start=1)]
    meta = more(record, _KEYS)
    if stateless := [place for place, turn in enumerate(given) if "state" not in turn]:
        meta["stateless"] = stateless
    return Row(guid, {"goal": None, "domains": domains}, {"turns": turns}, meta=meta)


def _turn(turn: Any, where: str) -> dict[str, Any]:
    role, text = need(turn, "role", str), need(turn, "text", str)
    if role not in ("user", "sys") or not set(turn) <= {"role", "text", "state"}:
        raise fault("form", f"{where}: role is user or sys; keys are role, text and state")
    state = need(turn, "state", list) if "state" in turn or role == "user" else []
    if not all(isinstance(text, str) and len(text.split("-", 2)) == 3 for text in state):
        raise fault("form", f"{where}: a state is DOMAIN-SLOT-VALUE")
    return {"role": role, "text": text, "state": state}


def _record(row: Row) -> dict[str, Any]:
    turns = [
        {"role": turn["role"], "text": turn["text"]}
        | ({} if place in row.meta.get("stateless", ()) else {"state": turn["state"]})
        for place, turn in enumerate(row.gold["turns"])
    ]
    return {
        "guid": row.item,
        "domains": row.fields.get("domains", []),
        "dialogue": turns,
        **row.meta.get("more", {}),
    }


FILE: Final = ReleaseFile("wos")
