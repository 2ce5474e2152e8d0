"""Dawid-Skene, MACE and GLAD: what models that tell annotators apart make of votes.

Sources: Dawid and Skene 1979; Hovy et al. 2013 (MACE); Whitehill et al. 2009 (GLAD); computed by
crowd-kit, which is the extra `crowd`.
"""

from __future__ import annotations

import importlib
import math
import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, cast

import numpy as np

from pipeline.agreement.aggregation.eligible_votes import NONE
from pipeline.agreement.aggregation.tally import Pool
from pipeline.contracts.aggregation_rules import CrowdModel
from pipeline.core.errors import MissingDependencyError
from pipeline.core.extras import install_command
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
#: What a vote says of one of several labels.
_SAID: Final = {True: "named", False: "not_named"}
#: The probability of each label of one item, for several labels that of its being one of them.
Probabilities = Mapping[str, float]


def model_probabilities(pool: Pool) -> list[Probabilities]:
    """Return the probability of each label of every item by the model that the spec names.

    Of several labels each has its own model, of the votes that name it and those that do not.
    Items without a vote by anybody with a name have none. Raises InputError where fewer than two
    annotators have a name, MissingDependencyError without crowd-kit.
    """
    rule = cast(CrowdModel, pool.spec.aggregation)
    votes, (codes, values) = pool.counted, pool.coded
    named = votes.annotator != NONE
    people = len(np.unique(votes.annotator[named]))
    refuse(
        f"rule {rule.rule}",
        (
            people < 2,
            f"compares annotators, and {people or 'none'} of those whose votes count has a name;"
            " give votes of several annotators, or decide by majority",
        ),
    )
    given, items = [values[code] for code in codes[named]], range(len(votes.names.items))
    if pool.task.kind != "labels":
        table = fit(pool, rule.rule, given)
        return [table.get(item, {}) for item in items]
    names = sorted({*pool.spec.ids(), *(label for value in values for label in value)})
    tables = {n: fit(pool, rule.rule, [_SAID[n in value] for value in given]) for n in names}
    return [
        {n: table[item].get(_SAID[True], 0.0) for n, table in tables.items() if item in table}
        for item in items
    ]


def fit(pool: Pool, name: str, labels: Sequence[str]) -> dict[int, Probabilities]:
    """Return what a model makes of every item that has a vote with a name, by item.

    `labels` are those of these votes, in their order. Where all are one, that one is certain.
    Raises MissingDependencyError without crowd-kit.
    """
    votes = pool.counted
    named = votes.annotator != NONE
    library = _crowd_kit()
    if len(set(labels)) == 1:
        return {item: {labels[0]: 1.0} for item in np.unique(votes.item[named]).tolist()}
    kind, options = MODELS[name]
    frame = importlib.import_module("pandas").DataFrame(  # pandas comes with crowd-kit
        {
            "task": votes.item[named],
            "worker": votes.annotator[named],
            "label": labels,  # texts: it takes 0 for False
        }
    )
    with _own_chance():
        table = getattr(library, kind)(**options).fit_predict_proba(frame)
    columns = [str(column) for column in table.columns]
    rows = zip(table.index.tolist(), table.to_numpy().tolist(), strict=True)
    return {int(item): _rounded(dict(zip(columns, row, strict=True))) for item, row in sorted(rows)}


def _rounded(row: Mapping[str, float]) -> Probabilities:
    """Return probabilities rounded, so that no last digit decides, in the order of the labels."""
    rounded = {x: round(p, DIGITS) for x, p in sorted(row.items()) if not math.isnan(p)}
    total = sum(rounded.values())
    return {label: p / total for label, p in rounded.items()}


def _crowd_kit() -> Any:
    try:
        return importlib.import_module("crowdkit.aggregation")
    except ImportError:
        raise MissingDependencyError("crowd-kit", install_command("crowd")) from None


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
