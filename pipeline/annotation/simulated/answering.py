"""The stage `answer`: candidates to the votes of simulated annotators, all rounds of a task.

params: task, seed, spec (TASK@VERSION). arguments: specs and truths, folders or None. The first
input holds the candidates. Tables: items (or the pairs written about them), votes, ledger.
"""

from __future__ import annotations

from pathlib import Path

from pipeline.annotation.simulated import campaign
from pipeline.annotation.simulated.truths import ANSWERS, Truths, load_truths
from pipeline.annotation.stages import one_shard, outcome, task_and_spec, unwritten
from pipeline.core import store
from pipeline.core.stage import Call, Outcome, Shard, Stage

NAME = "answer"


def truths_of(call: Call) -> Truths:
    """Return the truths that a call names, those of the sample if it names none."""
    (task, spec), folder = task_and_spec(call), call.arguments.get("truths")
    return load_truths(task, Path(folder) if folder else ANSWERS, spec)


def _run(call: Call, _shard: Shard) -> Outcome:
    task, spec = task_and_spec(call)
    candidates = store.read_all(call.inputs[0], "items")
    found = campaign.run(
        candidates, task=task, spec=spec, seed=call.params["seed"], truths=truths_of(call)
    )
    ledger = unwritten(candidates, found.items, stage=NAME)
    return outcome(candidates, found.items, found.votes, ledger)


STAGE = Stage(name=NAME, main="items", invariant="own", shards=one_shard, run=_run)
