"""Similar pairs by round-trip translation: a sentence and its translation back (Section 3.2.1).

A translation that says nothing new, or runs away, makes no pair: it is refused with its unit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.core.errors import RecordError
from pipeline.core.ids import draw
from pipeline.core.stage import Call
from pipeline.sampling import inputs
from pipeline.sampling.draft import Draft
from pipeline.sampling.filling import Clusters, Refusal, accept_units
from pipeline.sampling.walk import Row
from pipeline.tasks.sts.candidates.sides import sides
from pipeline.tasks.sts.candidates.translation import checking
from pipeline.tasks.sts.spec import ROUND_TRIPS, StsSampling

STRETCHED: Final = "sts.stretched@1"


class Translated(NamedTuple):
    """The units of a source that were translated, and their clusters of near-duplicates."""

    units: frozenset[str]
    clusters: Clusters


def draw_pairs(call: Call, source: str, draft: Draft, plan: StsSampling) -> Translated:
    """Draw the pairs of `SOURCE-rtt` into the draft; returns what no other pair may use."""
    sampler, seed = f"{source}{ROUND_TRIPS}", call.params["seed"]
    quota = plan.quotas.get(sampler, 0)
    made = {
        row["unit"]: row for table in inputs.translations(call, source) for row in table.to_pylist()
    }
    units = list(_kept(call, source, made))
    units.sort(key=lambda row: (draw(seed, "sts.translated", row["id"]), row["id"]))

    def judge(rows: list[Row]) -> list[Refusal | Mapping[str, Any]]:
        backs = (made[row["id"]]["back"] for row in rows)
        pairs = zip(rows, backs, strict=True)
        return [refusal(row["text"], back, stretch=plan.stretch) or {} for row, back in pairs]

    drawn, clusters = 0, Clusters(draft.task)
    for row, _ in accept_units(draft, iter(units), quota=quota, judge=judge, clusters=clusters):
        found = made[row["id"]]
        shown = sides(seed, row["id"], row["text"], found["back"])
        meta = {"back": shown.two, "translator": found["translator"]}
        draft.add(shown.fields, {shown.one: row["id"]}, sampler=sampler, meta=meta, parts=("rtt",))
        drawn += 1
    draft.short(sampler, wanted=quota, drawn=drawn)
    for row in units:
        clusters.add(row)
    return Translated(frozenset(made), clusters)


def refusal(text: str, back: str, *, stretch: float) -> Refusal | None:
    """Return why a text and its back-translation make no pair, or None.

    `stretch` is how many times longer, or shorter, the translation may be.
    """
    try:
        checking.check(text, back)
    except RecordError as fault:
        return Refusal(fault.rule, fault.reason)
    times = len(back) / max(len(text), 1)
    if 1 / stretch <= times <= stretch:
        return None
    reason = f"the way back is {times:.2f} times as long, {1 / stretch:.2f} to {stretch} may be"
    return Refusal(STRETCHED, reason, times)


def _kept(call: Call, source: str, made: Mapping[str, Row]) -> Iterator[Row]:
    """Yield the kept units that were translated."""
    names = pa.array(sorted(made), pa.string())
    for table in inputs.units(call, source):
        yield from table.filter(pc.is_in(table.column("id"), value_set=names)).to_pylist()
