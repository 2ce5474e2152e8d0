"""Candidates -> batches -> annotators: what `klue export` does."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

import pyarrow as pa

from flows.commands.batch_items import Given, asked, following, names_of
from flows.commands.status import passed
from flows.commands.votes import load_items, task_and_spec
from flows.view.console import console, emit_json, say
from pipeline.annotation.batches import batch as batches
from pipeline.annotation.batches.batch import Batch, receive
from pipeline.annotation.batches.card import CARD, Kind, Plan, folder_of, read_card
from pipeline.annotation.exchange.files import write_text
from pipeline.annotation.exchange.offers import unusable
from pipeline.annotation.exchange.registry import FORMATS
from pipeline.annotation.qualification.human_baseline import human_baseline, require_fresh
from pipeline.contracts.spec import LANGUAGES, SPECS, Round, TaskSpec, guideline
from pipeline.contracts.task import Task
from pipeline.core import store
from pipeline.core.errors import InputError, RecordError
from pipeline.core.jsontext import parsed

#: `--annotators simulated`: the pool of simulated annotators (klue simulate).
SIMULATED: Final = "simulated"


@dataclass(frozen=True)
class Export:
    """What `klue export` was asked for."""

    task: str
    to: str
    items: Path | None = None
    source: str = "items"
    annotators: str | None = None
    out: Path | None = None
    batch: str = "main"
    round_: str | None = None
    after: str | None = None
    pilot: bool = False
    human_baseline: int | None = None
    qualified: str | None = None
    seed: int = 0
    work: Path = Path("data/work")
    specs: Path | None = None

    @property
    def kind(self) -> Kind:
        """Return the kind of batch: pilot, baseline or main."""
        if self.pilot:
            return "pilot"
        return "main" if self.human_baseline is None else "baseline"

    def checked(self) -> tuple[Task, TaskSpec, Round]:
        """Return task, spec and round. Raises InputError for options that do not go together."""
        task, spec = task_and_spec(self.task, self.specs)
        if self.to not in FORMATS:
            raise InputError(f"--to {self.to!r} is not known; allowed: {', '.join(FORMATS)}")
        if self.pilot and self.human_baseline is not None:
            raise InputError("--pilot and --human-baseline exclude each other; make two batches")
        if self.after is not None and self.human_baseline is not None:
            raise InputError("--human-baseline draws from --items; leave --after out")
        if self.after is not None and self.items is not None:
            raise InputError("give --items or --after, not both: a later round has its items")
        if self.out is not None and self.out.exists() and not self.out.is_dir():
            raise InputError(f"--out {self.out}: is a file; give a folder, it may be new")
        return task, spec, asked(self.round_, spec, self.kind)


def export(request: Export, *, as_json: bool) -> None:
    """Make a batch (or find it as it was made), write the files of a tool, and say so."""
    order = _order(request)
    with store.locked(request.work):
        batch, written = _made(request, order)
    if as_json:
        emit_json(record(batch, written))
    else:
        _report(batch, written)


def hand_out(request: Export, items: pa.Table) -> tuple[Batch, list[Path]]:
    """Make a batch of items and write the files of a tool; the caller holds the work directory."""
    return _made(request, _order(request, items))


class _Order(NamedTuple):
    """What is to be made: all that may be refused before anything is written."""

    spec: TaskSpec
    round_: Round
    task: Task
    given: Given
    plan: Plan


def _order(request: Export, items: pa.Table | None = None) -> _Order:
    task, spec, round_ = request.checked()
    folder_of(request.work, task.id, request.batch)  # refuses a name that cannot be one
    given = Given(items) if items is not None else _given(request, task, spec, round_)
    return _Order(spec, round_, task, given, _plan(request, task, spec, round_, given))


def _made(request: Export, order: _Order) -> tuple[Batch, list[Path]]:
    folder = folder_of(request.work, order.task.id, request.batch)
    spec, given, new = order.spec, order.given, not folder.exists()
    try:
        batch = batches.make(request.work, order.plan, given.items, spec, barred=given.barred)
        if given.begun:
            batch, _ = receive(batch, given.begun, task=order.task, spec=spec)
        written = _write(request, batch, spec, order.round_, given.shown)
    except BaseException:
        if new:  # what cannot be handed out is no batch: the next try may mend its items
            shutil.rmtree(folder, ignore_errors=True)
        raise
    return batch, written


def _given(request: Export, task: Task, spec: TaskSpec, round_: Round) -> Given:
    if request.after is not None:
        return following(request.work, task, spec, round_, request.after, kind=request.kind)
    if request.items is None:
        raise InputError("give --items FILE: what is to be annotated (JSONL, Parquet)")
    if round_.answer == "verdict" or (request.kind == "main" and (round_.after or round_.not_by)):
        before = round_.after or ", ".join(round_.not_by)
        raise InputError(
            f"round {round_.id} comes after {before}; name that batch with --after BATCH"
        )
    items = load_items(request.items, task, source=request.source, round_=round_)
    if request.human_baseline is not None:
        items = human_baseline(items, request.human_baseline, task=task, seed=request.seed)
    if request.pilot and spec.pilot.rule == "correct":
        _require_gold(items, task, spec, round_)
    return Given(items)


def _require_gold(items: pa.Table, task: Task, spec: TaskSpec, round_: Round) -> None:
    """Raise InputError unless every item of a pilot has a right answer to be counted."""
    columns = (items.column(name).to_pylist() for name in ("item", "fields", "gold"))
    faults = []
    for item, fields, gold in zip(*columns, strict=True):
        try:
            if gold is None:
                raise RecordError("item.gold@1", "has no `gold`")
            task.parse(parsed(gold), parsed(fields), spec, round_)
        except RecordError as error:
            faults.append((item, error.reason))
    if faults:
        raise InputError(
            f"--pilot: {len(faults)} of {items.num_rows} items have no right answer of round"
            f" {round_.id} as `gold`, the first is {faults[0][0]}: {faults[0][1]}"
        )


def _plan(request: Export, task: Task, spec: TaskSpec, round_: Round, given: Given) -> Plan:
    return Plan(
        name=request.batch,
        round=round_.id,
        seed=request.seed,
        annotators=_people(request, task, spec, given),
        kind=request.kind,
        format=_format(request, task),
        attempt=given.attempt,
    )


def _format(request: Export, task: Task) -> str:
    """Return the tool of a batch: its first one, for it may be written for another one too."""
    folder = folder_of(request.work, task.id, request.batch)
    return read_card(folder).format if (folder / CARD).is_file() else request.to


def _people(request: Export, task: Task, spec: TaskSpec, given: Given) -> tuple[str, ...]:
    """Return who is to answer: names, a file of names, a number; those who passed a pilot."""
    if request.annotators == SIMULATED:
        from pipeline.annotation.simulated.pools import default_pool

        names = default_pool(
            spec, asked(request.round_, spec, request.kind), items=len(given.items)
        ).ids
    else:
        names = names_of(request.annotators)
    if request.qualified is not None:
        names = _only(names, passed(request.qualified, request.work, task, spec), "passed")
    if given.people is not None:
        names = _only(names, given.people, "may answer")
    if request.human_baseline is not None:
        require_fresh(request.work, task.id, names)
    return names


def _only(names: tuple[str, ...], allowed: tuple[str, ...], what: str) -> tuple[str, ...]:
    """Return those of the names that are allowed, or all allowed ones where none was given."""
    kept = tuple(name for name in names if name in allowed) if names else allowed
    if not kept:
        raise InputError(f"none of the annotators {what}; see klue qualify and klue aggregate")
    if len(kept) < len(names):
        say(f"{len(kept)} of {len(names)} annotators {what}; the others are given nothing")
    return kept


def _write(
    request: Export,
    batch: Batch,
    spec: TaskSpec,
    round_: Round,
    shown: Mapping[str, Any] | None,
) -> list[Path]:
    """Write the tool's files, and beside them the guidelines that annotators read."""
    folder = request.out or batch.folder / "export"
    assigned = _assigned(batch.assignments)
    written = FORMATS[request.to].write(
        _without_gold(batch.items),
        spec=spec,
        round_=round_,
        folder=folder,
        assigned=assigned,
        shown=shown,
    )
    _tell_unusable(unusable(batch.items, spec=spec, round_=round_, without=shown or ()))
    specs = request.specs or SPECS
    for name in (f"guideline.{language}.md" for language in LANGUAGES):
        if (specs / spec.task / name).is_file():
            text = guideline(spec.task, name.split(".")[1], specs)
            written.append(write_text(folder / name, text))
        else:
            say(f"no guideline to hand out: {specs / spec.task / name} is not there")
    return written


