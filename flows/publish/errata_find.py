"""What can be proved wrong in a release: found in its own tables, as patches to review.

Of every finding the fault is proved; the new value follows from it, or is a proposal whose reason
says so (the next of several places, the removal of a train example that evaluation texts repeat).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.agreement.aggregation.aggregate import aggregate
from pipeline.contracts.official.files import RELEASE_FILES
from pipeline.contracts.parts import Parts
from pipeline.contracts.registry import TASKS, task_of
from pipeline.contracts.spec import load_spec
from pipeline.contracts.splits import Split
from pipeline.core import schemas, steps
from pipeline.core.jsontext import parsed
from pipeline.core.wording import count
from pipeline.release.errata.patches import SPLIT, Finding, Patch
from pipeline.release.leakage.compare import by_example, compare, side
from pipeline.release.manifest import OFFICIAL, TaskEntry, read_manifest
from pipeline.release.official import answers_by_item
from pipeline.release.reading import read_parquet, read_split
from pipeline.release.tables import Row, as_examples

#: The faults that a task's rows prove by themselves.
FINDINGS: Final[Mapping[str, Callable[[Row], Iterator[Finding]]]] = Parts("errata", "findings")
_OPEN: Final[tuple[Split, ...]] = ("train", "dev")
VOTES: Final = "errata.votes@1"
NEAR: Final = "errata.leak@1"
#: Scores that differ by no more are the same.
_ROUNDED: Final = 1e-6
#: What a match of two texts is called in a reason.
_KINDS: Final = {"exact": "equal to", "near": "a near-duplicate of", "contained": "contained in"}


def find(folder: Path) -> list[Patch]:
    """Return the patches that train and dev of a release need, by task, guid and field.

    Texts of test count as far as train repeats them. Raises StoreError for a table that is missing
    or damaged.
    """
    manifest = read_manifest(folder)
    official = OFFICIAL in manifest.build
    patches: list[Patch] = []
    entries = {entry.task: (config, entry) for config, entry in manifest.tasks.items()}
    ordered = [entries[task] for task in TASKS if task in entries]
    for config, entry in steps.counted("tasks", ordered, len(ordered)):
        votes = read_parquet(folder / "votes" / f"{config}.parquet", schemas.VOTES.equals)
        tables = (read_split(folder, entry.task, split) for split in _OPEN)
        rows = [row for table in tables for row in table.to_pylist()]
        removed = dict(_leaks(folder, entry))
        others = [
            *_in_rows(entry.task, rows),
            *_against_votes(entry, rows, votes, official=official),
        ]
        findings = [*removed.items(), *(pair for pair in others if pair[0] not in removed)]
        made = (Patch(guid, *finding[1:], finding[0]) for guid, finding in findings)
        patches += sorted(made, key=lambda patch: (patch.guid, patch.field))
    return patches


def _in_rows(task: str, rows: list[Row]) -> Iterator[tuple[str, Finding]]:
    if findings := FINDINGS.get(task):
        yield from ((row["guid"], finding) for row in rows for finding in findings(row))


def _leaks(folder: Path, entry: TaskEntry) -> Iterator[tuple[str, Finding]]:
    """Yield the train examples whose wording dev or test has; each once."""
    wordings = TASKS[entry.task].wordings
    sides = {}
    for split in ("train", "dev", "test"):
        examples = as_examples(read_split(folder, entry.task, split), entry.task, split)
        sides[split] = side(examples, split, wordings)
    done: set[str] = set()
    for split in ("dev", "test"):
        left, right = sides["train"], sides[split]
        if not len(left.bag) or not len(right.bag):
            continue
        for guid, match in by_example(left, compare(left.bag, right.bag, both=True)):
            if guid not in done:
                done.add(guid)
                what = f"{_KINDS[match.kind]} {right.names[match.other]} of {split}"
                reason = f"its text is {what} (similarity {match.score:.2f}): out of train"
                yield guid, Finding(NEAR, SPLIT, "train", None, reason)


def _against_votes(
    entry: TaskEntry, rows: list[Row], votes: pa.Table, *, official: bool
) -> Iterator[tuple[str, Finding]]:
    """Yield labels that are not those that the votes on them make, by the rule of the spec.

    Of official files everybody's votes count. Of other releases, from whose gold some people's
    votes may have been left out, only labels that most votes are against, or that lie outside all
    scores. Items on which an expert decided are not looked at.
    """
    task = entry.task
    if not votes.num_rows or not RELEASE_FILES[task].voted:
        return
    gold = aggregate(votes, task=task_of(task), spec=load_spec(task), exclude=False).gold
    by_votes = {
        item: parsed(label)
        for item, status, label in schemas.rows(gold, "item", "status", "label")
        if status == "gold"
    }
    decided = set(votes.filter(pc.equal(votes["role"], "expert"))["item"].to_pylist())
    answers = answers_by_item(votes)
    for row in rows:
        guid = row["guid"]
        if guid not in by_votes or guid in decided:
            continue
        cast = [parsed(vote["label"]) for vote in answers[guid] if vote["label"] is not None]
        label = by_votes[guid]
        if not isinstance(label, dict):
            new = label[0] if isinstance(label, list) else label
            many = [vote[0] if isinstance(vote, list) else vote for vote in cast].count(new)
            if row["label"] != new and (official or many * 2 > len(cast)):
                reason = f"{many} of {count(len(cast), 'vote')} for it"
                yield guid, Finding(VOTES, "label", row["label"], new, reason)
            continue
        old = row["labels"]
        if official or not min(cast) <= old["real-label"] <= max(cast):
            for name, new in label.items():
                if abs(old[name] - new) > _ROUNDED:
                    reason = f"the {len(cast)} scores make {new:g}"
                    yield guid, Finding(VOTES, f"labels.{name}", old[name], new, reason)
