"""The sections of a report on the examples of one task: its statistics and its distributions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Protocol

import pyarrow as pa

from pipeline.contracts.parts import Parts
from pipeline.contracts.spec import TaskSpec
from pipeline.report.quality.distributions import charts
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
_STATISTICS: Final = "In grey beside our numbers stand those that the paper prints of KLUE."
#: What a person should look for in the charts of a task.
_LOOK: Final = {
    "tc": "Dev and test should be the later headlines; topics differ between splits by design.",
    "sts": "Scores of dev and test should be nearly uniform, and round trips score higher than"
    " matched pairs.",
    "nli": "Labels should be even in every split, and hypotheses shorter than premises.",
    "ner": "Types and sources should be alike in all splits.",
    "re": "Dev and test hold more pairs without a relation, as they are drawn uniformly.",
    "dp": "Relations and sources should be alike in all splits.",
    "mrc": "Question types and lengths should be alike in all splits.",
    "dst": "Domains and lengths should be alike in all splits.",
}


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
    return [
        Section(
            id=f"{task}-statistics",
            title="Statistics",
            lead=_STATISTICS if there else none,
            tables=STATISTICS[task](examples, spec=spec, votes=votes, gold=gold) if there else [],
        ),
        Section(
            id=f"{task}-distributions",
            title="Distributions",
            lead=f"Shares of each split by itself. {_LOOK[task]}" if there else none,
            charts=charts(examples, task=task, spec=spec),
        ),
    ]