def _tell_unusable(found: Mapping[str, str]) -> None:
    if found:
        first = next(iter(found))
        say(
            f"{len(found):,} suggestions do not fit their items and were left out, the first is"
            f" that of item {first}: {found[first]}"
        )


def _without_gold(items: pa.Table) -> pa.Table:
    """Return items as annotators may see them: no pilot or official answer, nor how it came."""
    empty = pa.nulls(items.num_rows, pa.string())
    return items.set_column(items.schema.get_field_index("gold"), items.schema.field("gold"), empty)


def _assigned(assignments: pa.Table) -> dict[str, tuple[str, ...]] | None:
    if not assignments.num_rows:
        return None
    found: dict[str, list[str]] = {}
    columns = (assignments.column(name).to_pylist() for name in ("item", "annotator"))
    for item, who in zip(*columns, strict=True):
        found.setdefault(item, []).append(who)
    return {item: tuple(sorted(who)) for item, who in found.items()}


def record(batch: Batch, written: Iterable[Path]) -> dict[str, Any]:
    """Return what there is to say of a batch, as a JSON value."""
    return {
        **asdict(batch.card),
        "folder": str(batch.folder),
        "files": [str(path) for path in written],
    }


def _report(batch: Batch, written: Iterable[Path]) -> None:
    card, out = batch.card, console()
    whom = f"to {len(card.annotators)} annotators" if card.annotators else "to nobody by name"
    out.print(
        f"batch {card.name} ({card.kind}) of {card.spec}, round {card.round}: {card.items:,} items,"
        f" {card.per_item} answers each, {whom}"
    )
    if card.taken_out:
        out.print(f"{card.taken_out:,} items of a pilot were left out")
    for path in written:
        out.print(f"written  {path}", soft_wrap=True)
