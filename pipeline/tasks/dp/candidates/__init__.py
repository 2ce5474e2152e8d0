"""Stage `candidates` of dependency parsing: formal and colloquial sentences in equal shares.

One shard draws from all sources, since what one style lacks the other gives up; a style of which
there is no sentence takes nothing from the other. Every candidate carries parts of speech to begin
from. Source: KLUE, Section 3.6.1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, Final

from pipeline.contracts.sampling import proportional
from pipeline.core.morphology import PACKAGES
from pipeline.core.stage import Call, Outcome, Shard, Stage
from pipeline.sampling import inputs, walk
from pipeline.sampling.draft import STAGE_NAME, Draft, merge_outcomes
from pipeline.sampling.filling import Refusal, accept_units, planned_sources
from pipeline.tasks.dp.candidates.completeness import refusal
from pipeline.tasks.dp.candidates.tagging import suggestion
from pipeline.tasks.dp.spec import DependencySampling

_ALL: Final = "all"
Row = dict[str, Any]


def _run(call: Call, _shard: Shard) -> Outcome:
    spec = DependencySampling.model_validate(call.params["sampling"])
    quotas = {name: spec.quotas[name] for name in planned_sources(call, spec.quotas)}
    styles = {name: given["style"] for name, given in call.params["sources"].items()}
    drafts = {name: _draw(call, name, spec, quotas[name]) for name in quotas if name in styles}
    equal = _equal({name: len(draft.items) for name, draft in drafts.items()}, styles)
    for name, number in equal.items():
        if number < len(drafts[name].items):
            drafts[name] = _draw(call, name, spec, number)
        drafts[name].short(styles[name], wanted=quotas[name], drawn=number)
    for name in quotas.keys() - styles.keys():
        drafts[name] = Draft("dp", name)
        drafts[name].short("not in this build", wanted=quotas[name], drawn=0)
    return merge_outcomes([drafts[name].outcome(inputs.ids(call, name)) for name in quotas])


def _draw(call: Call, source: str, spec: DependencySampling, quota: int) -> Draft:
    draft = Draft("dp", source)
    units = walk.keyed_walk(call, source, purpose="dp", first=2 * quota)
    for row, meta in accept_units(draft, units, quota=quota, judge=partial(_judge, spec)):
        fields = {"text": row["text"], "words": row["text"].split()}
        sampler = call.params["sources"][source]["style"]
        draft.add(fields, {"sentence": row["id"]}, sampler=sampler, meta=meta)
    return draft


def _judge(spec: DependencySampling, rows: list[Row]) -> Iterable[Refusal | Mapping[str, Any]]:
    for row in rows:
        found = refusal(row["text"], fewest=spec.fewest, most=spec.most)
        yield found or {"suggestion": suggestion(row["text"])}


def _equal(drawn: dict[str, int], styles: dict[str, str]) -> dict[str, int]:
    """Return how many of each source stay so that every style has as many as the rarest one.

    A style of which nothing was drawn is absent, and no other is held to it.
    """
    there = {name: number for name, number in drawn.items() if number}
    totals: Counter[str] = Counter()
    for name, number in there.items():
        totals[styles[name]] += number
    found = dict.fromkeys(drawn, 0)
    for style in totals:
        mine = {name: number for name, number in there.items() if styles[name] == style}
        found |= proportional(mine, min(totals.values()))
    return found


STAGE = Stage(
    name=STAGE_NAME,
    main="items",
    invariant="sampling",
    shards=lambda _call: iter([Shard(_ALL, _ALL)]),
    run=_run,
    distributions=PACKAGES,
)
