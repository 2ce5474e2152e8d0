"""Eight answers about the NER sample, as a hand may mark them, and what each is taken as."""

from __future__ import annotations

from typing import Any, Final

#: (start, end, label) of each region.
Marked = list[tuple[int, int, str]]
#: The regions, and the spans that they are taken as (text, label), or why they are refused.
EIGHT: Final[dict[str, tuple[Marked, list[tuple[str, str]] | str]]] = {
    "apart": ([(2, 5, "PS"), (19, 23, "OG")], [("김도담", "PS"), ("한울전자", "OG")]),
    "touching": ([(7, 9, "DT"), (9, 12, "DT")], [("3월", "DT"), ("2일", "DT")]),
    "blanks at the ends": ([(1, 5, "PS"), (18, 23, "OG")], [("김도담", "PS"), ("한울전자", "OG")]),
    "twice the same": ([(2, 5, "PS"), (1, 5, "PS")], [("김도담", "PS")]),
    "none": ([], []),
    "overlapping": ([(2, 5, "PS"), (4, 7, "OG")], "they overlap"),
    "nested": ([(7, 12, "DT"), (10, 11, "QT")], "one lies in the other"),
    "one place, two types": ([(2, 5, "PS"), (2, 5, "OG")], "marked twice"),
}


def regions(text: str, marked: Marked) -> list[dict[str, Any]]:
    """Return what the editor would submit for these spans."""
    return [
        {
            "id": f"r{number}",
            "from_name": "spans",
            "to_name": "text",
            "type": "labels",
            "value": {"start": start, "end": end, "text": text[start:end], "labels": [label]},
        }
        for number, (start, end, label) in enumerate(marked)
    ]
