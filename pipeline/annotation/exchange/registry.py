"""Annotation tools: batches out to them, and their exports in as raw votes.

One shape each: `write(items, *, spec, round_, folder, assigned, shown)` returns the files it
wrote; `read(path, *, task, spec, round_, annotators)` yields raw votes and what could not be read,
under the rules `exchange.NAME@1`. docs/annotation-tools.md tells how each tool is used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

import pyarrow as pa

from pipeline.annotation.exchange import argilla, doccano, jsonl, label_studio
from pipeline.annotation.intake.vote import RawVote, Refused
from pipeline.contracts.spec import Round, TaskSpec
from pipeline.contracts.task import Task


class Write(Protocol):
    """Writes the items of a round for a tool."""

    def __call__(
        self,
        items: pa.Table,
        *,
        spec: TaskSpec,
        round_: Round,
        folder: Path,
        assigned: Mapping[str, tuple[str, ...]] | None = None,
        shown: Mapping[str, Any] | None = None,
    ) -> list[Path]:
        """Write the items; returns the files."""


class Read(Protocol):
    """Reads an export of a tool."""

    def __call__(
        self,
        path: Path,
        *,
        task: Task,
        spec: TaskSpec,
        round_: Round | None = None,
        annotators: Mapping[str, str] | None = None,
    ) -> Iterator[RawVote | Refused]:
        """Yield votes, and what could not be read."""


class Format(NamedTuple):
    """Both ways of one tool."""

    write: Write
    read: Read


FORMATS: Final[dict[str, Format]] = {
    "label-studio": Format(label_studio.write, label_studio.read),
    "doccano": Format(doccano.write, doccano.read),
    "argilla": Format(argilla.write, argilla.read),
    "jsonl": Format(jsonl.write, jsonl.read),
}
