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

from pipeline.annotation.exchange import files
from pipeline.annotation.exchange.answer_parts import Part, exchange_fault, parts_of
from pipeline.annotation.exchange.formats import ASKED, REPORT, Export, item_of
from pipeline.annotation.exchange.label_studio_config import (
    OFFERED,
    SLOTS,
    branches,
    config,
    distinct,
    leaves,
)
from pipeline.annotation.exchange.label_studio_regions import DIALOGUE, ROOT, WORDS, Layout
from pipeline.annotation.exchange.label_studio_results import decode, encode
from pipeline.annotation.exchange.offers import KNOWLEDGE, Offer, slot_values
from pipeline.annotation.exchange.rendering import RenderedItem, render_items, target_of
from pipeline.annotation.intake.vote import RawVote, Refused
from pipeline.contracts.spec import Round, TaskSpec
from pipeline.contracts.task import Task
from pipeline.core.errors import RecordError

CONFIG: Final = "config.xml"
TASKS: Final = "tasks.json"
#: How many turns of a dialogue there is room for; the longest of the official files has 28.
TURNS: Final = 40
_TOKENS: Final = "tokens"


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
    names, with_options = _texts_and_options(pages(), spec, parts)  # not held: dialogues are large
    tasks = (_task(page, names, parts, spec, round_, with_options) for page in pages())
    text = config(
        spec, round_, parts, texts=names, target=target_of(spec.task), with_options=with_options
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
    export = Export(path, task, spec, round_)
    ids = files.require_annotators(path, annotators)
    for line, record in files.read_list(path, 'as Label Studio exports "JSON"'):
        for annotation in _annotations(record):
            yield from export.votes(line, _votes, annotation, record, export, ids)


def _annotations(record: Any) -> list[Any]:
    if not isinstance(record, dict) or not isinstance(record.get("data"), dict):
        return [
            exchange_fault("form", 'no task with its data; export "JSON", not "JSON-MIN" or "CSV"')
        ]
    try:
        item_of(record["data"])
    except RecordError as error:
        return [error]
    annotations = record.get("annotations", [])
    if not isinstance(annotations, list):
        return [exchange_fault("form", "the annotations of a task are a list")]
    return annotations


def _votes(
    annotation: Any, record: Mapping[str, Any], export: Export, ids: Mapping[str, str]
) -> Iterator[dict[str, Any]]:
    if not isinstance(annotation, dict):
        raise exchange_fault("form", "an annotation is an object")
    data = record["data"]
    round_ = export.round_of(data)
    layout = layout_of(data, export.spec)
    parts = decode(
        (*export.parts[round_.id], Part(REPORT, "choice", "신고")), annotation.get("result"), layout
    )
    if annotation.get("was_cancelled"):
        if REPORT not in parts:
            return
        parts = {REPORT: parts[REPORT]}
    user = annotation.get("completed_by")  # a number, or an object with one
    who = files.annotator_of(ids, user.get("id") if isinstance(user, dict) else user)
    vote = export.vote(data, annotator=who, parts=parts, round_=round_, text=layout.text)
    times = {"at": annotation.get("created_at"), "seconds": annotation.get("lead_time")}
    yield vote | {key: value for key, value in times.items() if value is not None}


def _texts_and_options(
    pages: Iterable[RenderedItem], spec: TaskSpec, parts: tuple[Part, ...]
) -> tuple[list[str], frozenset[str]]:
    """Return the names of the texts that any item shows, in their order, and the own options.

    These are the options that each task has for itself: labels in its order, values of slots.
    """
    names: dict[str, None] = {}
    with_options = set()
    if any(part.name == "label" for part in parts) and any(x.objects for x in spec.labels):
        with_options.add(OFFERED)
    for page in pages:
        names |= dict.fromkeys(page.texts)
        if page.offer.values:
            with_options.add(SLOTS)
    return list(names) or [target_of(spec.task) or "text"], frozenset(with_options)


def _task(
    page: RenderedItem,
    names: list[str],
    parts: tuple[Part, ...],
    spec: TaskSpec,
    round_: Round,
    with_options: frozenset[str],
) -> dict[str, Any]:
    data: dict[str, Any] = {"item": page.item, "spec": spec.name, "round": round_.id}
    data |= {name: page.texts.get(name, "") for name in names}
    data |= {KNOWLEDGE: page.offer.page} if KNOWLEDGE in names else {}
    data |= {ASKED: page.asked} if page.asked else {}
    if page.words:
        data[_TOKENS] = list(page.words)
        data[WORDS] += f" {ROOT}" if any(part.kind == "arcs" for part in parts) else ""
    if any(part.kind == "turns" for part in parts):
        room = [{"role": "sys" if n % 2 else "user", "text": f"({n + 1})"} for n in range(TURNS)]
        turns = page.filled.get("turns") or room
        data[DIALOGUE] = [{key: turn[key] for key in ("role", "text")} for turn in turns]
    if OFFERED in with_options:
        data[OFFERED] = [{"value": title, "alias": id_} for id_, title in distinct(page.offered)]
    if SLOTS in with_options:
        data[SLOTS] = branches(slot_values(spec, page.offer))
    results = encode(parts, page.filled, layout_of(data, spec, names[0]))
    return {
        "data": data,
        "meta": {"assigned": list(page.assigned)},
        "predictions": [{"model_version": "filled", "result": results}] if results else [],
    }


def layout_of(data: Mapping[str, Any], spec: TaskSpec, to: str = "") -> Layout:
    """Return what regions point into, from the data of a task; raises RecordError if it is lost."""
    target = target_of(spec.task)
    text, tokens, turns = data.get(target, ""), data.get(_TOKENS, []), data.get(DIALOGUE, [])
    texts = isinstance(tokens, list) and all(isinstance(token, str) for token in tokens)
    if not isinstance(text, str) or not texts or not isinstance(turns, list):
        raise exchange_fault("form", "the data of the task is not as it was sent out")
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
