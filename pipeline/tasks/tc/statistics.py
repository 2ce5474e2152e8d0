"""Statistics of topic classification: Table 3."""

from __future__ import annotations

import pyarrow as pa

from pipeline.contracts.spec import TaskSpec
from pipeline.report.quality.statistics.grid import grid
from pipeline.report.quality.statistics.rows import each
from pipeline.report.quality.statistics.tally import TOTAL, Tally, by_split
from pipeline.report.record import Table


def tables(examples: pa.Table, *, spec: TaskSpec, **_: object) -> list[Table]:
    """Return the headlines by topic (the first one counts) and split, with key terms (Table 3)."""
    tally = Tally(examples)
    for split, label in each(examples, "split", "label"):
        tally.add(label[0], split)
    rows = {
        one.id: (f"{one.id} ({one.title.en})", ", ".join(one.terms))
        for one in spec.labels
        if one.group is None
    }
    table = grid(
        "tc-topics",
        "Headlines by topic",
        heads=("Topic", "Key terms"),
        rows={**rows, TOTAL: ("Total", "")},
        columns=by_split(),
        cell=tally.cell,
        paper="Table 3",
        note=tally.note,
    )
    return [table]
