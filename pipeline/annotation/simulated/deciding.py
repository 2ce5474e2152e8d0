"""The stage `decide`: simulated experts settle what aggregation left open.

They review reports, answer what waits for an expert (and, in place of the best annotators, what
waits for those), and say which names may stay; others then answer where reports were dismissed.

params and arguments: those of `answer`. Inputs: the candidates, the output of `answer`, and the
first aggregation. Tables: items, votes (all of them, decisions included), ledger.
"""

from __future__ import annotations

import pyarrow as pa

from pipeline.annotation.simulated import campaign, experts
from pipeline.annotation.simulated.answering import truths_of
from pipeline.annotation.simulated.campaign import Campaign
from pipeline.annotation.together import known, one_shard, outcome, unwritten
from pipeline.core import store
from pipeline.core.stage import Call, Outcome, Shard, Stage

NAME = "decide"


def _run(call: Call, _shard: Shard) -> Outcome:
    task, spec = known(call)
    candidates, done = store.read_all(call.inputs[0], "items"), _answered(call)
    decisions = _decisions(call, done)
    found = campaign.fill(
        done,
        decisions,
        items=candidates,
        task=task,
        spec=spec,
        seed=call.params["seed"],
        truths=truths_of(call),
    )
    votes = pa.concat_tables([found.votes, decisions])
    ledger = unwritten(candidates, found.items, stage=NAME)
    return outcome(candidates, found.items, votes, ledger)


def _answered(call: Call) -> Campaign:
    items, votes = (store.read_all(call.inputs[1], name) for name in ("items", "votes"))
    return Campaign(items, votes)


def _decisions(call: Call, done: Campaign) -> pa.Table:
    """Return what experts say of the items that wait (VOTES)."""
    (task, spec), seed, truths = known(call), call.params["seed"], truths_of(call)
    waiting = _queues(store.read_all(call.inputs[2], "gold"))
    open_ = waiting.get("expert", []) + waiting.get("top_annotators", [])
    raws = [
        *experts.review(done.votes, done.items, task=task, spec=spec, seed=seed, truths=truths),
        *experts.adjudicate(open_, done.items, task=task, spec=spec, seed=seed, truths=truths),
        *experts.privacy(waiting.get("privacy", []), done.items, spec=spec, seed=seed),
    ]
    return campaign.as_votes(raws, task)


def _queues(gold: pa.Table) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    columns = (gold.column(name).to_pylist() for name in ("queue", "item"))
    for queue, item in zip(*columns, strict=True):
        found.setdefault(queue, []).append(item)
    return found


STAGE = Stage(name=NAME, main="items", invariant="own", shards=one_shard, run=_run)
