"""The items as rows of codes: small enough that all of a corpus can be searched in the page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from pipeline.report.audit.words import Record

#: So many items are in the page, the most disputed first; all are in the record.
MOST: Final = 30_000
_PART: Final = re.compile(r"^(?:\d+-)?\d+ (.*)$", re.DOTALL)


class Codes:
    """Values as numbers, in the order in which they were first seen."""

    def __init__(self, known: Iterable[str] = ()) -> None:
        """Start with the values that are known."""
        self.places: dict[str, int] = {name: i for i, name in enumerate(dict.fromkeys(known))}

    def __call__(self, value: object) -> int:
        """Return the code of a value; -1 stands for None."""
        if value is None:
            return -1
        return self.places.setdefault(str(value), len(self.places))

    @property
    def names(self) -> list[str]:
        """Return the values by code."""
        return list(self.places)


def items(record: Record, *, most: int = MOST) -> dict[str, Any]:
    """Return what the table of items is drawn from.

    `rows` are lists of item, source, answers, annotators, majority, disagreement, entropy,
    deviation, reports, seats, text, reason and whether offsets fit the text, cut after the last
    that says something; answers, annotators, sources and seats are codes into the lists of these
    names. `marks` has, for whole answers, the codes of the `labels` in each answer. Reported items
    are kept whatever their disagreement.
    """
    kept = chosen(record["per_item"], most)
    answers, people = (
        Codes(_labels(record)),
        Codes(sorted(record.get("per_annotator", {}), key=natural)),
    )
    sources, seats = Codes(), Codes()
    rows = [_row(row, answers, people, sources, seats) for row in kept]
    made = {
        "kind": record.get("kind"),
        "total": len(record["per_item"]),
        "answers": answers.names,
        "people": people.names,
        "sources": sources.names,
        "seats": seats.names,
        "rows": rows,
    }
    return made | _marks(record, answers.names)


def chosen(rows: Sequence[Any], most: int) -> list[Any]:
    """Return the first `most` rows and all that were reported, in their order."""
    if len(rows) <= most:
        return list(rows)
    return [row for place, row in enumerate(rows) if place < most or row.get("reports")]


def natural(text: str) -> list[tuple[int, int, str]]:
    """Return a key that sorts 2 before 10."""
    parts = re.split(r"(\d+)", text)
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts if part]


def ordered(record: Record) -> dict[str, int]:
    """Return the votes of each label: in the order of the spec, else sorted."""
    labels = {str(k): n for k, n in (record.get("distributions", {}).get("labels") or {}).items()}
    if record.get("spec") or record.get("kind") == "number":
        return labels
    return {name: labels[name] for name in sorted(labels, key=natural)}


def _labels(record: Record) -> list[str]:
    """Return the labels in the order in which filters offer them; whole answers have none."""
    if record.get("kind") not in ("category", "number"):
        return []
    return list(ordered(record))


def _row(
    row: Any,
    answers: Callable[[object], int],
    people: Callable[[object], int],
    sources: Callable[[object], int],
    seats: Callable[[object], int],
) -> list[Any]:
    by = [people(name) for name in row["by"]]
    made = [
        row["item"],
        sources(row.get("source")),
        [answers(value) for value in row["values"]],
        by if any(code >= 0 for code in by) else 0,
        answers(row["majority"]),
        row["disagreement"],
        row["entropy"] or 0,
        row["deviation"] or 0,
        dict(row.get("reports") or {}) or 0,
        [seats(seat) for seat in row.get("seats") or []] or 0,
        row.get("text") or 0,
        row.get("reason") or 0,
        1 if row.get("text_exact") else 0,
    ]
    while made[-1] == 0:
        made.pop()
    return made


def _marks(record: Record, answers: Sequence[str]) -> dict[str, Any]:
    """Return the labels that filters offer, and for whole answers those in each of them."""
    if record.get("kind") in ("category", "number"):
        return {"labels": list(answers)}
    if record.get("kind") == "states":
        return {"labels": []}
    labels = Codes(record.get("per_label") or {})
    found = [sorted({labels(name) for name in _parts(answer)}) for answer in answers]
    return {"labels": labels.names, "marks": found}


def _parts(answer: str) -> Iterable[str]:
    """Return the labels in an answer such as "0-3 PS, 7-9 LC" or "2 NP_SBJ, 0 VP"."""
    matches = (_PART.match(part) for part in answer.split(", "))
    return (match[1] for match in matches if match)
