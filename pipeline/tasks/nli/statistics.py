"""Statistics of natural language inference: Tables 5 and 6."""

from __future__ import annotations

from collections import Counter

import pyarrow as pa

from pipeline.contracts.spec import TaskSpec
from pipeline.report.quality.statistics.grid import grid, ordered
from pipeline.report.quality.statistics.rows import each
from pipeline.report.quality.statistics.tally import TOTAL, Tally, by_split, ratio
from pipeline.report.record import Column, Table
from pipeline.tasks.nli.validation import validation_table

_PARTS = ("premise", "hypothesis")
_MEAN = "mean_of_sources"


def tables(
    examples: pa.Table, *, spec: TaskSpec, votes: pa.Table | None = None, **_: object
) -> list[Table]:
    """Return how the labels were validated (Table 5, with votes) and the sources (Table 6)."""
    checked = [] if votes is None else validation_table(votes, spec)
    return [*checked, _sources(examples)]


def _sources(examples: pa.Table) -> Table:
    tally, characters = Tally(examples), Counter[tuple[str, str]]()
    for source, split, fields in each(examples, "source", "split", "fields"):
        tally.add(source, split)
        for part in _PARTS:
            characters[source, part] += len(fields[part])
            characters[TOTAL, part] += len(fields[part])
    sources = ordered(tally, "Table 6")

    def cell(row: str, column: str) -> int | float | None:
        if row == _MEAN:
            means = [cell(source, column) or 0 for source in sources if column in _PARTS]
            return round(sum(means) / len(means), 6) if means else None
        if column in _PARTS:
            return ratio(characters[row, column], tally.count(row, TOTAL))
        return tally.cell(row, column)

    lengths = {part: Column(f"{part.capitalize()}, mean length", "two") for part in _PARTS}
    return grid(
        "nli-sources",
        "Sentence pairs by source, mean lengths in characters",
        heads=("Source",),
        rows={one: (one,) for one in sources} | {TOTAL: ("Total",), _MEAN: ("Mean of sources",)},
        columns=by_split() | lengths,
        cell=cell,
        paper="Table 6",
        note=tally.note,
    )
