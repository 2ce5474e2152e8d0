"""The draft of a shard of sampling: what it drew and refused, and the tables that this gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import pyarrow as pa

from pipeline.core import schemas
from pipeline.core.ids import candidate_id, record_id
from pipeline.core.jsontext import canonical
from pipeline.core.stage import Outcome

#: The stage of all candidates, in the ledger and in the store.
STAGE_NAME: Final = "candidates"

#: Decisions held as rows before they become a table, which takes a tenth of the memory.
HELD: Final = 8_192

Row = dict[str, Any]


@dataclass
class Draft:
    """The candidates of one task from one source, with their evidence, and the refused units.

    Every unit of the input is drawn (for one item or more), refused once, or left undrawn. `stage`
    is the stage that the ledger names.
    """

    task: str
    source: str
    items: list[Row] = field(default_factory=list)
    drawn: list[Row] = field(default_factory=list)
    stage: str = STAGE_NAME
    _notes: list[Row] = field(default_factory=list, repr=False)
    _written: list[pa.Table] = field(default_factory=list, repr=False)

    def add(
        self,
        fields: Mapping[str, Any],
        units: Mapping[str, str] | Sequence[tuple[str, str]],
        *,
        sampler: str,
        meta: Mapping[str, Any] | None = None,
        parts: tuple[str, ...] = (),
    ) -> str:
        """Add a candidate and return its id.

        `units` are the (role, unit id) pairs it is made from, `meta` its evidence (the unit ids are
        added to it under `units`); `parts` distinguish it from other candidates of the same units.
        """
        pairs = list(units.items()) if isinstance(units, Mapping) else list(units)
        unit_ids = [unit for _, unit in pairs]
        item = candidate_id(self.task, *unit_ids, *parts)
        self.items.append(
            {
                "item": item,
                "task": self.task,
                "fields": canonical(dict(fields)),
                "source": self.source,
                "sampler": sampler,
                "meta": canonical({**(meta or {}), "units": unit_ids}),
            }
        )
        self.drawn += [
            {"item": item, "task": self.task, "unit": u, "source": self.source, "role": role}
            for role, u in pairs
        ]
        return item

    def refuse(self, unit: str, rule: str, reason: str, *, score: float | None = None) -> None:
        """Refuse a unit under the rule ``TASK.NAME@VERSION``; the reason holds no text of it."""
        self._note(unit, rule, "drop", reason, score=score)

    def edit(self, unit: str, rule: str, reason: str, *, score: float | None = None) -> None:
        """Note that part of the evidence about a unit was left out; the unit itself stays."""
        self._note(unit, rule, "edit", reason, score=score)

    def short(self, name: str, *, wanted: int, drawn: int) -> None:
        """Note a quota that was not met; does nothing for one that was."""
        if drawn < wanted:
            unit = f"{self.task}:{self.source}:{name}"
            reason = f"{name}: {wanted} wanted, {drawn} drawn"
            self._note(unit, f"{self.task}.quota@1", "short", reason, score=wanted - drawn)

    def fault(
        self, file: str, line: int, rule: str, reason: str, *, source: str | None = None
    ) -> None:
        """Quarantine a record of a resource (triples, infoboxes, translations) by file and line."""
        place = source or self.source
        unit = record_id(place, file, line)
        self._note(unit, rule, "quarantine", reason, source=place, file=file, line=line)

    @property
    def ledger(self) -> pa.Table:
        """Return the ledger so far, in the order of the decisions."""
        return pa.concat_tables([*self._written, schemas.build("ledger", self._notes)])

    def outcome(self, ids: pa.Array | None = None) -> Outcome:
        """Return the tables of the shard: items, drawn, ledger; items in the order of adding.

        `ids` are the ids of all units of the input, which conservation is checked against.
        """
        tables = {
            "items": schemas.build("items", self.items),
            "drawn": schemas.build("drawn", self.drawn),
            "ledger": self.ledger,
        }
        ids = pa.array([], pa.string()) if ids is None else ids
        return Outcome(len(ids), tables, ids)

    def _note(
        self,
        unit: str,
        rule: str,
        action: str,
        reason: str,
        *,
        score: float | None = None,
        **at: Any,
    ) -> None:
        row: Row = {"unit": unit, "source": self.source, "stage": self.stage, "rule": rule}
        row |= {"action": action, "reason": reason, "file": None, "line": None}
        self._notes.append(row | {"score": None if score is None else float(score)} | at)
        if len(self._notes) == HELD:
            self._written.append(schemas.build("ledger", self._notes))
            self._notes = []


def merge_outcomes(outcomes: Sequence[Outcome]) -> Outcome:
    """Return the outcome of one shard that holds the tables of several, in their order."""
    tables = {
        name: pa.concat_tables([outcome.tables[name] for outcome in outcomes])
        for name in outcomes[0].tables
    }
    ids = pa.concat_arrays([outcome.inputs for outcome in outcomes if outcome.inputs is not None])
    return Outcome(len(ids), tables, ids)
