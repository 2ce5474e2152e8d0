"""The labelled pairs that items hold, whatever file they are from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import pyarrow as pa

from pipeline.core.ids import candidate_id
from pipeline.core.jsontext import parsed

#: One row a pair: its id, the id of its premise, source, hypothesis and label.
PAIRS: Final = pa.schema(
    [
        pa.field(name, pa.string(), nullable=False)
        for name in ("pair", "premise", "source", "hypothesis", "label")
    ]
)
_UNKNOWN: Final = "unknown"


def pairs_of(items: pa.Table, labels: Sequence[str], gold: Mapping[str, str] | None) -> pa.Table:
    """Return the pairs (PAIRS) of items (ITEMS) that have one of the `labels`, in their order.

    The label is that of `gold` by item id, if that is given, else the item's own. Hypotheses belong
    together that name the same item they were made from (`origin` in `meta`); official files name
    none, and there it is the text of the premise that tells.
    """
    rows = (_row(item, gold) for item in items.to_pylist())
    return pa.Table.from_pylist([row for row in rows if row["label"] in labels], schema=PAIRS)


def _row(item: Mapping[str, Any], gold: Mapping[str, str] | None) -> dict[str, Any]:
    fields = parsed(item["fields"])
    origin = parsed(item["meta"]).get("origin") if item["meta"] else None
    label = parsed(item["gold"]) if item["gold"] else None
    return {
        "pair": item["item"],
        "premise": origin or candidate_id("nli", "premise", fields["premise"]),
        "source": item["source"] or _UNKNOWN,
        "hypothesis": fields.get("hypothesis", ""),
        "label": label if gold is None else gold.get(item["item"]),
    }
