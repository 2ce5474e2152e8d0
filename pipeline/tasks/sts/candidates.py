"""Stage `candidates` of sts: pairs of sentences (Section 3.2.1).

Reads kept units, documents (for intents) and translations; one shard for each source that has a
quota. A source with a quota `SOURCE-para` is paired by intent (see intent_pairs.py). Any other
gives the sentences that were translated with their translations (`SOURCE-rtt`), and others with
each other (`SOURCE-sampled`), by greedy matching. A source that is not in the build has its quotas
noted as not met.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.core.ids import draw
from pipeline.core.morphology import PACKAGES
from pipeline.core.stage import Call, Outcome, Shard, Stage
from pipeline.sampling import inputs
from pipeline.sampling.draft import (
    STAGE_NAME,
    Draft,
    Refusal,
    accept_units,
    one_by_one,
    source_shards,
    with_quotas,
)
from pipeline.sampling.inputs import Row, keyed_walk
from pipeline.tasks.sts.intent_pairs import draw_intent_pairs
from pipeline.tasks.sts.matching import MILLION, Match, content_words, match_sentences
from pipeline.tasks.sts.spec import INTENTS, MATCHED, ROUND_TRIPS, StsSampling, source_of
from pipeline.tasks.sts.translation import translation_refusal


@with_quotas
def _run(call: Call, shard: Shard) -> Outcome:
    source: str = shard.payload
    plan = StsSampling.model_validate(call.params["sampling"])
    draft = Draft("sts", source)
    if source not in call.params["sources"]:
        for name, quota in plan.quotas.items():
            if source_of(name) == source:
                draft.short(f"{name}, not in this build", wanted=quota, drawn=0)
        return draft.outcome()
    if f"{source}{INTENTS}" in plan.quotas:
        draw_intent_pairs(call, source, draft, plan)
    else:
        trips = _draw_round_trips(call, source, draft, plan)
        walk = keyed_walk(call, source, purpose="sts.pool", first=plan.pool)
        others = (row for row in walk if row["id"] not in trips)
        _draw_matched_pairs(draft, others, plan, seed=call.params["seed"])
    return draft.outcome(inputs.ids(call, source))


def sides(seed: int, name: str) -> tuple[str, str]:
    """Return the fields of two sentences, drawn for `name`, the id of the unit of the first.

    In a fixed order, annotators and models could learn which side is the original, the translation
    or the anchor.
    """
    swapped = draw(seed, "sts.side", name) >= 0.5
    return ("sentence2", "sentence1") if swapped else ("sentence1", "sentence2")


def _draw_round_trips(
    call: Call, source: str, draft: Draft, plan: StsSampling
) -> Mapping[str, Row]:
    """Draw the pairs of `SOURCE-rtt` into the draft.

    Returns the translated units by id, which no other pair may use, nor any of their clusters.
    """
    sampler, seed = f"{source}{ROUND_TRIPS}", call.params["seed"]
    quota = plan.quotas.get(sampler, 0)
    tables = inputs.translations(call, source)
    trips = {row["unit"]: row for table in tables for row in table.to_pylist()}
    names = pa.array(sorted(trips), pa.string())
    units: list[Row] = []
    for table in inputs.units(call, source):
        units += table.filter(pc.is_in(table.column("id"), value_set=names)).to_pylist()
    units.sort(key=lambda row: (draw(seed, "sts.translated", row["id"]), row["id"]))

    def judge(row: Row) -> Refusal | Mapping[str, Any]:
        trip = trips[row["id"]]
        return translation_refusal(row["text"], trip["back"], stretch=plan.stretch) or trip

    for row, trip in accept_units(draft, iter(units), quota=quota, judge=one_by_one(judge)):
        original, back = sides(seed, row["id"])
        draft.add(
            {original: row["text"], back: trip["back"]},
            {original: row["id"]},
            sampler=sampler,
            meta={"back": back, "translator": trip["translator"]},
            parts=("rtt",),
        )
    draft.short(sampler, wanted=quota, drawn=len(draft.items))
    draft.used.update(row["cluster"] for row in units)
    return trips


def _draw_matched_pairs(draft: Draft, walk: Iterator[Row], plan: StsSampling, *, seed: int) -> None:
    """Draw the pairs of `SOURCE-sampled` into the draft, spread over the scores.

    A pool of sentences is matched into pairs, and as many pairs are drawn from each bin of the
    ROUGE score as from any other, as far as the bins have them: the aim is pairs of every degree of
    similarity, and matching alone gives most pairs a middling score. A bin with too few gives all
    it has. So the evidence of each candidate says how many pairs its bin has, and how many are
    drawn. `walk` has the sentences in keyed order, that of the anchors.
    """

    def judge(row: Row) -> Refusal | Mapping[str, Any]:
        size = len(row["text"])
        reason = f"{size} characters, {plan.shortest} to {plan.longest} are wanted"
        is_wanted = plan.shortest <= size <= plan.longest
        return {} if is_wanted else Refusal("sts.length@1", reason, size)

    sampler = f"{draft.source}{MATCHED}"
    quota = plan.quotas.get(sampler, 0)
    room = plan.pool if quota else 0
    pool = [row for row, _ in accept_units(draft, walk, quota=room, judge=one_by_one(judge))]
    matches = match_sentences(
        [content_words(row["text"]) for row in pool],
        order=range(len(pool)),
        algorithm=plan.algorithm,
        rouge=plan.rouge,
    )
    anchors = [pool[match.first]["id"] for match in matches]
    keys = [(draw(seed, "sts.bin", name), name) for name in anchors]
    chosen = spread(matches, quota, bins=plan.bins, keys=keys)
    bins = [_bin_of(match, plan.bins) for match in matches]
    available, drawn = Counter(bins), Counter(bins[place] for place in chosen)
    for place in chosen:
        match, bin_ = matches[place], bins[place]
        anchor, partner = pool[match.first], pool[match.second]
        first, second = sides(seed, anchor["id"])
        meta = {
            "algorithm": plan.algorithm,
            "rouge": plan.rouge,
            "score": match.millionths / MILLION,
            "order": place + 1,
            "of": len(matches),
            "first": first,
            "bin": {
                "from": bin_ / plan.bins,
                "found": available[bin_],
                "drawn": drawn[bin_],
            },
        }
        texts = {first: anchor["text"], second: partner["text"]}
        units = {first: anchor["id"], second: partner["id"]}
        draft.add(texts, units, sampler=sampler, meta=meta)
    draft.short(sampler, wanted=quota, drawn=len(chosen))


def spread(
    matches: Sequence[Match], quota: int, *, bins: int, keys: Sequence[tuple[float, str]]
) -> list[int]:
    """Choose up to `quota` matches, as many of each bin of the score as of any other.

    A bin that has fewer gives all; what cannot be shared evenly goes to the higher bins. `keys`
    order the matches of a bin. Returns places in `matches`, ascending.
    """
    taken: Counter[int] = Counter()
    ranked: list[tuple[int, int, int]] = []
    for place in sorted(range(len(matches)), key=keys.__getitem__):
        bin_ = _bin_of(matches[place], bins)
        ranked.append((taken[bin_], -bin_, place))
        taken[bin_] += 1
    return sorted(place for _, _, place in sorted(ranked)[:quota])


def _bin_of(match: Match, bins: int) -> int:
    """Return which of so many equal bins a match is in; a score of 1 is in the highest."""
    return min(match.millionths * bins // MILLION, bins - 1)


STAGE = Stage(
    name=STAGE_NAME,
    main="items",
    invariant="sampling",
    shards=lambda call: source_shards(call, source_of=source_of),
    run=_run,
    distributions=(*PACKAGES, "numpy", "scipy"),
)
