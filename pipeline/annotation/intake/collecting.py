"""The stage `collect`: candidates and the answers that people gave about them.

The votes are those of files in the project's own form, or of the batches into which `klue import`
took them. What is about another task's item is passed over; what is about no known item is
quarantined with its file and line. Hypotheses become the pairs that the other votes judge.

params: task, spec (TASK@VERSION), strays (whether votes that name no task's item are refused here).
arguments: specs, a folder or None; files, vote files; batches, the task's folder of batches or
None. Inputs: the candidates. Tables: items, votes, ledger.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.annotation.batches.rounds import main_batches, written_pairs
from pipeline.annotation.intake.intake import intake
from pipeline.annotation.intake.vote import RawVote, Refused, count_rules
from pipeline.annotation.intake.votefile import read_votes
from pipeline.annotation.stages import drop_rows, one_shard, outcome, task_and_spec
from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import Task
from pipeline.core import schemas, store
from pipeline.core.errors import InputError
from pipeline.core.stage import Call, Outcome, Shard, Stage
from pipeline.core.wording import count, verb


def _run(call: Call, _shard: Shard) -> Outcome:
    task, spec = task_and_spec(call)
    candidates = store.read_all(call.inputs[0], "items")
    if call.arguments["batches"] is not None:
        items, votes, ledger = _of_batches(Path(call.arguments["batches"]), spec, candidates)
    else:
        items, votes, ledger = _of_files(call, task, spec, candidates)
    if not votes.num_rows:
        refused = ledger.filter(pc.equal(ledger["action"], "quarantine"))
        rules = Counter(refused["rule"].to_pylist())
        raise InputError(
            f"{task.id}: no vote about its {count(candidates.num_rows, 'candidate')} was found"
            + (
                f", {len(refused):,} {verb(len(refused), 'was', 'were')} refused:"
                f" {count_rules(rules)}"
                if rules
                else ""
            )
            + "; import the answers (`klue import`) or name vote files under `annotation.votes` of"
            " the build file, or restrict the build with --tasks"
        )
    return outcome(candidates, items, votes, ledger, stage=STAGE.name)


def _of_batches(
    folder: Path, spec: TaskSpec, candidates: pa.Table
) -> tuple[pa.Table, pa.Table, pa.Table]:
    every = main_batches(folder, spec)
    candidate_ids = set(candidates.column("item").to_pylist())
    names = every.items.column("item").to_pylist()
    ours = pa.array(
        [name in candidate_ids or name.rpartition(".")[0] in candidate_ids for name in names]
    )
    own_items = every.items.filter(ours)
    votes = every.votes.filter(pc.is_in(every.votes["item"], value_set=own_items["item"]))
    others = drop_rows(
        every.items.filter(pc.invert(ours)),
        stage=STAGE.name,
        rule="collect.other_candidates@1",
        reason="a batch holds it, but it is no candidate of this build",
    )
    if not any(
        "." in name for name in own_items.column("item").to_pylist()
    ):  # no pairs of premises
        unasked = pc.invert(pc.is_in(candidates["item"], value_set=own_items["item"]))
        own_items = pa.concat_tables([own_items, candidates.filter(unasked)])
    about_premises = pc.is_in(every.written["item"], value_set=candidates["item"])
    votes = pa.concat_tables([every.written.filter(about_premises), votes])
    return _with_evidence(own_items, candidates), votes, pa.concat_tables([every.ledger, others])


def _with_evidence(items: pa.Table, candidates: pa.Table) -> pa.Table:
    """Return items with the evidence that their candidates have: batches may hold less of it."""
    evidence = dict(schemas.rows(candidates, "item", "meta"))
    meta = [
        evidence.get(name, meta_of_item)
        for name, meta_of_item in schemas.rows(items, "item", "meta")
    ]
    field = schemas.ITEMS.field("meta")
    return items.set_column(items.schema.get_field_index("meta"), field, pa.array(meta, field.type))


def _of_files(
    call: Call, task: Task, spec: TaskSpec, candidates: pa.Table
) -> tuple[pa.Table, pa.Table, pa.Table]:
    records = list(_records(call, task.id))
    judging = [round_ for round_ in spec.rounds if spec.rounds[0].id in round_.not_by]
    if spec.rounds[0].answer != "hypotheses" or not judging:
        result = intake(records, task=task, spec=spec, items=candidates)
        return candidates, result.votes, result.ledger
    premises = set(candidates.column("item").to_pylist())
    about = [record for record in records if _item(record) in premises]
    written = intake(about, task=task, spec=spec, items=candidates)
    items, authors = written_pairs(candidates, written.votes, judging[0])
    # the authors' own labels are those of their hypotheses
    known = {(author.value["item"], author.value["seat"]) for author in authors}
    rest = [
        record
        for record in records
        if _item(record) not in premises
        and (
            isinstance(record, Refused)
            or (record.value.get("item"), record.value.get("seat")) not in known
        )
    ]
    result = intake([*authors, *rest], task=task, spec=spec, items=items)
    votes = pa.concat_tables([written.votes, result.votes])
    return items, votes, pa.concat_tables([written.ledger, result.ledger])


def _records(call: Call, task: str) -> Iterator[RawVote | Refused]:
    """Yield the records of all files that are about this task's items.

    The task of a record is the one that it names, or that of its item's id.
    """
    for path in call.arguments["files"]:
        for record in read_votes(Path(path)):
            name = None
            if isinstance(record, RawVote):
                name = record.value.get("task") or _item(record).partition("-")[0]
            about = name if isinstance(name, str) and name in TASKS else None
            if about == task or (about is None and call.params["strays"]):
                yield record


def _item(record: RawVote | Refused) -> str:
    item = record.value.get("item") if isinstance(record, RawVote) else None
    return item if isinstance(item, str) else ""


STAGE: Final = Stage(name="collect", main="items", invariant="own", shards=one_shard, run=_run)
