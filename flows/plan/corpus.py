"""A build file and its catalogue to the stage calls of the corpus flow, without running any."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Final

from flows.plan import raw_files
from flows.plan.faults import collect_faults, prefix_errors, raise_faults
from pipeline.contracts.build_inputs import INPUTS, load_build
from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import load_spec, spec_file
from pipeline.core.buildfile import Build, InputFile
from pipeline.core.errors import FatalError, InputError, SpecError
from pipeline.core.join_memory import MEMORY
from pipeline.core.stage import Call, call
from pipeline.corpus.catalogue import NOT_SCREENED, Catalogue, Source, load_catalogue
from pipeline.corpus.preview import preview
from pipeline.corpus.rules.layout import FOREIGN_SHARE
from pipeline.corpus.toxicity.scoring import DETECTORS
from pipeline.pii.key import check_value, read_key
from pipeline.pii.policy import Policy, policy
from pipeline.pii.removal import MODULES as PII_MODULES

#: Makes calls of the name of a source, its entry, and the call whose units they read.
Screens = Callable[[str, Source, Call], tuple[Call, ...]]
#: What the stage that removes personal data has to know of a policy.
_OF_THE_STAGE: Final = ("drop", "mask", "pseudonymise", "minimum")


@dataclass(frozen=True)
class Chain:
    """The calls of one source, in order, and what becomes of its personal data."""

    source: str
    policy: Policy
    read: Call
    select: Call
    segment: Call
    clean: Call
    screens: tuple[Call, ...]  # what a pretraining corpus drops besides, or nothing
    pii: Call
    toxic: tuple[Call, ...]  # score and toxicity, score alone (flag), or nothing
    sign: Call

    @property
    def filters(self) -> list[Call]:
        """Return the calls that make a unit leave, in order; the last one gives the units."""
        return [self.clean, *self.screens, self.pii, *self.toxic[1:]]

    @property
    def calls(self) -> list[Call]:
        """Return the calls in the order in which they run."""
        before = (self.read, self.select, self.segment, self.clean, *self.screens)
        return [*before, self.pii, *self.toxic, self.sign]


@dataclass(frozen=True)
class CorpusPlan:
    """All calls of the corpus flow of one build; `sources` are the catalogue's entries of it."""

    build: Build
    sources: dict[str, Source]
    chains: list[Chain]
    dedup: Call

    @property
    def calls(self) -> list[Call]:
        """Return all calls, the last one last; none where no source is asked for."""
        calls = [call for chain in self.chains for call in chain.calls]
        return [*calls, self.dedup] if self.chains else []


def plan_corpus(
    path: Path, work: Path, *, tasks: frozenset[str] = frozenset(), memory: int = MEMORY
) -> CorpusPlan:
    """Read a build file and plan its corpus: the same files and settings give the same calls.

    `tasks` restricts the sources to those that feed one of these tasks; `memory`, in MiB, is what
    a join over all rows may take, and decides no output. Raises SpecError or InputError.
    """
    build = load_build(path)
    catalogue = load_catalogue(build.catalogue)
    chosen = {name: find_source(catalogue, name, build) for name in sorted(build.sources)}
    strangers = sorted(set(build.toxicity.thresholds) - set(chosen))
    if strangers:
        raise SpecError(
            f"{path}: toxicity.thresholds: {', '.join(strangers)} is no source of this build;"
            f" allowed: {', '.join(chosen)}"
        )
    raise_faults([*_quota_faults(build, chosen, tasks)])
    if tasks:
        fed = {
            task: {name for name, source in chosen.items() if unit_kind(task, name, source, build)}
            for task in sorted(tasks)
        }
        unfed = [task for task, names in fed.items() if not names and INPUTS[task].has_sources]
        if unfed:
            raise SpecError(
                f"{path}: no source of this build feeds {', '.join(unfed)}; its sources:"
                f" {', '.join(chosen)}; add one that does, or leave the task out"
            )
        every = set().union(*fed.values())
        chosen = {name: source for name, source in chosen.items() if name in every}
    return plan_chains(build, chosen, work, memory=memory)


