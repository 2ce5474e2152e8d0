"""Stage `candidates` of dependency parsing: formal and colloquial sentences in equal shares.

One shard draws from all sources, since what one style lacks the other gives up. Every candidate
carries parts of speech to begin from. Source: KLUE, Section 3.6.1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any, Final

import pyarrow as pa

from pipeline.core.errors import SpecError
from pipeline.core.stage import Call, Outcome, Shard, Stage
from pipeline.sampling import inputs, walk
from pipeline.sampling.dependency.completeness import refusal
from pipeline.sampling.dependency.tagging import suggestion
from pipeline.sampling.draft import STAGE_NAME, Draft
from pipeline.sampling.filling import Refusal, accepted
from pipeline.sampling.morphology import PACKAGES
from pipeline.tasks.sampling.base import proportional
from pipeline.tasks.sampling.dependency import DependencySampling

_ALL: Final = "all"
Row = dict[str, Any]


def _run(call: Call, _shard: Shard) -> Outcome:
    spec = DependencySampling.model_validate(call.params["sampling"])
    sources = sorted(call.params["sources"])
    if strangers := [name for name in sources if name not in spec.quotas]:
        raise SpecError(
            f"dp: sampling.quotas has none for {', '.join(strangers)}; given:"
            f" {', '.join(sorted(spec.quotas))}; add it, or take dp from its units"
        )
    quotas = {name: spec.quotas[name] for name in sources}
    drafts = {name: _draw(call, name, spec, quota) for name, quota in quotas.items()}
    styles = {name: call.params["sources"][name]["style"] for name in sources}
    equal = _equal({name: len(draft.items) for name, draft in drafts.items()}, styles)
    for name, number in equal.items():
        if number < len(drafts[name].items):
            drafts[name] = _draw(call, name, spec, number)
        drafts[name].short(styles[name], wanted=quotas[name], drawn=number)
    outcomes = [draft.outcome(inputs.ids(call, name)) for name, draft in drafts.items()]
    return _together([*outcomes, *_absent(spec, sources)])


def _draw(call: Call, source: str, spec: DependencySampling, quota: int) -> Draft:
    draft = Draft("dp", source)
    units = walk.keyed(call, source, purpose="dp", first=2 * quota)
    judge = partial(_judge, spec)
    for row, meta in accepted(draft, units, quota=quota, judge=judge):
        fields = {"text": row["text"], "words": row["text"].split()}
        sampler = call.params["sources"][source]["style"]
        draft.add(fields, {"sentence": row["id"]}, sampler=sampler, meta=meta)
    return draft


def _judge(spec: DependencySampling, rows: list[Row]) -> Iterable[Refusal | Mapping[str, Any]]:
    for row in rows:
        found = refusal(row["text"], fewest=spec.fewest, most=spec.most)
        yield found or {"suggestion": suggestion(row["text"])}


def _equal(drawn: dict[str, int], styles: dict[str, str]) -> dict[str, int]:
    """Return how many of each source stay so that every style has as many as the rarest one."""
    totals: Counter[str] = Counter()
    for name, number in drawn.items():
        totals[styles[name]] += number
    rarest = min(totals.values(), default=0)
    found = dict.fromkeys(drawn, 0)
    for style in totals:
        mine = {name: n for name, n in drawn.items() if styles[name] == style and n}
        if rarest:
            found |= proportional(mine, rarest)
    return found


def _absent(spec: DependencySampling, sources: list[str]) -> Iterator[Outcome]:
    """Note the sources of the spec that a build lacks: their style is not held equal."""
    for name in sorted(set(spec.quotas) - set(sources)):
        draft = Draft("dp", name)
        draft.short("not in this build", wanted=spec.quotas[name], drawn=0)
        yield draft.outcome()


def _together(outcomes: list[Outcome]) -> Outcome:
    tables = {
        name: pa.concat_tables([outcome.tables[name] for outcome in outcomes])
        for name in ("items", "drawn", "ledger")
    }
    ids = pa.concat_arrays([outcome.inputs for outcome in outcomes])
    return Outcome(len(ids), tables, ids)


STAGE = Stage(
    name=STAGE_NAME,
    main="items",
    law="sampling",
    shards=lambda _call: iter([Shard(_ALL, _ALL)]),
    run=_run,
    distributions=PACKAGES,
)
