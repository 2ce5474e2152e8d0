"""Label Studio: a labelling config and tasks out, a JSON export in.

`config.xml` makes the project, `tasks.json` is imported into it. Answers filled in beforehand, and
those that items suggest, are sent as predictions, never as annotations, so that nothing counts as a
vote or as ground truth before an annotator has submitted it. An export is read in the form "JSON"
(not "JSON-MIN").
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from pipeline.annotation.exchange import files, votes
from pipeline.annotation.exchange.answer_parts import Part, distinct, parts_of, refused
from pipeline.annotation.exchange.offers import KNOWLEDGE, Offer, slot_values
from pipeline.annotation.exchange.rendering import RenderedItem, render_items, target_of
from pipeline.annotation.exchange.studio.config import OFFERED, SLOTS, config
from pipeline.annotation.exchange.studio.layout import (
    DIALOGUE,
    ROOT,
    WORDS,
    Layout,
    branches,
    leaves,
)
from pipeline.annotation.exchange.studio.results import decode, encode
from pipeline.annotation.intake.vote import RawVote, Refused
from pipeline.contracts.spec import Round, TaskSpec
from pipeline.contracts.task import Task
from pipeline.core.errors import RecordError

CONFIG: Final = "config.xml"
TASKS: Final = "tasks.json"
#: How many turns of a dialogue there is room for; the longest of the official files has 28.
TURNS: Final = 40
_TOKENS: Final = "tokens"
_REPORT: Final = Part(votes.REPORT, "choice", "신고")


def write(
    items: pa.Table,
    *,
    spec: TaskSpec,
    round_: Round,
    folder: Path,
    assigned: Mapping[str, tuple[str, ...]] | None = None,
    shown: Mapping[str, Any] | None = None,
) -> list[Path]:
    """Write the config and the tasks of a round; returns the two files.

    `assigned` annotators of an item lie in the task's meta: Label Studio itself assigns nobody.
    Raises InputError for items of another task, and for a folder that cannot be written.
    """
    parts = parts_of(spec, round_)
    pages = partial(render_items, items, spec=spec, round_=round_, assigned=assigned, shown=shown)
    names, own = _seen(pages(), spec, parts)  # the pages are not held: those of dialogues are large
    tasks = (_task(page, names, parts, spec, round_, own) for page in pages())
    text = config(
        spec,
        round_,
        parts,
        texts=names,
        target=target_of(spec.task),
        own=own,
    )
    return [
        files.write_text(folder / CONFIG, text),
        files.write_list(folder / TASKS, tasks),
    ]


def read(
    path: Path,
    *,
    task: Task,
    spec: TaskSpec,
    round_: Round | None = None,
    annotators: Mapping[str, str] | None = None,
) -> Iterator[RawVote | Refused]:
    """Yield the votes of an export, one an annotation that was submitted, and what gives none.

    `annotators` maps Label Studio's user ids to annotators; else `annotators.json` beside the
    export does. `line` counts the tasks. A skipped annotation gives nothing, or its report. Raises
    InputError for a file that is no such export, and where there is no map.
    """
    whole = votes.export(path, task, spec, round_)
    ids = files.need_map(path, annotators)
    records = files.read_list(path, 'as Label Studio exports "JSON"')
    for line, record in enumerate(records, 1):
        try:
            annotations = _annotations(record)
        except RecordError as error:
            yield Refused(path.name, line, error.rule, error.reason)
            continue
        for annotation in annotations:
            yield from votes.votes_of(path, line, partial(_votes, record, annotation, whole, ids))


def _annotations(record: object) -> list[Any]:
    if not isinstance(record, dict) or not isinstance(record.get("data"), dict):
        raise refused("form", 'no task with its data; export "JSON", not "JSON-MIN" or "CSV"')
    votes.item_of(record["data"])
    annotations = record.get("annotations", [])
    if not isinstance(annotations, list):
        raise refused("form", "the annotations of a task are a list")
    return annotations


def _votes(
    record: Mapping[str, Any], annotation: Any, whole: votes.Export, ids: Mapping[str, str]
) -> Iterator[dict[str, Any]]:
    """Yield the vote of one annotation, if it is one."""
    if not isinstance(annotation, dict):
        raise refused("form", "an annotation is an object")
    data = record["data"]
    round_ = whole.round_of(data)
    parts = (*whole.parts(round_), _REPORT)
    layout = layout_of(data, whole.spec)
    values = decode(parts, annotation.get("result"), layout)
    if annotation.get("was_cancelled"):
        if votes.REPORT not in values:
            return
        values = {votes.REPORT: values[votes.REPORT]}
    yield votes.vote(
        data,
        annotator=files.annotator_of(ids, _user(annotation.get("completed_by"))),
        parts=values,
        spec=whole.spec,
        round_=round_,
        text=layout.text,
        more={"at": annotation.get("created_at"), "seconds": annotation.get("lead_time")},
    )


def _user(completed_by: Any) -> Any:
    """Return the id of who completed an annotation: a number, or an object with one."""
    return completed_by.get("id") if isinstance(completed_by, dict) else completed_by


def _seen(
    pages: Iterable[RenderedItem], spec: TaskSpec, parts: tuple[Part, ...]
) -> tuple[list[str], frozenset[str]]:
    """Return the names of the texts that any sheet shows, in their order, and the own options.

    These are the options that each task has for itself: labels in its order, values of slots.
    """
    names: dict[str, None] = {}
    values = False
    for page in pages:
        names |= dict.fromkeys(page.texts)
        values = values or bool(page.offer.values)
    labels = any(part.name == "label" for part in parts) and any(x.objects for x in spec.labels)
    own = frozenset({OFFERED} if labels else ()) | frozenset({SLOTS} if values else ())
    return list(names) or [target_of(spec.task) or "text"], own


def _task(
    page: RenderedItem,
    names: list[str],
    parts: tuple[Part, ...],
    spec: TaskSpec,
    round_: Round,
    own: frozenset[str],
) -> dict[str, Any]:
    data: dict[str, Any] = {"item": page.item, "spec": spec.name, "round": round_.id}
    data |= {name: page.texts.get(name, "") for name in names}
    data |= {KNOWLEDGE: page.offer.page} if KNOWLEDGE in names else {}
    data |= {votes.ASKED: page.asked} if page.asked else {}
    if page.words:
        data[_TOKENS] = list(page.words)
        data[WORDS] += f" {ROOT}" if any(part.kind == "arcs" for part in parts) else ""
    if any(part.kind == "turns" for part in parts):
        data[DIALOGUE] = _paragraphs(page)
    if OFFERED in own:
        data[OFFERED] = [{"value": title, "alias": id_} for id_, title in distinct(page.offered)]
    if SLOTS in own:
        data[SLOTS] = branches(slot_values(spec, page.offer))
    results = encode(parts, page.filled, layout_of(data, spec, names[0]))
    filled = [{"model_version": "filled", "result": results}] if results else []
    return {"data": data, "meta": {"assigned": list(page.assigned)}, "predictions": filled}


def _paragraphs(page: RenderedItem) -> list[dict[str, str]]:
    """Return the turns that are filled in, or room for turns."""
    turns = page.filled.get("turns")
    if turns:
        return [{key: turn[key] for key in ("role", "text")} for turn in turns]
    roles = ("user", "sys")
    return [{"role": roles[n % 2], "text": f"({n + 1})"} for n in range(TURNS)]


def layout_of(data: Mapping[str, Any], spec: TaskSpec, to: str = "") -> Layout:
    """Return what regions point into, from the data of a task; raises RecordError if it is lost."""
    target = target_of(spec.task)
    text, tokens, turns = data.get(target, ""), data.get(_TOKENS, []), data.get(DIALOGUE, [])
    texts = isinstance(tokens, list) and all(isinstance(token, str) for token in tokens)
    if not isinstance(text, str) or not texts or not isinstance(turns, list):
        raise refused("form", "the data of the task is not as it was sent out")
    tree = data.get(SLOTS, branches(slot_values(spec, Offer())))
    return Layout(
        to=to,
        target=target,
        text=text,
        words=tuple(tokens),
        turns=tuple((str(t.get("role")), str(t.get("text"))) for t in turns if isinstance(t, dict)),
        closed=frozenset(leaves(tree)),
        slots=tuple(slot.id for slot in spec.slots),
    )
