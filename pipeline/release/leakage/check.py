"""The check for leaks between the splits of a task, and into files that the user names.

It uses nothing of the split rules: what they promise is looked for here in another way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pyarrow as pa

from pipeline.core import schemas
from pipeline.release.leakage import overlaps
from pipeline.release.leakage.against import Found, Probed, probe
from pipeline.release.leakage.compare import Settings, compare, exact
from pipeline.release.leakage.shared import ENTITIES, documents, entities, shared
from pipeline.release.leakage.texts import MAIN, Side, by_example, side

#: Which split is looked for in which.
PAIRS: Final = (("dev", "train"), ("test", "train"), ("test", "dev"))
EVALUATION: Final = ("dev", "test")
STAGE_NAME: Final = "leakage"
Row = dict[str, object]


@dataclass(frozen=True)
class Checked:
    """LEAKS and OVERLAPS of a task, and a LEDGER of rows of the files that could not be read."""

    leaks: pa.Table
    overlaps: pa.Table
    ledger: pa.Table


def check(
    examples: pa.Table,
    *,
    task: str,
    against: Sequence[Path] = (),
    settings: Settings | None = None,
) -> Checked:
    """Look for what two splits of a task share, and for its evaluation texts in files.

    `examples` is the table EXAMPLES of one task. Each example on the left of a pair of splits, or
    of a split and a file, has one row for its wording at most: the gravest of exact, near and
    contained, with the likest example or line on the right. Beside these there is one for
    documents and groups, for entities (RE: test in train) and, as information, for a hypothesis
    that another split has (NLI, kind hypothesis). A long text (mrc, dst) that stands in a file
    spread over many rows is contained in it without a line. Near-duplicates between a split and a
    file are information too; all else stops a release. Raises InputError for a file that cannot be
    read.
    """
    settings = settings or Settings()
    found = _Check(task, examples, settings)
    leaks = [*found.wordings(), *found.documents(), *found.entities(), *found.hypotheses()]
    counted = [*found.overlaps(), *found.entity_overlaps()]
    unread: list[Row] = []
    for path in against:
        probed = probe(path, found.evaluation, settings, n=overlaps.words_for(task))
        leaks += found.leaks_into(probed)
        counted += found.overlaps_with(probed)
        unread += _unread(probed)
    tables = (("leaks", leaks), ("overlaps", counted), ("ledger", unread))
    return Checked(*(schemas.build(name, rows) for name, rows in tables))


class _Check:
    """The splits of a task, and the rows of what they share."""

    def __init__(self, task: str, examples: pa.Table, settings: Settings) -> None:
        self._task, self._examples, self._settings = task, examples, settings
        self._sides = self._of(task)
        self._pairs = [(self._sides[left], self._sides[right]) for left, right in PAIRS]

    @property
    def evaluation(self) -> list[Side]:
        return [self._sides[split] for split in EVALUATION]

    def _of(self, texts: str) -> dict[str, Side]:
        splits = ("train", *EVALUATION)
        return {split: side(self._examples, split, MAIN[texts]) for split in splits}

    def wordings(self) -> Iterator[Row]:
        for left, right in self._pairs:
            matches = compare(left.bag, right.bag, self._settings, both=True)
            for name, match in by_example(left, matches):
                other = (right.names[match.other], right.split)
                yield self._row(match.kind, (name, left.split), other, match.score)

    def documents(self) -> Iterator[Row]:
        have = {split: documents(self._examples, split) for split in self._sides}
        for left, right in PAIRS:
            for one in shared(have[left], have[right]):
                yield self._row("document", (one.left, left), (one.right, right), 1.0)

    def entities(self) -> Iterator[Row]:
        if self._task != "re":
            return
        have = (entities(self._examples, split, "re") for split in ("test", "train"))
        for one in shared(*have):
            share = round(one.share, 6)
            yield self._row("entity", (one.left, "test"), (one.right, "train"), share)

    def hypotheses(self) -> Iterator[Row]:
        if self._task != "nli":
            return
        sides = self._of("nli hypothesis")
        for left, right in ((sides[one], sides[other]) for one, other in PAIRS):
            for name, match in by_example(left, dict(exact(left.bag, right.bag))):
                other = (right.names[match.other], right.split)
                yield self._row("hypothesis", (name, left.split), other, 1.0) | {"stops": False}

    def overlaps(self) -> Iterator[Row]:
        n = overlaps.words_for(self._task)
        for left, right in self._pairs:
            within = left.bag.grams(n).within(right.bag.grams(n))
            yield overlaps.of_grams(self._task, left, right.split, within)

    def entity_overlaps(self) -> Iterator[Row]:
        if self._task not in ENTITIES:
            return
        have = {split: entities(self._examples, split, self._task) for split in self._sides}
        for left, right in PAIRS:
            yield overlaps.of_entities(self._task, left, right, (have[left], have[right]))

    def leaks_into(self, probed: Probed) -> Iterator[Row]:
        for found in probed.found:
            matches = dict(by_example(found.side, found.matches))
            for name, match in matches.items():
                left, stops = (name, found.side.split), match.kind != "near"
                row = self._row(
                    match.kind, left, (f"{probed.file}:{match.other}", None), match.score
                )
                yield row | {"stops": stops, "file": probed.file, "line": match.other}
            for name, share in self._spread(found).items():
                if name not in matches and share >= self._settings.contained:
                    left = (name, found.side.split)
                    row = self._row("contained", left, (probed.file, None), share)
                    yield row | {"file": probed.file}

    def _spread(self, found: Found) -> dict[str, float]:
        """Return which share of each long text stands anywhere in a file."""
        n = overlaps.LONG.get(self._task)
        return {} if n is None else overlaps.shares(found.side, found.grams, n)

    def overlaps_with(self, probed: Probed) -> Iterator[Row]:
        for found in probed.found:
            yield overlaps.of_grams(self._task, found.side, probed.file, found.grams)

    def _row(
        self, kind: str, left: tuple[str, str], right: tuple[str, str | None], score: float
    ) -> Row:
        return {
            "task": self._task,
            "kind": kind,
            "left": left[0],
            "left_split": left[1],
            "right": right[0],
            "right_split": right[1],
            "score": score,
            "stops": True,
        }


def _unread(probed: Probed) -> Iterator[Row]:
    """Yield one ledger row for each rule under which rows of a file could not be read."""
    for rule, unread in sorted(probed.unread.items()):
        yield {
            "unit": probed.file,
            "source": probed.file,
            "stage": STAGE_NAME,
            "rule": rule,
            "action": "quarantine",
            "reason": f"rows that could not be read: {unread.rows}; the first is in `line`",
            "score": float(unread.rows),
            "file": probed.file,
            "line": unread.line,
        }
