"""What every record of the audit promises, whatever the votes are."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

KEYS = {
    "task",
    "level",
    "kind",
    "spec",
    "simulated",
    "seed",
    "bootstrap",
    "items",
    "items_shared",
    "annotators",
    "votes",
    "anonymous_votes",
    "reports",
    "report_reasons",
    "roles",
    "rounds",
    "left_out",
    "verdicts",
    "lead",
    "coefficients",
    "per_annotator",
    "pairs",
    "per_item",
    "confusion",
    "per_source",
    "per_label",
    "distributions",
    "facts",
    "facts_about",
    "notes",
    "review",
    "untested",
}
#: Nulls that say what they are by their own key: no task, no level, no spec, a cell of a matrix.
PLAIN_NULLS = {"task", "level", "spec", "source", "by", "measure", "minimum", "top", "otherwise"}


Path = tuple[str, ...]


def walk(
    value: Any, owner: dict[str, Any], path: Path = ()
) -> Iterator[tuple[Path, Any, dict[str, Any]]]:
    """Yield every value with its keys and the object that holds it, however deep in lists."""
    yield path, value, owner
    if isinstance(value, dict):
        for key, inner in value.items():
            assert isinstance(key, str), path
            yield from walk(inner, value, (*path, key))
    elif isinstance(value, list):
        for inner in value:
            yield from walk(inner, owner, path)


def check(record: dict[str, Any]) -> None:
    """Assert what the record promises: finite numbers, and a reason beside every null."""
    json.dumps(record, allow_nan=False, ensure_ascii=False, default=list)
    assert set(record) >= KEYS
    assert record["lead"] in record["coefficients"]
    for path, value, owner in walk(record, record):
        if isinstance(value, float):
            assert math.isfinite(value), path
        if value is not None or path[-1] in PLAIN_NULLS or path[0] in ("pairs", "exclusion"):
            continue
        if path[0] == "facts":
            assert record["facts_reason"]
            continue
        if path[-1] in ("low", "high"):
            continue  # no bootstrap asked, or `reason`: see Estimate
        reasons = owner.get("reasons", {}).get(path[-1]) or owner.get("reason")
        deviation = path[-1] == "deviation" and record["kind"] != "number"
        assert reasons or deviation, (path, owner)
    assert record["pairs"]["reason"]
    if not record["per_annotator"]:
        assert record["no_annotators"]
