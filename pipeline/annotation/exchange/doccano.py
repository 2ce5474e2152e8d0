"""doccano: examples as JSONL with files of label types out, its JSONL exports in.

    part                  project                        in the record
    choice, number        DocumentClassification         label: ["NAME:VALUE"]
    spans                 IntentDetectionAndSlotFilling  entities: [[start, end, label]]
    text, and what        Seq2seq                        label: ["NAME:VALUE"], VALUE as text,
    doccano has not                                      or as JSON (see answer_parts.py)
    report                all                            cats or label: ["report:REASON"]

What an item suggests becomes labels, and is repeated under `suggested`: an export cannot tell a
label that was looked at from one that was not, so labels equal to it count only with `done:yes`.

Offsets are UTF-16 code units: the project's "Count grapheme clusters as one character" stays off.
doccano exports one file an annotator, named by the user ("Share annotations" stays off), and sorts
the labels of an example: the name before the colon keeps the rank of a topic.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from pipeline.annotation.exchange import files
from pipeline.annotation.exchange.answer_parts import (
    Part,
    Parts,
    exchange_fault,
    from_text,
    has_value,
    parts_of,
    to_text,
)
from pipeline.annotation.exchange.formats import ASKED, REPORT, Export, item_of
from pipeline.annotation.exchange.rendering import RenderedItem, render_items, titles_of
from pipeline.annotation.exchange.utf16 import from_utf16, utf16_length
from pipeline.annotation.intake.vote import RawVote, Refused
from pipeline.contracts.spec import Round, TaskSpec
from pipeline.contracts.task import Task
from pipeline.core.errors import InputError

#: The types of project.
CLASSIFICATION: Final = "DocumentClassification"
SPAN_LABELLING: Final = "IntentDetectionAndSlotFilling"
FREE_TEXT: Final = "Seq2seq"
EXAMPLES: Final = "examples.jsonl"
CATEGORIES: Final = "category_types.json"
SPANS: Final = "span_types.json"
#: Says that a sentence without any span, or what was suggested, was looked at.
DONE: Final = "done:yes"
#: The key under which the labels that an item suggests come back.
SUGGESTED: Final = "suggested"
#: Parts that an answer may lack; one that lacks others is not filled in, or it would count.
_OPTIONAL: Final = {"verdict", "feedback", "topic_2", "topic_3"}


def write(
    items: pa.Table,
    *,
    spec: TaskSpec,
    round_: Round,
    folder: Path,
    assigned: Mapping[str, tuple[str, ...]] | None = None,
    shown: Mapping[str, Any] | None = None,
) -> list[Path]:
    """Write the examples of a round and the types of their labels; returns the files.

    What is filled in beforehand becomes labels of whoever imports the file. Raises InputError for
    items of another task, and for a folder that cannot be written.
    """
    parts = parts_of(spec, round_)
    project = project_of(parts)
    pages = list(render_items(items, spec=spec, round_=round_, assigned=assigned, shown=shown))
    rows = (_example(page, parts, project, spec, round_) for page in pages)
    suggests = any(page.suggestion is not None for page in pages)
    types = {
        name: [{"text": label, "background_color": "#209CEE"} for label in labels]
        for name, labels in _types(parts, project, spec, suggests=suggests).items()
    }
    return [
        files.write_lines(folder / EXAMPLES, rows),
        *(files.write_json(folder / name, labels) for name, labels in types.items()),
    ]


def read(
    path: Path,
    *,
    task: Task,
    spec: TaskSpec,
    round_: Round | None = None,
    annotators: Mapping[str, str] | None = None,
) -> Iterator[RawVote | Refused]:
    """Yield the votes of one annotator's export and the lines that give none.

    The annotator is the name of the file, or what `annotators` (or `annotators.json` beside it)
    says of that name. An example without any label gives nothing. Raises InputError for a file
    that is no such export, and for one that is not of one annotator.
    """
    export, who = Export(path, task, spec, round_), _annotator(path, annotators)
    for line, record in files.read_lines(path):
        yield from export.votes(line, _votes, record, export, who)


def project_of(parts: Sequence[Part]) -> str:
    """Return the type of project that the parts of an answer need."""
    kinds = {part.kind for part in parts}
    if kinds <= {"choice", "number"}:
        return CLASSIFICATION
    return SPAN_LABELLING if kinds == {"spans"} else FREE_TEXT


def _annotator(path: Path, annotators: Mapping[str, str] | None) -> str:
    ids = files.find_annotators(path, annotators)
    if ids is None and path.stem != "all":  # the name of an export with shared annotations
        return path.stem
    if ids is None or path.stem not in ids:
        raise InputError(
            f"{path}: whose answers are these? doccano names an export by its user; add"
            f" {path.stem!r} to {files.ANNOTATORS}, or export without shared annotations"
        )
    return ids[path.stem]


def _votes(record: Mapping[str, Any], export: Export, who: str) -> Iterator[dict[str, Any]]:
    item_of(record)
    round_ = export.round_of(record)
    parts = export.parts[round_.id]
    project = project_of(parts)
    values, done = _read_labels(record, parts, project)
    if not done and has_value(values) and SUGGESTED in record:
        column = "entities" if project == SPAN_LABELLING else "label"
        bare = {"text": record.get("text", ""), column: record[SUGGESTED]}
        suggested, _done = _read_labels(bare, parts, project)
        answer = {name: value for name, value in values.items() if name != REPORT}
        if suggested == answer:  # nobody says that the suggestion was looked at
            if REPORT not in values:
                raise exchange_fault(
                    "unconfirmed", f"is what was suggested, not confirmed with {DONE}"
                )
            values = {REPORT: values[REPORT]}
    if done or has_value(values):
        text = str(record.get("context" if project == FREE_TEXT else "text", ""))
        yield export.vote(record, annotator=who, parts=values, round_=round_, text=text)


def _read_labels(
    record: Mapping[str, Any], parts: Sequence[Part], project: str
) -> tuple[Parts, bool]:
    has_spans = project == SPAN_LABELLING
    texts = _label_texts(record, "cats" if has_spans else "label")
    done = texts.pop(DONE.partition(":")[0], None) is not None
    known = {part.name: part for part in (*parts, Part(REPORT, "choice", ""))}
    if not set(texts) <= set(known):
        raise exchange_fault("control", f"a label is of none of the parts {', '.join(known)}")
    read = {name: from_text(known[name], text) for name, text in texts.items()}
    values = {name: value for name, value in read.items() if value is not None}
    if has_spans:
        entities = _labels(record, "entities")
        spans = [_span(entity, record.get("text", "")) for entity in entities]
        values[parts[0].name] = sorted(spans, key=lambda span: (span["start"], span["end"]))
    return values, done


def _labels(record: Mapping[str, Any], column: str) -> list[Any]:
    labels = record.get(column, [])
    if not isinstance(labels, list):
        raise exchange_fault("form", f"{column!r} is not a list of labels")
    return labels


def _label_texts(record: Mapping[str, Any], column: str) -> dict[str, str]:
    """Return the labels of an example by their names."""
    texts: dict[str, str] = {}
    for label in _labels(record, column):
        name, colon, value = label.partition(":") if isinstance(label, str) else ("", "", "")
        if not colon:
            raise exchange_fault("control", f"a label of {column!r} is not NAME:VALUE")
        if name.strip() in texts:
            raise exchange_fault("form", f"{name.strip()!r} is answered twice")
        texts[name.strip()] = value
    return texts


def _span(entity: Any, text: Any) -> dict[str, Any]:
    is_entity = isinstance(entity, list) and len(entity) == 3
    ends = [place for place in entity[:2] if type(place) is int] if is_entity else []
    if not isinstance(text, str) or len(ends) != 2:
        raise exchange_fault("form", "an entity is [start, end, label]")
    start, end = (from_utf16(text, place) for place in ends)
    return {"start": start, "end": end, "label": entity[2]}


def _example(
    page: RenderedItem, parts: Sequence[Part], project: str, spec: TaskSpec, round_: Round
) -> dict[str, Any]:
    row: dict[str, Any] = {"text": page.text}
    if project == SPAN_LABELLING:
        entities = [
            [*(utf16_length(page.text[: span[key]]) for key in ("start", "end")), span["label"]]
            for span in page.filled.get(parts[0].name, [])
        ]
        row |= {"cats": [], "entities": entities}
    else:
        titles, texts = titles_of(spec.task), page.texts_with_first
        row["text"] = "\n\n".join(f"[{titles[key]}]\n{text}" for key, text in texts.items())
        names = [part.name for part in parts if part.name in page.filled]
        whole = {part.name for part in parts} <= {*names, *_OPTIONAL}
        row["label"] = [f"{name}:{to_text(page.filled[name])}" for name in names if whole]
    if page.text and project == FREE_TEXT:
        row["context"] = page.text
    if page.suggestion is not None:
        row[SUGGESTED] = row["entities"] if "entities" in row else row["label"]
    if page.asked:
        row[ASKED] = page.asked
    return row | {
        "item": page.item,
        "spec": spec.name,
        "round": round_.id,
        "assigned": list(page.assigned),
    }


def _types(
    parts: Sequence[Part], project: str, spec: TaskSpec, *, suggests: bool
) -> dict[str, list[str]]:
    reports = [f"{REPORT}:{report.id}" for report in spec.reports]
    if project == FREE_TEXT:
        return {}
    if project == SPAN_LABELLING:
        return {CATEGORIES: [DONE, *reports], SPANS: [id_ for id_, _ in parts[0].options]}
    labels: list[str] = []
    for part in parts:
        values: list[Any] = [id_ for id_, _ in part.options]
        if part.kind == "number":
            low, high = (int(end) for _, end in part.options)
            values = list(range(low, high + 1))
        labels += [f"{part.name}:{value}" for value in values]
    return {CATEGORIES: [*labels, *([DONE] if suggests else []), *reports]}
