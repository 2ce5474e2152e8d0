"""What a release of a finished build is written from: facts for its cards, and tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from flows.plan.build import BuildPlan
from flows.plan.corpus import Chain
from flows.plan.gold import GoldPlan
from flows.plan.release import ReleasePlan, SplitPlan
from flows.publish.quality_facts import leading
from flows.view import funnel
from pipeline.contracts.registry import TASKS, task_of
from pipeline.contracts.splits import SPLITS, Split
from pipeline.core import store
from pipeline.core.errors import InputError
from pipeline.core.wording import count, verb
from pipeline.corpus.catalogue import Source
from pipeline.pii.policy import DEFAULT
from pipeline.release import official, privacy, tables
from pipeline.release.material import (
    Facts,
    Material,
    RawFile,
    SourceFacts,
    TaskFacts,
    TaskMaterial,
    score_scale,
)
from pipeline.release.reading import released_splits

#: What became of units in a source, as the cards tell it.
_COUNTS: Final = ("records", "documents", "units", "kept", "dropped_units", "quarantined")
#: What the catalogue says of a source, as the cards repeat it.
_DESCRIPTION: Final = (
    *("name", "description", "licence", "domain", "style", "ethical_risk", "volume"),
    *("contemporary", "address"),
)
#: The stages of the corpus whose ledgers a release holds.
_CORPUS: Final = ("read", "select", "segment", "clean", "pii", "toxicity", "dedup")
#: What the counts of a stage call tell of one run of it.
_OF_A_RUN: Final = ("skipped", "seconds")
#: The splits that official files can hold: theirs have labels.
_OPEN: Final[tuple[Split, ...]] = ("train", "dev")


def facts(plan: BuildPlan, release: ReleasePlan, audits: Mapping[str, Mapping[str, Any]]) -> Facts:
    """Return the facts of a build's release; `audits` are its agreement audits by task."""
    counts = {
        name: asdict(counts_of_source)
        for name, counts_of_source in funnel.funnels(plan.corpus).items()
    }
    build = plan.corpus.build
    drops = sum(
        (Counter(counts_of_source["drops"]) for counts_of_source in counts.values()), Counter[str]()
    )
    chains = {chain.source: chain for chain in plan.corpus.chains}
    unmet = funnel.unmet(release)
    return Facts(
        name=release.name,
        version=release.version,
        seed=build.seed,
        simulated=is_simulated(plan.gold for plan in release.tasks),
        sources=tuple(
            _source(plan, name, source, chains[name], counts[name])
            for name, source in sorted(plan.corpus.sources.items())
        ),
        tasks=tuple(
            _task(plan, audits.get(plan.task, {}), unmet.get(plan.task, ()))
            for plan in release.tasks
        ),
        personal={rule[4:-2]: n for rule, n in sorted(drops.items()) if rule.startswith("pii.")},
        personal_left=funnel.personal_left(plan.corpus),
        personal_kept=dict(sorted(build.personal_data.keep.items())),
        toxic=sum(n for rule, n in drops.items() if rule.startswith("toxicity.")),
        withdrawn=tuple((entry.id, entry.reason) for entry in release.withdrawn),
        previous=release.previous.name if release.previous is not None else None,
        maintainer=build.release.maintainer,
        contact=build.release.contact,
        label_licence=build.release.label_licence,
        keyed=bool(release.key),
        tool_version=version("klue-rebuild"),
    )


def _source(
    plan: BuildPlan, name: str, source: Source, chain: Chain, counts: Mapping[str, Any]
) -> SourceFacts:
    inputs = plan.corpus.build.written.sources[name].inputs
    digests = chain.read.input_fingerprints
    frame = source.timeframe
    usual = plan.corpus.build.personal_data.profile or DEFAULT
    return SourceFacts(
        id=name,
        **{field: getattr(source, field) for field in _DESCRIPTION},
        basis=source.basis.model_dump(mode="json"),
        timeframe=f"{frame.from_ or ''} to {frame.to or ''}".strip() if frame else None,
        snapshot=str(source.snapshot) if source.snapshot else None,
        tasks=tuple(source.tasks),
        inputs=tuple(
            RawFile(file=raw.name or str(raw.path), sha256=digest)
            for raw, digest in zip(inputs, digests, strict=True)
        ),
        counts={key: counts[key] for key in _COUNTS},
        profile=chain.policy.profile if chain.policy.profile != usual else None,
        screened=bool(chain.toxic),
    )


def _task(plan: SplitPlan, audit: Mapping[str, Any], unmet: Sequence[str]) -> TaskFacts:
    spec = plan.gold.spec
    examples = store.read_all(plan.split.folder, "examples", ["split", "source"])
    votes = store.read_all(plan.gold.answered.folder, "votes", ["annotator"])
    sizes = Counter(examples.column("split").to_pylist())
    coefficient, agreement = leading(audit)
    return TaskFacts(
        id=plan.task,
        config=task_of(plan.task).config,
        title=spec.title.model_dump(),
        spec=spec.name,
        spec_digest=spec.digest,
        splits={split: sizes[split] for split in SPLITS},
        sources=tuple(sorted(set(examples.column("source").to_pylist()))),
        labels=() if spec.scale is not None else spec.ids(),
        scale=score_scale(spec),
        rounds=tuple(
            round_.model_dump(mode="json", include={"id", "role", "per_item", "answer"})
            for round_ in spec.rounds
        ),
        annotators=pc.count_distinct(votes["annotator"]).as_py(),
        votes=votes.num_rows,
        **funnel.outcomes(plan.gold.gold),
        left_out=funnel.manifest(plan.split).counts.dropped,
        split_rule=spec.split.rule,
        coefficient=coefficient,
        agreement=agreement,
        unmet=tuple(unmet),
    )


