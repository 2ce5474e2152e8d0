"""Less similar pairs by greedy sentence matching (Section 3.2.1), evenly over the scores.

A pool of sentences is matched into pairs, and as many pairs are drawn from each bin of the ROUGE
score as from any other: the aim is pairs of every degree of similarity, and a matching alone gives
most of its pairs a middling score.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from pipeline.core.ids import draw
from pipeline.core.stage import Call
from pipeline.sampling.draft import Draft
from pipeline.sampling.filling import Refusal, Row, accepted
from pipeline.sampling.similarity.matching import fast
from pipeline.sampling.similarity.matching.match import MILLION, Match
from pipeline.sampling.similarity.matching.tokens import content_words
from pipeline.sampling.similarity.sides import sides
from pipeline.sampling.similarity.translated import Translated
from pipeline.sampling.walk import keyed
from pipeline.tasks.sampling.similarity import SimilaritySampling

LENGTH: Final = "sts.length@1"
NEAR: Final = "sts.near_duplicate@1"


def draw_pairs(
    call: Call, source: str, draft: Draft, plan: SimilaritySampling, *, apart: Translated
) -> None:
    """Draw the pairs of `SOURCE-sampled` into the draft, none of units or clusters of `apart`."""
    sampler, seed = f"{source}-sampled", call.params["seed"]
    quota = plan.quotas.get(sampler, 0)
    pool = _pool(call, source, draft, plan, apart) if quota else []
    matches = fast.match(
        [content_words(row["text"]) for row in pool],
        order=range(len(pool)),
        algorithm=plan.algorithm,
        rouge=plan.rouge,
    )
    chosen = spread(matches, quota, bins=plan.bins, keys=_keys(seed, pool, matches))
    for number in chosen:
        match = matches[number]
        one, two = pool[match.first], pool[match.second]
        shown = sides(seed, one["id"], one["text"], two["text"])
        units = {shown.one: one["id"], shown.two: two["id"]}
        meta = _evidence(plan, match) | {"order": number + 1, "of": len(matches)}
        draft.add(shown.fields, units, sampler=sampler, meta=meta | {"first": shown.one})
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
        bin_ = min(matches[place].millionths * bins // MILLION, bins - 1)
        ranked.append((taken[bin_], -bin_, place))
        taken[bin_] += 1
    return sorted(place for _, _, place in sorted(ranked)[:quota])


def _pool(
    call: Call, source: str, draft: Draft, plan: SimilaritySampling, apart: Translated
) -> list[Row]:
    """Return the sentences to match, in keyed order: that of the anchors."""
    walk = keyed(call, source, purpose="sts.pool", first=plan.pool)
    others = (row for row in walk if row["id"] not in apart.units)
    found = accepted(
        draft,
        others,
        quota=plan.pool,
        judge=lambda rows: [_refusal(row, plan, apart) or {} for row in rows],
    )
    return [row for row, _ in found]


def _refusal(row: Row, plan: SimilaritySampling, apart: Translated) -> Refusal | None:
    size = len(row["text"])
    if not plan.shortest <= size <= plan.longest:
        wanted = f"{plan.shortest} to {plan.longest}"
        return Refusal(LENGTH, f"{size} characters, {wanted} are wanted", size)
    if row["cluster"] in apart.clusters:
        return Refusal(NEAR, f"another of cluster {row['cluster']} was translated")
    return None


def _keys(seed: int, pool: list[Row], matches: list[Match]) -> list[tuple[float, str]]:
    names = [pool[match.first]["id"] for match in matches]
    return [(draw(seed, "sts.bin", name), name) for name in names]


def _evidence(plan: SimilaritySampling, match: Match) -> dict[str, Any]:
    score = match.millionths / MILLION
    return {"algorithm": plan.algorithm, "rouge": plan.rouge, "score": score}
