"""The stage `collect`: candidates and the answers that people gave about them.

The votes are those of files in the project's own form, or of the batches into which `klue import`
took them. What is about another task's item is passed over; what is about no known item is
quarantined with its file and line. Hypotheses become the pairs that the other votes judge.

params: task, spec (TASK@VERSION), strays (whether votes that name no task's item are refused here).
arguments: specs, a folder or None; files, vote files; batches, the task's folder of batches or
None. Inputs: the candidates. Tables: items, votes, ledger.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.annotation.batches import batch as batches
from pipeline.annotation.batches.card import folder_of, list_batches
from pipeline.annotation.batches.rounds import main_batches, writes, written_pairs
from pipeline.annotation.intake.intake import intake
from pipeline.annotation.intake.vote import RawVote, Refused
from pipeline.annotation.intake.votefile import read_votes
from pipeline.annotation.stages import one_shard, outcome, task_and_spec, unwritten
from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import Task
from pipeline.core import schemas, store
from pipeline.core.errors import InputError
from pipeline.core.stage import Call, Outcome, Shard, Stage

NAME: Final = "collect"
#: Why an item of a batch is not taken: another build drew it.
OTHER: Final = "collect.other_candidates@1"


def _run(call: Call, _shard: Shard) -> Outcome:
    task, spec = task_and_spec(call)
    candidates = store.read_all(call.inputs[0], "items")
    if call.arguments["batches"] is not None:
        items, votes, ledger = _of_batches(Path(call.arguments["batches"]), spec, candidates)
    else:
        items, votes, ledger = _of_files(call, task, spec, candidates)
    if not votes.num_rows:
        raise InputError(
            f"{task.id}: no vote about its {candidates.num_rows:,} candidates was found; import"
            " the answers (`klue import`) or name vote files under `annotation.votes` of the build"
            " file, or restrict the build with --tasks"
        )
    ledger = pa.concat_tables([ledger, unwritten(candidates, items, stage=NAME)])
    return outcome(candidates, items, votes, ledger)


def _of_batches(
    folder: Path, spec: TaskSpec, candidates: pa.Table
) -> tuple[pa.Table, pa.Table, pa.Table]:
    """Return items, votes and ledger of a task's main batches, as far as they are candidates."""
    every = main_batches(folder, spec)
    drawn = set(candidates.column("item").to_pylist())
    written = _written(folder, spec, candidates)
    names = every.items.column("item").to_pylist()
    ours = pa.array([name in drawn or name.rpartition(".")[0] in drawn for name in names])
    kept = every.items.filter(ours)
    votes = every.votes.filter(pc.is_in(every.votes["item"], value_set=kept["item"]))
    kept = _with_evidence(pa.concat_tables([kept, *_unasked(candidates, kept)]), candidates)
    others = every.items.filter(pc.invert(ours)).to_pylist()
    votes = pa.concat_tables([written, votes])
    return kept, votes, pa.concat_tables([every.ledger, _others(others)])


def _written(folder: Path, spec: TaskSpec, candidates: pa.Table) -> pa.Table:
    """Return what was written about candidates that are premises."""
    work = folder.resolve().parents[1]
    read = [batches.read(folder_of(work, spec.task, c.name)) for c in list_batches(work, spec.task)]
    own = [one.votes for one in read if one.card.kind == "main" and writes(one, spec)]
    votes = pa.concat_tables([schemas.empty("votes"), *own])
    return votes.filter(pc.is_in(votes["item"], value_set=candidates["item"]))


def _unasked(candidates: pa.Table, items: pa.Table) -> list[pa.Table]:
    """Return the candidates that no batch holds yet; premises are no items of their own."""
    if any("." in name for name in items.column("item").to_pylist()):
        return []
    return [candidates.filter(pc.invert(pc.is_in(candidates["item"], value_set=items["item"])))]


def _with_evidence(items: pa.Table, candidates: pa.Table) -> pa.Table:
    """Return items with the evidence that their candidates have: batches may hold less of it."""
    meta = dict(zip(*(candidates.column(n).to_pylist() for n in ("item", "meta")), strict=True))
    columns = zip(*(items.column(n).to_pylist() for n in ("item", "meta")), strict=True)
    found = pa.array([meta.get(name, own) for name, own in columns], pa.string())
    return items.set_column(
        items.schema.get_field_index("meta"), schemas.ITEMS.field("meta"), found
    )


def _others(rows: list[dict[str, Any]]) -> pa.Table:
    made: list[dict[str, object]] = [
        {
            "unit": row["item"],
            "source": row["source"] or "",
            "stage": NAME,
            "rule": OTHER,
            "action": "drop",
            "reason": "a batch holds it, but it is no candidate of this build",
        }
        for row in rows
    ]
    return schemas.build("ledger", made)


def _of_files(
    call: Call, task: Task, spec: TaskSpec, candidates: pa.Table
) -> tuple[pa.Table, pa.Table, pa.Table]:
    """Return items, votes and ledger of vote files."""
    records = list(_own(call, task.id))
    judging = [one for one in spec.rounds if spec.rounds[0].id in one.not_by]
    if spec.rounds[0].answer != "hypotheses" or not judging:
        taken = intake(records, task=task, spec=spec, items=candidates)
        return candidates, taken.votes, taken.ledger
    premises = set(candidates.column("item").to_pylist())
    about = [one for one in records if _item(one) in premises]
    written = intake(about, task=task, spec=spec, items=candidates)
    items, authors = written_pairs(candidates, written.votes, judging[0])
    rest = [one for one in records if _item(one) not in premises]
    taken = intake([*authors, *_others_than(authors, rest)], task=task, spec=spec, items=items)
    votes = pa.concat_tables([written.votes, taken.votes])
    return items, votes, pa.concat_tables([written.ledger, taken.ledger])


def _others_than(authors: list[RawVote], records: list[RawVote | Refused]) -> list[Any]:
    """Return the records without the authors' own labels, which their hypotheses give already."""
    known_ = {(one.value["item"], one.value["seat"]) for one in authors}
    return [
        one
        for one in records
        if isinstance(one, Refused) or (one.value.get("item"), one.value.get("seat")) not in known_
    ]


def _own(call: Call, task: str) -> Iterator[RawVote | Refused]:
    """Yield the records of all files that are about this task's items."""
    for path in call.arguments["files"]:
        for record in read_votes(Path(path)):
            about = _task(record)
            if about == task or (about is None and call.params["strays"]):
                yield record


def _task(record: RawVote | Refused) -> str | None:
    """Return the task that a record is about: the one it names, or that of its item's id."""
    if isinstance(record, Refused):
        return None
    given = record.value.get("task") or _item(record).partition("-")[0]
    return given if isinstance(given, str) and given in TASKS else None


def _item(record: RawVote | Refused) -> str:
    found = None if isinstance(record, Refused) else record.value.get("item")
    return found if isinstance(found, str) else ""


STAGE = Stage(name=NAME, main="items", invariant="own", shards=one_shard, run=_run)
