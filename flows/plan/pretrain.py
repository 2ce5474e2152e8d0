"""From a build file to the calls of its pretraining corpus; all is checked before one runs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from flows.commands.guarded_texts import guarded_texts
from flows.plan.corpus import CorpusPlan, find_source, plan_chains
from flows.plan.faults import collect_faults, prefix_errors, raise_faults
from pipeline.contracts.build_inputs import content, existing, load_build
from pipeline.core import store
from pipeline.core.buildfile import Build, InputFile, Pretraining, Toxicity
from pipeline.core.errors import FatalError, SpecError
from pipeline.core.fingerprint import of_code, of_file, of_value
from pipeline.core.io.archives import ARCHIVES
from pipeline.core.io.shards import check_json, count_lines
from pipeline.core.io.source import require_filled
from pipeline.core.io.streams import open_stream
from pipeline.core.stage import Call, call
from pipeline.corpus.catalogue import PRETRAINING, Catalogue, Source, Unit, load_catalogue
from pipeline.corpus.readers.files import named_files
from pipeline.corpus.readers.rows import ending
from pipeline.pii.kinds import TYPES

#: The rule by which a sentence holds a text of a benchmark.
RULE: Final = "alignment"
#: What reads the texts of benchmarks.
_READS_BENCHMARKS: Final = "flows.commands.guarded_texts"
#: What to do about a file of texts without a column of them: a build file names none.
_CALL_IT_TEXT: Final = "call the column of the texts 'text'"
#: Endings of files that are neither lines nor JSON: their readers find out whether they are whole.
_OTHERS: Final = (".xml", ".parquet")
_SENTENCES: Final = (Unit(kind="sentence", tasks=()),)


@dataclass(frozen=True)
class PretrainPlan:
    """The calls of a pretraining corpus; `guarded` is the file of the benchmarks' texts."""

    corpus: CorpusPlan
    settings: Pretraining
    guarded: Path


def plan_pretraining(path: Path, work: Path) -> PretrainPlan:
    """Plan the pretraining corpus of a build file.

    All raw files are read once if they are new: none may be empty, cut off, or have a giant line.
    Raises SpecError or InputError, and StoreError for a benchmark that does not verify.
    """
    build = load_build(path)
    settings = build.pretraining
    if settings is None:
        raise SpecError(
            f"{path}: pretraining: is missing; say what the corpus may not hold, such as"
            " `pretraining: {against: [RELEASE]}`"
        )
    build = _with_pseudonyms(build)
    catalogue = load_catalogue(build.catalogue)
    known = load_catalogue(PRETRAINING).sources | catalogue.sources
    catalogue = catalogue.model_copy(update={"sources": known})
    sources = {name: _sentence_source(catalogue, name, build) for name in sorted(build.sources)}
    guarded = _guard(build, settings, work)
    screens = partial(_screens, work=work, guarded=guarded, digest=of_file(guarded))
    corpus = plan_chains(build, sources, work, screens)
    _check_files(corpus)
    return PretrainPlan(corpus, settings, guarded)


def _with_pseudonyms(build: Build) -> Build:
    """Return a build that puts pseudonyms in place of all types it says nothing else of.

    Raises SpecError without a key, and for thresholds of toxic text.
    """
    if build.toxicity.thresholds:
        raise SpecError(
            f"{build.file}: toxicity.thresholds: a pretraining corpus keeps toxic text (Section"
            " 4.1); remove them"
        )
    personal = build.personal_data
    named = {*personal.keep, *personal.mask, *(personal.drop or ()), *personal.pseudonymise}
    types = (*personal.pseudonymise, *(name for name in TYPES if name not in named))
    if types and personal.key_file is None:
        raise SpecError(
            f"{build.file}: personal_data.key_file: is missing; all types of personal data get"
            " pseudonyms under a key: make one, for example with `openssl rand -hex 32`"
        )
    profile = personal.profile or "klue"
    settings = personal.model_copy(update={"pseudonymise": types, "profile": profile})
    return build.model_copy(update={"personal_data": settings, "toxicity": Toxicity()})


def _sentence_source(catalogue: Catalogue, name: str, build: Build) -> Source:
    """Return the entry of a source as it is cut into sentences, whatever tasks take of it."""
    source = find_source(catalogue, name, build)
    return source.model_copy(update={"units": _SENTENCES, "toxicity": None})


def _guard(build: Build, settings: Pretraining, work: Path) -> Path:
    """Return the file of the texts that are guarded, written once for the same benchmarks."""
    with prefix_errors(build):
        digests = [
            content(existing(place, key, folder=True), key)
            for n, place in enumerate(settings.against)
            for key in [f"pretraining.against.{n}"]
        ]
        name = of_value([sorted(digests), of_code(_READS_BENCHMARKS)])[:16]
        file = work / "guarded" / f"{name}.parquet"
        if not file.exists():
            table = guarded_texts(settings.against, advice=_CALL_IT_TEXT)
            file.parent.mkdir(parents=True, exist_ok=True)
            store.write_parquet(file, table)
    return file


def _screens(
    name: str, source: Source, clean: Call, *, work: Path, guarded: Path, digest: str
) -> tuple[Call, ...]:
    of_source = partial(call, work=work, source=name)
    calls: tuple[Call, ...] = ()
    if source.shortest_sentence is not None:
        params = {"shortest": source.shortest_sentence}
        calls = (of_source("pipeline.corpus.pretraining.length", inputs=(clean,), params=params),)
    decontaminate = of_source(
        "pipeline.corpus.pretraining.decontaminate",
        inputs=((clean, *calls)[-1],),
        raw=(digest,),
        params={"rule": RULE},
        arguments={"guarded": str(guarded)},
    )
    return (*calls, decontaminate)


def _check_files(corpus: CorpusPlan) -> None:
    """Raise InputError that tells all raw files of new sources that are not whole."""
    build, faults = corpus.build, list[FatalError]()
    for chain in corpus.chains:
        paths = map(Path, chain.read.arguments["paths"])
        items = (
            () if chain.read.done else zip(build.sources[chain.source].inputs, paths, strict=True)
        )
        for n, (item, at) in enumerate(items):
            for name, path in named_files(at, item.pattern):
                key = f"sources.{chain.source}.inputs.{n}"
                with collect_faults(faults), prefix_errors(build, key):
                    _check_file(name, path, item)
    raise_faults(faults)


def _check_file(name: str, path: Path, item: InputFile) -> None:
    form = ending(name)
    if form in _OTHERS or name.lower().endswith(ARCHIVES) or item.encoding != "utf-8":
        return
    require_filled(path)
    with open_stream(path) as stream:
        check_json(stream) if form == ".json" else count_lines(stream)
