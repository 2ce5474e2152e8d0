"""Stage `translate`: sentences to another language and back, by quotas called `SOURCE-rtt`.

The units of a source are walked in keyed order; of each cluster of near-duplicates one is
translated, until the quota and a reserve for pairs that are refused later are there. The item of
the table `drawn` is the unit's own id.

    params     seed, sources; sampling: what `translation_params` returns; translator: what
               `translator_identity` returns, or None: then nothing is translated
    arguments  translator: its settings with whole paths; journal: the folder of its answers

Settings are those of `Translator` (build_inputs.py) as a JSON object, with whole paths.
Source: Section 3.2.1.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from math import ceil
from pathlib import Path
from typing import Any

from pipeline.core import schemas
from pipeline.core.errors import InputError, RecordError
from pipeline.core.stage import Call, Outcome, Shard, Stage
from pipeline.sampling import inputs
from pipeline.sampling.draft import Clusters, Draft, planned_sources
from pipeline.sampling.inputs import Row, keyed_walk
from pipeline.tasks.sts.spec import ROUND_TRIPS, source_of
from pipeline.tasks.sts.translation import papago, ready, seq2seq
from pipeline.tasks.sts.translation.journal import Journal, TwoStep
from pipeline.tasks.sts.translation.translator import Translator, check_translation


def translator_identity(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return what decides the translations: kind, name (with digests of files), languages, style.

    Loads no model and asks no service. Raises InputError for a file or checkpoint that is not
    there, MissingDependencyError for a library that is not installed.
    """
    kind = settings["kind"]
    return {
        "kind": kind,
        "name": _name(settings),
        "format": settings["format"] if kind == "file" else None,
        "pivot": settings["pivot"],
        "honorific": None if kind == "seq2seq" else settings["honorific"],
    }


@contextmanager
def open_translator(settings: Mapping[str, Any], journal: Path | None) -> Iterator[Translator]:
    """Open the translator of the settings; `journal` is the folder of its answers.

    The keys of a service are needed even where the journal holds every answer, which is known only
    after the last look-up. Raises InputError when the translator cannot be used: keys, files,
    checkpoints, no journal.
    """
    name, pivot = _name(settings), settings["pivot"]
    if settings["kind"] == "file":
        style = settings["honorific"]
        file, form = Path(settings["paths"][0]), settings["format"]
        yield ready.load_ready(file, form, pivot=pivot, honorific=style)
        return
    if journal is None:
        raise InputError("a translator needs a folder for its journal; none is given")
    with Journal(journal, name) as answers:
        if settings["kind"] == "seq2seq":
            model = seq2seq.load_seq2seq(
                settings["paths"], pivot=pivot, beams=settings["beams"], codes=settings["codes"]
            )
            yield TwoStep(name, pivot, model.translate, answers)
            return
        access = papago.read_access(settings, os.environ)
        with papago.open_service(access, honorific=settings["honorific"]) as service:
            yield TwoStep(name, pivot, service.translate, answers)


def _name(settings: Mapping[str, Any]) -> str:
    pivot, honorific = settings["pivot"], settings["honorific"]
    if settings["kind"] == "file":
        return ready.identity(Path(settings["paths"][0]), pivot=pivot, honorific=honorific)
    if settings["kind"] == "papago":
        return papago.identity(settings.get("url") or papago.URL, pivot=pivot, honorific=honorific)
    return seq2seq.identity(
        settings["paths"], pivot=pivot, beams=settings["beams"], codes=settings["codes"]
    )


def translation_params(sampling: Row) -> Row:
    """Return the part of the task's section that this stage reads; the rest does not change it.

    Beside the numbers, `sources` are those with a quota of any kind, the only ones a build may
    have: a source without one is an error before anything is paid for.
    """
    quotas = {name: n for name, n in sampling["quotas"].items() if name.endswith(ROUND_TRIPS)}
    numbers = {name: sampling[name] for name in ("shortest", "longest", "reserve")}
    return numbers | {"quotas": quotas, "sources": sorted(set(map(source_of, sampling["quotas"])))}