def _quota_faults(
    build: Build, sources: Collection[str], tasks: frozenset[str]
) -> Iterator[SpecError]:
    """Yield the quotas of own tasks that are of no source of the build.

    Without `tasks` an own task belongs to the build if one of its quotas is of a source.
    """
    for task in sorted(tasks or TASKS):
        if (quotas := _own_units(task, build)) is None:
            continue
        names, is_given = ", ".join(sources), task in build.candidates.quotas
        place = f"{spec_file(task)}: sampling.quotas"
        if is_given:
            place = f"{build.file}: candidates.quotas.{task}"
        strangers = [name for name in quotas if name not in sources]
        if tasks and not quotas:
            yield SpecError(
                f"{spec_file(task)}: sampling: missing; say how many candidates each source gives,"
                f" such as `sampling: {{quotas: {{{next(iter(sources))}: 300}}}}`; sources of"
                f" {build.file}: {names}"
            )
        elif tasks or is_given or len(strangers) < len(quotas):
            yield from (
                SpecError(
                    f"{place}.{name}: no source of {build.file}; its sources: {names}; correct the"
                    " name, or leave it out"
                )
                for name in strangers
            )


def plan_chains(
    build: Build,
    sources: dict[str, Source],
    work: Path,
    screens: Screens = lambda *_: (),
    *,
    memory: int = MEMORY,
) -> CorpusPlan:
    """Plan the corpus of these sources; `screens` makes the calls after that of cleaning.

    `memory` is as in `plan_corpus`. Raises SpecError or InputError that tells the faults of all
    sources.
    """
    faults, chains = list[FatalError](), list[Chain]()
    for name, source in sources.items():
        with collect_faults(faults):
            chains.append(_chain(build, source, name, work, screens, memory))
    raise_faults(faults)
    inputs = tuple(c for chain in chains for c in (chain.filters[-1], chain.sign))
    dedup = call(
        "pipeline.corpus.duplicates",
        work=work,
        source="all",
        inputs=inputs,
        params=build.duplicates.model_dump(exclude_defaults=True)
        | {"threshold": build.duplicates.threshold},
        arguments={"memory": memory},
    )
    return CorpusPlan(build, sources, chains, dedup)


def _own_units(task: str, build: Build) -> Mapping[str, str] | None:
    """Return the kind of unit by source that the spec of an own task wants; None of other tasks.

    Quotas of the build file replace those of the spec, and with them its sources.
    """
    if (named := INPUTS[task].sources) is None:
        return None
    spec, quotas = load_spec(task), build.candidates.quotas.get(task)
    if (section := spec.sampling) is not None and quotas is not None:
        section = section.model_copy(update={section.quota_key: quotas})
        spec = spec.model_copy(update={"sampling": section})
    return named(spec)


def unit_kind(task: str, name: str, source: Source, build: Build) -> str | None:
    """Return the kind of unit that a task takes from a source; None where it takes none.

    The catalogue says it, or for an own task its spec and the build file. Raises SpecError for a
    source that is not cut into the units that a spec wants.
    """
    if (units := _own_units(task, build)) is None:
        kinds: list[str] = [unit.kind for unit in source.units if task in unit.tasks]
        return "sentence" if task in source.passages else next(iter(kinds), None)
    wanted = units.get(name)
    cut: Collection[str] = {unit.kind for unit in source.units}
    if wanted is not None and wanted not in cut:
        raise SpecError(
            f"{spec_file(task)}: sampling.unit: the catalogue cuts {name} into"
            f" {', '.join(sorted(cut))}, not into {wanted}; change one of the two"
        )
    return wanted


