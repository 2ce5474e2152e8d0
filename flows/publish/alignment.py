"""Official examples beside the raw units they are from, and the rules that drop these units."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

import pyarrow as pa

from flows.lineage.outputs import Outputs
from flows.publish.corpus import FILTERS, all_ledgers, segmented_units
from pipeline.contracts.parts import load_part
from pipeline.contracts.task import Fields
from pipeline.core import schemas
from pipeline.release.checks.contents import KEPT
from pipeline.release.leakage.compare import Bag, Match, by_example, compare, key, rank, side

#: The split in which all examples are compared.
_ALL: Final = "train"


class Aligned(NamedTuple):
    """The likest raw unit of an example, and the rule that drops it from a build, if one does."""

    unit: str
    source: str
    match: Match
    rule: str | None = None

    @property
    def how(self) -> str:
        """Return whether the example has the unit's own wording."""
        return "exact" if self.match.kind == "exact" else "edited"


def align(tables: Mapping[str, pa.Table], outputs: Outputs) -> dict[str, dict[str, Aligned]]:
    """Return the raw unit of each example (EXAMPLES by task) that is from a corpus, by guid.

    An exact match has the words of the unit, an edited one is a near-duplicate of it or stands in
    it. Units are compared as segmented, before any rule, duplicates among them; what a build leaves
    out as whole documents has no units. The corpus is read shard by shard.
    """
    sides = {
        task: side(_in_one_split(table), _ALL, partial(_texts, texts.fields))
        for task, table in tables.items()
        if (texts := getattr(load_part(task, "official"), "TEXTS", None))
    }
    best: dict[str, dict[str, Aligned]] = {task: {} for task in tables}
    for source, units in segmented_units(outputs):
        rows = [
            (name, words)
            for name, text in schemas.rows(units, "id", "text")
            if (words := key(text))
        ]
        bag = Bag([words for _, words in rows])
        for task, of in sides.items() if rows else ():
            for guid, match in by_example(of, compare(of.bag, bag, both=False)):
                found = Aligned(rows[match.other][0], source, match)
                best[task][guid] = min(best[task].get(guid, found), found, key=_order)
    rules = _drops(outputs, {one.unit for of in best.values() for one in of.values()})
    return {
        task: {guid: one._replace(rule=rules.get(one.unit)) for guid, one in of.items()}
        for task, of in best.items()
    }


def ledger_rows(aligned: Mapping[str, Aligned]) -> Iterator[dict[str, object]]:
    """Yield a row for each aligned example: the rule that would have dropped it, or none."""
    for guid, one in sorted(aligned.items()):
        yield {
            **{"unit": guid, "source": one.source, "stage": KEPT, "action": "keep"},
            **{"rule": one.rule or f"official.aligned.{one.how}@1", "score": one.match.score},
            "reason": f"raw unit {one.unit}, {one.how}" + ", which a build drops" * bool(one.rule),
        }


def summary(aligned: Mapping[str, Aligned], examples: int) -> dict[str, Any]:
    """Return how many examples are aligned, how, and what would have dropped them."""
    how = Counter(one.how for one in aligned.values())
    rules = Counter(one.rule for one in aligned.values() if one.rule)
    return {
        **{name: how[name] for name in ("exact", "edited")},
        "none": examples - len(aligned),
        "dropped": dict(sorted(rules.items())),
    }


def _order(one: Aligned) -> tuple[tuple[int, float], str]:
    return rank(one.match)[:2], one.unit


def _in_one_split(table: pa.Table) -> pa.Table:
    place = table.schema.get_field_index("split")
    return table.set_column(place, table.schema.field(place), pa.array([_ALL] * table.num_rows))


def _texts(names: Sequence[str], fields: Fields, _label: Any) -> list[str]:
    return [fields[name] for name in names]


def _drops(outputs: Outputs, units: set[str]) -> dict[str, str]:
    """Return the first rule that drops each of some units."""
    rules: dict[str, str] = {}
    for ledger in all_ledgers(outputs):
        for unit, stage, action, rule in schemas.rows(ledger, "unit", "stage", "action", "rule"):
            if action == "drop" and stage in FILTERS and unit in units:
                rules.setdefault(unit, rule)
    return rules
