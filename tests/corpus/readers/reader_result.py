"""What the `read` fixture returns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from pipeline.corpus.readers.base import Document, Rejected


@dataclass
class Result:
    """What came out of an input, in order."""

    documents: list[Document] = field(default_factory=list)
    rejected: list[Rejected] = field(default_factory=list)
    records: int = 0

    @property
    def texts(self) -> list[str]:
        return [document.text for document in self.documents]

    @property
    def rules(self) -> list[str]:
        return [row.rule for row in self.rejected]


Read = Callable[..., Result]
