"""The check for leaks between the splits of a task, and into files that the user names.

It uses nothing of the split rules: what they promise is looked for here in another way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa

from pipeline.contracts.registry import TASKS
from pipeline.contracts.task import Fields
from pipeline.core import schemas, steps, store
from pipeline.core.stage import Call, Outcome, Shard, Stage
from pipeline.release.leakage.compare import (
    CONTAINED,
    FileMatches,
    Match,
    Side,
    by_example,
    compare,
    documents,
    entities,
    exact,
    search_file,
    side,
)
from pipeline.release.leakage.grams import Mask

#: Which split is looked for in which.
PAIRS: Final = (("dev", "train"), ("test", "train"), ("test", "dev"))
EVALUATION: Final = ("dev", "test")
STAGE_NAME: Final = "leakage"
#: Words of the n-grams of tasks with long texts, and of the others.
LONG: Final = 8
SHORT: Final = 4
#: The n of rows of OVERLAPS that count entities in place of n-grams.
ENTITIES: Final = 0
Row = dict[str, object]


def check(examples: pa.Table, *, task: str, against: Sequence[Path] = ()) -> dict[str, pa.Table]:
    """Look for what two splits of a task share, and for its evaluation texts in files.

    The result has the tables `leaks`, `overlaps`, and `ledger`, of rows of files that could not be
    read. `examples` is the table EXAMPLES of one task.

    Each example on the left of a pair of splits, or of a split and a file, has one row for its
    wording at most: the gravest of exact, near and contained, with the likest example or line on
    the right. There is one more for documents and groups, for entities of test in train (where the
    task promises unseen ones) and, as information, for a field that may repeat (its kind is the
    name of the field). A long text that stands in a file spread over many rows is contained in it
    without a line. Near-duplicates between a split and a file are information too; all else stops a
    release.

    Overlaps tell how much of the wording of one side the other has: of n-grams of words, and of
    entities. Raises InputError for a file that cannot be read.
    """
    with steps.running(f"comparing the splits of {task}"):
        splits = _Check(task, examples)
        leaks = [*splits.wordings(), *splits.documents(), *splits.entities(), *splits.repetitions()]
        overlaps = [*splits.overlaps(), *splits.entity_overlaps()]
    unread: list[Row] = []
    for path in against:
        matches = search_file(path, splits.evaluation, n=splits.n)
        leaks += splits.leaks_into(matches)
        overlaps += [
            splits.gram_overlap(of_side.side, matches.name, of_side.grams)
            for of_side in matches.sides
        ]
        unread += [
            {
                "unit": matches.name,
                "source": matches.name,
                "stage": STAGE_NAME,
                "rule": rule,
                "action": "quarantine",
                "reason": f"rows that could not be read: {rows}; the first is in `line`",
                "score": float(rows),
                "file": matches.name,
                "line": matches.first_lines[rule],
            }
            for rule, rows in sorted(matches.unread.items())
        ]
    tables = {"leaks": leaks, "overlaps": overlaps, "ledger": unread}
    return {name: schemas.build(name, rows) for name, rows in tables.items()}


class _Check:
    def __init__(self, task: str, examples: pa.Table) -> None:
        self._task, self._examples = TASKS[task], examples
        self.n = LONG if self._task.texts.long else SHORT
        self._sides = {
            split: side(examples, split, self._task.wordings) for split in ("train", *EVALUATION)
        }
        self._pairs = [(self._sides[left], self._sides[right]) for left, right in PAIRS]
        self._entities = {split: entities(examples, split, self._task) for split in self._sides}

    @property
    def evaluation(self) -> list[Side]:
        return [self._sides[split] for split in EVALUATION]

    def wordings(self) -> Iterator[Row]:
        for left, right in self._pairs:
            yield from self._rows(left, right, compare(left.bag, right.bag, both=True))

    def _rows(self, left: Side, right: Side, matches: Mapping[int, Match]) -> Iterator[Row]:
        for name, match in by_example(left, matches):
            other = (right.names[match.other], right.split)
            yield self._row(match.kind, (name, left.split), other, match.score)

    def documents(self) -> Iterator[Row]:
        have = {split: documents(self._examples, split) for split in self._sides}
        for left, right in PAIRS:
            for name, other, _ in _shared_things(have[left], have[right]):
                yield self._row("document", (name, left), (other, right), 1.0)

    def entities(self) -> Iterator[Row]:
        if self._task.texts.unseen_entities:
            for name, other, share in _shared_things(
                self._entities["test"], self._entities["train"]
            ):
                yield self._row("entity", (name, "test"), (other, "train"), round(share, 6))

    def repetitions(self) -> Iterator[Row]:
        for field in self._task.texts.reported:
            texts = partial(_texts_of, field)
            sides = {split: side(self._examples, split, texts) for split in self._sides}
            for left, right in ((sides[name], sides[other]) for name, other in PAIRS):
                for row in self._rows(left, right, dict(exact(left.bag, right.bag))):
                    yield row | {"kind": field, "stops": False}

    def overlaps(self) -> Iterator[Row]:
        for left, right in self._pairs:
            within = left.bag.grams(self.n).within(right.bag.grams(self.n))
            yield self.gram_overlap(left, right.split, within)

    def entity_overlaps(self) -> Iterator[Row]:
        if self._task.texts.entities is None:
            return
        for left, right in PAIRS:
            known = {word for words in self._entities[right].values() for word in words}
            entity_words = [words for words in self._entities[left].values() if words]
            shares = [sum(word in known for word in words) / len(words) for words in entity_words]
            yield self._overlap(left, right, ENTITIES, shares)

    def leaks_into(self, file: FileMatches) -> Iterator[Row]:
        for of_side in file.sides:
            matches = dict(by_example(of_side.side, of_side.matches))
            for name, match in matches.items():
                left, right = (name, of_side.side.split), (f"{file.name}:{match.other}", None)
                row = self._row(match.kind, left, right, match.score)
                stops = match.kind != "near"
                yield row | {"stops": stops, "file": file.name, "line": match.other}
            # A long text may stand in a file in pieces, a sentence a row.
            spread = _shares(of_side.side, of_side.grams, self.n) if self._task.texts.long else {}
            for name, share in spread.items():
                if name not in matches and share >= CONTAINED:
                    row = self._row(
                        "contained", (name, of_side.side.split), (file.name, None), share
                    )
                    yield row | {"file": file.name}

    def gram_overlap(self, left: Side, right: str, mask: Mask) -> Row:
        return self._overlap(left.split, right, self.n, [*_shares(left, mask, self.n).values()])

    def _overlap(self, left: str, right: str, n: int, shares: list[float]) -> Row:
        return {
            "task": self._task.id,
            "left_split": left,
            "right": right,
            "n": n,
            "examples": len(shares),
            "sharing": sum(share > 0 for share in shares),
            "mean": round(sum(shares) / len(shares), 6) if shares else 0.0,
        }

    def _row(
        self, kind: str, left: tuple[str, str], right: tuple[str, str | None], score: float
    ) -> Row:
        return {
            "task": self._task.id,
            "kind": kind,
            "left": left[0],
            "left_split": left[1],
            "right": right[0],
            "right_split": right[1],
            "score": score,
            "stops": True,
        }


def _texts_of(field: str, fields: Fields, _label: Any) -> list[str]:
    return [fields[field]]


def _shared_things(
    left: Mapping[str, list[str]], right: Mapping[str, list[str]]
) -> Iterator[tuple[str, str, float]]:
    """Yield each left example that has something that a right one has, with the first such one.

    The number is how much of what the left one has the right side has, too.
    """
    first: dict[str, str] = {}
    for name, things in right.items():
        for thing in things:
            first.setdefault(thing, name)
    for name, things in left.items():
        others = [first[thing] for thing in things if thing in first]
        if others:
            yield name, min(others), len(others) / len(things)


def _shares(left: Side, mask: Mask, n: int) -> dict[str, float]:
    grams = left.bag.grams(n)
    hits = np.bincount(grams.rows[mask], minlength=len(left.bag))
    return {
        name: round(float(hits[places].sum() / grams.sizes[places].sum()), 6)
        for name, places in left.examples.items()
        if grams.sizes[places].sum()
    }


def _run(call: Call, shard: Shard) -> Outcome:
    examples = store.read_all(shard.payload, "examples")
    against = [Path(path) for path in call.arguments.get("against", ())]
    return Outcome(examples.num_rows, check(examples, task=call.params["task"], against=against))


STAGE = Stage(
    name=STAGE_NAME,
    main="leaks",
    invariant="own",
    shards=lambda call: iter([Shard("all", call.inputs[0])]),
    run=_run,
    distributions=("numpy",),
)
