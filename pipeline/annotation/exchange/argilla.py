"""Argilla 2: settings and records out, records as `records.to_json` writes them in.

    part      question            value of a response
    choice    label_selection     the id of the option
    number    rating              the number
    text      text                the text
    spans     span                [{"start", "end", "label"}], UTF-16 code units
    others    text                JSON (see encoding.py)
    report    label_selection     the reason, or "none"; the one question that must be answered

A record's `id` is the item. Argilla's page counts UTF-16 code units where its server counts code
points: a span behind an emoji at the very end of a text is refused by the server, and so a span
filled in beforehand is left out where it would be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from pipeline.annotation.exchange import encoding, files, votes
from pipeline.annotation.exchange.answer_parts import Part, PartKind, Parts, parts_of, refused
from pipeline.annotation.exchange.offers import KNOWLEDGE
from pipeline.annotation.exchange.rendering import RenderedItem, render_items, target_of, titles_of
from pipeline.annotation.intake.vote import RawVote, Refused
from pipeline.contracts.spec import Round, TaskSpec
from pipeline.contracts.task import Task
from pipeline.core.errors import RecordError

SETTINGS: Final = "settings.json"
RECORDS: Final = "records.json"
#: The option of the report question that reports nothing.
NONE: Final = "none"
_KEYS: Final = ("spec", "round", "assigned")


def write(
    items: pa.Table,
    *,
    spec: TaskSpec,
    round_: Round,
    folder: Path,
    assigned: Mapping[str, tuple[str, ...]] | None = None,
    shown: Mapping[str, Any] | None = None,
) -> list[Path]:
    """Write the settings of a dataset and its records; returns the two files.

    What is filled in beforehand, and what items suggest, are suggestions. Raises InputError for
    items of another task, and for a folder that cannot be written.
    """
    parts = parts_of(spec, round_)
    pages = list(render_items(items, spec=spec, round_=round_, assigned=assigned, shown=shown))
    titles = titles_of(spec.task)
    names = list(dict.fromkeys(name for page in pages for name in page.texts_with_first))
    keys = _KEYS + ((votes.ASKED,) if any(page.asked for page in pages) else ())
    settings = {
        "guidelines": f"{spec.instruction.ko}\n\n{round_.question.ko}",
        "questions": [*(_question(part, spec) for part in parts), _report(spec)],
        "fields": [_field(name, titles[name], required=n == 0) for n, name in enumerate(names)],
        "vectors": [],
        "metadata": [_metadata(key) for key in keys],
        "allow_extra_metadata": True,
        "distribution": {"strategy": "overlap", "min_submitted": round_.per_item},
        "mapping": None,
    }
    records = [_record(page, parts, spec, round_) for page in pages]
    return [
        files.write_json(folder / SETTINGS, settings),
        files.write_json(folder / RECORDS, records),
    ]


def read(
    path: Path,
    *,
    task: Task,
    spec: TaskSpec,
    round_: Round | None = None,
    annotators: Mapping[str, str] | None = None,
) -> Iterator[RawVote | Refused]:
    """Yield the votes of exported records, one a user who answered, and what gives none.

    `annotators` (or `annotators.json` beside the export) maps Argilla's user ids to annotators.
    `line` counts the records. Drafts and discarded responses, where the export tells them, give
    nothing. Raises InputError for a file that is no such export, and where there is no map.
    """
    whole = votes.export(path, task, spec, round_)
    ids = files.need_map(path, annotators)
    for line, record in enumerate(files.read_list(path, "as `records.to_json` writes"), 1):
        try:
            answers = _by_user(record)
        except RecordError as error:
            yield Refused(path.name, line, error.rule, error.reason)
            continue
        for user, given in answers.items():
            yield from votes.votes_of(path, line, partial(_votes, record, user, given, whole, ids))


def _by_user(record: object) -> dict[str, dict[str, Any]]:
    """Return the values of the questions by user."""
    if not isinstance(record, dict) or not isinstance(record.get("responses"), dict):
        raise refused("form", "no record with its responses; export with `records.to_json`")
    found: dict[str, dict[str, Any]] = {}
    for question, responses in record["responses"].items():
        if not isinstance(responses, list) or not all(isinstance(r, dict) for r in responses):
            raise refused("form", "the responses to a question are a list of objects")
        for response in responses:
            if response.get("status", "submitted") != "submitted":
                continue
            held = found.setdefault(str(response.get("user_id")), {})
            if question in held:
                raise refused("form", "a user answers one question twice")
            held[question] = response.get("value")
    return found


def _votes(
    record: Mapping[str, Any],
    user: str,
    given: Mapping[str, Any],
    whole: votes.Export,
    ids: Mapping[str, str],
) -> Iterator[dict[str, Any]]:
    metadata, fields = record.get("metadata"), record.get("fields")
    if not isinstance(metadata, dict) or not isinstance(fields, dict):
        raise refused("form", "a record has fields, and the metadata that were sent out")
    keys = {**metadata, "item": record.get("id")}
    votes.item_of(keys)
    round_ = whole.round_of(keys)
    text = str(fields.get(target_of(whole.spec.task), ""))
    parts = {part.name: part for part in whole.parts(round_)}
    values: Parts = {}
    for name, value in given.items():
        if name == votes.REPORT:
            values |= {name: value} if value not in (NONE, None) else {}
        elif name not in parts:
            raise refused("control", f"a response is of none of the questions {', '.join(parts)}")
        elif value is not None:
            values[name] = _MAP[parts[name].kind][1](parts[name], value, text)
    who = files.annotator_of(ids, user)
    yield votes.vote(keys, annotator=who, parts=values, spec=whole.spec, round_=round_, text=text)


def _record(
    page: RenderedItem, parts: Sequence[Part], spec: TaskSpec, round_: Round
) -> dict[str, Any]:
    suggestions = {}
    for part in parts:
        if part.name in page.filled:
            value = _MAP[part.kind][0](part, page.filled[part.name], page.text)
            if value is not None:
                suggestions[part.name] = {"value": value, "score": None, "agent": "filled"}
    more: dict[str, Any] = {"assigned": list(page.assigned)} if page.assigned else {}
    more |= {votes.ASKED: page.asked} if page.asked else {}
    return {
        "id": page.item,
        "fields": page.texts_with_first,
        "metadata": {"spec": spec.name, "round": round_.id} | more,
        "suggestions": suggestions,
        "responses": {},
        "vectors": {},
        "status": "pending",
    }


def _put_spans(_part: Part, value: Any, text: str) -> Any:
    spans = [
        {key: encoding.to_utf16(text, one[key]) for key in ("start", "end")}
        | {"label": one["label"]}
        for one in value
    ]
    return spans if all(span["end"] <= len(text) for span in spans) else None


def _get_spans(part: Part, value: Any, text: str) -> list[dict[str, Any]]:
    found = []
    for one in encoding.from_text(part, encoding.to_text(value)):
        places = {key: encoding.from_utf16(text, one[key]) for key in ("start", "end")}
        found.append(places | {"label": one["label"]})
    return found


def _as_it_is(_part: Part, value: Any, _text: str) -> Any:
    return value


def _put_text(_part: Part, value: Any, _text: str) -> str:
    return encoding.to_text(value)


def _get_text(part: Part, value: Any, _text: str) -> Any:
    if not isinstance(value, str):
        raise refused("form", f"the response to {part.name!r} is not a text")
    return encoding.from_text(part, value)


_Way = Callable[[Part, Any, str], Any]
_MAP: Final[dict[PartKind, tuple[_Way, _Way]]] = {
    "choice": (_as_it_is, _get_text),
    "number": (_as_it_is, _as_it_is),
    "text": (_put_text, _get_text),
    "spans": (_put_spans, _get_spans),
    "words": (_put_text, _get_text),
    "arcs": (_put_text, _get_text),
    "turns": (_put_text, _get_text),
}


def _question(part: Part, spec: TaskSpec) -> dict[str, Any]:
    return {
        "name": part.name,
        "title": part.title,
        "description": encoding.FORMS.get(part.kind) if part.kind != "spans" else None,
        "required": False,
        "settings": _settings(part, spec),
    }


def _settings(part: Part, spec: TaskSpec) -> dict[str, Any]:
    options = [{"value": id_, "text": title, "description": None} for id_, title in part.options]
    if part.kind == "choice":
        return {"type": "label_selection", "options": options}
    if part.kind == "number":
        low, high = (int(end) for _, end in part.options)
        return {"type": "rating", "options": [{"value": n} for n in range(low, high + 1)]}
    if part.kind == "spans":
        about = {"field": target_of(spec.task), "allow_overlapping": False}
        return {"type": "span", "options": options} | about
    return {"type": "text", "use_markdown": False}


def _report(spec: TaskSpec) -> dict[str, Any]:
    """Return the question about reports: the required one, so that nobody must answer the item."""
    reasons = ((NONE, "신고할 것 없음"), *((r.id, r.title.ko) for r in spec.reports))
    part = Part(votes.REPORT, "choice", "신고", reasons)
    return _question(part, spec) | {"required": True}


def _field(name: str, title: str, *, required: bool) -> dict[str, Any]:
    settings = {"type": "text", "use_markdown": name == KNOWLEDGE}
    return {"name": name, "title": title, "required": required, "settings": settings}


def _metadata(name: str) -> dict[str, Any]:
    settings = {"type": "terms", "values": None}
    return {"name": name, "title": name, "visible_for_annotators": False, "settings": settings}
