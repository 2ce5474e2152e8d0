"""Stage `translate`: sentences to another language and back, by quotas called `SOURCE-rtt`.

The units of a source are walked in keyed order; of each cluster of near-duplicates one is
translated, until the quota and a reserve for pairs that are refused later are there. A unit is
drawn for itself: the item of the table `drawn` is its own id.

    params     seed, sources; sampling: what `reads` returns; translator: what
               `registry.identity` returns, or None: then nothing is translated
    arguments  translator: its settings with whole paths; journal: the folder of its answers

Source: Section 3.2.1.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from math import ceil
from pathlib import Path
from typing import Any, Final

from pipeline.core import schemas
from pipeline.core.errors import InputError, RecordError
from pipeline.core.stage import Call, Outcome, Shard, Stage
from pipeline.sampling import inputs
from pipeline.sampling.draft import Draft
from pipeline.sampling.filling import Clusters, planned_sources
from pipeline.sampling.walk import keyed_walk
from pipeline.tasks.sts.candidates.translation import checking, registry
from pipeline.tasks.sts.candidates.translation.protocol import Translator
from pipeline.tasks.sts.spec import ROUND_TRIPS, source_of

TASK: Final = "sts"
NAME: Final = "translate"

Row = dict[str, Any]


def reads(sampling: Row) -> Row:
    """Return what this stage reads of the section of the task, so that nothing else is its input.

    Beside the numbers, `sources` are those with a quota of any kind, the only ones a build may
    have: it is better told before anything is paid for.
    """
    quotas = {name: n for name, n in sampling["quotas"].items() if name.endswith(ROUND_TRIPS)}
    read = {name: sampling[name] for name in ("shortest", "longest", "reserve")}
    return read | {"quotas": quotas, "sources": sorted(set(map(source_of, sampling["quotas"])))}


def wanted(call: Call, source: str) -> int:
    """Return how many round trips of a source are wanted: its quota and the reserve."""
    quota = _quota(call, source)
    return quota + ceil(quota * float(call.params["sampling"]["reserve"]))


def _quota(call: Call, source: str) -> int:
    return int(call.params["sampling"]["quotas"][f"{source}{ROUND_TRIPS}"])


def _sources(call: Call) -> list[str]:
    """Return the sources with a quota of round trips."""
    sampling = call.params["sampling"]
    ours = set(map(source_of, sampling["quotas"]))
    known = sampling["sources"]
    return [source for source in planned_sources(call, {*known, *ours}) if source in ours]


def _shards(call: Call) -> Iterator[Shard]:
    for number, source in enumerate(_sources(call)):
        yield Shard(source, (source, number == 0))


def _run(call: Call, shard: Shard) -> Outcome:
    source, first = shard.payload
    draft = Draft(TASK, source, stage=NAME)
    found: list[Row] = []
    known = source in call.params["sources"]
    with _translator(call) as translator:
        if known and translator is not None:
            found = list(_translated(call, draft, translator))
        if first and translator is not None:
            for problem in translator.problems:
                name = Path(call.arguments["translator"]["paths"][0]).name
                draft.fault(name, problem.line, problem.rule, problem.reason)
    name = f"{source}{ROUND_TRIPS}" if known else f"{source}{ROUND_TRIPS}, not in this build"
    draft.short(name, wanted=_quota(call, source), drawn=len(found))
    draft.drawn += [_drawn(row) for row in found]
    outcome = draft.outcome(inputs.ids(call, source))
    tables = {name: outcome.tables[name] for name in ("drawn", "ledger")}
    return outcome._replace(tables={"translations": schemas.build("translations", found), **tables})


def _translator(call: Call) -> AbstractContextManager[Translator | None]:
    """Open the translator that the call was planned with; None when there is none."""
    planned = call.params.get("translator")
    if planned is None:
        return nullcontext()
    settings, journal = call.arguments["translator"], call.arguments.get("journal")
    if registry.identity(settings) != planned:
        raise InputError(
            f"the translator is no longer {planned['name']}: its file or checkpoint changed since"
            " the run was planned; run again"
        )
    return registry.opened(settings, None if journal is None else Path(journal))


def _translated(call: Call, draft: Draft, translator: Translator) -> Iterator[Row]:
    """Yield the translated units in the order of the walk; refusals go into the draft."""
    most = wanted(call, draft.source)
    clusters = Clusters(draft.task)
    done = 0
    for unit in keyed_walk(call, draft.source, purpose="sts.translate", first=most):
        if done == most:
            return
        if not translator.offers(unit["text"]):
            continue
        try:
            _check_unit(unit, clusters, call.params["sampling"])
            trip = translator.round_trip(unit["text"])
            checking.check(unit["text"], trip.back)
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
    """Raise RecordError for a unit that is not worth asking for."""
    length = len(unit["text"])
    low, high = sampling["shortest"], sampling["longest"]
    if not low <= length <= high:
        raise RecordError("sts.length@1", f"{length} characters, wanted {low} to {high}")
    if refusal := clusters.refusal(unit):
        raise RecordError(refusal.rule, refusal.reason)


def _drawn(row: Row) -> Row:
    return {
        "item": row["unit"],
        "task": TASK,
        "unit": row["unit"],
        "source": row["source"],
        "role": "translated",
    }


STAGE = Stage(name=NAME, main="translations", law="sampling", shards=_shards, run=_run)
