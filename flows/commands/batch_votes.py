"""Answers of batches: what `klue import`, `klue simulate` and `klue status` do."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from flows.commands.batch_items import resolving
from flows.commands.votes import (
    KEPT,
    OFFICIAL,
    load_items,
    quarantined_rows,
    refusal_messages,
    task_and_spec,
)
from flows.view.console import console, emit_json, say
from pipeline.agreement.aggregation.aggregate import aggregate
from pipeline.annotation.batches import batch as batches
from pipeline.annotation.batches.assignment import assign, barred_by
from pipeline.annotation.batches.batch import (
    Batch,
    folder_of,
    list_batches,
    progress,
    read_card,
    receive,
)
from pipeline.annotation.batches.rounds import current_answers, main_batches
from pipeline.annotation.exchange.files import read_annotators
from pipeline.annotation.exchange.formats import FORMATS
from pipeline.annotation.intake.intake import Taken
from pipeline.annotation.intake.vote import RawVote, Refused
from pipeline.annotation.simulated import engine
from pipeline.annotation.simulated.deciding import decide
from pipeline.annotation.simulated.engine import Earlier
from pipeline.annotation.simulated.profile import default_pool
from pipeline.annotation.simulated.truths import Truths
from pipeline.contracts.decisions import RESOLVE
from pipeline.contracts.official.files import read_official
from pipeline.contracts.registry import task_of
from pipeline.contracts.spec import Round, TaskSpec
from pipeline.contracts.task import Task
from pipeline.core import store
from pipeline.core.errors import InputError
from pipeline.core.jsontext import parsed

#: So many annotators are listed one by one.
_LISTED: Final = 30


def import_votes(
    file: Path,
    *,
    task: str,
    source: str,
    batch: str,
    annotators: Path | None,
    replace: bool,
    work: Path,
    specs: Path | None,
    as_json: bool,
) -> None:
    """Take the answers of a file into a batch."""
    known_task, spec = task_and_spec(task, specs)
    if source not in FORMATS and source != OFFICIAL:
        raise InputError(
            f"--from {source!r} is not known; allowed: {', '.join([*FORMATS, OFFICIAL])}"
        )
    if not file.is_file():
        what = "is a folder" if file.is_dir() else "no such file"
        raise InputError(f"{file}: {what}; give the file that the tool exported")
    folder = folder_of(work, known_task.id, batch)
    card = read_card(folder)  # a batch that is not there is reported before a lock file is made
    with store.locked(work):
        before = batches.read(folder)
        if source == OFFICIAL:
            raw = _official_votes(file, known_task)
        else:
            raw = FORMATS[source].read(
                file,
                task=known_task,
                spec=spec,
                # experts' decisions, which come in the project's own form, are of other rounds
                round_=None if source == "jsonl" else spec.round(card.round),
                annotators=None if annotators is None else read_annotators(annotators),
            )
        after, taken = receive(
            before,
            raw,
            task=known_task,
            spec=spec,
            barred=_barred(before, spec, work),
            replace=replace,
        )
    _report_import(after, taken, as_json=as_json)


def _official_votes(path: Path, task: Task) -> Iterator[RawVote | Refused]:
    official = read_official(task.id, path)
    yield from (Refused(path.name, *p) for p in official.problems if not p.rule.startswith(KEPT))
    for line, row in enumerate(official.votes.to_pylist(), 1):
        vote = {key: cell for key, cell in row.items() if cell is not None and key != "at"}
        if "label" in vote:
            vote["label"] = parsed(vote["label"])
        yield RawVote(path.name, line, vote)


def _barred(batch: Batch, spec: TaskSpec, work: Path) -> dict[str, set[str]]:
    """Return who answered the batch's items in a round whose annotators must not answer here."""
    round_ = spec.round(batch.card.round)
    if round_ is None or not round_.not_by:
        return {}
    others = batches.read_where(work, spec.task, lambda card: card.round in round_.not_by)
    votes = [other.votes for other in others]
    return barred_by(round_, pa.concat_tables(votes), batch.items) if votes else {}


def _report_import(batch: Batch, taken: Taken, *, as_json: bool) -> None:
    for line in refusal_messages(quarantined_rows(taken.ledger)):
        say(line)
    card, counts, votes = batch.card, taken.counts, taken.votes.num_rows
    if as_json:
        emit_json({"batch": card.name, "task": card.task, **asdict(counts), "votes": votes})
        return
    console().print(
        f"{counts.read:,} records read: {counts.new:,} new, {counts.unchanged:,} unchanged,"
        f" {counts.replaced:,} replaced, {counts.quarantined:,} quarantined;"
        f" {votes:,} votes in batch {card.name}"
    )
    for rule, n in counts.rules.items():
        console().print(f"  {rule}: {n:,}")


@dataclass(frozen=True)
class Simulation:
    """What `klue simulate` was asked for."""

    task: str
    out: Path
    batch: str
    truth: Path | None
    seed: int
    experts: bool
    force: bool
    work: Path
    specs: Path | None
    as_json: bool


