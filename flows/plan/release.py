"""From gold to splits and the check for leaks: the calls of each task, and where a release goes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from flows.plan.corpus import CorpusPlan, unit_kind
from flows.plan.gold import GoldPlan
from pipeline.contracts.parts import Parts, part_modules
from pipeline.contracts.splits import Split, SplitScoring
from pipeline.core.buildfile import Build
from pipeline.core.errors import InputError
from pipeline.core.fingerprint import of_file, of_value
from pipeline.core.stage import Call, call
from pipeline.pii.key import read_key
from pipeline.release.manifest import read_manifest
from pipeline.release.reading import released
from pipeline.release.withdrawn import Withdrawn, load_withdrawn

_SPLIT: Final = "pipeline.release.splits.splitting"
_LEAKAGE: Final = "pipeline.release.leakage.check"
#: What scores the examples of a task before they are split.
SCORINGS: Final[Parts[SplitScoring]] = Parts("before_split", "SCORING")

Kept = Mapping[str, Mapping[str, Split]]


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
    withdrawn: tuple[Withdrawn, ...]
    key: bytes = field(default=b"", repr=False)

    @property
    def previous(self) -> Path | None:
        """Return the version before, None where there is none."""
        return self.versions[-1] if self.versions else None

    @property
    def calls(self) -> list[Call]:
        """Return the calls in their order."""
        return [one for task in self.tasks for one in task.calls]


def plan_release(
    corpus: CorpusPlan, gold: list[GoldPlan], work: Path, releases: Path
) -> ReleasePlan:
    """Plan the release of a build, whose splits follow the version before.

    Raises InputError or SpecError for files that are not there or of the wrong form.
    """
    build, version = corpus.build, corpus.build.release.version
    name = build.release.name or build.name
    place = releases / name
    earlier = versions_before(place, version)
    given = build.release.withdrawn
    gone = load_withdrawn(given) if given else ()
    against = _against(build)
    now = [one for one in gone if one.since is None or _numbers(one.since) <= _numbers(version)]
    planner = _Planner(corpus, work, _kept(earlier), tuple(now), earlier, against)
    tasks = [planner.plan(one) for one in gold]
    secret = build.release.key_file
    key = read_key(secret) if secret else b""
    return ReleasePlan(name, version, place / version, tasks, earlier, tuple(now), key)


def versions_before(place: Path, version: str) -> list[Path]:
    """Return the folders of the versions of a release below `version`, the newest one last."""
    found = {_numbers(one.name): one for one in place.glob("*.*.*") if _numbers(one.name)}
    return [found[number] for number in sorted(found) if number < _numbers(version)]


def _kept(versions: list[Path]) -> dict[str, dict[str, Split]]:
    """Return the last split of every example of all earlier versions, by task and id.

    All of them are asked, since an example that was left out of one version must not come back in
    another split than it had.
    """
    found: dict[str, dict[str, Split]] = {}
    for folder in versions:
        for task, splits in released(folder).items():
            found.setdefault(task, {}).update(splits)
    return found


def _numbers(version: str) -> tuple[int, ...]:
    parts = version.split(".")
    return tuple(map(int, parts)) if len(parts) == 3 and all(p.isdecimal() for p in parts) else ()


def _against(build: Build) -> list[Path]:
    for n, path in enumerate(build.release.against):
        if not _file(path).is_file():
            key = f"{build.file}: release.against.{n}"
            raise InputError(f"{key}: {_file(path)} is no file; correct the path")
    return list(build.release.against)


@dataclass(frozen=True)
class _Planner:
    corpus: CorpusPlan
    work: Path
    kept: Kept
    withdrawn: tuple[Withdrawn, ...]
    versions: list[Path]
    against: list[Path]

    def plan(self, gold: GoldPlan) -> SplitPlan:
        """Return the calls of a task."""
        scoring = SCORINGS.get(gold.task)
        scored = () if scoring is None else (self._distances(gold, scoring),)
        split = self._split(gold, *scored)
        return SplitPlan(gold.task, gold, (*scored, split, self._leakage(gold.task, split)))

    def _distances(self, gold: GoldPlan, scoring: SplitScoring) -> Call:
        params = {"seed": self.corpus.build.seed, **scoring.params(gold.spec)}
        inputs = (gold.answered, gold.gold)
        return call(scoring.module, work=self.work, source=gold.task, inputs=inputs, params=params)

    def _split(self, gold: GoldPlan, *scored: Call) -> Call:
        task, sources = gold.task, self.corpus.sources
        has = {"dedup": self.corpus.dedup} if self.corpus.chains else {}
        has |= dict(zip(("distances",), scored, strict=False))
        own = dict(self.kept.get(task, {}))
        out = {one.id: one.reason for one in self.withdrawn if one.id.startswith(f"{task}-")}
        before = [read_manifest(one).release_hash for one in self.versions]
        styles = {name: one.style for name, one in sources.items() if unit_kind(task, name, one)}
        return call(
            _SPLIT,
            work=self.work,
            source=task,
            inputs=(gold.answered, gold.gold, gold.candidates, *has.values()),
            raw=(gold.spec.digest, of_value(own), of_value(sorted(out)), of_value(before)),
            params={
                "task": task,
                "seed": self.corpus.build.seed,
                "spec": gold.spec.name,
                "styles": styles,
                "has": list(has),
            },
            code=part_modules(task, "task", "spec", "split", "columns"),
            arguments={
                **_specs(gold),
                "kept": own,
                "withdrawn": out,
                "versions": [str(one) for one in self.versions],
            },
        )

    def _leakage(self, task: str, split: Call) -> Call:
        return call(
            _LEAKAGE,
            work=self.work,
            source=task,
            inputs=(split,),
            raw=tuple(of_file(_file(one)) for one in self.against),
            params={"task": task, "against": [one.name for one in self.against]},
            code=part_modules(task, "task"),
            arguments={"against": [str(one) for one in self.against]},
        )


def _file(given: Path) -> Path:
    """Return the file of a name that may say after a `#` which column holds the texts."""
    return given if given.is_file() else given.with_name(given.name.partition("#")[0])


def _specs(gold: GoldPlan) -> dict[str, Any]:
    return {"specs": gold.gold.arguments["specs"]}
