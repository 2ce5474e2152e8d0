"""How the labels of inference pairs were validated: Table 5."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import pyarrow as pa

from pipeline.contracts.aggregation_rules import Majority
from pipeline.contracts.spec import TaskSpec
from pipeline.report.quality.statistics import each, grid, ratio
from pipeline.report.record import Column, Table

_ROWS: Final = {
    "unanimous": "Pairs whose labels are all equal",
    "individual_equals_gold": "Validators' labels = gold label",
    "individual_equals_gold_of_all": "Labels = gold label, the author's counted",
    "individual_equals_author": "Validators' labels = author's label",
    "individual_equals_author_of_all": "Labels = author's label, the author's counted",
    "gold_equals_author": "Gold label = author's label",
    "gold_differs_from_author": "Gold label ≠ author's label",
    "no_gold": "No gold label",
}
Given = tuple[str, str]


@dataclass(frozen=True)
class _Pair:
    """The labels of a pair, (role, label) each, and its gold label."""

    labels: tuple[Given, ...]
    gold: str | None

    @property
    def author(self) -> str | None:
        return next((label for role, label in self.labels if role == "author"), None)

    def equal(self, wanted: str | None, *, all_: bool) -> tuple[int, int]:
        """Return how many labels equal a wanted one, and how many there are."""
        among = [label for role, label in self.labels if all_ or role != "author"]
        return (sum(one == wanted for one in among), len(among)) if wanted else (0, 0)


def validation_table(votes: pa.Table, spec: TaskSpec) -> list[Table]:
    """Return Table 5 from the labels that were given to pairs; none where there is no label.

    Shares of pairs are of all pairs with at least two labels. Gold is the majority that the spec
    wants, so pairs without it are counted; labels equal to gold are shares of the labels of pairs
    with gold. The last attempt of every annotator counts.
    """
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for pair in _pairs(votes, spec):
        for row, (part, whole) in _facts(pair).items():
            counts[row].update(part=part, whole=whole)
    if not counts:
        return []

    def cell(row: str, column: str) -> int | float | None:
        found = counts[row]
        return found["whole"] if column == "of" else ratio(found["part"], found["whole"])

    table = grid(
        "nli-validation",
        "Validation of labels",
        heads=("Statistic",),
        rows={row: (title,) for row, title in _ROWS.items()},
        columns={"share": Column("Share", "share"), "of": Column("Of so many")},
        cell=cell,
        paper="Table 5",
    )
    return [table]


def _facts(pair: _Pair) -> dict[str, tuple[int, int]]:
    author, gold = pair.author, pair.gold
    return {
        "unanimous": (len({label for _, label in pair.labels}) == 1, 1),
        "individual_equals_gold": pair.equal(gold, all_=False),
        "individual_equals_gold_of_all": pair.equal(gold, all_=True),
        "individual_equals_author": pair.equal(author, all_=False),
        "individual_equals_author_of_all": pair.equal(author, all_=True),
        "gold_equals_author": (gold is not None and gold == author, author is not None),
        "gold_differs_from_author": (None not in (gold, author) and gold != author, bool(author)),
        "no_gold": (gold is None, 1),
    }


def _pairs(votes: pa.Table, spec: TaskSpec) -> Iterator[_Pair]:
    allowed, given = set(spec.ids()), dict[str, dict[object, tuple[int, Given]]]()
    columns = ("item", "role", "round", "annotator", "seat", "attempt", "label")
    for item, role, round_, annotator, seat, attempt, label in each(votes, *columns):
        if not isinstance(label, str) or label not in allowed:
            continue  # what the author wrote, or a report
        seats = given.setdefault(item, {})
        key = (role, round_, annotator, seat)
        if key not in seats or seats[key][0] <= attempt:
            seats[key] = (attempt, (role, label))
    for seats in given.values():
        labels = tuple(one for _, one in seats.values())
        if len(labels) > 1:
            yield _Pair(labels, _gold(labels, spec))


def _gold(labels: tuple[Given, ...], spec: TaskSpec) -> str | None:
    rule = spec.aggregation
    assert isinstance(rule, Majority)
    counted = [label for role, label in labels if role in rule.roles]
    leader, top = Counter(counted).most_common(1)[0] if counted else ("", 0)
    enough = len(counted) >= rule.minimum and top >= rule.needed and 2 * top > len(counted)
    return leader if enough else None