def is_simulated(plans: Iterable[GoldPlan]) -> bool:
    """Tell whether an answer of a gold item was made up, wherever it came from."""
    return any(
        pc.any(store.read_all(plan.gold.folder, "gold", ["simulated"])["simulated"]).as_py()
        for plan in plans
    )


def require_known(release: ReleasePlan) -> None:
    """Raise InputError for a withdrawn id that neither the build nor an earlier version knows.

    An example that left with its source or document stays withdrawn. Ids of tasks that are not
    built, and those that earlier versions withdrew, are not looked at.
    """
    built = {plan.task for plan in release.tasks}
    other = tuple(f"{task}-" for task in TASKS if task not in built)
    names = [entry.id for entry in release.withdrawn if not entry.id.startswith(other)]
    known = set(release.withdrawn_before)
    if names:
        for folder in release.versions:
            known.update(*released_splits(folder).values())
        wanted = pa.array(names, pa.string())
        for plan in release.tasks:
            items = store.read_all(plan.gold.answered.folder, "items", ["item"])["item"]
            known.update(wanted.filter(pc.is_in(wanted, value_set=items)).to_pylist())
    unknown = [name for name in names if name not in known]
    if unknown:
        raise InputError(
            f"release.withdrawn: {count(len(unknown), 'id')} {verb(len(unknown), 'is', 'are')} of"
            " no item of this build or of an earlier"
            f" version, the first is {unknown[0]}; correct them (the ids stand in the column `guid`"
            " of a release)"
        )


def material_of(plan: BuildPlan, release: ReleasePlan, about: Facts) -> Material:
    """Return what a release is written from, but for its texts."""
    ledgers: dict[str, list[Path]] = {}
    for call in plan.corpus.calls:
        if call.stage in _CORPUS:
            ledgers.setdefault(call.stage, []).extend(store.tables(call.folder, "ledger"))
    # Of a stage that ran twice (aggregate) the last call counts.
    stages = {(row["stage"], row["source"]): row for row in funnel.stages(plan.calls, {})}
    return Material(
        facts=about,
        tasks=_TablesOfTasks(release.tasks),
        corpus={stage: sorted(ledgers[stage]) for stage in _CORPUS if ledgers.get(stage)},
        stages=[
            {key: value for key, value in row.items() if key not in _OF_A_RUN}
            for row in stages.values()
        ],
        build=plan.corpus.build.release_settings(),
        key=release.key,
    )


class _TablesOfTasks(Mapping[str, TaskMaterial]):
    """The tables of the tasks of a release by config, read when one is asked for, and not held."""

    def __init__(self, plans: Sequence[SplitPlan]) -> None:
        self._plans = {task_of(plan.task).config: plan for plan in plans}

    def __getitem__(self, config: str) -> TaskMaterial:
        return _task_material(self._plans[config])

    def __contains__(self, config: object) -> bool:
        return config in self._plans

    def __iter__(self) -> Iterator[str]:
        return iter(self._plans)

    def __len__(self) -> int:
        return len(self._plans)


def _task_material(plan: SplitPlan) -> TaskMaterial:
    gold = plan.gold
    ledgers = {
        "candidates": gold.candidates,
        "annotation": gold.answered,
        "aggregate": gold.gold,
        "split": plan.split,
    }
    return TaskMaterial(
        task=task_of(plan.task),
        spec=gold.spec,
        examples=store.read_all(plan.split.folder, "examples"),
        votes=store.read_all(gold.answered.folder, "votes"),
        gold=store.read_all(gold.gold.folder, "gold"),
        constraints=store.read_all(plan.split.folder, "constraints"),
        leaks=store.read_all(plan.leakage.folder, "leaks"),
        ledgers={name: store.read_all(call.folder, "ledger") for name, call in ledgers.items()},
    )


def official_texts(material: Material) -> dict[str, str]:
    """Return the official files of a release in the making by their path in it (klue/...).

    The test split is not among them.
    """
    texts, names, release = {}, privacy.public_names(material), material.facts.version
    with TemporaryDirectory() as folder:
        for task_material in material.tasks.values():
            votes = privacy.Judgements(task_material, names).votes()
            for split in _OPEN:
                examples = task_material.examples.filter(
                    pc.equal(task_material.examples["split"], split)
                )
                rows = tables.rows(examples, task_material.task.id, labels=True)
                path = Path(folder) / official.file_name(task_material.task.id, release, split)
                write_official(task_material.task.id, rows, votes, path)
                texts[f"klue/{path.name}"] = path.read_bytes().decode()
    return texts


def write_official(
    task: str, rows: pa.Table, votes: pa.Table, path: Path, *, private: bool = False
) -> None:
    """Write rows of a release as an official file, with the votes on them where it holds any."""
    examples = tables.examples_of(rows, task)
    official.write(official.official(task, examples, votes), path, private=private)
