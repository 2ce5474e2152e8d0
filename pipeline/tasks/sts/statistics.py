"""Statistics of semantic textual similarity: Table 4."""

from __future__ import annotations

import pyarrow as pa

from pipeline.report.quality.statistics.grid import source_table
from pipeline.report.quality.statistics.rows import each
from pipeline.report.quality.statistics.tally import Tally
from pipeline.report.record import Table


def tables(examples: pa.Table, **_: object) -> list[Table]:
    """Return the pairs by source and split (Table 4)."""
    tally = Tally(examples)
    for source, split in each(examples, "source", "split"):
        tally.add(source, split)
    return [source_table("sts-sources", "Sentence pairs by source", tally, "Table 4")]
