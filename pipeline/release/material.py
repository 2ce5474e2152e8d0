"""Everything that a release is written from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import Task
from pipeline.release.facts import Facts


@dataclass(frozen=True)
class TaskMaterial:
    """The tables of one task: EXAMPLES, the VOTES and GOLD of all its items, and its ledger.

    `ledgers` are the tables (LEDGER) by stage whose rows are about the task's items and units:
    candidates, annotation, aggregate, split. `constraints` (CONSTRAINTS) and `leaks` (LEAKS) are
    what the split and the check for leaks found.
    """

    task: Task
    spec: TaskSpec
    examples: pa.Table
    votes: pa.Table
    gold: pa.Table
    constraints: pa.Table
    leaks: pa.Table
    ledgers: Mapping[str, pa.Table]


@dataclass(frozen=True)
class Material:
    """A release in the making.

    `corpus` are the ledger files by stage of the corpus (read, select, ... dedup), all sources.
    `stages` counts every stage call as plain data (stage, source, rows_in, rows_out, dropped,
    quarantined, edited). `build` is the build file as plain data. `texts` are the files that are
    texts (cards, report) by their path in the release, without those that tell hashes. `key` is the
    secret under which annotators get their public names, empty for names without one;
    `facts.keyed` tells the cards whether there is one.
    """

    facts: Facts
    tasks: Sequence[TaskMaterial]
    corpus: Mapping[str, Sequence[Path]]
    stages: Sequence[Mapping[str, Any]]
    build: Mapping[str, Any]
    texts: Mapping[str, str] = field(default_factory=dict)
    key: bytes = field(default=b"", repr=False)
