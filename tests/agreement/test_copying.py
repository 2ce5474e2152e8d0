"""Two who copy are named with their colleague; good people, or those of few items, are not."""

from __future__ import annotations

import numpy as np
from vote_tables import Row, table

from pipeline.agreement.annotators.flags import Flag, judge_annotators
from pipeline.agreement.votes.selection import select

LABELS = np.array(["x", "y", "z"])


def pool(seed: int, *, items: int, copiers: tuple[str, ...], accuracy: float = 0.8) -> list[Row]:
    """Return votes of six people on all items; copiers give what `p0` gives."""
    chance = np.random.default_rng(seed)
    rows: list[Row] = []
    for item in range(items):
        truth = chance.integers(3)
        given = [
            truth if chance.random() < accuracy else (truth + chance.integers(1, 3)) % 3
            for _ in range(6)
        ]
        for who, label in enumerate(given):
            own = given[0] if f"p{who}" in copiers else label
            rows.append((f"i{item:03d}", f"p{who}", str(LABELS[own])))
    return rows


def copies(rows: list[Row]) -> dict[str, Flag]:
    found = judge_annotators(select(table(rows), level="nominal")).flags
    return {name: flag for name, own in found.items() for flag in own if flag.code == "copying"}


def test_a_pair_is_named_with_items_on_which_both_err() -> None:
    rows = pool(1, items=80, copiers=("p3",))
    found = copies(rows)
    assert set(found) == {"p0", "p3"}
    assert "p3" in found["p0"].text and "p0" in found["p3"].text
    answers = {(item, who): label for item, who, label in rows}
    first = found["p3"].items[0]
    others = [answers[first, f"p{who}"] for who in (1, 2, 4, 5)]
    assert answers[first, "p0"] == answers[first, "p3"]
    assert others.count(answers[first, "p0"]) < 2


def test_a_group_is_named_together() -> None:
    found = copies(pool(2, items=120, copiers=("p3", "p4")))
    assert set(found) == {"p0", "p3", "p4"}
    assert all(name in found["p0"].text for name in ("p3", "p4"))


def test_people_of_great_skill_do_not_copy() -> None:
    assert not any(copies(pool(seed, items=80, copiers=(), accuracy=0.97)) for seed in range(10))


def test_few_items_prove_nothing() -> None:
    assert copies(pool(3, items=24, copiers=("p3",))) == {}
