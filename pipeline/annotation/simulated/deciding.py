"""The stage `decide`: simulated experts settle what aggregation left open.

They review reports, answer what waits for an expert (and, in place of the best annotators, what
waits for those), and say which names may stay; others then answer where reports were dismissed.

params and arguments: those of `answer`. Inputs: the candidates, the output of `answer`, and the
first aggregation. Tables: items, votes (all of them, decisions included), ledger.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

import pyarrow as pa

from pipeline.annotation.intake.vote import RawVote
from pipeline.annotation.simulated import campaign
from pipeline.annotation.simulated.campaign import Campaign, truths_of
from pipeline.annotation.simulated.engine import decision_time
from pipeline.annotation.simulated.profile import Chance
from pipeline.annotation.simulated.truths import Truths, load_truths
from pipeline.annotation.stages import one_shard, outcome, task_and_spec
from pipeline.contracts.decisions import ADJUDICATE, DISMISS, KEEP, PRIVACY, REMOVE, REVIEW, UPHOLD
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import Task
from pipeline.core import schemas, store
from pipeline.core.stage import Call, Outcome, Shard, Stage

#: Who decides.
EXPERT_ID: Final = "sim-expert"
#: The share of reports that wait for their review still.
_PENDING: Final = 0.08
#: How often an expert upholds a report against a text that nobody judged.
_UPHELD: Final = 0.75
#: How often a person's name may not stay (Section 3.4.1: 118 of 31,008 sentences).
_PRIVATE: Final = 0.004


def decide(
    gold: pa.Table,
    votes: pa.Table,
    items: pa.Table,
    *,
    task: Task,
    spec: TaskSpec,
    seed: int,
    truths: Truths | None = None,
    queues: Collection[str] = ("expert",),
) -> Iterator[RawVote]:
    """Yield what experts say of reports, of items that wait in `queues`, and of names.

    `gold` is the aggregation of the votes; its column `queue` says where an item waits.
    """
    waiting: dict[str, list[str]] = schemas.group(schemas.rows(gold, "queue", "item"))
    asked = {item for queue in queues for item in waiting.get(queue, ())}
    truths = truths or load_truths(task, spec=spec)
    yield from review(votes, items, spec=spec, seed=seed, truths=truths)
    for place, row in enumerate(_rows(items, asked), start=1):
        truth = truths.of_row(row, Chance(seed, row["item"]).at("which"))
        yield _vote(row, ADJUDICATE, truth.answer, spec, place)
    for place, row in enumerate(_rows(items, set(waiting.get("privacy", ()))), start=1):
        private = Chance(seed, row["item"]).at("private") < _PRIVATE
        yield _vote(row, PRIVACY, {"verdict": REMOVE if private else KEEP}, spec, place)


def _rows(items: pa.Table, names: Collection[str]) -> list[dict[str, Any]]:
    return [row for row in items.to_pylist() if row["item"] in names]


def review(
    votes: pa.Table, items: pa.Table, *, spec: TaskSpec, seed: int, truths: Truths
) -> Iterator[RawVote]:
    """Yield a decision about most of the reported items, votes of round `review`.

    A report that the item's truth names is upheld, any other one against a judged text dismissed;
    about texts that nobody judged a draw decides. Some reports stay without a decision.
    """
    reports = schemas.rows(votes, "item", "report")
    reported = schemas.group((item, report) for item, report in reports if report is not None)
    place = 0
    for row in _rows(items, reported):
        chance = Chance(seed, row["item"])
        if chance.at("pending") < _PENDING:
            continue
        truth, reason = truths.of_row(row, chance.at("which")), min(reported[row["item"]])
        is_upheld = truth.estimated and chance.at("upheld") < _UPHELD
        label = {"verdict": DISMISS}
        if truth.report is not None or is_upheld:
            label = {"verdict": UPHOLD, "reason": truth.report or reason}
        place += 1
        yield _vote(row, REVIEW, label, spec, place)


def _vote(row: Mapping[str, Any], round_: str, label: Any, spec: TaskSpec, place: int) -> RawVote:
    value = {
        "item": row["item"],
        "annotator": EXPERT_ID,
        "role": "expert",
        "round": round_,
        "label": label,
        "task": spec.task,
        "spec": spec.name,
        "at": decision_time(spec, place),
        "source": row["source"],
        "simulated": True,
    }
    return RawVote("simulated-experts", place, value)


def _run(call: Call, _shard: Shard) -> Outcome:
    (task, spec), seed, truths = task_and_spec(call), call.params["seed"], truths_of(call)
    candidates = store.read_all(call.inputs[0], "items")
    answered = Campaign(*(store.read_all(call.inputs[1], name) for name in ("items", "votes")))
    raws = decide(
        store.read_all(call.inputs[2], "gold"),
        answered.votes,
        answered.items,
        task=task,
        spec=spec,
        seed=seed,
        truths=truths,
        queues=("expert", "top_annotators"),
    )
    decisions = campaign.as_votes(raws, task)
    filled = campaign.fill(
        answered, decisions, items=candidates, task=task, spec=spec, seed=seed, truths=truths
    )
    every = pa.concat_tables([filled.votes, decisions])
    return outcome(candidates, filled.items, every, stage=STAGE.name)


STAGE: Final = Stage(name="decide", main="items", invariant="own", shards=one_shard, run=_run)