def simulate(request: Simulation) -> None:
    """Answer a batch by simulated annotators and write their votes."""
    task, spec = task_and_spec(request.task, request.specs)
    if request.out.is_dir():
        raise InputError(f"--out {request.out}: is a folder; give the file to write")
    if request.out.exists() and not request.force:
        raise InputError(f"--out {request.out}: exists already; use --force to replace it")
    batch = batches.read(folder_of(request.work, task.id, request.batch))
    round_ = spec.round(batch.card.round)
    if round_ is None or not spec.accepts(batch.card.spec):
        raise InputError(f"batch {request.batch} is of {batch.card.spec}, not of {spec.name}")
    truths = None
    if request.truth is not None:
        truths = Truths(task.id, load_items(request.truth, task), spec)
    if request.experts:
        votes = _expert_votes(request, batch, task, spec, truths)
    else:
        votes = _annotator_votes(request, batch, task, spec, round_, truths)
    lines = [json.dumps(v.value, ensure_ascii=False, sort_keys=True) + "\n" for v in votes]
    request.out.parent.mkdir(parents=True, exist_ok=True)
    store.write_text(request.out, "".join(lines))
    if request.as_json:
        record = {"task": task.id, "batch": request.batch, "votes": len(lines)}
        emit_json(record | {"out": str(request.out)})
    else:
        console().print(f"written  {request.out} ({len(lines):,} simulated votes)", soft_wrap=True)


def _expert_votes(
    request: Simulation, batch: Batch, task: Task, spec: TaskSpec, truths: Truths | None
) -> Iterator[RawVote]:
    every = main_batches(batch.folder.parent, spec)
    gold = aggregate(every.votes, task=task, spec=spec, items=every.items).gold
    return decide(
        gold,
        every.votes,
        batch.items,
        task=task,
        spec=spec,
        seed=request.seed,
        truths=truths,
    )


def _annotator_votes(
    request: Simulation,
    batch: Batch,
    task: Task,
    spec: TaskSpec,
    round_: Round,
    truths: Truths | None,
) -> Iterator[RawVote]:
    pool = default_pool(spec, round_, items=batch.items.num_rows)
    names, assignments = batch.items.column("item").to_pylist(), batch.assignments
    if not assignments.num_rows:  # it was given to nobody by name
        barred = _barred(batch, spec, request.work)
        per_item, seed = batch.card.per_item, request.seed
        assignments = assign(names, pool, per_item=per_item, seed=seed, barred=barred)
    shown = None
    if round_.id == RESOLVE:
        shown = resolving(main_batches(batch.folder.parent, spec), task, spec).shown
    elif round_.answer == "verdict":
        judged = spec.round(round_.after or "")
        assert judged is not None  # verdicts are about a round
        shown = current_answers(main_batches(batch.folder.parent, spec).votes, spec, judged)
    return engine.simulate(
        batch.items,
        assignments,
        task=task,
        spec=spec,
        round_=round_,
        pool=pool,
        seed=request.seed,
        truths=truths,
        earlier=Earlier(shown, dict.fromkeys(names, batch.card.attempt)),
    )


def status(build_file: Path | None, *, task: str | None, work: Path, as_json: bool) -> None:
    """Report the progress of a build, and of every batch: what is missing, and from whom."""
    if work.exists() and not work.is_dir():
        raise InputError(f"--work {work}: is a file; give the folder in which batches lie")
    cards = list_batches(work, task_of(task).id if task is not None else None)
    records = [progress(batches.read(folder_of(work, card.task, card.name))) for card in cards]
    build = None
    if build_file is not None:
        from flows.plan.corpus import plan_corpus

        plan = plan_corpus(build_file, work.resolve())
        done = [call.done for call in plan.calls]
        build = {"name": plan.build.name, "stages": len(done), "done": sum(done)}
    if as_json:
        emit_json({"batches": records} | ({"build": build} if build is not None else {}))
        return
    out = console()
    if build is not None:
        out.print("build {name}: {done} of {stages} stages are in the store".format(**build))
    if not records:
        out.print(f"no batches below {work}/annotation; `klue export` makes one")
    for record in records:
        _show_progress(record)


def _show_progress(record: dict[str, Any]) -> None:
    from rich.table import Table

    out = console()
    out.print(
        "{task} {batch} ({kind}, round {round}, {spec}): {answered:,} of {assigned:,} answers;"
        " items: {complete:,} complete, {partial:,} begun, {untouched:,} untouched;"
        " {reported:,} reports, {quarantined:,} quarantined".format(**record)
    )
    late = [share for share in record["annotators"] if share["missing"]]
    if not late:
        return
    table = Table(title="Missing", title_justify="left")
    table.add_column("annotator")
    for title in ("assigned", "answered", "missing"):
        table.add_column(title, justify="right")
    table.add_column("next items", overflow="fold")
    for share in late[:_LISTED]:
        numbers = (share["assigned"], share["answered"], len(share["missing"]))
        next_items = ", ".join(share["missing"][:2])
        table.add_row(share["annotator"], *(f"{n:,}" for n in numbers), next_items)
    out.print(table)
    if len(late) > _LISTED:
        out.print(f"and {len(late) - _LISTED:,} more annotators; --json has all")
