"""doccano: examples as JSONL with files of label types out, its JSONL exports in.

    part                  project                        in the record
    choice, number        DocumentClassification         label: ["NAME:VALUE"]
    spans                 IntentDetectionAndSlotFilling  entities: [[start, end, label]]
    text, and what        Seq2seq                        label: ["NAME:VALUE"], VALUE as text,
    doccano has not                                      or as JSON (see encoding.py)
    report                all                            cats or label: ["report:REASON"]

What an item suggests becomes labels, and is repeated under `suggested`: an export cannot tell a
label that was looked at from one that was not, so labels equal to it count only with `done:yes`.

Offsets are UTF-16 code units: the project's "Count grapheme clusters as one character" stays off.
doccano exports one file an annotator, named by the user ("Share annotations" stays off), and sorts
the labels of an example: the name before the colon keeps the rank of a topic.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal

import pyarrow as pa

from pipeline.annotation.exchange import encoding, files, votes
from pipeline.annotation.exchange.answer_parts import Part, Parts, given, parts_of, refused
from pipeline.annotation.exchange.rendering import RenderedItem, render_items, titles_of
from pipeline.annotation.intake.vote import RawVote, Refused
from pipeline.contracts.spec import Round, TaskSpec
from pipeline.contracts.task import Task
from pipeline.core.errors import InputError, RecordError

Project = Literal["DocumentClassification", "IntentDetectionAndSlotFilling", "Seq2seq"]

EXAMPLES: Final = "examples.jsonl"
CATEGORIES: Final = "category_types.json"
SPANS: Final = "span_types.json"
#: Says that a sentence without any span, or what was suggested, was looked at.
DONE: Final = "done:yes"
#: The key under which the labels that an item suggests come back.
SUGGESTED: Final = "suggested"
_SHARED: Final = "all"
#: Parts that an answer may lack; one that lacks others is not filled in, or it would count.
_NEEDED_NOT: Final = {"verdict", "feedback", "topic_2", "topic_3"}


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
    written = [files.write_lines(folder / EXAMPLES, rows)]
    suggests = any(page.suggestion is not None for page in pages)
    for name, labels in _types(parts, project, spec, suggests=suggests).items():
        types = [{"text": label, "background_color": "#209CEE"} for label in labels]
        written.append(files.write_json(folder / name, types))
    return written


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
    whole = votes.export(path, task, spec, round_)
    who = _annotator(path, annotators)
    for line, record in files.read_lines(path):
        if isinstance(record, RecordError):
            yield Refused(path.name, line, record.rule, record.reason)
        else:
            yield from votes.votes_of(path, line, partial(_votes, record, whole, who))


def project_of(parts: Sequence[Part]) -> Project:
    """Return the type of project that the parts of an answer need."""
    kinds = {part.kind for part in parts}
    if kinds <= {"choice", "number"}:
        return "DocumentClassification"
    return "IntentDetectionAndSlotFilling" if kinds == {"spans"} else "Seq2seq"


def _annotator(path: Path, annotators: Mapping[str, str] | None) -> str:
    ids = files.annotator_map(path, annotators)
    if ids is None and path.stem != _SHARED:
        return path.stem
    if ids is None or path.stem not in ids:
        raise InputError(
            f"{path}: whose answers are these? doccano names an export by its user; add"
            f" {path.stem!r} to {files.ANNOTATORS}, or export without shared annotations"
        )
    return ids[path.stem]


def _votes(record: Mapping[str, Any], whole: votes.Export, who: str) -> Iterator[dict[str, Any]]:
    votes.item_of(record)
    round_ = whole.round_of(record)
    parts = whole.parts(round_)
    project = project_of(parts)
    values, done = _read(record, parts, project)
    if not done and given(values) and _untouched(record, values, parts, project):
        values = {name: value for name, value in values.items() if name == votes.REPORT}
        if not values:
            raise refused("unconfirmed", f"is what was suggested, and not confirmed with {DONE}")
    if done or given(values):
        column = "text" if project != "Seq2seq" else "context"
        about = str(record.get(column, ""))
        yield votes.vote(
            record, annotator=who, parts=values, spec=whole.spec, round_=round_, text=about
        )


def _read(record: Mapping[str, Any], parts: Sequence[Part], project: Project) -> tuple[Parts, bool]:
    """Return the values of the parts that an example's labels hold, and whether it is confirmed."""
    spans = project == "IntentDetectionAndSlotFilling"
    named = _named(record, "cats" if spans else "label")
    done = named.pop(DONE.partition(":")[0], None) is not None
    values = _values(named, parts)
    if spans:
        found = [_span(one, record.get("text", "")) for one in _entities(record)]
        values[parts[0].name] = sorted(found, key=lambda one: (one["start"], one["end"]))
    return values, done


