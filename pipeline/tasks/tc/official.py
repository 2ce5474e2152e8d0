"""KLUE-TC (YNAT): the JSON file with its raw annotations, and two CSV forms without them.

json    guid, title, predefined_news_category, label, annotations, url, date
dev     guid suffix, press category, label, title; no header line
titles  guid, split, title, label, predefined_news_category, url
"""

from __future__ import annotations

from collections.abc import Sequence
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
_TITLES: Final = ["guid", "split", "title", "label", "predefined_news_category", "url"]
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
    if documents.is_json(text):
        return gather("tc", "json", path, documents.load_list(text, path), _from_json)
    rows = documents.load_csv(text, path)
    frame = {"line_end": documents.line_end(text)}
    if rows[0][1] == _TITLES:
        return gather("tc", "titles", path, rows[1:], _from_titles, frame)
    return gather("tc", "dev", path, rows, _from_dev, frame)


def write(official: Official, path: Path) -> None:
    """Write the items in the form that they were read from."""
    rows = rows_of(official)
    end = official.frame.get("line_end", "\n")
    if official.form == "titles":
        documents.save_csv([_TITLES, *map(_to_titles, rows)], end, path)
    elif official.form == "dev":
        documents.save_csv(map(_to_dev, rows), end, path)
    else:
        documents.save_json([_to_json(row) for row in rows], path)


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
    if not all(isinstance(name, str) for name in annotators) or len(set(annotators)) < len(
        ranks[0]
    ):
        raise fault("form", "annotators must be texts, each once")
    row.votes = [_vote(name, *ranked) for name, *ranked in zip(annotators, *ranks, strict=True)]
    row.meta = {
        key: record[key] for key in ("predefined_news_category", "url", "date") if key in record
    }
    row.meta |= more(record, _KEYS)
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
    record: dict[str, Any] = {
        "guid": row.item,
        "title": row.fields["title"],
        "predefined_news_category": row.meta.get("predefined_news_category"),
        "label": row.gold[0],
        "annotations": {
            "annotators": [vote.annotator for vote in row.votes],
            "annotations": row.meta.get("scopes") or _scopes(row.votes),
        },
        "url": row.meta.get("url"),
        "date": row.meta.get("date"),
    }
    absent = [key for key in ("predefined_news_category", "url", "date") if key not in row.meta]
    known = {key: value for key, value in record.items() if key not in absent}
    return {**known, **row.meta.get("more", {})}


def _from_dev(cells: list[str]) -> Row:
    if len(cells) != 4:
        raise fault("form", f"{len(cells)} columns; allowed: 4 (number, category, label, title)")
    number, category, label, title = cells
    if not (number.isascii() and number.isdigit()):
        raise fault("form", "the first column is no number")
    meta = {"predefined_news_category": category}
    return Row(_PREFIX + number, {"title": title}, _topic(label), _SOURCE, meta=meta)


def _to_dev(row: Row) -> list[str]:
    category = row.meta.get("predefined_news_category", "")
    return [row.item.removeprefix(_PREFIX), category, row.gold[0], row.fields["title"]]


def _from_titles(cells: list[str]) -> Row:
    if len(cells) != len(_TITLES):
        raise fault("form", f"{len(cells)} columns; allowed: {len(_TITLES)}")
    guid, split, title, label, category, url = cells
    meta = {"split": split, "predefined_news_category": category, "url": url}
    return Row(guid, {"title": title}, _topic(label), _SOURCE, meta=meta)


def _to_titles(row: Row) -> list[str]:
    meta = {key: row.meta.get(key, "") for key in ("split", "predefined_news_category", "url")}
    split, *others = meta.values()
    return [row.item, split, row.fields["title"], row.gold[0], *others]


def _from_example(example: Example, votes: Sequence[VoteRow]) -> Row:
    meta = {key: value for key, value in example.meta.items() if value is not None}
    if example.date is not None:
        meta["date"] = example.date
    found = [
        Vote(tuple(parsed(vote["label"])), vote["annotator"])
        if vote["label"] is not None
        else Vote(None, vote["annotator"], report=UNABLE)
        for vote in one_per_annotator(votes)
        if vote["label"] is not None or vote["report"] == UNABLE
    ]
    fields = dict(example.fields)
    return Row(example.id, fields, example.label[:1], example.source, None, meta, found)


FILE: Final = ReleaseFile("ynat", row=_from_example, voted=True)
