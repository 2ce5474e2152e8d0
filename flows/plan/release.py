"""From gold to splits and the check for leaks: the calls of each task, and where a release goes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Final

from flows.plan.corpus import CorpusPlan, unit_kind
from flows.plan.faults import collect_faults, prefix_errors, raise_faults
from flows.plan.gold import GoldPlan
from flows.plan.stored import StoredReleases
from pipeline.contracts.build_inputs import INPUTS
from pipeline.contracts.parts import Parts, own_folder, part_modules
from pipeline.contracts.splits import Split, SplitScoring
from pipeline.core.buildfile import Build
from pipeline.core.errors import FatalError, SpecError
from pipeline.core.fingerprint import of_file, of_value
from pipeline.core.io import read_batches
from pipeline.core.licences import LICENCES
from pipeline.core.stage import Call, call
from pipeline.pii.key import read_key
from pipeline.release.checks.subject import ERRATA
from pipeline.release.leakage.compare import source_of
from pipeline.release.licence import ANNOTATION, check_labels
from pipeline.release.manifest import Manifest, read_manifest
from pipeline.release.reading import released_splits
from pipeline.release.withdrawn import Withdrawn, load_withdrawn

#: What scores the examples of a task before they are split.
SCORINGS: Final[Parts[SplitScoring]] = Parts("before_split", "SCORING")


@dataclass(frozen=True)
class SplitPlan:
    """The calls of one task from its gold on."""

    task: str
    gold: GoldPlan
    calls: tuple[Call, ...]

    @property
    def split(self) -> Call:
        """Return the call whose output are examples and constraints."""
        return self.calls[-2]

    @property
    def distances(self) -> Call | None:
        """Return the call that scores examples before the split, where the task has one."""
        return self.calls[0] if len(self.calls) > 2 else None

    @property
    def leakage(self) -> Call:
        """Return the call whose output are leaks."""
        return self.calls[-1]


@dataclass(frozen=True)
class ReleasePlan:
    """A release: where it goes, what it follows, and the calls of its tasks."""

    name: str
    version: str
    folder: Path
    tasks: list[SplitPlan]
    versions: list[Path]
    #: Those that the file of the build names and those that earlier versions withdrew, by id.
    withdrawn: tuple[Withdrawn, ...]
    #: The ids of those that earlier versions withdrew.
    withdrawn_before: frozenset[str]
    key: bytes = field(default=b"", repr=False)
    #: Where it is published; None for a folder, which `folder` is.
    stored: StoredReleases | None = None

    #: What whoever builds should know before the build runs.
    notes: tuple[str, ...] = ()

    @property
    def previous(self) -> Path | None:
        """Return the version before, None where there is none."""
        return self.versions[-1] if self.versions else None


def plan_release(
    corpus: CorpusPlan, gold: list[GoldPlan], work: Path, releases: Path | StoredReleases
) -> ReleasePlan:
    """Plan the release of a build, whose splits follow the version before.

    Of releases in an object store the earlier versions are brought here first. Raises InputError
    or SpecError for files that are not there or of the wrong form.
    """
    settings, build = corpus.build.release, corpus.build
    for name, source in corpus.sources.items():
        if source.private and any(unit_kind(plan.task, name, source, build) for plan in gold):
            raise SpecError(
                f"{build.file}: sources.{name}: `private: true` in the catalogue, so no release may"
                " hold it; end with --until adjudicate, or take it out of the build"
            )
    _check_labels(corpus, gold)
    name, version = settings.name or build.name, settings.version
    stored = releases if isinstance(releases, StoredReleases) else None
    if stored is not None:
        stored.pull(name, version)
    place = (releases if isinstance(releases, Path) else releases.mirror) / name
    earlier = versions_before((folder.name for folder in place.glob("*.*.*")), version)
    versions = {folder: read_manifest(folder) for folder in map(place.joinpath, earlier)}
    before = {
        entry.id: Withdrawn.model_validate(entry.model_dump())
        for manifest in versions.values()
        for entry in manifest.withdrawn
    }
    named = {
        entry.id: entry
        for entry in (load_withdrawn(settings.withdrawn) if settings.withdrawn else ())
        if entry.since is None or _numbers(entry.since) <= _numbers(version)
    }
    withdrawn = tuple(entry for _, entry in sorted((before | named).items()))
    _check_against(build)
    planner = _Planner(corpus, work, withdrawn, versions)
    tasks = [planner.plan(plan) for plan in gold]
    key = read_key(settings.key_file) if settings.key_file else b""
    return ReleasePlan(
        name=name,
        version=version,
        folder=place / version,
        tasks=tasks,
        versions=[*versions],
        withdrawn=withdrawn,
        withdrawn_before=frozenset(before),
        key=key,
        stored=stored,
        notes=(*_patches_left_out(versions), *_labels_without_choice(build, gold)),
    )


def _check_labels(corpus: CorpusPlan, gold: list[GoldPlan]) -> None:
    """Raise InputError for a licence of labels that a source of the tasks forbids."""
    build = corpus.build
    if labels := build.release.label_licence:
        licences = {
            name: source.licence
            for name, source in corpus.sources.items()
            if source.basis.commercial
            and any(unit_kind(plan.task, name, source, build) for plan in gold)
        }
        with prefix_errors(build, "release.label_licence"):
            check_labels(labels, licences)


def _labels_without_choice(build: Build, gold: list[GoldPlan]) -> Iterator[str]:
    """Yield a sentence if labels of own tasks get the default licence."""
    if build.release.label_licence is None and any(own_folder(plan.task) for plan in gold):
        yield (
            f"the labels are released under {LICENCES[ANNOTATION].name}, as release.label_licence"
            " of the build file names no other licence"
        )


def _patches_left_out(versions: Mapping[Path, Manifest]) -> Iterator[str]:
    """Yield a sentence if values were patched since the last version that a build made."""
    patched = list[str]()
    for folder, manifest in versions.items():
        patched = [*patched, folder.name] if manifest.build.get(ERRATA) else []
    if patched:
        yield (
            f"errata made version {' and '.join(patched)}, and a build applies no patches: values"
            " that they corrected come back as the corpus and the votes have them (examples that"
            " they removed stay out); run `klue errata find` and `apply` on the new version too"
        )


def _check_against(build: Build) -> None:
    """Raise InputError that tells all files of `against` that cannot be read or lack the column."""
    faults = list[FatalError]()
    for n, path in enumerate(build.release.against):
        with collect_faults(faults), prefix_errors(build, f"release.against.{n}"):
            next(read_batches(source_of(path), quarantine=lambda _: None), None)
    raise_faults(faults)


def versions_before(names: Iterable[str], version: str) -> list[str]:
    """Return which names are those of versions below `version`, the newest one last."""
    versions = {numbers: name for name in names if (numbers := _numbers(name))}
    return [versions[numbers] for numbers in sorted(versions) if numbers < _numbers(version)]


@dataclass(frozen=True)
class _Planner:
    corpus: CorpusPlan
    work: Path
    withdrawn: tuple[Withdrawn, ...]
    versions: Mapping[Path, Manifest]

    @cached_property
    def earlier_splits(self) -> dict[str, dict[str, Split]]:
        """The last split of every example of all earlier versions, by task and id.

        All of them are asked, since an example that was left out of one version must not come back
        in another split than it had.
        """
        earlier: dict[str, dict[str, Split]] = {}
        for folder in self.versions:
            for task, splits in released_splits(folder).items():
                earlier.setdefault(task, {}).update(splits)
        return earlier

    def plan(self, gold: GoldPlan) -> SplitPlan:
        """Return the calls of a task."""
        task, of_task = gold.task, partial(call, work=self.work, source=gold.task)
        distances = None
        if (scoring := SCORINGS.get(task)) is not None:
            needs = scoring.resources(self.corpus.build.candidates, gold.spec)
            distances = of_task(
                scoring.module,
                inputs=(gold.answered, gold.gold),
                params={"seed": self.corpus.build.seed, **needs.params},
                raw=needs.raw,
                arguments=needs.arguments,
                code=needs.code,
            )
        split = self._split(gold, distances)
        against = self.corpus.build.release.against
        leakage = of_task(
            "pipeline.release.leakage.check",
            inputs=(split,),
            raw=tuple(of_file(source_of(path).path) for path in against),
            params={"task": task, "against": [path.name for path in against]},
            code=part_modules(task, "task"),
            arguments={"against": [str(path) for path in against]},
        )
        calls = (split, leakage) if distances is None else (distances, split, leakage)
        return SplitPlan(task, gold, calls)

    def _split(self, gold: GoldPlan, distances: Call | None) -> Call:
        task, sources, build = gold.task, self.corpus.sources, self.corpus.build
        has = {"dedup": self.corpus.dedup} if self.corpus.chains else {}
        has |= {"distances": distances} if distances is not None else {}
        splits = dict(self.earlier_splits.get(task, {}))
        withdrawn = {w.id: w.reason for w in self.withdrawn if w.id.startswith(f"{task}-")}
        hashes = [manifest.release_hash for manifest in self.versions.values()]
        styles = {
            name: source.style
            for name, source in sources.items()
            if unit_kind(task, name, source, build)
        }
        numbers = INPUTS[task].numbers(build.candidates)
        digests = (of_value(splits), of_value(sorted(withdrawn)), of_value(hashes))
        return call(
            "pipeline.release.splits.splitting",
            work=self.work,
            source=task,
            inputs=(gold.answered, gold.gold, gold.candidates, *has.values()),
            raw=(gold.spec.digest, *digests),
            params={
                "task": task,
                "seed": build.seed,
                "spec": gold.spec.name,
                "styles": styles,
                "has": list(has),
            }
            | ({"numbers": numbers} if numbers else {}),
            code=part_modules(task, "task", "spec", "split", "columns"),
            arguments={
                "specs": gold.gold.arguments["specs"],
                "kept": splits,
                "withdrawn": withdrawn,
                "versions": [str(folder) for folder in self.versions],
            },
        )


def _numbers(version: str) -> tuple[int, ...]:
    parts = version.split(".")
    return tuple(map(int, parts)) if len(parts) == 3 and all(p.isdecimal() for p in parts) else ()
