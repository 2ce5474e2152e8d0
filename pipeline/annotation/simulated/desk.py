"""The items of a round as annotators find them on their desks: with truth, chance and reports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from pipeline.annotation.simulated import objecting
from pipeline.annotation.simulated.chance import Chance
from pipeline.annotation.simulated.truth import Truth, Truths
from pipeline.contracts.spec import Round, TaskSpec
from pipeline.contracts.task import Fields
from pipeline.core.jsontext import parsed


@dataclass(frozen=True)
class Paper:
    """An item: `reporters` report it for `reason` instead of answering."""

    fields: Fields
    truth: Truth
    chance: Chance
    source: str | None
    reason: str | None
    reporters: frozenset[str]


class Desk(dict[str, Paper]):
    """The items by id, each looked up once. Reports come in the first round alone."""

    def __init__(
        self,
        items: pa.Table,
        assignments: pa.Table,
        spec: TaskSpec,
        round_: Round,
        seed: int,
        truths: Truths,
    ) -> None:
        """Take the items, and who they are assigned to."""
        super().__init__()
        self._spec, self._round, self._seed, self._truths = spec, round_, seed, truths
        self._rows = {row["item"]: row for row in items.to_pylist()}
        self._assigned: dict[str, list[str]] = {}
        columns = (assignments.column(name).to_pylist() for name in ("item", "annotator"))
        for item, who in zip(*columns, strict=True):
            self._assigned.setdefault(item, []).append(who)

    def __missing__(self, name: str) -> Paper:
        """Look an item up."""
        row = self._rows[name]
        fields, chance = parsed(row["fields"]), Chance(self._seed, name)
        truth = self._truth(row, fields, chance)
        reason = None
        if self._round.id == self._spec.rounds[0].id:
            reason = objecting.reason(truth, row["sampler"], self._spec, chance)
        seen_by = self._assigned[name] if reason else []
        who = objecting.reporters(name, truth, seen_by, self._seed)
        self[name] = Paper(fields, truth, chance, row["source"], reason, frozenset(who))
        return self[name]

    def _truth(self, row: Mapping[str, Any], fields: Fields, chance: Chance) -> Truth:
        if self._round.answer == "hypotheses":
            return self._truths.hypotheses(str(fields["premise"]))
        gold = parsed(row["gold"]) if row["gold"] is not None else None
        meta = parsed(row["meta"]) if row["meta"] is not None else None
        return self._truths.of(
            fields,
            item=row["item"],
            turn=chance.at("which"),
            gold=gold,
            meta=meta if isinstance(meta, dict) else None,
        )
