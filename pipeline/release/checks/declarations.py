"""What a release says of itself: files, digests, counts, cards; and no leak stops it."""

from __future__ import annotations

import os
import re
import stat
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pyarrow.compute as pc
import yaml

from pipeline.core.errors import StoreError
from pipeline.core.fingerprint import of_file, printable
from pipeline.core.jsontext import parsed
from pipeline.core.store import MANIFEST
from pipeline.core.wording import count
from pipeline.release.checks.subject import ERRATA, Subject
from pipeline.release.contained import file_fault
from pipeline.release.manifest import (
    Files,
    StageEntry,
    digest_of,
    is_as_written,
    read_private_manifest,
    release_hash,
)
from pipeline.release.tables import COLUMNS, hide_labels

#: How the name of a version's folder begins.
_VERSION: Final = re.compile(r"\d+\.\d+\.\d+")


def files(subject: Subject) -> Iterator[str]:
    """Compare sizes and digests of all files, and the folder's name, with the manifest."""
    folder, version = subject.folder.name, subject.manifest.version
    if _VERSION.match(folder) and folder != version:
        yield f"the folder has the name of version {printable(folder)}, and holds {version}"
    yield from differences(subject.folder, subject.manifest.files)


def whole_hash(subject: Subject) -> Iterator[str]:
    """Compute the release hash again out of all else in the manifest."""
    listed, computed = subject.manifest.release_hash, release_hash(subject.manifest)
    if listed != computed:
        yield f"the manifest says {listed[:12]}, its content makes {computed[:12]}"


def differences(folder: Path, listed: Files) -> Iterator[str]:
    """Yield in what the files of a folder differ from those that its manifest lists."""
    for path, entry in sorted(listed.items()):
        if fault := file_fault(folder, path, entry):
            yield f"{printable(path)!r} {fault}" if fault.startswith("leads") else f"{path} {fault}"
        elif of_file(folder / path) != entry.sha256:
            yield f"{path} has other content than listed"
    paths: set[str] = set()
    for place, folders, names in os.walk(folder):
        if not folders and not names and place != str(folder):
            paths.add(Path(place).relative_to(folder).as_posix() + "/")
        links = [name for name in folders if (Path(place) / name).is_symlink()]
        paths.update(
            (Path(place) / name).relative_to(folder).as_posix() for name in [*names, *links]
        )
    for path in sorted(paths - listed.keys() - {MANIFEST}):
        yield f"{printable(path)} is not in the manifest"


def private_files(subject: Subject) -> Iterator[str]:
    """Look at the modes of the private files, and compare them with both manifests."""
    if subject.private is None:
        return
    yield from _modes(subject.private)
    try:
        manifest = read_private_manifest(subject.private)
    except StoreError as error:
        yield str(error)
        return
    yield from (f"private {fault}" for fault in differences(subject.private, manifest.files))
    if not is_as_written(subject.private, manifest):
        yield f"private {MANIFEST} holds more than it was written with"
    if digest_of(manifest.files) != subject.manifest.private.digest:
        yield "the private files are not those of this release: their digest is another"
    if manifest.manifest != of_file(subject.folder / MANIFEST):
        yield f"{MANIFEST} was changed after the private files were written"


def private_labels(subject: Subject) -> Iterator[str]:
    """Look for test examples without a private label, and for labels of others."""
    for config, entry in subject.manifest.tasks.items() if subject.private is not None else ():
        path = f"labels/{config}.parquet"
        public, private = subject.split(config, "test"), subject.table(path, private=True)
        if not COLUMNS[entry.task].accepts(private.schema):
            yield f"{path} has other columns than its config"
        elif private["guid"].to_pylist() != public["guid"].to_pylist():
            yield f"{path} is not about the test examples"
        elif not hide_labels(private, entry.task).equals(hide_labels(public, entry.task)):
            yield f"{path} has other texts than the test file"


def is_private(folder: Path) -> bool:
    """Tell whether private files are readable by their owner alone."""
    return next(_modes(folder), None) is None


def _modes(folder: Path) -> Iterator[str]:
    for place in [folder, *sorted(folder.rglob("*"))]:
        wanted = 0o700 if place.is_dir() else 0o600
        mode = stat.S_IMODE(place.stat().st_mode)
        if mode != wanted:
            name = printable(place.relative_to(folder.parent).as_posix())
            yield f"{name} has the mode {mode:04o}; {wanted:04o} is wanted (chmod)"


#: What the counts of a stage must add up to, where it is known (pipeline/core/ledger.py).
_INVARIANTS: Final = {
    **dict.fromkeys(
        ("read", "select", "clean", "pii", "toxicity", "dedup", "split", ERRATA), "filter"
    ),
    **dict.fromkeys(("score", "sign", "aggregate", "distances"), "mark"),
}
_CARD, _CROISSANT = "README.md", "croissant.json"


