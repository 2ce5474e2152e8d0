"""The tables of a finished build that its release is written from."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from flows.plan.build import BuildPlan
from flows.plan.release import ReleasePlan, SplitPlan
from flows.view import funnel
from pipeline.contracts.registry import task_of
from pipeline.core import store
from pipeline.release.material import Facts, Material, TaskMaterial

#: The stages of the corpus whose ledgers a release holds.
_CORPUS: Final = ("read", "select", "segment", "clean", "pii", "toxicity", "dedup")


def material_of(plan: BuildPlan, release: ReleasePlan, told: Facts) -> Material:
    """Return what a release is written from, but for its texts."""
    return Material(
        facts=told,
        tasks=[_material(one) for one in release.tasks],
        corpus=_corpus_ledgers(plan),
        stages=_stages(plan),
        build=plan.corpus.build.written.model_dump(mode="json"),
        key=release.key,
    )


def _material(one: SplitPlan) -> TaskMaterial:
    gold = one.gold
    ledgers = {
        "candidates": gold.candidates,
        "annotation": gold.answered,
        "aggregate": gold.gold,
        "split": one.split,
    }
    return TaskMaterial(
        task=task_of(one.task),
        spec=gold.spec,
        examples=store.read_all(one.split.folder, "examples"),
        votes=store.read_all(gold.answered.folder, "votes"),
        gold=store.read_all(gold.gold.folder, "gold"),
        constraints=store.read_all(one.split.folder, "constraints"),
        leaks=store.read_all(one.leakage.folder, "leaks"),
        ledgers={name: store.read_all(call.folder, "ledger") for name, call in ledgers.items()},
    )


def _corpus_ledgers(plan: BuildPlan) -> dict[str, list[Path]]:
    found: dict[str, list[Path]] = {stage: [] for stage in _CORPUS}
    for call in plan.corpus.calls:
        if call.stage in found:
            found[call.stage] += store.tables(call.folder, "ledger")
    return {stage: sorted(paths) for stage, paths in found.items() if paths}


def _stages(plan: BuildPlan) -> list[dict[str, Any]]:
    """Return the counts of every stage; of one that ran twice (aggregate), those of the last."""
    rows = {(row["stage"], row["source"]): row for row in funnel.stages(plan.calls, {})}
    told = ("skipped", "seconds")
    return [{k: v for k, v in row.items() if k not in told} for row in rows.values()]
