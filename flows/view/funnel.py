"""The funnel of a build: what was read, edited, dropped by rule, quarantined and kept."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import Any

from flows.plan.corpus import Chain, CorpusPlan
from flows.plan.gold import GoldPlan
from flows.plan.release import ReleasePlan
from pipeline.contracts.splits import SPLITS
from pipeline.core import store
from pipeline.core.errors import ConservationError, StoreError
from pipeline.core.ledger import Counts
from pipeline.core.stage import Call
from pipeline.corpus.duplicates import EXACT

Rules = dict[str, int]


@dataclass
class Funnel:
    """The counts of one source.

    records = documents + dropped_documents + quarantined; units = kept + dropped_units;
    `childless` documents gave no unit; `edited` units were changed by at least one rule, whether
    kept or not. `edits` and `drops` count ledger rows by rule.
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

    def check(self, source: str) -> None:
        """Raise ConservationError when the numbers do not add up."""
        left = self.documents + self.dropped_documents + self.quarantined
        if self.records != left:
            raise ConservationError(f"{source}: {self.records} records, {left} accounted for")
        if self.units != self.kept + self.dropped_units:
            raise ConservationError(
                f"{source}: {self.units} units, {self.kept} kept + {self.dropped_units} dropped"
            )


def funnels(plan: CorpusPlan) -> dict[str, Funnel]:
    """Return the funnel of every source of a finished plan, checked."""
    if not plan.chains:
        return {}
    last = manifest(plan.dedup)
    found = {chain.source: _funnel(chain, last) for chain in plan.chains}
    for source, funnel in found.items():
        funnel.check(source)
    return found


def _funnel(chain: Chain, last: store.Manifest) -> Funnel:
    read, select, segment, clean, *screens = (
        manifest(call).counts for call in (chain.read, chain.select, chain.segment, *chain.filters)
    )
    repeated = _rows(last, "ledger", chain.source)
    funnel = Funnel(
        records=read.rows_in,
        quarantined=read.quarantined + select.quarantined,
        dropped_documents=read.dropped + select.dropped,
        documents=select.rows_out,
        childless=segment.childless,
        units=segment.rows_out,
        edited=clean.edited,
        dropped_units=clean.dropped + sum(screen.dropped for screen in screens) + repeated,
        kept=_rows(last, "kept", chain.source),
        edits=clean.rules.get("edit", {}),
        quarantines=_merged(read, select, action="quarantine"),
        drops=_merged(read, select, segment, clean, *screens, action="drop"),
    )
    if repeated:
        funnel.drops[EXACT] = repeated
    return funnel


def total(found: dict[str, Funnel]) -> Funnel:
    """Add up the funnels of all sources."""
    out = Funnel()
    for funnel in found.values():
        for name, value in asdict(funnel).items():
            if isinstance(value, int):
                setattr(out, name, getattr(out, name) + value)
            else:
                setattr(out, name, _added(getattr(out, name), value))
    return out


def stages(calls: list[Call], seconds: dict[str, float]) -> list[dict[str, Any]]:
    """Return one record a stage call: its counts, seconds, and whether it was skipped."""
    records = []
    for call in calls:
        counts = manifest(call).counts
        records.append(
            {
                "stage": call.stage,
                "source": call.source,
                "rows_in": counts.rows_in,
                "rows_out": counts.rows_out,
                "dropped": counts.dropped,
                "quarantined": counts.quarantined,
                "edited": counts.edited,
                "skipped": call.fingerprint not in seconds,
                "seconds": round(seconds.get(call.fingerprint, 0.0), 3),
            }
        )
    return records


def outcomes(gold: Call) -> dict[str, int]:
    """Return how many items of a task became gold, are unresolved, and were removed."""
    found = Counter(store.read_all(gold.folder, "gold").column("status").to_pylist())
    return {status: found[status] for status in ("gold", "unresolved", "removed")}


def splits(release: ReleasePlan) -> dict[str, dict[str, int]]:
    """Return how many examples each task has in each split, and how many gold ones are in none."""
    found: dict[str, dict[str, int]] = {}
    for task in release.tasks:
        sizes = Counter(store.read_all(task.split.folder, "examples").column("split").to_pylist())
        found[task.task] = {split: sizes[split] for split in SPLITS}
        found[task.task]["left_out"] = manifest(task.split).counts.dropped
    return found


def unmet(release: ReleasePlan) -> dict[str, list[str]]:
    """Return by task the names of constraints that do not hold, those that bind first."""
    found: dict[str, list[str]] = {}
    for task in release.tasks:
        rows = store.read_all(task.split.folder, "constraints").to_pylist()
        broken = sorted((row for row in rows if not row["met"]), key=lambda row: not row["binds"])
        if broken:
            found[task.task] = list(dict.fromkeys(row["name"] for row in broken))
    return found


def refused(gold: list[GoldPlan]) -> dict[str, int]:
    """Return by task how many votes were refused."""
    counts = {one.task: manifest(one.answered).counts.quarantined for one in gold}
    return {task: count for task, count in counts.items() if count}


def contents(calls: list[Call]) -> dict[str, str]:
    """Return the content digest of every call's output by fingerprint."""
    return {call.fingerprint: manifest(call).content for call in calls}


def manifest(call: Call) -> store.Manifest:
    """Return the manifest of a finished call; raises StoreError where there is none."""
    found = store.read_manifest(call.folder)
    if found is None:
        raise StoreError(f"{call.folder}: is not there; run `klue build` again")
    return found


def _rows(manifest: store.Manifest, table: str, source: str) -> int:
    return sum(
        entry["rows"]
        for name, entry in manifest.files.items()
        if name.rpartition("-")[0] in {f"{table}-{source}", table}
    )


def _merged(*counts: Counts, action: str) -> Rules:
    merged: Rules = {}
    for one in counts:
        merged = _added(merged, one.rules.get(action, {}))
    return merged


def _added(left: Rules, right: Rules) -> Rules:
    return {k: left.get(k, 0) + right.get(k, 0) for k in sorted({*left, *right})}
