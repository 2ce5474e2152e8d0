"""The outcomes of several sources as that of one shard, for tasks that draw from all at once."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from pipeline.core.stage import Outcome


def together(outcomes: Sequence[Outcome]) -> Outcome:
    """Return the outcome of one shard that holds the tables of several, in their order."""
    tables = {
        name: pa.concat_tables([outcome.tables[name] for outcome in outcomes])
        for name in outcomes[0].tables
    }
    ids = pa.concat_arrays([outcome.inputs for outcome in outcomes if outcome.inputs is not None])
    return Outcome(len(ids), tables, ids)