def _untouched(
    record: Mapping[str, Any], values: Parts, parts: Sequence[Part], project: Project
) -> bool:
    """Tell whether an example's labels are those that its item suggested."""
    if SUGGESTED not in record:
        return False
    column = "entities" if project == "IntentDetectionAndSlotFilling" else "label"
    bare = {"text": record.get("text", ""), column: record[SUGGESTED]}
    suggested, _done = _read(bare, parts, project)
    return suggested == {name: value for name, value in values.items() if name != votes.REPORT}


def _named(record: Mapping[str, Any], column: str) -> dict[str, str]:
    """Return the labels of an example by their names; a list is an entity and none of them."""
    found: dict[str, str] = {}
    held = record.get(column, [])
    if not isinstance(held, list):
        raise refused("form", f"{column!r} is not a list of labels")
    for label in held:
        if isinstance(label, list | dict):
            continue
        name, mark, value = label.partition(":") if isinstance(label, str) else ("", "", "")
        if not mark:
            raise refused("control", f"a label of {column!r} is not NAME:VALUE")
        if name.strip() in found:
            raise refused("form", f"{name.strip()!r} is answered twice")
        found[name.strip()] = value
    return found


def _values(named: Mapping[str, str], parts: Sequence[Part]) -> Parts:
    known = {part.name: part for part in (*parts, Part(votes.REPORT, "choice", ""))}
    unknown = sorted(set(named) - set(known))
    if unknown:
        raise refused("control", f"a label is of none of the parts {', '.join(known)}")
    read = {name: encoding.from_text(known[name], text) for name, text in named.items()}
    return {name: value for name, value in read.items() if value is not None}


def _entities(record: Mapping[str, Any]) -> list[Any]:
    """Return the entities of an example, those of a plain sequence labelling project too."""
    found: list[Any] = []
    for column in ("entities", "label"):
        held = record.get(column, [])
        if not isinstance(held, list):
            raise refused("form", f"{column!r} is not a list")
        found += [one for one in held if isinstance(one, list | dict)]
    return found


def _span(one: Any, text: Any) -> dict[str, Any]:
    if isinstance(one, dict):
        one = [one.get("start_offset"), one.get("end_offset"), one.get("label")]
    good = isinstance(text, str) and len(one) == 3
    if not good or type(one[0]) is not int or type(one[1]) is not int:
        raise refused("form", "an entity is [start, end, label]")
    start, end = (encoding.from_utf16(text, place) for place in one[:2])
    return {"start": start, "end": end, "label": one[2]}


def _example(
    page: RenderedItem, parts: Sequence[Part], project: Project, spec: TaskSpec, round_: Round
) -> dict[str, Any]:
    row: dict[str, Any] = {"text": page.text}
    filled = dict(page.filled)
    if project == "IntentDetectionAndSlotFilling":
        spans = filled.pop(parts[0].name, [])
        row |= {"cats": [], "entities": [_entity(span, page.text) for span in spans]}
    else:
        titles, texts = titles_of(spec.task), page.texts_with_first
        row["text"] = "\n\n".join(f"[{titles[key]}]\n{text}" for key, text in texts.items())
        names = [part.name for part in parts if part.name in filled]
        whole = {part.name for part in parts} <= {*names, *_NEEDED_NOT}
        row["label"] = [f"{n}:{encoding.to_text(filled[n])}" for n in names if whole]
    if page.text and project == "Seq2seq":
        row["context"] = page.text
    if page.suggestion is not None:
        row[SUGGESTED] = row["entities"] if "entities" in row else row["label"]
    if page.asked:
        row[votes.ASKED] = page.asked
    keys = {"item": page.item, "spec": spec.name, "round": round_.id}
    return row | keys | {"assigned": list(page.assigned)}


def _entity(span: Mapping[str, Any], text: str) -> list[Any]:
    return [*(encoding.to_utf16(text, span[key]) for key in ("start", "end")), span["label"]]


def _types(
    parts: Sequence[Part], project: Project, spec: TaskSpec, *, suggests: bool
) -> dict[str, list[str]]:
    """Return the label types to import into the project, by file; free text has none."""
    reports = [f"{votes.REPORT}:{report.id}" for report in spec.reports]
    if project == "Seq2seq":
        return {}
    if project == "IntentDetectionAndSlotFilling":
        return {CATEGORIES: [DONE, *reports], SPANS: [id_ for id_, _ in parts[0].options]}
    named = [f"{part.name}:{value}" for part in parts for value in _allowed(part)]
    return {CATEGORIES: [*named, *([DONE] if suggests else []), *reports]}


def _allowed(part: Part) -> list[str]:
    if part.kind != "number":
        return [id_ for id_, _ in part.options]
    low, high = (int(end) for _, end in part.options)
    return [str(value) for value in range(low, high + 1)]
