"""Candidates -> batches -> annotators: what `klue export` does."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from flows.commands.batch_items import (
    Content,
    annotator_names,
    find_round,
    following,
    pilot_results,
)
from flows.commands.control_items import control_plan, right_answers
from flows.commands.outputs import check_folder
from flows.commands.votes import load_items, task_and_spec
from flows.view.console import Result, print_line, say
from pipeline.annotation.batches import making
from pipeline.annotation.batches.batch import (
    CARD,
    Batch,
    Kind,
    Plan,
    folder_of,
    read_card,
    receive,
)
from pipeline.annotation.batches.control import tool_answers, tool_view
from pipeline.annotation.exchange.files import write_text
from pipeline.annotation.exchange.formats import FORMATS
from pipeline.annotation.exchange.offers import unusable
from pipeline.annotation.qualification.items import human_baseline, require_fresh
from pipeline.contracts.parts import own_folder
from pipeline.contracts.spec import (
    LANGUAGES,
    SPECS,
    Round,
    TaskSpec,
    guideline,
    guideline_file,
    pilot_items,
)
from pipeline.contracts.task import Task
from pipeline.core import schemas, store
from pipeline.core.errors import InputError
from pipeline.core.files import refuse
from pipeline.core.wording import count, verb

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
    control_items: Path | None = None
    seed: int = 0
    work: Path = Path("data/work")
    specs: Path | None = None

    @property
    def kind(self) -> Kind:
        """Return the kind of batch: pilot, baseline or main."""
        if self.pilot:
            return "pilot"
        return "main" if self.human_baseline is None else "baseline"

    def validate(self) -> tuple[Task, TaskSpec, Round]:
        """Return task, spec and round. Raises InputError for options that do not go together."""
        task, spec = task_and_spec(self.task, self.specs)
        is_baseline, is_later = self.human_baseline is not None, self.after is not None
        refuse(
            f"batch {self.batch}",
            (is_baseline and self.pilot, "--pilot and --human-baseline exclude each other"),
            (is_baseline and is_later, "--human-baseline draws from --items; leave --after out"),
            (
                is_later and self.items,
                "give --items or --after, not both: a later round has its items",
            ),
        )
        check_folder("--out", self.out)
        self._check_control(spec)
        shipped = self.pilot and self.items is None and not is_later
        return task, spec, find_round(self.round_, spec, self.kind, shipped=shipped)

    def _check_control(self, spec: TaskSpec) -> None:
        """Raise InputError for a file of control items that the spec has no place for."""
        control = spec.control_items
        refuse(
            f"--control-items {self.control_items}",
            (
                self.control_items is not None and control is None,
                f"{spec.name} hides no control items; copy the spec, add `control_items: {{share:"
                " 0.05}` to spec.yaml, and give --specs",
            ),
            (
                self.control_items is not None and control is not None and control.source,
                f"{spec.name} names its file itself (control_items.from); leave the option out",
            ),
            (
                self.control_items is not None and self.kind != "main",
                "only a main batch hides control items; leave the option out",
            ),
        )


def export(**options: Any) -> Result:
    """Make a batch (or find it as it was made) and write the files of a tool."""
    request = Export(**options)
    return record(*export_batch(request, lock=store.lock(request.work))), _show


def export_batch(
    request: Export,
    items: pa.Table | None = None,
    *,
    lock: AbstractContextManager[None] | None = None,
) -> tuple[Batch, list[Path]]:
    """Make a batch of items (by default those of the request) and write the files of a tool.

    The lock is taken once the request is validated; without one the caller holds the work
    directory.
    """
    task, spec, round_ = request.validate()
    folder = folder_of(request.work, task.id, request.batch)
    content = Content(items) if items is not None else _content(request, task, spec, round_)
    control = None
    if request.kind == "main":
        control = control_plan(
            request.control_items,
            task,
            spec,
            round_,
            content,
            work=request.work,
            specs=request.specs,
        )
    plan = Plan(
        name=request.batch,
        round=round_.id,
        seed=request.seed,
        annotators=_people(request, task, spec, round_, content),
        kind=request.kind,
        # a batch keeps its first tool: it may be written for another one too
        format=read_card(folder).format if (folder / CARD).is_file() else request.to,
        attempt=content.attempt,
    )
    with lock or nullcontext():
        is_new = not folder.exists()
        try:
            batch = making.make(
                request.work, plan, content.items, spec, barred=content.barred, control=control
            )
            if content.begun:
                batch, _ = receive(batch, content.begun, task=task, spec=spec)
            shown = content.shown
            if control is not None and shown is not None:
                shown = tool_answers(batch, shown, control.shown)
            return batch, _write(request, tool_view(batch), spec, round_, shown)
        except BaseException:
            if is_new:  # what cannot be handed out is no batch: the next try may mend its items
                shutil.rmtree(folder, ignore_errors=True)
            raise


def _content(request: Export, task: Task, spec: TaskSpec, round_: Round) -> Content:
    if request.after is not None:
        return following(request.work, task, spec, round_, request.after, kind=request.kind)
    path = request.items
    if path is None and request.pilot:
        path = pilot_items(task.id, request.specs or SPECS)
    if path is None or not (request.items or path.is_file()):
        own = f"; there are no pilot items in {path}" if path else ""
        raise InputError(f"give --items FILE: what is to be annotated (JSONL, Parquet){own}")
    if round_.answer == "verdict" or (request.kind == "main" and (round_.after or round_.not_by)):
        before = round_.after or ", ".join(round_.not_by)
        raise InputError(
            f"round {round_.id} comes after {before}; name that batch with --after BATCH"
        )
    items = load_items(path, task, source=request.source, round_=round_)
    if request.human_baseline is not None:
        items = human_baseline(items, request.human_baseline, task=task, seed=request.seed)
    if request.pilot and spec.pilot.rule == "correct":
        right_answers(items, task, spec, round_, option="--pilot")
    return Content(items)


def _people(
    request: Export, task: Task, spec: TaskSpec, round_: Round, content: Content
) -> tuple[str, ...]:
    if request.annotators == SIMULATED:
        from pipeline.annotation.simulated.profile import default_pool

        names = tuple(default_pool(spec, round_, items=content.items.num_rows))
    else:
        names = annotator_names(request.annotators)
    if request.qualified is not None:
        results = pilot_results(request.qualified, request.work, task, spec)
        passed = tuple(result.annotator for result in results if result.status == "passed")
        names = _only(names, passed, "passed")
    if content.people is not None:
        names = _only(names, content.people, "may answer")
    if request.human_baseline is not None:
        require_fresh(request.work, task.id, names)
    return names


def _only(names: tuple[str, ...], allowed: tuple[str, ...], condition: str) -> tuple[str, ...]:
    """Return those of the names that are allowed, or all allowed ones where none was given."""
    chosen = tuple(name for name in names if name in allowed) if names else allowed
    if not chosen:
        raise InputError(f"none of the annotators {condition}; see klue qualify and klue aggregate")
    if len(chosen) < len(names):
        whole = count(len(names), "annotator")
        say(f"{len(chosen)} of {whole} {condition}; the others are given nothing")
    return chosen


def _write(
    request: Export,
    batch: Batch,
    spec: TaskSpec,
    round_: Round,
    shown: Mapping[str, Any] | None,
) -> list[Path]:
    folder = request.out or batch.folder / "export"
    # annotators see no pilot or official answer
    gold, nothing = batch.items.schema.field("gold"), pa.nulls(batch.items.num_rows, pa.string())
    files = FORMATS[request.to].write(
        batch.items.set_column(batch.items.schema.get_field_index("gold"), gold, nothing),
        spec=spec,
        round_=round_,
        folder=folder,
        assigned=assigned_annotators(batch),
        shown=shown,
    )
    faults = unusable(batch.items, spec=spec, round_=round_, without=shown or ())
    if faults:
        item, reason = next(iter(faults.items()))
        say(
            f"{count(len(faults), 'suggestion')} that {verb(len(faults), 'does', 'do')} not fit"
            " left out, the first is"
            f" that of item {item}: {reason}"
        )
    specs = request.specs or SPECS
    for language in LANGUAGES:
        path = guideline_file(spec.task, language, specs)
        if path.is_file():
            text = guideline(spec.task, language, specs)
            files.append(write_text(folder / path.name, text))
        elif own_folder(spec.task) is None:  # of an own task one language is enough
            say(f"no guideline to hand out: {path} is not there")
    return files


def assigned_annotators(batch: Batch) -> dict[str, tuple[str, ...]]:
    """Return the annotators that each item of a batch was given to, by name."""
    assigned: dict[str, tuple[str, ...]] = {}
    for who, item in sorted(schemas.rows(batch.assignments, "annotator", "item")):
        assigned[item] = (*assigned.get(item, ()), who)
    return assigned


def record(batch: Batch, files: Iterable[Path]) -> dict[str, Any]:
    """Return what there is to say of a batch, as a JSON value."""
    return {
        **asdict(batch.card),
        "folder": str(batch.folder),
        "files": [str(path) for path in files],
    }


def _show(batch: dict[str, Any]) -> None:
    people = len(batch["annotators"])
    whom = f"to {count(people, 'annotator')}" if people else "to nobody in particular"
    print_line(
        "batch {name} ({kind}) of {spec}, round {round}: ".format(**batch)
        + f"{count(batch['items'], 'item')}, {count(batch['per_item'], 'answer')} each, {whom}"
    )
    if batch["control_items"]:
        print_line(
            "{control_assignments:,} of the answers wanted are to control items".format(**batch)
        )
    if batch["taken_out"]:
        print_line(f"items of a pilot that were left out: {batch['taken_out']:,}")
    for path in batch["files"]:
        print_line(f"written  {path}")
