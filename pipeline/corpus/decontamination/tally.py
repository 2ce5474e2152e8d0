"""What was removed of a corpus, by file, rule, task and split, and which examples it held."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import Any

import pyarrow as pa

from pipeline.core.io import Batch
from pipeline.corpus.decontamination.benchmark import Benchmark, Owner


@dataclass
class FileCounts:
    """Rows of a file that can be read, and by rule those removed and those that cannot be read."""

    rows: int = 0
    removed: Counter[str] = field(default_factory=Counter)
    quarantined: Counter[str] = field(default_factory=Counter)


@dataclass
class Contamination:
    """How many rows held texts of an example, and the best match of all."""

    rows: int = 0
    score: float = 0.0
    rule: str = ""


class Tally:
    """Counts removed rows by file and by the split of their best match, and examples matched."""

    def __init__(self, benchmark: Benchmark) -> None:
        """Begin with nothing removed."""
        self.benchmark = benchmark
        self.files: dict[str, FileCounts] = {}
        self.removed: Counter[tuple[str, str]] = Counter()
        self.contaminated: dict[Owner, Contamination] = {}

    def add(self, file: str, batch: Batch, matches: pa.Table) -> Iterator[dict[str, Any]]:
        """Count the rows that MATCHES of a batch of a file remove; yields their ledger.

        It names the example of the best match, the first one of those that share the text.
        """
        counts = self.files[file]
        for row, of_row in groupby(matches.to_pylist(), key=itemgetter("row")):
            every = list(of_row)
            best = every[0]
            owner = self.benchmark.owners[best["text"]][0]
            counts.removed[best["rule"]] += 1
            self.removed[owner.task, owner.split] += 1
            self._add_examples(every)
            yield {
                "file": file,
                "row": batch.rows[row].as_py(),
                "task": owner.task,
                "split": owner.split or None,
                "example": owner.example,
                "score": best["score"],
                "rule": best["rule"],
            }

    def _add_examples(self, matches: list[dict[str, Any]]) -> None:
        best: dict[Owner, dict[str, Any]] = {}
        for match in matches:  # the best comes first
            for owner in self.benchmark.owners[match["text"]]:
                best.setdefault(owner, match)
        for owner, match in best.items():
            self.add_example(owner, match["score"], match["rule"])

    def add_example(self, owner: Owner, score: float, rule: str) -> None:
        """Count a row that holds texts of an example, by its best match."""
        known = self.contaminated.setdefault(owner, Contamination())
        known.rows += 1
        if score > known.score:
            known.score, known.rule = score, rule

    def contaminated_rows(self) -> Iterator[dict[str, Any]]:
        """Yield the contaminated examples in order, with the rows that held their texts."""
        for owner, known in sorted(self.contaminated.items()):
            yield {
                "task": owner.task,
                "split": owner.split or None,
                "example": owner.example,
                "rows": known.rows,
                "score": known.score,
                "rule": known.rule,
            }

    def benchmark_counts(self) -> dict[str, dict[str, dict[str, int]]]:
        """Return by task and split the examples, and how many are unguarded and matched.

        `removed` are the rows of the corpus whose best match is one of them.
        """
        unguarded = self.benchmark.unguarded()
        matched = Counter((owner.task, owner.split) for owner in self.contaminated)
        counts: dict[str, dict[str, dict[str, int]]] = {}
        for (task, split), examples in sorted(self.benchmark.examples().items()):
            counts.setdefault(task, {})[split] = {
                "examples": examples,
                "unguarded": unguarded[task, split],
                "matched": matched[task, split],
                "removed": self.removed[task, split],
            }
        return counts
