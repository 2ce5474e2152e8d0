"""The tables of an audit, as pandas frames."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from klue_rebuild.tables import frame_of, frame_of_rows

if TYPE_CHECKING:
    import pandas as pd

_COEFFICIENT: Final = ("coefficient", "value", "low", "high", "n", "reason")
_LABEL: Final = ("label", "votes", "share", "agreement", "low", "high", "n")
_FLAG: Final = ("annotator", "code", "effect", "p", "q")


def audit_frames(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the frames of an `Audit` by their names."""
    from pipeline.agreement.items import items_table

    coefficients = ({"coefficient": name, **row} for name, row in record["coefficients"].items())
    return {
        "coefficients": frame_of_rows(coefficients, _COEFFICIENT),
        "per_annotator": _frame_of_numbers(_people(record), ("annotator", "votes")),
        "per_item": frame_of(items_table(record)),
        "per_label": frame_of_rows(_label_rows(record.get("per_label") or {}), _LABEL),
        "confusion": _confusion(record.get("confusion")),
        "flags": _frame_of_numbers(_flags(record), _FLAG),
    }


def _flags(record: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for name, row in (record.get("per_annotator") or {}).items():
        yield from ({"annotator": name, **flag} for flag in row.get("flags", ()))


def _people(record: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for name, row in (record.get("per_annotator") or {}).items():
        codes = ", ".join(flag["code"] for flag in row.get("flags", ()))
        yield {"annotator": name, **row, "flags": codes}


def _label_rows(labels: Mapping[str, Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    for label, row in labels.items():
        agreement = row.get("agreement") or {}
        yield {"label": label, **row, **agreement, "agreement": agreement.get("value")}


def _frame_of_numbers(rows: Iterable[Mapping[str, Any]], first: Sequence[str]) -> pd.DataFrame:
    """Return rows with those of their values that are numbers or texts, `first` columns first."""
    every = list(rows)
    plain = [name for row in every for name, value in row.items() if _is_plain(value)]
    return frame_of_rows(every, list(dict.fromkeys((*first, *plain))))


def _is_plain(value: object) -> bool:
    return value is None or isinstance(value, str | int | float)


def _confusion(confusion: Mapping[str, Any] | None) -> pd.DataFrame:
    import pandas as pd

    labels = confusion["labels"] if confusion else []
    counts = confusion["counts"] if confusion else None
    return pd.DataFrame(counts, index=labels, columns=labels)