def _chain(
    build: Build, source: Source, name: str, work: Path, screens: Screens, memory: int
) -> Chain:
    digests, readings, faults = [], [], list[FatalError]()
    items = list[InputFile]()
    for n, item in enumerate(build.sources[name].inputs):
        where = f"{build.file}: sources.{name}.inputs.{n}"
        with collect_faults(faults):
            readings.append(raw_files.reading(item, source, where))
            items.append(raw_files.at_hand(item, f"{where}.path", work))
            digests.append(raw_files.digest(items[-1], f"{where}.path"))
    raise_faults(faults)
    readers = {reading["reader"] for reading in readings}
    frame = source.timeframe
    of_source = partial(call, work=work, source=name)
    read = of_source(
        "pipeline.corpus.read",
        raw=tuple(digests),
        params={"inputs": readings},
        arguments={"paths": [str(item.path) for item in items]},
        code=raw_files.reader_code(readers),
    )
    if not read.done:
        for n, reading in enumerate(readings):
            with collect_faults(faults), prefix_errors(build, f"sources.{name}.inputs.{n}"):
                preview(items[n].path, reading["reader"], reading["options"])
        raise_faults(faults)
    select = of_source(
        "pipeline.corpus.select",
        inputs=(read,),
        params={
            "from": str(frame.from_) if frame and frame.from_ else None,
            "to": str(frame.to) if frame and frame.to else None,
        },
        arguments={"memory": memory},
    )
    cuts: dict[str, Any] = {"kinds": sorted({unit.kind for unit in source.units})}
    if "layout" in source.cleaning:
        cuts["layout"] = True
    segment = of_source("pipeline.corpus.segment", inputs=(select,), params=cuts)
    rules: dict[str, Any] = {
        "rules": _rules(source, build),
        "max_foreign": build.cleaning.max_foreign,
    }
    if "layout" in source.cleaning:
        rules["foreign_share"] = FOREIGN_SHARE
    if build.cleaning.repeated_spans:
        rules["repeated"] = build.cleaning.repeated_spans.model_dump()
    clean = of_source(
        "pipeline.corpus.cleaning", inputs=(segment,), params=rules, arguments={"memory": memory}
    )
    between = screens(name, source, clean)
    settled, personal = _personal_data(build, name, readers)
    pii = of_source(
        "pipeline.pii.removal",
        inputs=((clean, *between)[-1],),
        params=personal,
        arguments={"key_file": str(build.personal_data.key_file or "")},
        code=PII_MODULES,
    )
    toxic = _toxic(build, source, name, pii, work)
    sign = of_source("pipeline.corpus.signatures", inputs=((pii, *toxic[1:])[-1],))
    return Chain(name, settled, read, select, segment, clean, between, pii, toxic, sign)


def _personal_data(build: Build, name: str, readers: set[str]) -> tuple[Policy, dict[str, Any]]:
    """Return what becomes of personal data of a source, and the parameters of the stage for it.

    Of the key they have only what tells keys apart. Without a profile in the build file, that of
    KLUE is for sources that are official files alone.
    """
    settings = build.personal_data
    profile = build.sources[name].profile or settings.profile
    if profile is None and readers == {raw_files.OFFICIAL}:
        profile = "klue"
    with prefix_errors(build):
        settled = policy(settings.model_dump(), profile)
        key = check_value(read_key(settings.key_file)) if settings.key_file else ""
    params = {field: getattr(settled, field) for field in _OF_THE_STAGE}
    return settled, params | {"key": key}


def _toxic(build: Build, source: Source, name: str, units: Call, work: Path) -> tuple[Call, ...]:
    thresholds = build.toxicity.thresholds.get(name)
    if name in NOT_SCREENED and thresholds is not None:
        raise SpecError(
            f"{build.file}: toxicity.thresholds.{name}: detectors are not used on this source"
            " (Section 2.3: they fail on formal news); remove the entry"
        )
    limits = thresholds or source.toxicity
    if limits is None:
        return ()
    detector = build.toxicity.detector
    kind = detector.partition(":")[0]
    with prefix_errors(build, "toxicity.detector"):
        digest = _digest_of(detector)
    of_source = partial(call, work=work, source=name)
    score = of_source(
        "pipeline.corpus.toxicity.scoring",
        inputs=(units,),
        params={"detector": kind, "digest": digest},
        arguments={"detector": detector},
        code=(DETECTORS.module(kind),),
    )
    if limits == "flag":
        return (score,)
    screen = of_source(
        "pipeline.corpus.toxicity.screening",
        inputs=(units, score),
        params={"gender_bias": limits.gender_bias, "hate": limits.hate},
    )
    return score, screen


_digest_of = lru_cache(maxsize=1)(DETECTORS.digest_of)


def find_source(catalogue: Catalogue, name: str, build: Build) -> Source:
    """Return the entry of a source of a build; raises SpecError for one that cannot be built."""
    try:
        source = catalogue.source(name)
    except InputError as error:
        raise SpecError(f"{build.file}: sources.{name}: {error}") from None
    if not source.buildable:
        raise SpecError(
            f"{build.file}: sources.{name}: the catalogue says neither how to read it nor what"
            " to cut out of it; add reader and units to its entry"
        )
    return source


def _rules(source: Source, build: Build) -> list[str]:
    from pipeline.corpus.rules.table import RULE_SETS, RULES

    without = set(build.cleaning.without)
    if unknown := sorted(without - RULES.keys()):
        raise SpecError(
            f"{build.file}: cleaning.without: unknown rules {', '.join(unknown)}; allowed:"
            f" {', '.join(RULES)}"
        )
    wanted = {rule for name in source.cleaning for rule in RULE_SETS[name]} - without
    return [rule for rule in RULES if rule in wanted]
