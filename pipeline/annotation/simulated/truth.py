"""The answers that simulated annotators work from, found by the text of an item.

A truth file has the form of items (itemfile.py): `gold` is the answer of the task's main round, for
STS a score that may have decimals. Its `meta` may say how hard the item is (`difficulty`, from 0 to
1), for what reason careful readers report it (`report`), of a tree the morphemes (`lemmas`, `pos`),
and of an answer that its author had to correct the first attempt (`first`) and what the inspector
said of it (`feedback`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from pipeline.annotation.intake.itemfile import read_items
from pipeline.annotation.simulated import estimate
from pipeline.contracts.registry import TASKS
from pipeline.contracts.task import Fields, Task
from pipeline.core.errors import InputError
from pipeline.core.fingerprint import ROOT
from pipeline.core.jsontext import canonical, parsed

#: The truths of the sample.
ANSWERS: Final = ROOT / "data" / "sample" / "answers"
#: By which fields an item is known again; a list of words is as good as its text.
_KEYS: Final = {"dp": ("text",), "mrc": ("context",)}
#: What an item's `meta` may tell of its truth.
_TOLD: Final = ("difficulty", "report", "first", "feedback")


@dataclass(frozen=True)
class Truth:
    """What is right about an item.

    `answer` has the form of gold; `difficulty` is from 0 to 1, None where the file says nothing;
    `first` is the author's first attempt, None where that was the answer, and `feedback` what the
    inspector said of it; `estimated` marks what no person judged.
    """

    answer: Any
    difficulty: float | None = None
    report: str | None = None
    first: Any = None
    feedback: str | None = None
    estimated: bool = False


class Truths:
    """The truths of one task, by the text of their items."""

    def __init__(self, task: str, items: pa.Table | None = None) -> None:
        """Take items with gold; without them everything is estimated."""
        self.task = task
        self._known: dict[str, list[Truth]] = {}
        self._named: dict[tuple[str, str], Truth] = {}
        self._written: dict[str, dict[str, str]] = {}
        for row in items.to_pylist() if items is not None else []:
            self._add(row)
        self._titles = {key: known[0].answer for key, known in self._known.items()}

    def __len__(self) -> int:
        """Return how many items are known."""
        return sum(len(found) for found in self._known.values())

    def of(
        self,
        fields: Fields,
        *,
        item: str = "",
        turn: float = 0.0,
        gold: Any = None,
        meta: Fields | None = None,
    ) -> Truth:
        """Return the truth of an item, found by its text.

        Where a text has several (a passage its questions), it is that of the same `item`, or else
        `turn` in [0, 1) chooses, among questions of the type that was assigned. Of an
        unknown text it is its own `gold`, or else an estimate from the fields and the `meta` of the
        item.
        """
        key = _key(self.task, fields)
        same = self._named.get((item, key))
        if same is not None:
            return same
        found = [one for one in self._known.get(key, ()) if _is_assigned(one.answer, fields)]
        if found:
            return found[int(turn * len(found))]
        if gold is not None:
            return Truth(self._completed(gold, fields))
        return Truth(estimate.answer(self.task, fields, self._titles, meta), estimated=True)

    def hypotheses(self, premise: str) -> Truth:
        """Return what an author writes for a premise: a hypothesis for each label."""
        found = self._written.get(_squeezed(premise), {})
        if len(found) == len(estimate.LABELS):
            return Truth(dict(found))
        return Truth(estimate.hypotheses(premise), estimated=True)

    def _add(self, row: Mapping[str, Any]) -> None:
        fields = parsed(row["fields"])
        meta = parsed(row["meta"]) if row["meta"] else {}
        if row["gold"] is None:
            raise InputError(f"item {row['item']} of the truths has no `gold`; give it one")
        answer = self._completed(parsed(row["gold"]), fields, meta)
        told: dict[str, Any] = {name: meta[name] for name in _TOLD if name in meta}
        found = Truth(answer, **told)
        key = _key(self.task, fields)
        self._known.setdefault(key, []).append(found)
        self._named[row["item"], key] = found
        if self.task == "nli":
            written = self._written.setdefault(_squeezed(fields["premise"]), {})
            written[found.answer] = fields["hypothesis"]

    def _completed(self, gold: Any, fields: Fields, meta: Fields | None = None) -> Any:
        """Return gold; a tree gets its morphemes, from `meta` or estimated."""
        if self.task != "dp":
            return gold
        known = {key: value for key, value in (meta or {}).items() if key in ("lemmas", "pos")}
        return {**estimate.answer("dp", fields, {}), **known, **gold}


def load_truths(task: Task, folder: Path = ANSWERS) -> Truths:
    """Read TASK.jsonl of a folder; where there is none, everything is estimated.

    Raises InputError for a line that gives no item, and for an item without gold.
    """
    path = folder / f"{task.id}.jsonl"
    if not path.is_file():
        return Truths(task.id)
    items, refused = read_items(path, task)
    if refused:
        raise InputError(f"{path}:{refused[0].line}: {refused[0].reason}; correct the line")
    return Truths(task.id, items)


def truth_of(task: str, fields: Fields) -> Truth:
    """Return the sample's truth of an item, found by its text; unknown ones are estimated."""
    return _sample(task).of(fields)


@cache
def _sample(task: str) -> Truths:
    return load_truths(TASKS[task])


def _key(task: str, fields: Fields) -> str:
    if task == "re":
        spans = [[fields[side][end] for end in ("start", "end")] for side in ("subject", "object")]
        return canonical([_squeezed(fields["sentence"]), spans])
    names = _KEYS.get(task, TASKS[task].fields)
    return canonical([_squeezed(str(fields.get(name, ""))) for name in names])


def _is_assigned(answer: Any, fields: Fields) -> bool:
    """Tell whether a question is of the type that was assigned, if any was."""
    kind = fields.get("question_type")
    return kind is None or not isinstance(answer, dict) or answer.get("type", kind) == kind


def _squeezed(text: str) -> str:
    return " ".join(text.split())
