"""Less similar pairs by greedy sentence matching (Section 3.2.1), spread over the scores.

A pool of sentences is matched into pairs, and as many pairs are drawn from each bin of the ROUGE
score as from any other, as far as the bins have them: the aim is pairs of every degree of
similarity, and a matching alone gives most of its pairs a middling score. A bin with too few gives
all it has, and a pool with fewer pairs than are wanted gives all of them, as unevenly as they were
found. So each candidate tells how many pairs were found in its bin, and how many were drawn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from pipeline.core.ids import draw
from pipeline.core.stage import Call
from pipeline.sampling.draft import Draft
from pipeline.sampling.filling import Refusal, accept_units
from pipeline.sampling.walk import Row, keyed_walk
from pipeline.tasks.sts.candidates.matching import fast
from pipeline.tasks.sts.candidates.matching.match import MILLION, Match
from pipeline.tasks.sts.candidates.matching.tokens import content_words
from pipeline.tasks.sts.candidates.sides import sides
from pipeline.tasks.sts.candidates.translated import Translated
from pipeline.tasks.sts.spec import MATCHED, StsSampling

LENGTH: Final = "sts.length@1"


def draw_pairs(
    call: Call, source: str, draft: Draft, plan: StsSampling, *, apart: Translated
) -> None:
    """Draw the pairs of `SOURCE-sampled` into the draft, none of units or clusters of `apart`."""
    sampler, seed = f"{source}{MATCHED}", call.params["seed"]
    quota = plan.quotas.get(sampler, 0)
    pool = _pool(call, source, draft, plan, apart) if quota else []
    matches = fast.match(
        [content_words(row["text"]) for row in pool],
        order=range(len(pool)),
        algorithm=plan.algorithm,
        rouge=plan.rouge,
    )
    chosen = spread(matches, quota, bins=plan.bins, keys=_keys(seed, pool, matches))
    bins = [bin_of(match, plan.bins) for match in matches]
    found, drawn = Counter(bins), Counter(bins[number] for number in chosen)
    for number in chosen:
        match = matches[number]
        one, two = pool[match.first], pool[match.second]
        shown = sides(seed, one["id"], one["text"], two["text"])
        units = {shown.one: one["id"], shown.two: two["id"]}
        bin_ = bins[number]
        meta = _evidence(plan, match) | {
            "order": number + 1,
            "of": len(matches),
            "first": shown.one,
            "bin": {"from": bin_ / plan.bins, "found": found[bin_], "drawn": drawn[bin_]},
        }
        draft.add(shown.fields, units, sampler=sampler, meta=meta)
    draft.short(sampler, wanted=quota, drawn=len(chosen))


def spread(
    matches: Sequence[Match], quota: int, *, bins: int, keys: Sequence[tuple[float, str]]
) -> list[int]:
    """Choose up to `quota` matches, as many of each bin of the score as of any other.

    A bin that has fewer gives all; what cannot be shared evenly goes to the higher bins. `keys` say
    who is first in a bin. Returns places in `matches`, ascending.
    """
    taken: Counter[int] = Counter()
    ranked: list[tuple[int, int, int]] = []
    for place in sorted(range(len(matches)), key=keys.__getitem__):
        bin_ = bin_of(matches[place], bins)
        ranked.append((taken[bin_], -bin_, place))
        taken[bin_] += 1
    return sorted(place for _, _, place in sorted(ranked)[:quota])


def bin_of(match: Match, bins: int) -> int:
    """Return which of so many equal bins a match is in; 1 is in the highest."""
    return min(match.millionths * bins // MILLION, bins - 1)


def _pool(call: Call, source: str, draft: Draft, plan: StsSampling, apart: Translated) -> list[Row]:
    """Return the sentences to match, in keyed order: that of the anchors."""
    walk = keyed_walk(call, source, purpose="sts.pool", first=plan.pool)
    others = (row for row in walk if row["id"] not in apart.units)
    found = accept_units(
        draft,
        others,
        quota=plan.pool,
        judge=lambda rows: [_refusal(row, plan) or {} for row in rows],
        clusters=apart.clusters,
    )
    return [row for row, _ in found]


def _refusal(row: Row, plan: StsSampling) -> Refusal | None:
    size = len(row["text"])
    if plan.shortest <= size <= plan.longest:
        return None
    wanted = f"{plan.shortest} to {plan.longest}"
    return Refusal(LENGTH, f"{size} characters, {wanted} are wanted", size)


def _keys(seed: int, pool: list[Row], matches: list[Match]) -> list[tuple[float, str]]:
    names = [pool[match.first]["id"] for match in matches]
    return [(draw(seed, "sts.bin", name), name) for name in names]


def _evidence(plan: StsSampling, match: Match) -> dict[str, Any]:
    score = match.millionths / MILLION
    return {"algorithm": plan.algorithm, "rouge": plan.rouge, "score": score}
