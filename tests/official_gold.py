"""Official files as examples, and a scoring of rows as a file of predictions would hold them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pipeline.contracts.example import Example
from pipeline.contracts.official.files import read_official
from pipeline.contracts.official.tables import rows_of
from pipeline.contracts.spec import load_spec
from pipeline.scoring.measure import Measure, Variant, value
from pipeline.scoring.scorer import Scorer


def plain(measure_of: Callable[..., Measure], **fixed: Any) -> Callable[..., float]:
    """Return a metric as a function of golds and predictions that count once each."""

    def metric(golds: Sequence[Any], *rest: Any, **options: Any) -> float:
        return value(measure_of(golds, *rest, **fixed, **options), len(golds))

    return metric


def official(task: str, path: Path) -> list[Example]:
    """Return the examples of an official file."""
    return [
        Example(row.item, row.source or "unknown", row.fields, row.gold, meta=row.meta)
        for row in rows_of(read_official(task, path))
    ]


def scored(
    scorer: Scorer, examples: list[Example], rows: Iterable[Mapping[str, Any]], variant: Variant
) -> dict[str, float | str]:
    """Return the metrics of one row of predictions for each example."""
    spec = load_spec(scorer.task)
    golds = [scorer.gold(one) for one in examples]
    said = [scorer.read(row, one, spec) for row, one in zip(rows, examples, strict=True)]
    measures = scorer.measures(golds, said, spec, variant)
    assert tuple(measures) == scorer.names
    return {
        name: one if isinstance(one, str) else value(one, len(golds))
        for name, one in measures.items()
    }
