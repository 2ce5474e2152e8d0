"""Crowd models beside the rule: what Dawid-Skene, MACE or GLAD make of the same votes.

They decide nothing: their label and its probability stand in the evidence, and the summary counts
where they differ from gold. As the rule of a spec a model decides: crowd_rule.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pipeline.agreement.aggregation.crowd_models import DIGITS, MODELS, Probabilities, fit
from pipeline.agreement.aggregation.crowd_rule import most_probable
from pipeline.agreement.aggregation.eligible_votes import NONE
from pipeline.agreement.aggregation.outcome import Outcome
from pipeline.agreement.aggregation.rules import category_label
from pipeline.agreement.aggregation.tally import Pool
from pipeline.core.files import refuse

#: What a model makes of one item: its `label` (None where two are equally probable), `probability`.
Guess = dict[str, Any]


def apply(
    outcomes: Sequence[Outcome], pool: Pool, names: str
) -> tuple[list[Outcome], dict[str, Any]]:
    """Return the outcomes with each model's guess in their evidence, and a summary by model.

    `names` is one model, several with commas, or "all". Anonymous votes are left out; without at
    least two persons and two labels there is no result but a reason. Raises InputError for another
    name or a task without categories, MissingDependencyError without crowd-kit.
    """
    results = list(outcomes)
    summary: dict[str, Any] = {}
    for name in _parse_models(names, pool):
        reason, guesses = guess(pool, name)
        for item, best in guesses.items():
            evidence = results[item].evidence
            crowd = {**evidence.get("crowd", {}), name: best}
            results[item] = replace(results[item], evidence={**evidence, "crowd": crowd})
        summary[name] = {"reason": reason} if reason else _compare(outcomes, guesses, pool)
    return results, summary


def guess(pool: Pool, name: str) -> tuple[str | None, dict[int, Guess]]:
    """Return what a model makes of every item that has a vote with a name, or why nothing."""
    codes, values = pool.coded
    named = pool.counted.annotator != NONE
    if len(np.unique(pool.counted.annotator[named])) < 2:
        return "the votes have no annotators to tell apart", {}
    if len(np.unique(codes[named])) < 2:
        return "all votes name one label", {}
    table = fit(pool, name, [values[code] for code in codes[named]])
    return None, {item: _guess(row) for item, row in table.items()}


def _guess(probabilities: Probabilities) -> Guess:
    best = most_probable(probabilities, several=False)
    return {"label": best, "probability": round(max(probabilities.values()), DIGITS)}


def _parse_models(names: str, pool: Pool) -> list[str]:
    chosen = list(MODELS) if names == "all" else [name.strip() for name in names.split(",")]
    unknown = [repr(name) for name in chosen if name not in MODELS]
    refuse(
        "crowd models",
        (unknown, f"there is no {', '.join(unknown)}; allowed: {', '.join(MODELS)}, or all"),
        (
            pool.task.kind != "category",
            f"the answers of task {pool.task.id} are no categories: leave the option out",
        ),
    )
    return chosen


def _compare(
    outcomes: Sequence[Outcome], guesses: Mapping[int, Guess], pool: Pool
) -> dict[str, Any]:
    cells: Counter[tuple[str, str | None, str | None]] = Counter()
    compared = 0
    for item, best in guesses.items():
        outcome = outcomes[item]
        estimate = category_label(best["label"], pool.spec) if best["label"] is not None else None
        compared += outcome.status == "gold"
        if outcome.status != "gold" or estimate != outcome.label:
            cells[outcome.status, outcome.label, estimate] += 1
    rows = sorted(cells.items(), key=lambda cell: (-cell[1], tuple(map(str, cell[0]))))
    return {
        "items": len(guesses),
        "compared": compared,
        "differ": sum(n for (status, _, _), n in rows if status == "gold"),
        "table": [
            {"status": status, "gold": gold, "crowd": estimate, "items": n}
            for (status, gold, estimate), n in rows
        ],
    }
