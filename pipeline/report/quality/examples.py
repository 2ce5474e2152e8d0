"""The sections of a report on the examples of one task: its statistics and its distributions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Protocol

import pyarrow as pa

from pipeline.contracts.parts import Parts
from pipeline.contracts.spec import TaskSpec
from pipeline.report.quality.distributions import charts, labels_of
from pipeline.report.quality.statistics import TOTAL, Tally, by_split, each, grid
from pipeline.report.record import Section, Table


class Statistics(Protocol):
    """Makes the tables of a task from its examples (EXAMPLES), votes (VOTES) and gold (GOLD)."""

    def __call__(
        self,
        examples: pa.Table,
        *,
        spec: TaskSpec,
        votes: pa.Table | None = None,
        gold: pa.Table | None = None,
    ) -> list[Table]:
        """Return the tables."""


STATISTICS: Final[Mapping[str, Statistics]] = Parts("statistics", "tables")
#: What a person should look for in the charts of a task.
_LOOK: Final[Mapping[str, str]] = Parts("statistics", "LOOK")


def default_tables(examples: pa.Table, *, spec: TaskSpec, **_: object) -> list[Table]:
    """Return the examples by source and by label, for a task without the part `statistics`."""
    task, counted = spec.task, labels_of(spec.task)
    sources, labels = Tally(examples), Tally(examples)
    for source, split, fields, label in each(examples, "source", "split", "fields", "label"):
        sources.add(source, split)
        for name in counted.labels(fields, label) if counted else ():
            labels.add(name, split)
    kinds = [("sources", "Examples by source", "Source", sources)]
    if counted:
        kinds.append(("labels", f"{counted.unit.capitalize()} by label", "Label", labels))
    return [
        grid(
            f"{task}-{name}",
            title,
            heads=(head,),
            rows={row: (row,) for row in tally.rows()} | {TOTAL: ("Total",)},
            columns=by_split(),
            cell=tally.cell,
            note=tally.note,
        )
        for name, title, head, tally in kinds
    ]


def sections(
    task: str,
    examples: pa.Table,
    spec: TaskSpec,
    votes: pa.Table | None = None,
    gold: pa.Table | None = None,
) -> list[Section]:
    """Return two sections on the examples of a task: statistics, and distributions.

    Statistics have the form of the paper's tables, with the paper's numbers beside them. Without an
    example both are empty and say so.
    """
    there, none = examples.num_rows > 0, "There are no examples."
    paper = "In grey beside our numbers stand those that the paper prints of KLUE."
    tables_of = STATISTICS.get(task, default_tables)
    made = tables_of(examples, spec=spec, votes=votes, gold=gold) if there else []
    look = _LOOK.get(task, "Labels and lengths should be alike in all splits.")
    return [
        Section(
            id=f"{task}-statistics",
            title="Statistics",
            lead=paper if there else none,
            tables=made,
        ),
        Section(
            id=f"{task}-distributions",
            title="Distributions",
            lead=f"Shares of each split by itself. {look}" if there else none,
            charts=charts(examples, task=task, spec=spec),
        ),
    ]
