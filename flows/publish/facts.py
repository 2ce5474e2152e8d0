"""What the cards and the manifest of a release tell, gathered from a finished build."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from importlib.metadata import version
from typing import Any

import pyarrow as pa

from flows.plan.build import BuildPlan
from flows.plan.corpus import Chain
from flows.plan.gold import GoldPlan
from flows.plan.release import ReleasePlan, SplitPlan
from flows.view import funnel
from pipeline.contracts.registry import TASKS, task_of
from pipeline.contracts.splits import SPLITS
from pipeline.core import store
from pipeline.core.errors import InputError
from pipeline.corpus.catalogue import Source
from pipeline.release.material import Facts, InputFacts, SourceFacts, TaskFacts
from pipeline.release.reading import released

#: What became of units in a source, as the cards tell it.
_COUNTS = ("records", "documents", "units", "kept", "dropped_units", "quarantined")


def facts(plan: BuildPlan, release: ReleasePlan, audits: Mapping[str, Mapping[str, Any]]) -> Facts:
    """Return the facts of a build's release; `audits` are its agreement audits by task."""
    found = funnel.funnels(plan.corpus)
    build = plan.corpus.build
    drops: Counter[str] = Counter()
    for one in found.values():
        drops.update(one.drops)
    chains = {chain.source: chain for chain in plan.corpus.chains}
    unmet = funnel.unmet(release)
    return Facts(
        name=release.name,
        version=release.version,
        seed=build.seed,
        simulated=is_simulated(one.gold for one in release.tasks),
        sources=tuple(
            _source(plan, name, source, chains[name], asdict(found[name]))
            for name, source in sorted(plan.corpus.sources.items())
        ),
        tasks=tuple(_task(one, audits.get(one.task, {}), unmet) for one in release.tasks),
        personal={rule[4:-2]: n for rule, n in sorted(drops.items()) if rule.startswith("pii.")},
        toxic=sum(n for rule, n in drops.items() if rule.startswith("toxicity.")),
        withdrawn=tuple((one.id, one.reason) for one in release.withdrawn),
        previous=release.previous.name if release.previous is not None else None,
        maintainer=build.release.maintainer,
        contact=build.release.contact,
        keyed=bool(release.key),
        tool_version=version("klue-rebuild"),
    )


def require_known(release: ReleasePlan) -> None:
    """Raise InputError for a withdrawn id that neither the build nor an earlier version knows.

    An example that left with its source or document stays withdrawn. Ids of tasks that are not
    built are not looked at.
    """
    items = {guid for one in release.versions for ids in released(one).values() for guid in ids}
    for one in release.tasks:
        items.update(store.read_all(one.gold.answered.folder, "items").column("item").to_pylist())
    built = tuple(f"{one.task}-" for one in release.tasks)
    wanted = [one.id for one in release.withdrawn if one.id.startswith(built) or not _ours(one.id)]
    unknown = [name for name in wanted if name not in items]
    if unknown:
        raise InputError(
            f"release.withdrawn: {len(unknown)} ids are of no item of this build or of an earlier"
            f" version, the first is {unknown[0]}; correct them (the ids stand in the column `guid`"
            " of a release)"
        )


def _ours(name: str) -> bool:
    return name.startswith(tuple(f"{task}-" for task in TASKS))


def is_simulated(plans: Iterable[GoldPlan]) -> bool:
    """Tell whether an answer of a gold item was made up, wherever it came from."""
    return any(_simulated(one) for one in plans)


def _simulated(gold: GoldPlan) -> bool:
    return bool(any(store.read_all(gold.gold.folder, "gold").column("simulated").to_pylist()))


def _source(
    plan: BuildPlan, name: str, source: Source, chain: Chain, counts: dict[str, Any]
) -> SourceFacts:
    given = plan.corpus.build.written.sources[name].inputs
    digests = chain.read.input_fingerprints
    frame = source.timeframe
    return SourceFacts(
        id=name,
        name=source.name,
        description=source.description,
        licence=source.licence,
        basis=source.basis.model_dump(mode="json"),
        domain=source.domain,
        style=source.style,
        ethical_risk=source.ethical_risk,
        volume=source.volume,
        contemporary=source.contemporary,
        address=source.address,
        timeframe=f"{frame.from_ or ''} to {frame.to or ''}".strip() if frame else None,
        snapshot=str(source.snapshot) if source.snapshot else None,
        tasks=tuple(source.tasks),
        inputs=tuple(
            InputFacts(str(one.path), digest) for one, digest in zip(given, digests, strict=True)
        ),
        counts={key: counts[key] for key in _COUNTS},
    )


def _task(
    one: SplitPlan, audit: Mapping[str, Any], unmet: Mapping[str, Sequence[str]]
) -> TaskFacts:
    spec, task = one.gold.spec, task_of(one.task)
    examples = store.read_all(one.split.folder, "examples")
    votes = store.read_all(one.gold.answered.folder, "votes")
    sizes = Counter(examples.column("split").to_pylist())
    ends = funnel.outcomes(one.gold.gold)
    name, value = leading(audit)
    return TaskFacts(
        id=one.task,
        config=task.config,
        title=spec.title.model_dump(),
        spec=spec.name,
        spec_digest=spec.digest,
        splits={split: sizes[split] for split in SPLITS},
        sources=tuple(sorted(set(examples.column("source").to_pylist()))),
        labels=() if spec.scale is not None else spec.ids(),
        rounds=tuple(
            round_.model_dump(mode="json", include={"id", "role", "per_item", "answer"})
            for round_ in spec.rounds
        ),
        annotators=_people(votes),
        votes=votes.num_rows,
        gold=ends["gold"],
        unresolved=ends["unresolved"],
        removed=ends["removed"],
        left_out=funnel.manifest(one.split).counts.dropped,
        split_rule=spec.split.rule,
        coefficient=name,
        agreement=value,
        unmet=tuple(unmet.get(one.task, ())),
    )


def _people(votes: pa.Table) -> int:
    return len({who for who in votes.column("annotator").to_pylist() if who is not None})


def leading(audit: Mapping[str, Any]) -> tuple[str, float | None]:
    """Return name and value of the coefficient that a task's audit leads with."""
    name = str(audit.get("lead", ""))
    found = audit.get("coefficients", {}).get(name, {})
    return name, found.get("value")
