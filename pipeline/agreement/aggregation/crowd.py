"""Crowd models beside the majority: what Dawid-Skene, MACE or GLAD make of the same votes.

They decide nothing: their label and its probability stand in the evidence, and the summary counts
where they differ from gold. Sources: Dawid and Skene 1979; Hovy et al. 2013 (MACE); Whitehill et
al. 2009 (GLAD); computed by crowd-kit, which is the extra `crowd`.
"""

from __future__ import annotations

import importlib
import math
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final

import numpy as np

from pipeline.agreement.aggregation.eligible_votes import NONE
from pipeline.agreement.aggregation.outcome import Outcome
from pipeline.agreement.aggregation.rules import Pool, category_label
from pipeline.core.errors import MissingDependencyError
from pipeline.core.files import refuse

#: The class of each model and its options. MACE begins every restart from the one seed it is given,
#: so that one start does what its ten would.
MODELS: Final[dict[str, tuple[str, Mapping[str, Any]]]] = {
    "dawid_skene": ("DawidSkene", {"n_iter": 100}),
    "mace": ("MACE", {"n_restarts": 1, "random_state": 0}),
    "glad": ("GLAD", {}),
}
SEED: Final = 0
#: Probabilities are rounded to so many digits; two labels that are then equal are a tie.
DIGITS: Final = 6


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
    votes = pool.counted
    named = votes.annotator != NONE
    if len(np.unique(votes.annotator[named])) < 2:
        return "the votes have no annotators to tell apart", {}
    if len(np.unique(codes[named])) < 2:
        return "all votes name one label", {}
    try:
        library = importlib.import_module("crowdkit.aggregation")
    except ImportError:
        raise MissingDependencyError(
            "crowd-kit", "install it with: pip install 'klue-rebuild[crowd]'"
        ) from None
    kind, options = MODELS[name]
    frame = importlib.import_module("pandas").DataFrame(  # pandas comes with crowd-kit
        {
            "task": votes.item[named],
            "worker": votes.annotator[named],
            "label": [values[code] for code in codes[named]],  # texts: it takes 0 for False
        }
    )
    with _own_chance():
        table = getattr(library, kind)(**options).fit_predict_proba(frame)
    columns = [str(column) for column in table.columns]
    guesses = {
        int(item): _best(columns, row)
        for item, row in zip(table.index.tolist(), table.to_numpy().tolist(), strict=True)
    }
    return None, dict(sorted(guesses.items()))


def _parse_models(names: str, pool: Pool) -> list[str]:
    chosen = list(MODELS) if names == "all" else [name.strip() for name in names.split(",")]
    unknown = ", ".join(name for name in chosen if name not in MODELS)
    refuse(
        "crowd models",
        (unknown, f"there is no {unknown!r}; allowed: {', '.join(MODELS)}, or all"),
        (
            pool.task.kind != "category",
            f"the answers of task {pool.task.id} are no categories: leave the option out",
        ),
    )
    return chosen


@contextmanager
def _own_chance() -> Iterator[None]:
    """Give a model its own seeded chance, and leave the global generators as they were."""
    numpys, pythons = np.random.get_state(), random.getstate()
    np.random.seed(SEED)
    random.seed(SEED)
    try:
        yield
    finally:
        np.random.set_state(numpys)
        random.setstate(pythons)


def _best(columns: Sequence[str], row: Sequence[float]) -> Guess:
    pairs = zip(row, columns, strict=True)
    (most, first), *others = sorted((-round(p, DIGITS), c) for p, c in pairs if not math.isnan(p))
    is_tie = bool(others) and others[0][0] == most
    return {"label": None if is_tie else first, "probability": -most}


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
