"""Answers of batches: what `klue import`, `klue simulate` and `klue status` do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from flows.commands.batch_items import resolving
from flows.commands.control_items import scores
from flows.commands.outputs import check_file, write_rows
from flows.commands.votes import (
    KEPT,
    OFFICIAL,
    load_items,
    quarantined_rows,
    refusal_messages,
    task_and_spec,
)
from flows.view.console import Result, print_line, print_table, say
from flows.view.control_table import show_control
from pipeline.agreement.aggregation.aggregate import aggregate
from pipeline.annotation.batches import batch as batches
from pipeline.annotation.batches.assignment import assign, find_bars
from pipeline.annotation.batches.batch import (
    Batch,
    folder_of,
    list_batches,
    read_card,
    receive,
)
from pipeline.annotation.batches.control import tool_view
from pipeline.annotation.batches.progress import progress
from pipeline.annotation.batches.rounds import answers_to_judge, main_batches
from pipeline.annotation.exchange import jsonl
from pipeline.annotation.exchange.files import read_annotators
from pipeline.annotation.exchange.formats import FORMATS, OPEN_TOOLS
from pipeline.annotation.intake.columns import parse_columns
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
from pipeline.core.files import refuse
from pipeline.core.jsontext import parsed
from pipeline.core.wording import count

#: So many annotators are listed one by one.
_LISTED: Final = 30
#: The project's own form of votes.
VOTES: Final = "jsonl"


@dataclass(frozen=True)
class Import:
    """What `klue import` was asked for.

    `annotators` maps a tool's ids, or names a map; `columns` and `wide` say where votes stand in a
    vote file, as for `klue audit`.
    """

    file: Path
    task: str
    source: str
    batch: str
    replace: bool
    work: Path
    annotators: Path | Mapping[str, str] | None = None
    columns: str | None = None
    wide: bool = False
    specs: Path | None = None

    def read(self, task: Task, spec: TaskSpec, round_: Round | None) -> Iterator[RawVote | Refused]:
        """Yield the votes of the file, for a batch of this round, and what could not be read."""
        people, columns = self.annotators, parse_columns(self.columns, wide=self.wide)
        if columns is not None and self.source != VOTES:
            raise InputError(
                "--columns and --wide are for vote files; leave them out for the export of a tool"
            )
        if self.source == OFFICIAL:
            return _official_votes(self.file, task)
        people = read_annotators(people) if isinstance(people, Path) else people
        if self.source == VOTES:  # experts' decisions, which come in this form, are of other rounds
            return jsonl.read(self.file, task=task, spec=spec, annotators=people, columns=columns)
        return FORMATS[self.source].read(
            self.file, task=task, spec=spec, round_=round_, annotators=people
        )


def import_votes(file: Path, **options: Any) -> Result:
    """Take the answers of a file into a batch.

    The record's `ok` tells whether any record was taken, where there are some.
    """
    asked = Import(file, **options)
    task, spec = task_and_spec(asked.task, asked.specs)
    if not file.is_file():
        problem = "is a folder" if file.is_dir() else "no such file"
        raise InputError(f"{file}: {problem}; give the file that the tool exported")
    folder = folder_of(asked.work, task.id, asked.batch)
    card = read_card(folder)  # a batch that is not there is reported before a lock file is made
    raw = asked.read(task, spec, spec.round(card.round))
    with store.lock(asked.work):
        before = batches.read(folder)
        after, result = receive(
            before,
            raw,
            task=task,
            spec=spec,
            barred=_bars_of(before, spec),
            replace=asked.replace,
            open_tool=asked.source in OPEN_TOOLS,
        )
    for line in refusal_messages(quarantined_rows(result.ledger)):
        say(line)
    counts = {**asdict(result.counts), "votes": after.votes.num_rows}
    counts["control_votes"] = after.control.votes.num_rows
    counts["ok"] = not counts["read"] or counts["quarantined"] < counts["read"]
    if not counts["ok"]:
        say(f"{file}: every record was refused")
    return {"batch": after.card.name, "task": after.card.task, **counts}, _show_import


def _official_votes(path: Path, task: Task) -> Iterator[RawVote | Refused]:
    official = read_official(task.id, path)
    yield from (Refused(path.name, *p) for p in official.problems if not p.rule.startswith(KEPT))
    for line, row in enumerate(official.votes.to_pylist(), 1):
        vote = {key: cell for key, cell in row.items() if cell is not None and key != "at"}
        if "label" in vote:
            vote["label"] = parsed(vote["label"])
        yield RawVote(path.name, line, vote)


def _bars_of(batch: Batch, spec: TaskSpec) -> dict[str, set[str]]:
    """Return who answered the batch's items in a round whose annotators must not answer here."""
    round_ = spec.round(batch.card.round)
    if round_ is None or not round_.not_by:
        return {}
    work = batch.folder.parents[2]
    others = batches.read_where(work, spec.task, lambda card: card.round in round_.not_by)
    votes = [other.votes for other in others]
    return find_bars(round_, pa.concat_tables(votes), batch.items) if votes else {}


