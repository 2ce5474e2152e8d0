"""What cleaning decided, row by row, and the ledger made of it.

A rule may touch a text more than once; the ledger has one row for a rule and a unit, with the
counts added up, and a drop stands for the edits that the same rule made before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import pyarrow as pa

from pipeline.core.schemas import LEDGER
from pipeline.corpus.rules.noise import Counts

Action = Literal["edit", "drop"]
_LENGTH = "characters fewer"


class Outcome(NamedTuple):
    """What a rule did to a text.

    `text` is None where the unit goes; `score` is the number that decided; `settled` says that the
    text must not be gone over again.
    """

    text: str | None
    counts: Counts
    score: float | None = None
    settled: bool = False


class Event(NamedTuple):
    """One decision on one row. `reason` says what was found and how often, without any text."""

    action: Action
    reason: str
    score: float | None


class Journal:
    """The decisions on the rows of one batch; a decision is named by (row, order of the rule)."""

    def __init__(self) -> None:
        """Start without decisions."""
        self._edits: dict[tuple[int, int], dict[str, int]] = {}
        self._drops: dict[tuple[int, int], Event] = {}
        self.dropped: set[int] = set()
        self.settled: set[int] = set()

    def note(self, row: int, order: int, text: str, outcome: Outcome) -> str | None:
        """Write down what a rule did to the text of a row; return what is left of it."""
        if outcome.text is None:
            self.dropped.add(row)
            reason = _reason(dict(outcome.counts))
            self._drops[row, order] = Event("drop", reason, outcome.score)
        elif outcome.text != text:
            counts = self._edits.setdefault((row, order), {_LENGTH: 0})
            counts[_LENGTH] += len(text) - len(outcome.text)
            for kind, number in outcome.counts:
                counts[kind] = counts.get(kind, 0) + number
            if outcome.settled:
                self.settled.add(row)
        return outcome.text

    def events(self) -> list[tuple[int, int, Event]]:
        """Return (row, order of the rule, decision), sorted by both."""
        edits = {key: Event("edit", _reason(c), None) for key, c in self._edits.items()}
        return [(*key, event) for key, event in sorted((edits | self._drops).items())]

    def ledger(self, batch: pa.RecordBatch, rule_ids: Sequence[str], stage: str) -> pa.RecordBatch:
        """Return the decisions as ledger rows; `batch` holds id and source of the rows."""
        events = self.events()
        rows = pa.array([row for row, _, _ in events], pa.int64())
        columns = {
            "unit": batch.column("id").take(rows),
            "source": batch.column("source").take(rows),
            "stage": pa.array([stage] * len(events), pa.string()),
            "rule": pa.array([rule_ids[order] for _, order, _ in events], pa.string()),
            "action": pa.array([event.action for _, _, event in events], pa.string()),
            "reason": pa.array([event.reason for _, _, event in events], pa.string()),
            "score": pa.array([event.score for _, _, event in events], pa.float64()),
            "file": pa.nulls(len(events), pa.string()),
            "line": pa.nulls(len(events), pa.int64()),
        }
        return pa.RecordBatch.from_arrays([columns[name] for name in LEDGER.names], schema=LEDGER)


def _reason(counts: dict[str, int]) -> str:
    """Say ``zero-width 2, line 1; 3 characters fewer``."""
    found = ", ".join(f"{kind} {number}" for kind, number in counts.items() if kind != _LENGTH)
    return found if _LENGTH not in counts else f"{found}; {counts[_LENGTH]} {_LENGTH}"
