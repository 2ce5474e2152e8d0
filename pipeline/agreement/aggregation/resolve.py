"""Items without a majority go to the annotators who agree best with it (Section 3.5.1).

They choose among the labels that were already given to the item.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final

import numpy as np

from pipeline.agreement.aggregation.decisions import unneeded
from pipeline.agreement.aggregation.eligible_votes import NONE, CodedVotes, once_per_person
from pipeline.agreement.aggregation.outcome import Note, Outcome, unresolved
from pipeline.agreement.aggregation.rules import Pool, category_label, values
from pipeline.contracts.aggregation_rules import Majority
from pipeline.contracts.decisions import RESOLVE

RULE: Final = "gold.resolve@1"
#: How many annotators are asked where the spec does not say.
TOP: Final = 30


def top_annotators(pool: Pool, outcomes: Sequence[Outcome]) -> list[str] | None:
    """Return the ids of the top-ranked annotators, best first; None if the spec asks none.

    Annotators are ranked by their share of votes for the majority's label, ties by id. Their own
    votes are part of the majority. Whoever has fewer than `exclusion.minimum_items` items with a
    majority is not ranked.
    """
    rule = pool.spec.aggregation
    if not isinstance(rule, Majority) or rule.otherwise != "top_annotators":
        return None
    codes, values_ = pool.coded
    place = {category_label(value, pool.spec): code for code, value in enumerate(values_)}
    gold = np.array([place.get(o.label or "", NONE) for o in outcomes] or [NONE])
    theirs = gold[pool.counted.item]
    voters = pool.counted.annotator
    valid = (theirs != NONE) & (voters != NONE)
    names = pool.counted.names.annotators
    items = np.bincount(voters[valid], minlength=len(names)).tolist()
    agreed = np.bincount(voters[valid & (theirs == codes)], minlength=len(names)).tolist()
    ranked = [who for who in range(len(names)) if items[who] >= pool.spec.exclusion.minimum_items]
    ranked.sort(key=lambda who: (-Fraction(agreed[who], items[who]), names[who]))
    return [names[who] for who in ranked[: rule.top or TOP]]


def resolve(
    outcomes: Sequence[Outcome],
    pool: Pool,
    votes: CodedVotes,
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
    here = votes.only(votes.in_rounds([RESOLVE]) & (votes.label != NONE))
    asked = [i for i, outcome in enumerate(outcomes) if outcome.queue == "top_annotators"]
    items = here.names.items
    late = here.item[~np.isin(here.item, [*asked, *held])].tolist()
    notes = [note for item in late for note in unneeded(items[item], "the top annotators", 1)]
    wanted = here.only(np.isin(here.item, sorted({*asked} - {*held})))
    answers, more = once_per_person(wanted, last=True)
    codes, names = values(answers, pool.task)
    best = {code for code, name in enumerate(answers.names.annotators) if name in top}
    results = list(outcomes)
    for item, start, end in answers.slices():
        known = outcomes[item].evidence["counts"]
        chosen: Counter[str] = Counter()
        for i in range(start, end):
            value, who = names[codes[i]], answers.who(i)
            if int(answers.annotator[i]) not in best:
                reason = f"{who} is not among the top-ranked annotators"
                notes.append(Note(items[item], "vote.not_top@1", reason))
            elif value not in known:
                reason = f"{who} chose a label nobody had given"
                notes.append(Note(items[item], "vote.not_given@1", reason))
            else:
                chosen[value] += 1
        if chosen:
            results[item] = _resolved(outcomes[item], chosen, pool)
    return results, [*notes, *more]


def _resolved(outcome: Outcome, chosen: Counter[str], pool: Pool) -> Outcome:
    round_ = pool.spec.round(RESOLVE)
    planned = max(chosen.total(), round_.per_item if round_ else 1)
    facts = {"counts": dict(sorted(chosen.items())), "voters": chosen.total()}
    evidence = {**outcome.evidence, "resolve": facts}
    leading, most = min(chosen.items(), key=lambda pair: (-pair[1], pair[0]))
    if 2 * most > planned:
        label = category_label(leading, pool.spec)
        share = outcome.evidence["counts"][leading] / outcome.votes
        return Outcome("gold", RULE, outcome.votes, label, agreement=share, evidence=evidence)
    if chosen.total() < planned:
        return replace(outcome, evidence=evidence)
    return unresolved(RULE, outcome.votes, "no_majority_of_top", "expert", evidence)
