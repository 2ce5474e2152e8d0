"""From a planned corpus to the calls that draw each task's candidates, without running any."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from flows.plan.corpus import CorpusPlan
from flows.plan.resources import Resources
from pipeline.contracts.parts import load_part
from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import TaskSpec
from pipeline.core.errors import SpecError
from pipeline.core.stage import Call, call
from pipeline.tasks.sts.translation.stage import translation_params

_TRANSLATE: Final = "pipeline.tasks.sts.translation.stage"
#: Whose dialogues are written rather than drawn from sources (Section 3.8).
WRITTEN: Final = "dst"


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
    corpus: CorpusPlan, path: Path, work: Path, *, tasks: frozenset[str] = frozenset()
) -> list[TaskPlan]:
    """Plan the candidates of the tasks that this build's sources feed, and of DST.

    `tasks` restricts them. Raises SpecError or InputError with the key of the build file.
    """
    unknown = sorted(set(corpus.build.candidates.sizes) - set(TASKS))
    if unknown:
        raise SpecError(
            f"{path}: candidates.sizes.{unknown[0]}: unknown task; known tasks: {', '.join(TASKS)}"
        )
    resources = Resources(corpus.build, path)
    wanted = [task for task in TASKS if not tasks or task in tasks]
    return [_task(task, corpus, resources, work) for task in wanted if _fed(task, corpus)]


def _fed(task: str, corpus: CorpusPlan) -> bool:
    return task == WRITTEN or any(task in source.tasks for source in corpus.sources.values())


def _task(task: str, corpus: CorpusPlan, resources: Resources, work: Path) -> TaskPlan:
    spec = resources.spec(task)
    sources = _sources(task, corpus)
    params: dict[str, Any] = {
        "seed": corpus.build.seed,
        "sampling": resources.numbers(spec),
        "sources": sources,
    }
    extra = resources.extra(spec)
    module = load_part(task, "candidates").__name__
    before: tuple[Call, ...] = ()
    if task == "sts":
        before = (_translate(corpus, params, resources, work),)
    made = call(
        module,
        work=work,
        source=task,
        inputs=(*_inputs(task, corpus, sources), *before),
        raw=extra.raw,
        params=params | extra.params,
        arguments=extra.arguments,
    )
    return TaskPlan(task, spec, (*before, made))


def _sources(task: str, corpus: CorpusPlan) -> dict[str, dict[str, str]]:
    """Return the sources that feed a task, with the kind of unit that it takes and their style."""
    found: dict[str, dict[str, str]] = {}
    for name, source in corpus.sources.items():
        kinds: list[str] = [unit.kind for unit in source.units if task in unit.tasks]
        if task in source.passages:
            kinds = ["sentence"]
        if kinds:
            found[name] = {"kind": kinds[0], "style": source.style}
    return found


def _inputs(task: str, corpus: CorpusPlan, sources: dict[str, Any]) -> tuple[Call, ...]:
    """Return the corpus calls that a task reads: kept sentences, and what it needs beside them."""
    if task == WRITTEN:
        return ()
    beside = {
        "tc": ("select",),
        "sts": ("select",),
        "re": ("read",),
        "mrc": ("segment", "select", "clean"),
    }.get(task, ())
    chains = [chain for chain in corpus.chains if chain.source in sources]
    return (corpus.dedup, *(getattr(chain, name) for chain in chains for name in beside))


def _translate(
    corpus: CorpusPlan, params: dict[str, Any], resources: Resources, work: Path
) -> Call:
    extra = resources.translator(work)
    read = params | {"sampling": translation_params(params["sampling"])}
    made = call(
        _TRANSLATE,
        work=work,
        source="sts",
        inputs=(corpus.dedup,),
        raw=extra.raw,
        params=read | extra.params,
        arguments=extra.arguments,
    )
    resources.ready(made)
    return made