def _show_import(record: dict[str, Any]) -> None:
    print_line(
        f"{count(record['read'], 'record')} read: "
        + "{new:,} new, {unchanged:,} unchanged, {replaced:,} replaced,"
        " {quarantined:,} quarantined; ".format(**record)
        + f"{count(record['votes'], 'vote')} in batch {record['batch']}"
        + (", {control_votes:,} on control items" if record["control_votes"] else "").format(
            **record
        )
    )
    for rule, n in record["rules"].items():
        print_line(f"  {rule}: {n:,}")


def simulate(
    task: str,
    *,
    out: Path,
    batch: str,
    truth: Path | None = None,
    experts: bool,
    seed: int,
    force: bool,
    work: Path,
    specs: Path | None = None,
) -> Result:
    """Answer a batch by simulated annotators and write their votes."""
    known_task, spec = task_and_spec(task, specs)
    check_file("--out", out, force=force)
    asked = batches.read(folder_of(work, known_task.id, batch))
    if not experts:  # they decide about the batch's own items
        asked = tool_view(asked)
    if spec.round(asked.card.round) is None or not spec.accepts(asked.card.spec):
        raise InputError(f"batch {batch} is of {asked.card.spec}, not of {spec.name}")
    truths = None
    if truth is not None:
        truths = Truths(known_task.id, load_items(truth, known_task), spec)
    answer = _expert_votes if experts else _annotator_votes
    votes = [vote.value for vote in answer(asked, known_task, spec, truths, seed)]
    write_rows(out, votes)
    record = {"task": known_task.id, "batch": batch, "votes": len(votes), "out": str(out)}
    return record, lambda _: print_line(f"written  {out} ({count(len(votes), 'simulated vote')})")


def _expert_votes(
    batch: Batch, task: Task, spec: TaskSpec, truths: Truths | None, seed: int
) -> Iterator[RawVote]:
    every = main_batches(batch.folder.parent, spec)
    gold = aggregate(every.votes, task=task, spec=spec, items=every.items).gold
    return decide(gold, every.votes, batch.items, task=task, spec=spec, seed=seed, truths=truths)


def _annotator_votes(
    batch: Batch, task: Task, spec: TaskSpec, truths: Truths | None, seed: int
) -> Iterator[RawVote]:
    round_ = spec.round(batch.card.round)
    assert round_ is not None  # `simulate` looked
    pool = default_pool(spec, round_, items=batch.card.items)
    names, assignments = batch.items.column("item").to_pylist(), batch.assignments
    if not assignments.num_rows:  # it was given to nobody by name
        barred = _bars_of(batch, spec)
        per_item = batch.card.per_item
        assignments = assign(names, pool, per_item=per_item, seed=seed, barred=barred)
    answers = None
    if round_.id == RESOLVE:
        answers = resolving(main_batches(batch.folder.parent, spec), task, spec).shown
    elif round_.answer == "verdict":
        answers = answers_to_judge(main_batches(batch.folder.parent, spec).votes, spec, round_)
    return engine.simulate(
        batch.items,
        assignments,
        task=task,
        spec=spec,
        round_=round_,
        pool=pool,
        seed=seed,
        truths=truths,
        earlier=Earlier(answers, dict.fromkeys(names, batch.card.attempt)),
    )


def status(*, task: str | None = None, work: Path) -> Result:
    """Return the progress of every batch: what is missing, and from whom."""
    refuse(
        f"--work {work}",
        (work.exists() and not work.is_dir(), "is a file; give the folder in which batches lie"),
    )
    cards = list_batches(work, task_of(task).id if task is not None else None)
    records = []
    for card in cards:
        batch = batches.read(folder_of(work, card.task, card.name))
        records.append({**progress(tool_view(batch)), "control_items": scores([batch])})
    return {"batches": records}, partial(_show_status, work=work)


def _show_status(record: dict[str, Any], *, work: Path) -> None:
    if not record["batches"]:
        print_line(f"no batches below {work}/annotation; `klue export` makes one")
    for batch in record["batches"]:
        _show_progress(batch)


def _show_progress(batch: dict[str, Any]) -> None:
    print_line(
        "{task} {batch} ({kind}, round {round}, {spec}): {answered:,} of {assigned:,} answers;"
        " items: {complete:,} complete, {partial:,} begun, {untouched:,} untouched;"
        " {reports}, {quarantined:,} quarantined".format(
            **batch, reports=count(batch["reported"], "report")
        )
    )
    if batch["unassigned"]:
        print_line(f"  {count(batch['unassigned'], 'answer')} to items that were given to others")
    late = [share for share in batch["annotators"] if share["missing"]]
    print_table(
        "Missing",
        ("annotator", "assigned", "answered", "missing", "next items"),
        (
            (
                share["annotator"],
                f"{share['assigned']:,}",
                f"{share['answered']:,}",
                f"{len(share['missing']):,}",
                ", ".join(share["missing"][:2]),
            )
            for share in late[:_LISTED]
        ),
        left=("next items",),
    )
    if len(late) > _LISTED:
        print_line(f"and {count(len(late) - _LISTED, 'more annotator')}; --json has all")
    show_control(batch["control_items"])
