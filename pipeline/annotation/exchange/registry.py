"""Annotation tools: batches out to them, and their exports in as raw votes.

One shape each: `write(items, *, spec, round_, folder, assigned, shown)` returns the files it
wrote; `read(path, *, task, spec, round_, annotators)` yields raw votes and what could not be read,
under the rules `exchange.NAME@1`. docs/annotation-tools.md tells how each tool is used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Protocol

import pyarrow as pa

from pipeline.annotation.intake.vote import RawVote, Refused
from pipeline.contracts.spec import Round, TaskSpec
from pipeline.contracts.task import Task
from pipeline.core.registry import Registry


class Format(Protocol):
    """The export to a tool and the import from it: a module of this folder."""

    def write(
        self,
        items: pa.Table,
        *,
        spec: TaskSpec,
        round_: Round,
        folder: Path,
        assigned: Mapping[str, tuple[str, ...]] | None = None,
        shown: Mapping[str, Any] | None = None,
    ) -> list[Path]:
        """Write the items of a round for the tool; returns the files."""

    def read(
        self,
        path: Path,
        *,
        task: Task,
        spec: TaskSpec,
        round_: Round | None = None,
        annotators: Mapping[str, str] | None = None,
    ) -> Iterator[RawVote | Refused]:
        """Yield the votes of an export, and what could not be read."""


_HERE: Final = "pipeline.annotation.exchange"
FORMATS: Final[Registry[Format]] = Registry(
    "annotation tool",
    {
        "label-studio": f"{_HERE}.label_studio",
        "doccano": f"{_HERE}.doccano",
        "argilla": f"{_HERE}.argilla",
        "jsonl": f"{_HERE}.jsonl",
    },
)
