"""Small pools of annotators with known faults, for the tests of the audit.

People differ in skill, items in difficulty, and wrong labels are not spread evenly: each label has
one that it is mostly taken for.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import numpy as np
import pyarrow as pa

from pipeline.agreement.coefficients.estimates import generator
from pipeline.core import schemas
from pipeline.core.jsontext import canonical

START = datetime(2024, 3, 4, tzinfo=UTC)


@dataclass(frozen=True)
class Pool:
    """What a pool looks like: `labels` is None for scores from 0 to 5.

    `bad` names one annotator of a sort each; the second of a sort is SORT-2.
    """

    items: int
    per_item: int
    good: int
    labels: int | None
    bad: tuple[str, ...] = ()


CATEGORIES = Pool(2000, 3, 13, 7, ("random", "constant", "drifting"))
RELATIONS = Pool(2000, 3, 16, 30, ("random", "constant", "drifting"))
SCORES = Pool(600, 7, 15, None, ("random", "constant", "off_by_one", "drifting"))


def votes(pool: Pool, seed: int, *, timed: bool = True) -> pa.Table:
    """Return the votes of a pool; good people are called sim-good-NN, bad ones sim-SORT."""
    chance = generator(seed, f"test.pool.{pool.labels}")
    names = [f"sim-good-{i:02d}" for i in range(pool.good)] + [f"sim-{bad}" for bad in pool.bad]
    sorts = np.array(["good"] * pool.good + [bad.partition("-")[0] for bad in pool.bad])
    ease = chance.beta(6, 1.5, pool.items)
    seats = np.argsort(chance.random((pool.items, len(names))), axis=1)[:, : pool.per_item]
    answer = _labels if pool.labels else _scores
    given = answer(pool, chance, ease, seats, sorts)
    many, shape = given.size, given.shape
    label = given.ravel().tolist()
    minutes = np.repeat(np.arange(pool.items), pool.per_item).tolist()
    columns: dict[str, object] = {
        "item": np.repeat([f"item-{i:05d}" for i in range(shape[0])], shape[1]),
        "task": ["tc" if pool.labels else "sts"] * many,
        "role": ["annotator"] * many,
        "round": ["main"] * many,
        "attempt": pa.array([1] * many, pa.int8()),
        "simulated": [True] * many,
        "annotator": [names[who] for who in seats.ravel().tolist()],
        "label": [canonical(f"L{value:02d}" if pool.labels else value) for value in label],
        "at": [START + timedelta(minutes=minute) if timed else None for minute in minutes],
    }
    empty = {f.name: pa.nulls(many, f.type) for f in schemas.VOTES if f.name not in columns}
    table = pa.table({**columns, **empty}).select(schemas.VOTES.names)
    return schemas.check(table.cast(schemas.VOTES), "votes")


def _labels(
    pool: Pool, chance: np.random.Generator, ease: np.ndarray, seats: np.ndarray, sorts: np.ndarray
) -> np.ndarray:
    """Return labels: right with the person's skill where the item is easy, mostly one confusion."""
    assert pool.labels is not None
    prior = 1 / np.arange(1, pool.labels + 1) ** 0.7
    prior /= prior.sum()
    truth = chance.choice(pool.labels, pool.items, p=prior)[:, None]
    skill = chance.uniform(0.75, 0.98, len(sorts))[seats]
    left = 1 - np.arange(pool.items)[:, None] / pool.items
    sort = sorts[seats]
    right = skill * (0.35 + 0.65 * ease[:, None]) * np.where(sort == "drifting", left, 1.0)
    other = chance.choice(pool.labels, seats.shape, p=prior)
    wrong = np.where(chance.random(seats.shape) < 0.6, (truth + 1) % pool.labels, other)
    given = np.where(chance.random(seats.shape) < right, truth, wrong)
    given = np.where(sort == "random", chance.integers(pool.labels, size=seats.shape), given)
    return np.where(sort == "constant", 1, given)


def _scores(
    pool: Pool, chance: np.random.Generator, ease: np.ndarray, seats: np.ndarray, sorts: np.ndarray
) -> np.ndarray:
    """Return scores from 0 to 5: true score, a small bias, noise that grows with difficulty."""
    truth = chance.uniform(0, 5, pool.items)[:, None]
    bias = chance.normal(0, 0.15, len(sorts))[seats]
    noise = chance.uniform(0.4, 0.9, len(sorts))[seats] * (1.6 - ease[:, None])
    side = 1 if chance.random() < 0.5 else -1
    gone = 2.0 * np.arange(pool.items)[:, None] / pool.items
    sort = sorts[seats]
    score = truth + bias + chance.normal(0, 1, seats.shape) * noise
    score = score - side * np.where(sort == "drifting", gone, 0.0)
    whole = np.floor(score + 0.5).astype(np.int64) + side * (sort == "off_by_one")
    whole = np.where(sort == "random", chance.integers(6, size=seats.shape), whole)
    return np.clip(np.where(sort == "constant", 3, whole), 0, 5)
