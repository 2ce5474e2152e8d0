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
    before = previous(place, build.release.version)
    kept = released(before) if before is not None else {}
    given = build.release.withdrawn
    gone = load_withdrawn(resolve(given, path, "release.withdrawn")) if given else ()
    against = _against(build, path)
    tasks = [_task(corpus, one, work, kept, gone, against) for one in gold]
    return ReleasePlan(
        name, build.release.version, place / build.release.version, tasks, before, gone
    )


def previous(place: Path, version: str) -> Path | None:
    """Return the newest version of a release below `version`, None where there is none."""
    found = {_numbers(one.name): one for one in place.glob("*.*.*") if _numbers(one.name)}
    earlier = [number for number in found if number < _numbers(version)]
    return found[max(earlier)] if earlier else None


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
