"""Items without a majority go to the annotators who agree best with it (Section 3.5.1).

They choose among the labels that were already given to the item.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

import numpy as np

from pipeline.agreement.aggregation.ballots import NONE, Ballots
from pipeline.agreement.aggregation.counted import once
from pipeline.agreement.aggregation.decisions import unneeded
from pipeline.agreement.aggregation.majority import label
from pipeline.agreement.aggregation.outcome import Note, Outcome
from pipeline.agreement.aggregation.pool import Pool, values
from pipeline.contracts.decisions import RESOLVE
from pipeline.contracts.spec import Majority

RULE: Final = "gold.resolve@1"
#: How many annotators are asked where the spec does not say.
TOP: Final = 30


@dataclass(frozen=True)
class Rank:
    """How often an annotator named the majority's label, of the items that have one."""

    annotator: str
    agreed: int
    items: int


def ranking(pool: Pool, outcomes: Sequence[Outcome]) -> list[Rank]:
    """Rank the annotators by their share of votes for the majority's label, ties by id.

    Their own votes are part of the majority. Whoever has fewer than `exclusion.minimum_items` items
    with a majority is not ranked.
    """
    codes, names = pool.coded
    place = {label(name, pool.spec): code for code, name in enumerate(names)}
    gold = np.array([place.get(o.label or "", NONE) for o in outcomes] or [NONE])
    theirs = gold[pool.counted.item]
    valid = (theirs != NONE) & (pool.counted.annotator != NONE)
    people = len(pool.counted.names.annotators)
    items = np.bincount(pool.counted.annotator[valid], minlength=people).tolist()
    agreed = np.bincount(pool.counted.annotator[valid & (theirs == codes)], minlength=people)
    ranks = [
        Rank(name, int(agreed[code]), items[code])
        for code, name in enumerate(pool.counted.names.annotators)
        if items[code] >= pool.spec.exclusion.minimum_items
    ]
    return sorted(ranks, key=lambda one: (-Fraction(one.agreed, one.items), one.annotator))


def top(pool: Pool, outcomes: Sequence[Outcome]) -> list[str] | None:
    """Return the ids of the top-ranked annotators, best first; None if the spec asks none."""
    rule = pool.spec.aggregation
    if not isinstance(rule, Majority) or rule.otherwise != "top_annotators":
        return None
    return [one.annotator for one in ranking(pool, outcomes)[: rule.top or TOP]]


def apply(
    outcomes: Sequence[Outcome],
    pool: Pool,
    ballots: Ballots,
    *,
    top: Collection[str],
    held: Collection[int],
) -> tuple[list[Outcome], list[Note]]:
    """Return the outcomes with the votes of round `resolve`, and notes.

    More than half of those who were to answer (the round's `per_item`, or all who did if they are
    more) must choose a label. If all answered and none has so many, the item goes to the experts.
    A vote by somebody not among the top, or for a label nobody gave before, does not count.
    `held` are the items that a report holds: their votes wait.
    """
    here = ballots.only(ballots.in_rounds([RESOLVE]) & (ballots.label != NONE))
    asked = [i for i, one in enumerate(outcomes) if one.queue == "top_annotators"]
    items = here.names.items
    late = here.item[~np.isin(here.item, [*asked, *held])].tolist()
    notes = [note for item in late for note in unneeded(items[item], "the top annotators", 1)]
    votes, more = once(here.only(np.isin(here.item, sorted({*asked} - {*held}))), last=True)
    codes, names = values(votes, pool.task)
    found = list(outcomes)
    for item, start, end in votes.slices():
        said = [(names[codes[i]], votes.who(i), _id(votes, i) in top) for i in range(start, end)]
        given = outcomes[item].evidence["counts"]
        notes += [note for one in said for note in _fault(items[item], *one, given)]
        chosen = Counter(value for value, _, best in said if best and value in given)
        found[item] = _outcome(outcomes[item], chosen, pool)
    return found, [*notes, *more]


def _id(votes: Ballots, place: int) -> str | None:
    code = int(votes.annotator[place])
    return None if code == NONE else votes.names.annotators[code]


def _fault(item: str, value: str, who: str, best: bool, given: Collection[str]) -> list[Note]:
    if not best:
        return [Note(item, "vote.not_top@1", f"{who} is not among the top-ranked annotators")]
    if value not in given:
        return [Note(item, "vote.not_given@1", f"{who} chose a label nobody had given")]
    return []


def _outcome(outcome: Outcome, chosen: Counter[str], pool: Pool) -> Outcome:
    if not chosen:
        return outcome
    round_ = pool.spec.round(RESOLVE)
    planned = max(chosen.total(), round_.per_item if round_ else 1)
    facts = {"counts": dict(sorted(chosen.items())), "voters": chosen.total()}
    evidence = {**outcome.evidence, "resolve": facts}
    leading, most = min(chosen.items(), key=lambda pair: (-pair[1], pair[0]))
    if 2 * most > planned:
        return Outcome(
            "gold",
            RULE,
            outcome.votes,
            label=label(leading, pool.spec),
            agreement=outcome.evidence["counts"][leading] / outcome.votes,
            evidence=evidence,
        )
    if chosen.total() < planned:
        return replace(outcome, evidence=evidence)
    return Outcome(
        "unresolved",
        RULE,
        outcome.votes,
        reason="no_majority_of_top",
        queue="expert",
        evidence=evidence,
    )