def counts(subject: Subject) -> Iterator[str]:
    """Check that the counts of stages and tasks add up, and that ledgers have these counts."""
    stages, listed = subject.manifest.stages, subject.manifest.files
    for stage in stages:
        yield from _stage_faults(stage)
    for config, entry in subject.manifest.tasks.items():
        ends = sum(entry.splits.values()) + entry.left_out
        if ends != entry.gold:
            gold = count(entry.gold, "item")
            yield f"{config}: {gold} with gold, {ends:,} in a split or left out"
    for path in listed:
        if path.startswith("ledger/corpus/"):
            name = path.removeprefix("ledger/corpus/").removesuffix(".parquet")
            yield from _ledger_faults(
                subject, path, [stage for stage in stages if stage.stage == name]
            )
    for config, entry in subject.manifest.tasks.items() if subject.private is not None else ():
        for stage in stages:
            path = f"ledger/{config}/{stage.stage}.parquet"
            if stage.source == entry.task and path in listed:
                yield from _ledger_faults(subject, path, [stage], private=True)


def leaks(subject: Subject) -> Iterator[str]:
    """Look for leaks that stop a release."""
    for config in subject.manifest.tasks:
        path = f"ledger/{config}/leaks.parquet"
        if many := pc.sum(subject.table(path, ["stops"])["stops"]).as_py():
            yield f"{path} has {count(many, 'leak')} that would stop a release"


def _stage_faults(stage: StageEntry) -> Iterator[str]:
    out = stage.rows_out + stage.dropped + stage.quarantined
    invariant = _INVARIANTS.get(stage.stage)
    rows_in = f"{stage.stage} of {stage.source}: {count(stage.rows_in, 'row')} in"
    if invariant == "filter" and stage.rows_in != out:
        yield f"{rows_in}, {out:,} out, dropped or quarantined"
    elif invariant == "mark" and stage.rows_in != stage.rows_out:
        yield f"{rows_in}, {stage.rows_out:,} out"
    elif min(stage.rows_in, stage.rows_out, stage.dropped, stage.quarantined) < 0:
        yield f"{rows_in}, and a count below 0"


def _ledger_faults(
    subject: Subject, path: str, calls: list[StageEntry], *, private: bool = False
) -> Iterator[str]:
    """Compare a ledger with the counts of its stage; with `private` the private one is added."""
    tables = [subject.table(path, ["action"])]
    tables += [subject.table(path, ["action"], private=True)] if private else []
    rows = Counter(action for table in tables for action in table["action"].to_pylist())
    dropped = sum(call.dropped for call in calls)
    quarantined = sum(call.quarantined for call in calls)
    if calls and (rows["drop"], rows["quarantine"]) != (dropped, quarantined):
        yield (
            f"{path} has {count(rows['drop'], 'drop')} and {rows['quarantine']:,} quarantined, the"
            " stage"
            f" counts {dropped:,} and {quarantined:,}"
        )


def cards(subject: Subject) -> Iterator[str]:
    """Look for every config in the card and in the Croissant file, and compare digests there."""
    yield from _card(subject)
    yield from _croissant(subject)


def _card(subject: Subject) -> Iterator[str]:
    text = _text(subject, _CARD)
    front = re.match(r"---\n(.*?\n)---\n", text, re.DOTALL) if text is not None else None
    if front is None:
        yield f"{_CARD} is not there, or has no front matter"
        return
    try:
        listed = [config["config_name"] for config in yaml.safe_load(front[1])["configs"]]
    except (yaml.YAMLError, TypeError, KeyError):
        yield f"{_CARD} lists no configs"
        return
    yield from (
        f"{_CARD} lacks {config}" for config in subject.manifest.tasks if config not in listed
    )


def _croissant(subject: Subject) -> Iterator[str]:
    text = _text(subject, _CROISSANT)
    try:
        card = parsed(text or "")
        named = {entry.get("name") for entry in card["recordSet"]}
        objects = [entry for entry in card.get("distribution", []) if "sha256" in entry]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        yield f"{_CROISSANT} is not there, or lists no record sets"
        return
    yield from (
        f"{_CROISSANT} lacks {config}" for config in subject.manifest.tasks if config not in named
    )
    for file_object in objects:
        entry = subject.manifest.files.get(str(file_object.get("contentUrl")))
        if entry is not None and entry.sha256 != file_object["sha256"]:
            yield f"{_CROISSANT} has another digest of {file_object['contentUrl']}"


def _text(subject: Subject, path: str) -> str | None:
    fault = file_fault(subject.folder, path, subject.manifest.files.get(path))
    return None if fault else subject.file(path).read_bytes().decode("utf-8", "replace")
