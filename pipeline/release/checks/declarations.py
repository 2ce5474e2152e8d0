"""What a release says of itself: counts add up, cards name every config, no leak stops it."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc
import yaml

from pipeline.release.checks.subject import Check, Subject, judged
from pipeline.release.manifest import StageEntry

#: What the counts of a stage must add up to, where it is known (pipeline/core/ledger.py).
_LAWS: Final = {
    **dict.fromkeys(("read", "select", "clean", "pii", "toxicity", "dedup", "split"), "filter"),
    **dict.fromkeys(("score", "sign", "aggregate", "distances"), "mark"),
}
_CARD, _CROISSANT = "README.md", "croissant.json"


def counts(subject: Subject) -> Check:
    """Check that the counts of stages and tasks add up, and that ledgers have these counts."""
    stages = subject.manifest.stages
    faults = [fault for one in stages for fault in _law(one)]
    faults += [*_tasks(subject), *_corpus(subject), *_ledgers(subject)]
    return judged("counts", faults, f"{len(stages):,} calls of stages add up, with their ledgers")


def cards(subject: Subject) -> Check:
    """Look for every config in the card and in the Croissant file, and compare digests there."""
    return judged("cards", [*_card(subject), *_croissant(subject)], "name every config")


def leaks(subject: Subject) -> Check:
    """Look for leaks that stop a release."""
    faults = []
    for config, _ in subject.configs:
        path = f"ledger/{config}/leaks.parquet"
        many = pc.sum(subject.table(path, ["stops"])["stops"]).as_py()
        faults += [f"{path} has {many:,} leaks that stop a release"] if many else []
    return judged("leaks", faults, "no leak that stops a release")


def _law(one: StageEntry) -> Iterator[str]:
    out = one.rows_out + one.dropped + one.quarantined
    law, rows_in = _LAWS.get(one.stage), f"{one.stage} of {one.source}: {one.rows_in:,} rows in"
    if law == "filter" and one.rows_in != out:
        yield f"{rows_in}, {out:,} out, dropped or quarantined"
    elif law == "mark" and one.rows_in != one.rows_out:
        yield f"{rows_in}, {one.rows_out:,} out"
    elif min(one.rows_in, one.rows_out, one.dropped, one.quarantined) < 0:
        yield f"{rows_in}, and a count below 0"


def _tasks(subject: Subject) -> Iterator[str]:
    for config, entry in subject.configs:
        ends = sum(entry.splits.values()) + entry.left_out
        if ends != entry.gold:
            yield f"{config}: {entry.gold:,} items have gold, {ends:,} a split or were left out"


def _corpus(subject: Subject) -> Iterator[str]:
    for path in subject.manifest.files:
        if path.startswith("ledger/corpus/"):
            stage = path.removeprefix("ledger/corpus/").removesuffix(".parquet")
            calls = [one for one in subject.manifest.stages if one.stage == stage]
            yield from _compared(path, calls, _actions(subject.table(path, ["action"])))


def _ledgers(subject: Subject) -> Iterator[str]:
    """Compare public and private ledgers of a task with the counts, where both are here."""
    for config, entry in subject.configs if subject.private is not None else ():
        for call in subject.manifest.stages:
            path = f"ledger/{config}/{call.stage}.parquet"
            if call.source == entry.task and path in subject.manifest.files:
                found = _actions(subject.table(path, ["action"]))
                found += _actions(subject.table(path, ["action"], private=True))
                yield from _compared(path, [call], found)


def _actions(table: pa.Table) -> Counter[str]:
    return Counter(table["action"].to_pylist())


def _compared(path: str, calls: list[StageEntry], found: Counter[str]) -> Iterator[str]:
    dropped = sum(one.dropped for one in calls)
    quarantined = sum(one.quarantined for one in calls)
    if calls and (found["drop"], found["quarantine"]) != (dropped, quarantined):
        yield (
            f"{path} has {found['drop']:,} drops and {found['quarantine']:,} quarantined, the stage"
            f" counts {dropped:,} and {quarantined:,}"
        )


def _card(subject: Subject) -> Iterator[str]:
    text = _text(subject, _CARD)
    front = re.match(r"---\n(.*?\n)---\n", text, re.DOTALL) if text is not None else None
    if front is None:
        yield f"{_CARD} is not there, or has no front matter"
        return
    try:
        listed = [one["config_name"] for one in yaml.safe_load(front[1])["configs"]]
    except (yaml.YAMLError, TypeError, KeyError):
        yield f"{_CARD} lists no configs"
        return
    yield from (f"{_CARD} lacks {one}" for one, _ in subject.configs if one not in listed)


def _croissant(subject: Subject) -> Iterator[str]:
    text = _text(subject, _CROISSANT)
    try:
        card = json.loads(text or "")
        named = {one.get("name") for one in card["recordSet"]}
        objects = [one for one in card.get("distribution", []) if "sha256" in one]
    except (ValueError, TypeError, KeyError, AttributeError):
        yield f"{_CROISSANT} is not there, or lists no record sets"
        return
    yield from (f"{_CROISSANT} lacks {one}" for one, _ in subject.configs if one not in named)
    yield from (fault for one in objects for fault in _digest(subject, one))


def _digest(subject: Subject, one: dict[str, Any]) -> Iterator[str]:
    entry = subject.manifest.files.get(str(one.get("contentUrl")))
    if entry is not None and entry.sha256 != one["sha256"]:
        yield f"{_CROISSANT} has another digest of {one['contentUrl']}"


def _text(subject: Subject, path: str) -> str | None:
    place = subject.folder / path
    return place.read_bytes().decode("utf-8", "replace") if place.is_file() else None
