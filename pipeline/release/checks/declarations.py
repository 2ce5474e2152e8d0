"""What a release says of itself: files, digests, counts, cards; and no leak stops it."""

from __future__ import annotations

import json
import os
import re
import stat
from collections import Counter
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc
import yaml

from pipeline.core.errors import StoreError
from pipeline.core.fingerprint import of_file, printable
from pipeline.core.store import MANIFEST
from pipeline.release.checks.subject import Check, Subject, judged
from pipeline.release.manifest import (
    Entry,
    Files,
    StageEntry,
    digest_of,
    read_private_manifest,
    release_hash,
)
from pipeline.release.tables import COLUMNS, hidden


def files(subject: Subject) -> Check:
    """Compare sizes and digests of all files with the manifest."""
    listed = subject.manifest.files
    return judged("files", differences(subject.folder, listed), f"{len(listed):,} files as listed")


def whole_hash(subject: Subject) -> Check:
    """Compute the release hash again out of all else in the manifest."""
    manifest = subject.manifest
    made = release_hash(manifest)
    wrong = made != manifest.release_hash
    difference = f"the manifest says {manifest.release_hash[:12]}, its content makes {made[:12]}"
    return judged("release_hash", [difference] if wrong else [], made)


def differences(folder: Path, listed: Files) -> Iterator[str]:
    """Yield what differs between a folder and the entries of its manifest."""
    for path, entry in sorted(listed.items()):
        if _leads_out(path):
            yield f"{path!r} leads out of the release"
        elif fault := _differs(folder / path, entry):
            yield f"{path} {fault}"
    for path in sorted(_walk(folder)):
        if path not in listed and path != MANIFEST:
            yield f"{printable(path)} is not in the manifest"


def _leads_out(path: str) -> bool:
    pure = PurePosixPath(path)
    return pure.is_absolute() or ".." in pure.parts or "\0" in path


def _differs(path: Path, entry: Entry) -> str | None:
    if path.is_symlink():
        return "is a link"
    if not path.is_file():
        return "is not there"
    if path.stat().st_size != entry.bytes:
        return f"has {path.stat().st_size:,} bytes, {entry.bytes:,} are listed"
    return None if of_file(path) == entry.sha256 else "has other content than listed"


def _walk(root: Path) -> Iterator[str]:
    for folder, folders, names in os.walk(root):
        links = [name for name in folders if (Path(folder) / name).is_symlink()]
        yield from ((Path(folder) / name).relative_to(root).as_posix() for name in [*names, *links])


_ABSENT = "the private folder is not here; not checked"


def private_files(subject: Subject) -> Check:
    """Look at the modes of the private files, and compare them with both manifests."""
    if subject.private is None:
        return Check("private_files", True, _ABSENT)
    faults = [*_modes(subject.private), *_contents(subject, subject.private)]
    return judged("private_files", faults, "as listed, and readable by their owner alone")


def private_labels(subject: Subject) -> Check:
    """Look for test examples without a private label, and for labels of others."""
    if subject.private is None:
        return Check("private_labels", True, "test labels are not here; not checked")
    faults = (fault for config, _ in subject.configs for fault in _labels(subject, config))
    return judged("private_labels", faults, "every test example has its label, and no other one")


def closed(folder: Path) -> bool:
    """Tell whether private files are readable by their owner alone."""
    return next(_modes(folder), None) is None


def _modes(folder: Path) -> Iterator[str]:
    for place in [folder, *sorted(folder.rglob("*"))]:
        wanted = 0o700 if place.is_dir() else 0o600
        found = stat.S_IMODE(place.stat().st_mode)
        if found != wanted:
            name = printable(place.relative_to(folder.parent).as_posix())
            yield f"{name} has the mode {found:04o}; {wanted:04o} is wanted (chmod)"


def _contents(subject: Subject, folder: Path) -> Iterator[str]:
    try:
        manifest = read_private_manifest(folder)
    except StoreError as error:
        yield str(error)
        return
    yield from (f"private {fault}" for fault in differences(folder, manifest.files))
    if digest_of(manifest.files) != subject.manifest.private.digest:
        yield "the private files are not those of this release: their digest is another"
    if manifest.manifest != of_file(subject.folder / MANIFEST):
        yield f"{MANIFEST} was changed after the private files were written"


def _labels(subject: Subject, config: str) -> Iterator[str]:
    task, path = subject.manifest.tasks[config].task, f"labels/{config}.parquet"
    public, private = subject.split(config, "test"), subject.table(path, private=True)
    if not private.schema.equals(COLUMNS[task].schema):
        yield f"{path} has other columns than its config"
    elif private["guid"].to_pylist() != public["guid"].to_pylist():
        yield f"{path} is not about the test examples"
    elif not hidden(private, task).equals(hidden(public, task)):
        yield f"{path} has other texts than the test file"


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
