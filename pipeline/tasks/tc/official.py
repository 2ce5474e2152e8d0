"""KLUE-TC (YNAT): the JSON file with its raw annotations, and two CSV forms without them.

json    guid, title, predefined_news_category, label, annotations, url, date
dev     guid suffix, press category, label, title; no header line
titles  guid, split, title, label, predefined_news_category, url
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from pipeline.contracts.example import Example
from pipeline.contracts.official import documents
from pipeline.contracts.official.files import ReleaseFile, VoteRow, one_per_annotator
from pipeline.contracts.official.tables import (
    Official,
    Row,
    SourceTexts,
    Vote,
    check_annotators,
    fault,
    gather,
    more,
    need,
    rows_of,
)
from pipeline.core.jsontext import parsed

TOPICS: Final = ("정치", "경제", "사회", "생활문화", "세계", "IT과학", "스포츠")
NONE: Final = "해당없음"
SCOPES: Final = ("first-scope", "second-scope", "third-scope")
#: The report of the spec that a vote without any topic stands for.
UNABLE: Final = "unable_to_decide"
_SOURCE: Final = "yna"
_PREFIX: Final = "ynat-v1_dev_"
#: The columns of the CSV forms.
_CSV: Final = {
    "dev": ["guid", "predefined_news_category", "label", "title"],
    "titles": ["guid", "split", "title", "label", "predefined_news_category", "url"],
}
_META: Final = ("predefined_news_category", "url", "date")
_KEYS: Final = (
    "guid",
    "title",
    "predefined_news_category",
    "label",
    "annotations",
    "url",
    "date",
)
TEXTS: Final = SourceTexts(rb"predefined_news_category|^(\xef\xbb\xbf)?\d+,", ("title",))


def read(path: Path) -> Official:
    """Read YNAT in any of its forms; raises InputError for any other file."""
    text = documents.read_text(path)
    frame = documents.frame_of(text, path)
    if documents.is_json(text):
        return gather("tc", "json", path, documents.load_list(text, path), _from_json, frame)
    rows = documents.load_csv(text, path)
    has_header = rows[0][1] == _CSV["titles"]
    form = "titles" if has_header else "dev"
    return gather("tc", form, path, rows[has_header:], partial(_from_cells, form), frame)


def write(official: Official, path: Path) -> None:
    """Write the items in the form that they were read from."""
    rows, form = rows_of(official), official.form
    if form not in _CSV:
        documents.save_json([_to_json(row) for row in rows], path, official.frame)
        return
    header = [_CSV[form]] if form == "titles" else []
    cells = (_to_cells(form, row) for row in rows)
    documents.save_csv([*header, *cells], path, official.frame)


def _topic(value: str) -> list[str]:
    if value not in TOPICS:
        raise fault("label", f"the label is no topic; allowed: {', '.join(TOPICS)}")
    return [value]


def _from_json(record: Any) -> Row:
    row = Row(
        need(record, "guid", str),
        {"title": need(record, "title", str)},
        _topic(need(record, "label", str)),
        _SOURCE,
    )
    raw = need(record, "annotations", dict)
    scopes = need(raw, "annotations", dict)
    annotators = need(raw, "annotators", list)
    ranks = [need(scopes, name, list) for name in SCOPES]
    if any(len(rank) != len(annotators) for rank in ranks):
        raise fault("form", "annotators and scopes are not of one length")
    check_annotators(annotators)
    row.votes = [_vote(name, *ranked) for name, *ranked in zip(annotators, *ranks, strict=True)]
    row.meta = {key: record[key] for key in _META if key in record} | more(record, _KEYS)
    if _scopes(row.votes) != {name: scopes[name] for name in SCOPES}:
        row.meta["scopes"] = scopes  # a gap between ranks, which a vote does not hold
    return row


def _vote(annotator: str, *ranked: Any) -> Vote:
    if any(topic not in (*TOPICS, NONE) for topic in ranked):
        raise fault("label", f"a scope is no topic; allowed: {', '.join(TOPICS)}, {NONE}")
    topics = tuple(dict.fromkeys(topic for topic in ranked if topic != NONE))
    return Vote(topics, annotator) if topics else Vote(None, annotator, report=UNABLE)


def _scopes(votes: list[Vote]) -> dict[str, list[str]]:
    ranked = [[*(vote.label or ()), NONE, NONE, NONE] for vote in votes]
    return {name: [topics[i] for topics in ranked] for i, name in enumerate(SCOPES)}


def _to_json(row: Row) -> dict[str, Any]:
    values: dict[str, Any] = {
        **{key: row.meta[key] for key in _META if key in row.meta},
        "guid": row.item,
        "title": row.fields["title"],
        "label": row.gold[0],
        "annotations": {
            "annotators": [vote.annotator for vote in row.votes],
            "annotations": row.meta.get("scopes") or _scopes(row.votes),
        },
    }
    known = {key: values[key] for key in _KEYS if key in values}
    return {**known, **row.meta.get("more", {})}


def _from_cells(form: str, cells: list[str]) -> Row:
    columns = _CSV[form]
    if len(cells) != len(columns):
        allowed = f"{len(columns)} ({', '.join(columns)})"
        raise fault("form", f"{len(cells)} columns; allowed: {allowed}")
    meta = dict(zip(columns, cells, strict=True))
    guid, title, label = (meta.pop(key) for key in ("guid", "title", "label"))
    if form == "dev":
        if not (guid.isascii() and guid.isdigit()):
            raise fault("form", "the first column is no number")
        guid = _PREFIX + guid
    return Row(guid, {"title": title}, _topic(label), _SOURCE, meta=meta)


def _to_cells(form: str, row: Row) -> list[str]:
    guid = row.item.removeprefix(_PREFIX) if form == "dev" else row.item
    values = {**row.meta, "guid": guid, "title": row.fields["title"], "label": row.gold[0]}
    return [values.get(column, "") for column in _CSV[form]]


def _from_example(example: Example, votes: Sequence[VoteRow]) -> Row:
    meta = {key: value for key, value in example.meta.items() if value is not None}
    if example.date is not None:
        meta["date"] = example.date
    official_votes = [
        Vote(tuple(parsed(vote["label"])), vote["annotator"])
        if vote["label"] is not None
        else Vote(None, vote["annotator"], report=UNABLE)
        for vote in one_per_annotator(votes)
        if vote["label"] is not None or vote["report"] == UNABLE
    ]
    fields = dict(example.fields)
    return Row(example.id, fields, example.label[:1], example.source, None, meta, official_votes)


FILE: Final = ReleaseFile("ynat", row=_from_example, voted=True, forms={"date": "date"})
