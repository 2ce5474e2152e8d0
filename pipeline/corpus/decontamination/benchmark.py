"""The texts of a benchmark, each once, and the examples that have them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

import pyarrow as pa

from pipeline.core import schemas
from pipeline.corpus.decontamination.pieces import SHORTEST
from pipeline.corpus.signatures import letters


class Guarded(NamedTuple):
    """A text of an example that no corpus should hold; `split` is None where there are none."""

    task: str
    split: str | None
    example: str
    text: str


class Owner(NamedTuple):
    """An example by its task, its split ("" for none) and its id."""

    task: str
    split: str
    example: str


def guarded_table(texts: Iterable[Guarded]) -> pa.Table:
    """Return texts as GUARDED, each once and in one order, whatever order they come in."""
    rows = sorted(set(texts), key=lambda row: (row.task, row.split or "", row.example, row.text))
    return schemas.build("guarded", [row._asdict() for row in rows])


class Benchmark:
    """Distinct `texts` of a benchmark in their order, and the examples (`owners`) of each."""

    def __init__(self, guarded: pa.Table) -> None:
        """Take a table GUARDED."""
        owners: dict[str, list[Owner]] = {}
        for task, split, example, text in schemas.rows(guarded, *schemas.GUARDED.names):
            owners.setdefault(text, []).append(Owner(task, split or "", example))
        self.texts = sorted(owners)
        self.owners = [sorted(owners[text]) for text in self.texts]

    def examples(self) -> Counter[tuple[str, str]]:
        """Return the number of examples by task and split."""
        return _count(owner for of_text in self.owners for owner in of_text)

    def unguarded(self) -> Counter[tuple[str, str]]:
        """Return how many examples, by task and split, have no text that is long enough."""
        guarded = {
            owner
            for text, of_text in zip(self.texts, self.owners, strict=True)
            if len(letters(text)) >= SHORTEST
            for owner in of_text
        }
        return self.examples() - _count(guarded)


def _count(owners: Iterable[Owner]) -> Counter[tuple[str, str]]:
    return Counter((owner.task, owner.split) for owner in set(owners))