def _quota(call: Call, source: str) -> int:
    return int(call.params["sampling"]["quotas"][f"{source}{ROUND_TRIPS}"])


def _shards(call: Call) -> Iterator[Shard]:
    """Yield a shard for each source with a quota of round trips, and whether it is the first."""
    sampling = call.params["sampling"]
    ours = set(map(source_of, sampling["quotas"]))
    sources = planned_sources(call, {*sampling["sources"], *ours})
    for number, source in enumerate(source for source in sources if source in ours):
        yield Shard(source, (source, number == 0))


def _run(call: Call, shard: Shard) -> Outcome:
    source, first = shard.payload
    draft = Draft("sts", source, stage=STAGE.name)
    rows: list[Row] = []
    known = source in call.params["sources"]
    with _translator(call) as translator:
        if known and translator is not None:
            rows = list(_translate(call, draft, translator))
        if first and translator is not None:
            for problem in translator.problems:
                name = Path(call.arguments["translator"]["paths"][0]).name
                draft.fault(name, problem.line, problem.rule, problem.reason)
    name = f"{source}{ROUND_TRIPS}" if known else f"{source}{ROUND_TRIPS}, not in this build"
    draft.short(name, wanted=_quota(call, source), drawn=len(rows))
    draft.drawn += [
        {
            "item": row["unit"],
            "task": "sts",
            "unit": row["unit"],
            "source": source,
            "role": "translated",
        }
        for row in rows
    ]
    outcome = draft.outcome(inputs.ids(call, source))
    tables = {name: outcome.tables[name] for name in ("drawn", "ledger")}
    return outcome._replace(tables={"translations": schemas.build("translations", rows), **tables})


def _translator(call: Call) -> AbstractContextManager[Translator | None]:
    """Open the translator that the call was planned with; None when there is none."""
    planned = call.params.get("translator")
    if planned is None:
        return nullcontext()
    settings, journal = call.arguments["translator"], call.arguments.get("journal")
    if translator_identity(settings) != planned:
        raise InputError(
            f"the translator is no longer {planned['name']}: its file or checkpoint changed since"
            " the run was planned; run again"
        )
    return open_translator(settings, None if journal is None else Path(journal))


def _translate(call: Call, draft: Draft, translator: Translator) -> Iterator[Row]:
    """Yield the translated units in the order of the walk; refusals go into the draft."""
    quota = _quota(call, draft.source)
    wanted = quota + ceil(quota * float(call.params["sampling"]["reserve"]))
    clusters = Clusters(draft.task)
    done = 0
    for unit in keyed_walk(call, draft.source, purpose="sts.translate", first=wanted):
        if done == wanted:
            return
        if not translator.offers(unit["text"]):
            continue
        try:
            _check_unit(unit, clusters, call.params["sampling"])
            trip = translator.round_trip(unit["text"])
            check_translation(unit["text"], trip.back)
        except RecordError as fault:
            draft.refuse(unit["id"], fault.rule, fault.reason)
            continue
        clusters.add(unit)
        done += 1
        yield {
            "unit": unit["id"],
            "source": draft.source,
            "text": unit["text"],
            "back": trip.back,
            "translator": translator.name,
            "pivot": trip.pivot,
        }


def _check_unit(unit: Row, clusters: Clusters, sampling: Row) -> None:
    """Raise RecordError for a unit that is refused before it is translated."""
    length = len(unit["text"])
    low, high = sampling["shortest"], sampling["longest"]
    if not low <= length <= high:
        raise RecordError("sts.length@1", f"{length} characters, wanted {low} to {high}")
    if refusal := clusters.refusal(unit):
        raise RecordError(refusal.rule, refusal.reason)


STAGE = Stage(name="translate", main="translations", invariant="sampling", shards=_shards, run=_run)
