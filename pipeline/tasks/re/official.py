"""KLUE-RE: the JSON file, and the CSV form of its train part with Python literals in its cells.

`end_idx` is inclusive in both, `end` of the items exclusive. The CSV has ids instead of guids; they
are taken as the numbers of the train guids.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

from pipeline.contracts.official import documents
from pipeline.contracts.official.files import ReleaseFile
from pipeline.contracts.official.tables import (
    Official,
    Row,
    SourceTexts,
    corpus,
    fault,
    gather,
    more,
    need,
    rows_of,
)

_KEYS: Final = ("guid", "sentence", "subject_entity", "object_entity", "label", "source")
_CSV: Final = ["", "id", "sentence", "subject_entity", "object_entity", "label", "source"]
_ENTITY: Final = {"word", "start_idx", "end_idx", "type"}
_ENTITIES: Final = ("subject", "object")
_PREFIX: Final = "klue-re-v1_train_"
_LABEL: Final = re.compile(r"no_relation|(org|per):[a-z_/]+")
TEXTS: Final = SourceTexts(rb"subject_entity", ("sentence",))


def read(path: Path) -> Official:
    """Read KLUE-RE in either form; raises InputError for any other file."""
    text = documents.read_text(path)
    frame = documents.frame_of(text, path)
    if documents.is_json(text):
        return gather("re", "json", path, documents.load_list(text, path), _from_json, frame)
    rows = documents.load_csv(text, path)
    records = rows[1:] if rows[0][1] == _CSV else rows
    return gather("re", "csv", path, records, _from_csv, frame)


def write(official: Official, path: Path) -> None:
    """Write the items in the form that they were read from."""
    rows = rows_of(official)
    if official.form == "csv":
        documents.save_csv([_CSV, *map(_to_csv, rows)], path, official.frame)
    else:
        documents.save_json([_to_json(row) for row in rows], path, official.frame)


def _from_json(record: Any) -> Row:
    row = Row(need(record, "guid", str), {}, need(record, "label", str))
    if not _LABEL.fullmatch(row.gold):
        raise fault("label", "the label is no relation: no_relation, org:.. or per:..")
    row.fields["sentence"] = sentence = need(record, "sentence", str)
    for name in _ENTITIES:
        row.fields[name] = entity = _from_official(need(record, f"{name}_entity", dict))
        if sentence[entity["start"] : entity["end"]] != entity["word"]:
            reason = f"the {name} does not stand where its offsets say"
            row.notes.append(("official.kept.offset@1", reason))
    name = need(record, "source", str)
    row.source, row.meta = corpus(name), {"source": name} | more(record, _KEYS)
    return row


def _from_official(entity: dict[str, Any]) -> dict[str, Any]:
    if set(entity) != _ENTITY:
        raise fault("form", f"an entity has the keys {', '.join(sorted(_ENTITY))}")
    start, end = need(entity, "start_idx", int), need(entity, "end_idx", int)
    if not 0 <= start <= end:
        raise fault("range", f"an entity from {start} to {end}; `end_idx` is inclusive")
    word, kind = need(entity, "word", str), need(entity, "type", str)
    return {"start": start, "end": end + 1, "word": word, "type": kind}


def to_official(entity: dict[str, Any]) -> dict[str, Any]:
    """Return an entity as in the files and columns of KLUE: `end_idx` is its last character."""
    return {
        "word": entity["word"],
        "start_idx": entity["start"],
        "end_idx": entity["end"] - 1,
        "type": entity["type"],
    }


def _to_json(row: Row) -> dict[str, Any]:
    return {
        "guid": row.item,
        "sentence": row.fields["sentence"],
        "subject_entity": to_official(row.fields["subject"]),
        "object_entity": to_official(row.fields["object"]),
        "label": row.gold,
        "source": row.meta.get("source", row.source),
        **row.meta.get("more", {}),
    }


def _from_csv(cells: list[str]) -> Row:
    if len(cells) != len(_CSV):
        raise fault("form", f"{len(cells)} columns; allowed: {len(_CSV)}")
    record: dict[str, Any] = dict(zip(_CSV, cells, strict=True))
    index, number = record.pop(""), record.pop("id")
    if not re.fullmatch(r"[0-9]{1,9}", number):
        raise fault("form", "'id' is no number")
    for name in _ENTITIES:
        record[f"{name}_entity"] = documents.load_literal(record[f"{name}_entity"], "an entity")
    row = _from_json(record | {"guid": f"{_PREFIX}{number:0>5}"})
    row.meta |= {"index": index, "id": number}
    for name, cell in zip(_ENTITIES, cells[3:5], strict=True):
        if str(to_official(row.fields[name])) != cell:
            row.meta[name] = cell  # the same literal in another spelling
    return row


def _to_csv(row: Row) -> list[str]:
    number = row.meta.get("id", row.item.removeprefix(_PREFIX))
    return [
        row.meta.get("index", number),
        number,
        row.fields["sentence"],
        *(row.meta.get(name, str(to_official(row.fields[name]))) for name in _ENTITIES),
        row.gold,
        row.meta.get("source", row.source) or "",
    ]


FILE: Final = ReleaseFile("klue-re", forms={f"{name}_entity": name for name in _ENTITIES})
