"""From a planned corpus to the calls that draw each task's candidates, without running any."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from itertools import chain
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from flows.plan.corpus import CorpusPlan, unit_kind
from flows.plan.faults import collect_faults, prefix_errors, raise_faults
from pipeline.annotation.batches.spec_changes import batch_notes
from pipeline.contracts.build_inputs import INPUTS, Preparation
from pipeline.contracts.parts import load_part
from pipeline.contracts.registry import TASKS
from pipeline.contracts.sampling import SamplingSection
from pipeline.contracts.spec import SPECS, TaskSpec, control_file, load_spec, spec_file
from pipeline.contracts.splits import apportion
from pipeline.core.buildfile import Build
from pipeline.core.errors import FatalError, SpecError
from pipeline.core.stage import Call, call
from pipeline.corpus.preview import preview
from pipeline.corpus.readers.base import Document


@dataclass(frozen=True)
class TaskPlan:
    """The calls of one task, in order, the last of which gives the candidates; and its notes."""

    task: str
    spec: TaskSpec
    calls: tuple[Call, ...]
    notes: tuple[str, ...] = ()

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
    for key in ("sizes", "quotas"):
        if unknown := sorted(set(getattr(build.candidates, key)) - set(TASKS)):
            raise SpecError(
                f"{build.file}: candidates.{key}.{unknown[0]}: unknown task; known tasks:"
                f" {', '.join(TASKS)}"
            )
    wanted = [task for task in TASKS if not tasks or task in tasks]
    sources = {task: _sources(task, corpus) for task in wanted}
    documents = cache(partial(_first_documents, corpus))
    faults, plans = list[FatalError](), list[TaskPlan]()
    for task in wanted:
        if sources[task] or not INPUTS[task].has_sources:
            with collect_faults(faults):
                plans.append(_task(task, sources[task], corpus, work, documents))
    raise_faults([*faults, *_without_style(corpus, plans)])
    return plans


def _without_style(corpus: CorpusPlan, plans: list[TaskPlan]) -> Iterator[SpecError]:
    """Yield each source without a style once, with all tasks that draw by it."""
    build = corpus.build
    styled = [p for p in plans if not p.candidates.done and p.spec.sampling.styled]
    for name, source in corpus.sources.items():
        tasks = [p.task for p in styled if name in p.candidates.params["sources"]]
        if tasks and source.style == "unknown":
            yield SpecError(
                f"{build.file}: sources.{name}: the catalogue does not say its style, by which"
                f" {', '.join(tasks)} draw; add `style: formal` or `style: colloquial` to its entry"
                f" in {build.catalogue}"
            )


def _task(
    task: str,
    sources: dict[str, dict[str, str]],
    corpus: CorpusPlan,
    work: Path,
    first_documents: Callable[[str], list[Document]],
) -> TaskPlan:
    build, needs = corpus.build, INPUTS[task]
    spec = _spec(build, task)
    section = _sampling(build, spec)
    _check_numbers(build, spec, section)
    params: dict[str, Any] = {
        "seed": build.seed,
        "sampling": section.model_dump(mode="json", exclude={"returned"}),
        "sources": sources,
    }
    if section.by_source and not _cover(build, task, section, sources):
        params["sampling"][section.quota_key] = {}
        params["share"] = {
            "key": section.quota_key,
            "kinds": list(needs.kinds(build.candidates)),
            "total": section.total,
            "even": section.even,
        }
    inputs: tuple[Call, ...] = ()
    if needs.has_sources:
        chains = [chain for chain in corpus.chains if chain.source in sources]
        beside = (getattr(chain, stage) for chain in chains for stage in needs.stages)
        inputs = (corpus.dedup, *beside)
    with prefix_errors(build):
        resources = needs.resources(build.candidates, spec)
        before: tuple[Call, ...] = ()
        if needs.preparation is not None:
            preparation = needs.preparation(build.candidates, params["sampling"], work)
            before = (_prepare(preparation, task, corpus, params, work),)
    sampling = call(
        load_part(task, "candidates").__name__,
        work=work,
        source=task,
        inputs=(*inputs, *before),
        raw=resources.raw,
        params=params | resources.params,
        arguments=resources.arguments,
        code=resources.code,
    )
    if not sampling.done:
        first_by_source = {
            name: documents for name in sources if (documents := first_documents(name))
        }
        lacks = needs.lacks(build.candidates, section, first_by_source)
        raise_faults([SpecError(f"{build.file}: {task}: {fault}") for fault in lacks])
    with prefix_errors(build):
        notes = [*needs.notes(build.candidates, section)]
    if build.annotation is None or (
        build.annotation.mode == "imported" and not build.annotation.votes
    ):
        notes += batch_notes(work, spec)
    return TaskPlan(task, spec, (*before, sampling), tuple(notes))


def _check_numbers(build: Build, spec: TaskSpec, section: SamplingSection) -> None:
    """Raise SpecError for numbers that leave an item without its votes, or a split without items.

    Batches are handed out to annotators where the build file does not say who answers.
    """
    people, wanted = build.candidates.annotators, spec.rounds[0].per_item
    if people is not None and build.annotation is None:
        number = people if isinstance(people, int) else len(people)
        if number < wanted:
            raise SpecError(
                f"{build.file}: candidates.annotators: {number} are fewer than the {wanted} that"
                f" {spec.name} asks about each item; name more, or leave the key out"
            )
    if spec.split.rule == "stratified":
        parts = apportion(spec.split.numbers.sizes, section.total)
        if empty := [name for name, size in parts.items() if not size]:
            raise SpecError(
                f"{spec_file(spec.task, build.candidates.specs or SPECS)}: split.numbers:"
                f" {empty[0]} would get none of the {section.total} candidates wanted; give it a"
                " larger ratio, or ask for more candidates"
            )


def _cover(build: Build, task: str, section: SamplingSection, sources: Mapping[str, Any]) -> bool:
    """Tell whether the quotas are those of the sources; False where they name none of them.

    Raises SpecError for quotas that name some of them, and for some of a build file that name
    others.
    """
    named, is_given = section.sources, task in build.candidates.quotas
    missing, others = sorted(sources.keys() - named), sorted(named - sources.keys())
    if not missing and not (is_given and others):
        return True
    if len(missing) == len(sources) and not is_given:
        return False
    wrong = f"no quota for {', '.join(missing)}" if missing else f"a quota for {', '.join(others)}"
    raise SpecError(
        f"{build.file}: candidates.quotas.{task}: {wrong}; give one to each source that feeds the"
        f" task, and to no other: {', '.join(sorted(sources))}"
    )


def _first_documents(corpus: CorpusPlan, source: str) -> list[Document]:
    """Return the first documents of a source; none where they cannot be read before the rest."""
    read = next(chain_.read for chain_ in corpus.chains if chain_.source == source)
    inputs = zip(read.arguments["paths"], read.params["inputs"], strict=True)
    previews = (preview(Path(path), about["reader"], about["options"]) for path, about in inputs)
    return list(chain.from_iterable(previews))


def _spec(build: Build, task: str) -> TaskSpec:
    folder = build.candidates.specs or SPECS
    try:
        spec = load_spec(task, folder)
    except SpecError as error:
        if build.candidates.specs is None or (folder / task / "spec.yaml").is_file():
            raise
        raise SpecError(f"{build.file}: candidates.specs: {error}") from None
    control = control_file(spec, folder)
    if control is not None and not control.is_file():
        raise SpecError(
            f"{spec_file(task, folder)}: control_items.from: {control} is not there; correct the"
            " name, or leave it out"
        )
    if spec.sampling is None:
        raise SpecError(
            f"{folder / task / 'spec.yaml'}: has no section `sampling`, which says how candidates"
            " are drawn; add one, or build --until corpus"
        )
    return spec


def _sampling(build: Build, spec: TaskSpec) -> SamplingSection:
    size = build.candidates.sizes.get(spec.task)
    section: SamplingSection = spec.sampling
    if (quotas := build.candidates.quotas.get(spec.task)) is not None:
        try:
            section = type(section).model_validate(
                {**section.model_dump(), section.quota_key: quotas}
            )
        except ValidationError as error:
            fault = error.errors(include_url=False)[0]["msg"].removeprefix("Value error, ")
            raise SpecError(f"{build.file}: candidates.quotas.{spec.task}: {fault}") from None
    if size is None:
        return section
    scaled: SamplingSection = section.scale(size)
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
        if (kind := unit_kind(task, name, source, corpus.build)) is not None
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
