"""From gold to splits and the check for leaks: the calls of each task, and where a release goes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from flows.gold_plan import GoldPlan
from flows.plan import CorpusPlan
from pipeline.core.buildfile import Build, resolve
from pipeline.core.errors import InputError
from pipeline.core.fingerprint import of_file, of_value
from pipeline.core.stage import Call, call
from pipeline.release.reading import released
from pipeline.release.withdrawn import Withdrawn, load_withdrawn
from pipeline.tasks.splits import Split

_DISTANCES: Final = "pipeline.sampling.inference.hypothesis_only.stage"
_SPLIT: Final = "pipeline.release.splits.splitting"
_LEAKAGE: Final = "pipeline.release.leakage.stage"
#: How hypotheses are scored (Section 3.3.1): the classifier, and the folds of cross-fitting.
_SCORING: Final = {"classifier": "linear", "folds": 5}

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
        """Return the call that scores hypotheses, which only NLI has."""
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
    previous: Path | None
    withdrawn: tuple[Withdrawn, ...]

    @property
    def calls(self) -> list[Call]:
        """Return the calls in their order."""
        return [one for task in self.tasks for one in task.calls]


def plan_release(
    corpus: CorpusPlan, gold: list[GoldPlan], path: Path, work: Path, releases: Path
) -> ReleasePlan:
    """Plan the release of a build, whose file `path` is; splits follow the version before.

    Raises InputError or SpecError for files that are not there or of the wrong form.
    """
    build = corpus.build
    name = build.release.name or build.name
    place = releases / name
    earlier = versions_before(place, build.release.version)
    given = build.release.withdrawn
    gone = load_withdrawn(resolve(given, path, "release.withdrawn")) if given else ()
    against = _against(build, path)
    kept = _kept(earlier)
    tasks = [_task(corpus, one, work, kept, gone, against) for one in gold]
    folder, before = place / build.release.version, earlier[-1] if earlier else None
    return ReleasePlan(name, build.release.version, folder, tasks, before, gone)


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


def _against(build: Build, path: Path) -> list[Path]:
    found = []
    for place, given in enumerate(build.release.against):
        where = f"release.against.{place}"
        file = resolve(given, path, where)
        if not file.is_file():
            raise InputError(f"{path}: {where}: {file} is no file; correct the path")
        found.append(file)
    return found


def _task(
    corpus: CorpusPlan,
    gold: GoldPlan,
    work: Path,
    kept: Kept,
    gone: tuple[Withdrawn, ...],
    against: list[Path],
) -> SplitPlan:
    task, seed = gold.task, corpus.build.seed
    has: dict[str, Call] = {"dedup": corpus.dedup} if corpus.chains else {}
    scored: tuple[Call, ...] = ()
    if task == "nli":
        params = {"seed": seed, "labels": list(gold.spec.ids()), **_SCORING}
        inputs = (gold.answered, gold.gold)
        scored = (call(_DISTANCES, work=work, source=task, inputs=inputs, params=params),)
        has["distances"] = scored[0]
    own = dict(kept.get(task, {}))
    out = {one.id: one.reason for one in gone if one.id.startswith(f"{task}-")}
    split = call(
        _SPLIT,
        work=work,
        source=task,
        inputs=(gold.answered, gold.gold, gold.candidates, *has.values()),
        raw=(gold.spec.digest, of_value(own), of_value(sorted(out))),
        params={
            "task": task,
            "seed": seed,
            "spec": gold.spec.name,
            "styles": {name: one.style for name, one in corpus.sources.items()},
            "has": list(has),
        },
        arguments={**_specs(gold), "kept": own, "withdrawn": out},
    )
    leakage = call(
        _LEAKAGE,
        work=work,
        source=task,
        inputs=(split,),
        raw=tuple(map(of_file, against)),
        params={"task": task, "against": [one.name for one in against]},
        arguments={"against": [str(one) for one in against]},
    )
    return SplitPlan(task, gold, (*scored, split, leakage))


def _specs(gold: GoldPlan) -> dict[str, Any]:
    return {"specs": gold.gold.arguments["specs"]}
