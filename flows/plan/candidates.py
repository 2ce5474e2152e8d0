"""From a planned corpus to the calls that draw each task's candidates, without running any."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flows.plan.corpus import CorpusPlan, named, unit_kind
from pipeline.contracts.build_inputs import INPUTS, Preparation
from pipeline.contracts.parts import load_part
from pipeline.contracts.registry import TASKS
from pipeline.contracts.sampling import SamplingSection
from pipeline.contracts.spec import SPECS, TaskSpec, load_spec
from pipeline.core.buildfile import Build
from pipeline.core.errors import SpecError
from pipeline.core.stage import Call, call


@dataclass(frozen=True)
class TaskPlan:
    """The calls of one task, in order; the last one gives the candidates."""

    task: str
    spec: TaskSpec
    calls: tuple[Call, ...]

    @property
    def candidates(self) -> Call:
        """Return the call whose output are the candidates."""
        return self.calls[-1]


def plan_tasks(
    corpus: CorpusPlan, work: Path, *, tasks: frozenset[str] = frozenset()
) -> list[TaskPlan]:
    """Plan the candidates of the tasks that this build's sources feed, and of written ones.

    `tasks` restricts them. Raises SpecError or InputError with the key of the build file.
    """
    build = corpus.build
    unknown = sorted(set(build.candidates.sizes) - set(TASKS))
    if unknown:
        raise SpecError(
            f"{build.file}: candidates.sizes.{unknown[0]}: unknown task; known tasks:"
            f" {', '.join(TASKS)}"
        )
    wanted = [task for task in TASKS if not tasks or task in tasks]
    sources = {task: _sources(task, corpus) for task in wanted}
    return [
        _task(task, sources[task], corpus, work)
        for task in wanted
        if sources[task] or not INPUTS[task].has_sources
    ]


def _task(
    task: str, sources: dict[str, dict[str, str]], corpus: CorpusPlan, work: Path
) -> TaskPlan:
    build, needs = corpus.build, INPUTS[task]
    spec = _spec(build, task)
    params: dict[str, Any] = {
        "seed": build.seed,
        "sampling": _sampling(build, spec).model_dump(mode="json", exclude={"returned"}),
        "sources": sources,
    }
    inputs: tuple[Call, ...] = ()
    if needs.has_sources:
        chains = [chain for chain in corpus.chains if chain.source in sources]
        beside = (getattr(chain, stage) for chain in chains for stage in needs.stages)
        inputs = (corpus.dedup, *beside)
    with named(build):
        resources = needs.resources(build.candidates, spec)
        before: tuple[Call, ...] = ()
        if needs.preparation is not None:
            preparation = needs.preparation(build.candidates, params["sampling"], work)
            before = (_prepare(preparation, task, corpus, params, work),)
    drawn = call(
        load_part(task, "candidates").__name__,
        work=work,
        source=task,
        inputs=(*inputs, *before),
        raw=resources.raw,
        params=params | resources.params,
        arguments=resources.arguments,
        code=resources.code,
    )
    return TaskPlan(task, spec, (*before, drawn))


def _spec(build: Build, task: str) -> TaskSpec:
    folder = build.candidates.specs or SPECS
    try:
        spec = load_spec(task, folder)
    except SpecError as error:
        if build.candidates.specs is None or (folder / task / "spec.yaml").is_file():
            raise
        raise SpecError(f"{build.file}: candidates.specs: {error}") from None
    if spec.sampling is None:
        raise SpecError(
            f"{folder / task / 'spec.yaml'}: has no section `sampling`, which says how candidates"
            " are drawn; add one, or build --until corpus"
        )
    return spec


def _sampling(build: Build, spec: TaskSpec) -> SamplingSection:
    size = build.candidates.sizes.get(spec.task)
    section: SamplingSection = spec.sampling
    if size is None:
        return section
    scaled: SamplingSection = section.scaled(size)
    if scaled.total > size:
        raise SpecError(
            f"{build.file}: candidates.sizes.{spec.task}: {size} is fewer than its quotas, each of"
            f" which needs one; give {scaled.total} or more"
        )
    return scaled


def _sources(task: str, corpus: CorpusPlan) -> dict[str, dict[str, str]]:
    return {
        name: {"kind": kind, "style": source.style}
        for name, source in corpus.sources.items()
        if (kind := unit_kind(task, name, source)) is not None
    }


def _prepare(
    preparation: Preparation, task: str, corpus: CorpusPlan, params: dict[str, Any], work: Path
) -> Call:
    resources = preparation.resources
    prepared = call(
        preparation.module,
        work=work,
        source=task,
        inputs=(corpus.dedup,),
        raw=resources.raw,
        params=params | {"sampling": preparation.sampling} | resources.params,
        arguments=resources.arguments,
        code=resources.code,
    )
    if not prepared.done:
        preparation.check()
    return prepared
