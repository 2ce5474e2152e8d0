"""The funnel of a build, by source and by task: what was read, edited, dropped, drawn and kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from flows.plan.candidates import TaskPlan
from flows.plan.corpus import Chain, CorpusPlan
from flows.plan.release import ReleasePlan
from pipeline.contracts.splits import SPLITS
from pipeline.core import schemas, store
from pipeline.core.errors import ConservationError, StoreError
from pipeline.core.stage import Call
from pipeline.core.wording import count

Rules = dict[str, int]
_COUNTS: Final = ("rows_in", "rows_out", "dropped", "quarantined", "edited")


@dataclass
class Funnel:
    """The counts of one source.

    records = documents + dropped_documents + quarantined; units = kept + dropped_units;
    `childless` documents gave no unit; `edited` units were changed by at least one rule of
    cleaning, whether kept or not, or had personal data masked (with both they count twice). `edits`
    and `drops` count ledger rows by rule.
    """

    records: int = 0
    quarantined: int = 0
    dropped_documents: int = 0
    documents: int = 0
    childless: int = 0
    units: int = 0
    edited: int = 0
    dropped_units: int = 0
    kept: int = 0
    edits: Rules = field(default_factory=dict)
    drops: Rules = field(default_factory=dict)
    quarantines: Rules = field(default_factory=dict)


@dataclass
class TaskFunnel:
    """The counts of one task.

    units = drawn + refused + undrawn; a unit may be drawn for several `items`. `items` are counted
    by source and sampler ("wikitree kb"), refusals by rule; `before` are refusals of the stage that
    comes before (round trips), whose units may still be drawn otherwise. `short` says which quotas
    were not met.
    """

    units: int = 0
    drawn: int = 0
    refused: int = 0
    undrawn: int = 0
    items: int = 0
    samplers: Rules = field(default_factory=dict)
    refusals: Rules = field(default_factory=dict)
    before: Rules = field(default_factory=dict)
    quarantines: Rules = field(default_factory=dict)
    short: list[str] = field(default_factory=list)


def funnels(plan: CorpusPlan) -> dict[str, Funnel]:
    """Return the funnel of every source of a finished plan.

    Raises ConservationError when the numbers of one do not add up.
    """
    if not plan.chains:
        return {}
    last = manifest(plan.dedup)
    return {chain.source: _funnel(chain, last) for chain in plan.chains}


def personal_left(plan: CorpusPlan) -> dict[str, int]:
    """Count the pieces of personal data, by type, that the screen for them left in.

    Some leave with units that are toxic or there twice.
    """
    left = Counter[str]()
    for chain in plan.chains:
        settings = chain.policy
        removed = pa.array([*settings.gone, *settings.pseudonymise], pa.string())
        hits = store.read_all(chain.pii.folder, "personal")
        ledger = store.read_all(chain.pii.folder, "ledger")
        dropped = ledger.filter(pc.equal(ledger["action"], "drop"))["unit"]
        sure = pc.greater_equal(hits["confidence"], settings.minimum)
        gone = pc.and_(pc.is_in(hits["type"], removed), sure)
        gone = pc.or_(gone, pc.is_in(hits["unit"], dropped))
        left.update(hits.filter(pc.invert(gone))["type"].to_pylist())
    return dict(sorted(left.items()))


def _funnel(chain: Chain, last: store.Manifest) -> Funnel:
    calls = (chain.read, chain.select, chain.segment, *chain.filters)
    read, select, segment, *filters = [manifest(call).counts for call in calls]
    repeated = _rows(last, "ledger", chain.source)
    funnel = Funnel(
        records=read.rows_in,
        quarantined=read.quarantined + select.quarantined,
        dropped_documents=read.dropped + select.dropped,
        documents=select.rows_out,
        childless=segment.childless,
        units=segment.rows_out,
        edited=sum(counts.edited for counts in filters),
        dropped_units=sum(counts.dropped for counts in filters) + repeated,
        kept=_rows(last, "kept", chain.source),
        edits=ledger_rules((chain.read, *chain.filters), "edit"),
        quarantines=ledger_rules(calls[:2], "quarantine"),
        drops=ledger_rules(calls, "drop"),
    )
    if repeated:
        [rule] = last.counts.rules["drop"]  # the stage has one
        funnel.drops[rule] = repeated
    ends = funnel.documents + funnel.dropped_documents + funnel.quarantined
    if funnel.records != ends:
        raise ConservationError(f"{chain.source}: {funnel.records} records, {ends} accounted for")
    if funnel.units != funnel.kept + funnel.dropped_units:
        raise ConservationError(
            f"{chain.source}: {funnel.units} units, {funnel.kept} kept + {funnel.dropped_units}"
            " dropped"
        )
    return funnel


def task_funnels(tasks: list[TaskPlan]) -> dict[str, TaskFunnel]:
    """Return the funnel of every task whose candidates are drawn.

    Raises ConservationError when the numbers of one do not add up.
    """
    return {task.task: _task_funnel(task) for task in tasks}


def task_rows(tasks: list[TaskPlan]) -> dict[str, dict[str, Any]]:
    """Return the same as records."""
    return {task: asdict(counts) for task, counts in task_funnels(tasks).items()}


def _task_funnel(task: TaskPlan) -> TaskFunnel:
    counts = manifest(task.candidates).counts
    funnel = TaskFunnel(
        units=counts.rows_in,
        drawn=counts.drawn,
        refused=counts.dropped,
        undrawn=counts.undrawn,
        items=counts.rows_out,
        samplers=_samplers(task),
        refusals=counts.rules.get("drop", {}),
        before=ledger_rules(task.calls[:-1], "drop"),
        quarantines=ledger_rules(task.calls, "quarantine"),
        short=_short(task),
    )
    if funnel.units != funnel.drawn + funnel.refused + funnel.undrawn:
        raise ConservationError(
            f"{task.task}: {count(funnel.units, 'unit')}, {funnel.drawn} drawn + {funnel.refused}"
            " refused"
            f" + {funnel.undrawn} undrawn"
        )
    return funnel


def _samplers(task: TaskPlan) -> Rules:
    counts: Counter[str] = Counter()
    for path in store.tables(task.candidates.folder, "items"):
        table = store.read_table(path, "items", ("source", "sampler"))
        pairs = schemas.rows(table, "source", "sampler")
        counts.update(_sampler_name(source, sampler) for source, sampler in pairs)
    return dict(sorted(counts.items()))


def _sampler_name(source: str | None, sampler: str | None) -> str:
    if source is None or sampler is None or source == sampler or sampler.startswith(f"{source}-"):
        return sampler or source or "?"
    return f"{source} {sampler}"


def _short(task: TaskPlan) -> list[str]:
    """Return what the calls of a task say of quotas that they could not meet, by unit.

    Two calls may be about one quota (round trips: translated, then paired); the last one counts.
    """
    import pyarrow.dataset as ds

    reasons: dict[str, str] = {}
    for call in task.calls:
        files = [str(path) for path in store.tables(call.folder, "ledger")]
        if files:
            is_short = pc.field("action") == "short"
            for row in ds.dataset(files).to_table(filter=is_short).to_pylist():
                reason, source = str(row["reason"]), row["source"]
                reasons[row["unit"]] = reason if source in reason else f"{source} {reason}"
    return [reasons[unit] for unit in sorted(reasons)]


def stages(calls: list[Call], seconds: dict[str, float]) -> list[dict[str, Any]]:
    """Return one record a stage call: its counts, seconds, and whether it was skipped."""
    return [
        {
            "stage": call.stage,
            "source": call.source,
            **{name: getattr(counts, name) for name in _COUNTS},
            "skipped": call.fingerprint not in seconds,
            "seconds": round(seconds.get(call.fingerprint, 0.0), 3),
        }
        for call, counts in ((call, manifest(call).counts) for call in calls)
    ]


def outcomes(gold: Call) -> dict[str, int]:
    """Return how many items of a task became gold, are unresolved, and were removed."""
    counts = Counter(store.read_all(gold.folder, "gold", ["status"])["status"].to_pylist())
    return {status: counts[status] for status in ("gold", "unresolved", "removed")}


def splits(release: ReleasePlan) -> dict[str, dict[str, int]]:
    """Return how many examples each task has in each split, and how many gold ones are in none."""
    sizes: dict[str, dict[str, int]] = {}
    for task in release.tasks:
        examples = store.read_all(task.split.folder, "examples", ["split"])
        counts = Counter(examples["split"].to_pylist())
        left_out = manifest(task.split).counts.dropped
        sizes[task.task] = {**{split: counts[split] for split in SPLITS}, "left_out": left_out}
    return sizes


def unmet(release: ReleasePlan) -> dict[str, list[str]]:
    """Return by task the names of constraints that do not hold, those that bind first."""
    names: dict[str, list[str]] = {}
    for task in release.tasks:
        rows = store.read_all(task.split.folder, "constraints").to_pylist()
        broken = sorted((row for row in rows if not row["met"]), key=lambda row: not row["binds"])
        if broken:
            names[task.task] = list(dict.fromkeys(row["name"] for row in broken))
    return names


def manifest(call: Call) -> store.Manifest:
    """Return the manifest of a finished call; raises StoreError where there is none."""
    result = store.read_manifest(call.folder)
    if result is None:
        raise StoreError(f"{call.folder}: is not there; run `klue build` again")
    return result


def _rows(manifest: store.Manifest, table: str, source: str) -> int:
    return sum(
        entry["rows"]
        for name, entry in manifest.files.items()
        if name.rpartition("-")[0] in {f"{table}-{source}", table}
    )


def ledger_rules(calls: Iterable[Call], action: str) -> Rules:
    """Return how many ledger rows of finished calls have this action, by rule."""
    total: Counter[str] = Counter()
    for call in calls:
        total.update(manifest(call).counts.rules.get(action, {}))
    return dict(sorted(total.items()))
