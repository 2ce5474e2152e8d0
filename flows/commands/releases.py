"""Releases looked at: verified, compared, and written as official KLUE files."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, Final

from flows.commands.outputs import check_choice, check_new_folder, new_folder, require_folder
from flows.commands.stored import release_as_it_is
from flows.view.console import Result, from_here, print_line
from pipeline.contracts.registry import task_of
from pipeline.contracts.splits import Split
from pipeline.contracts.task import Task
from pipeline.core.errors import InputError, StoreError
from pipeline.core.files import refuse
from pipeline.core.objects.address import address_of
from pipeline.core.store import MANIFEST
from pipeline.core.wording import count, verb
from pipeline.release.manifest import OFFICIAL, Manifest, private_folder, read_manifest

#: What the name of a private folder ends in.
_PRIVATE: Final = ".private"
#: So many ids are shown of a kind of change, and of a value so many characters.
_SHOWN: Final = 5
_LONGEST: Final = 80


def check_release(folder: Path, *, expect: str | None = None) -> Result:
    """Check a release or pretraining corpus again; return the checks, and whether all hold.

    `expect` is the hash that it has to have, or the beginning of it. All objects of a release in an
    object store are read. Raises InputError for one that is no hash.
    """
    from flows.publish.verified import verify_folder

    is_hash = expect is None or re.fullmatch("[0-9a-f]{12,64}", expect)
    refuse(f"--expect {expect}", (not is_hash, "give 12 to 64 of the characters 0-9 and a-f"))
    address = address_of(folder)
    if address is None:
        require_public_folder(folder)
    at_hand = nullcontext(folder) if address is None else release_as_it_is(address)
    with at_hand as place:
        checks = [asdict(check) for check in verify_folder(place, expect=expect)]
    record = {"ok": all(check["ok"] for check in checks), "checks": checks}
    shown = from_here(folder.absolute()) if address is None else address
    return record, partial(_show_checks, place=str(shown))


def _show_checks(record: dict[str, Any], *, place: str) -> None:
    checks = record["checks"]
    for check in checks:
        print_line(f"{'ok  ' if check['ok'] else 'FAIL'} {check['name']}: {check['detail']}")
    wrong = sum(not check["ok"] for check in checks)
    result = (
        f"{wrong} of {count(len(checks), 'check')} {verb(wrong, 'fails', 'fail')}"
        if wrong
        else f"{count(len(checks), 'check')} {verb(len(checks), 'holds', 'hold')}"
    )
    print_line(f"{place}: {result}")


def compare(before: Path, after: Path) -> Result:
    """Return how two releases differ."""
    from pipeline.release.diff import as_data, diff

    require_release(before)
    require_release(after)
    return as_data(diff(before, after)), show_difference


def show_difference(difference: dict[str, Any]) -> None:
    """Print how two releases differ."""
    for line in _lines(difference):
        print_line(line)


def _lines(difference: dict[str, Any]) -> Iterator[str]:
    yield f"{difference['before']} to {difference['after']}"
    if difference["empty"]:
        yield "nothing differs"
    for config in difference["configs"]:
        name = f"{config['config']:5}"
        for kind in ("added", "removed", "relabelled", "edited"):
            for split, guids in config[kind].items():
                yield f"{name} {len(guids):,} {kind} in {split}: {_first(guids)}"
        for move in config["moved"]:
            yield f"{name} {move['guid']} moved from {move['before']} to {move['after']}"
    for change in difference["changes"]:
        before, after = change["before"], change["after"]
        if isinstance(before, dict) and isinstance(after, dict):  # digests say nothing to a reader
            rows = f"{before.get('rows', '?')} rows, now {after.get('rows', '?')}"
            yield f"{change['what']}: other content, {rows}"
        else:
            yield f"{change['what']}: {_value(before)} -> {_value(after)}"
    yield from difference["notes"]


def _first(guids: Sequence[str]) -> str:
    more = f" and {len(guids) - _SHOWN:,} more (--json has all)" if len(guids) > _SHOWN else ""
    return " ".join(guids[:_SHOWN]) + more


def _value(value: Any) -> str:
    text = "nothing" if value is None else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def convert(folder: Path, out: Path, *, form: str, labels: bool) -> Result:
    """Write the examples of a release as official files into a folder, new or empty.

    A release of official files gives them back byte for byte, or says which byte it cannot.

    The folder gets its name when all files are written. Raises InputError or StoreError for a
    release that was changed, or whose test labels are wanted and not here.
    """
    check_choice("--format", form, ["klue"])
    check_new_folder(out)
    require_release(folder)
    manifest = read_manifest(folder)
    require_sound(folder, labels=labels)
    splits: list[Split] = ["train", "dev", "test"] if labels else ["train", "dev"]
    with new_folder(out) as making:
        if OFFICIAL in manifest.build:
            from flows.publish.originals import write_files

            files = list(write_files(folder, manifest, making))
        else:
            files = list(_written(folder, manifest, splits, making))
    files = [{**file, "file": str(out / file["file"])} for file in files]
    return {"release": str(folder), "files": files}, _show_files


def _written(
    folder: Path, manifest: Manifest, splits: Sequence[Split], making: Path
) -> Iterator[dict[str, str]]:
    """Write the examples of a release into a folder, and yield the files."""
    from flows.publish.material import write_official
    from pipeline.core import schemas
    from pipeline.release.official import file_name
    from pipeline.release.reading import read_parquet, read_split

    for task in (entry.task for entry in manifest.tasks.values()):
        path = folder / "votes" / f"{task_of(task).config}.parquet"
        votes = read_parquet(path, schemas.VOTES.equals)
        for split in splits:
            name = file_name(task, manifest.version, split)
            rows = read_split(folder, task, split, labels=split == "test")
            write_official(task, rows, votes, making / name, private=split == "test")
            yield {"task": task, "split": split, "file": name}


def import_official(
    folder: Path, out: Path, work: Path | None = None, build_name: str | None = None
) -> Result:
    """Write the official KLUE files of a folder as a release; return what it holds, and the gaps.

    With `work` they are aligned with the corpus of a build. Raises InputError for files of another
    version of KLUE, and for a place that is taken.
    """
    from flows.lineage.outputs import corpus_of
    from flows.publish.official import import_files, record

    require_folder(folder, "the folder that holds the official KLUE files")
    taken = out.exists() and not (out / MANIFEST).is_file()
    refuse(f"--out {out}", (taken, "is there and is no release; give a new folder"))
    corpus = corpus_of(work, build_name) if work is not None else None
    return record(import_files(folder, out, corpus)), _show_import


_PUBLISHED: Final = {
    True: "as published",
    False: "differs from the published file",
    None: "no digest of the published file is known",
}


def _show_import(record: dict[str, Any]) -> None:
    for task, splits in record["tasks"].items():
        print_line(f"{task:4} {', '.join(f'{many:,} {split}' for split, many in splits.items())}")
    for file, same in record["as_published"].items():
        print_line(f"file     {file}: {_PUBLISHED[same]}")
    for file, byte in record["unlike"].items():
        print_line(f"bytes    {file}: not to be written again {_first_byte(byte)}")
    for task, aligned in record["aligned"].items():
        dropped = f"; rules drop {sum(aligned['dropped'].values()):,}"
        counts = ", ".join(f"{aligned[how]:,} {how}" for how in ("exact", "edited", "none"))
        print_line(f"aligned  {task}: {counts}{dropped}")
    for note in record["notes"]:
        print_line(f"note     {note['file']}: {note['note']}")
    print_line(f"absent   {', '.join(record['absent']) or 'no task'}")
    print_line(f"hash     {record['release_hash']}")
    print_line(f"release  {record['release']}")


def _show_files(record: dict[str, Any]) -> None:
    for file in record["files"]:
        byte = file.get("unlike")
        other = f"  other bytes {_first_byte(byte)}" if byte else "  with errata"
        same = {True: "  the same bytes", False: other, None: ""}[file.get("same")]
        print_line(f"{file['task']:4} {file['split']:6} {file['file']}{same}")


def _first_byte(unlike: dict[str, Any]) -> str:
    return f"from byte {unlike['offset']:,} (line {unlike['line']:,}) on: {unlike['reason']}"


def require_sound(folder: Path, *, labels: bool = False) -> None:
    """Raise StoreError for a release that does not verify, or lacks labels that are wanted.

    Raises InputError as `require_release`.
    """
    from flows.publish.verified import verify_release

    require_release(folder)
    if labels and not private_folder(folder).is_dir():
        raise StoreError(
            f"{private_folder(folder)}: is not there, and it holds the test labels that are wanted;"
            " bring it"
        )
    wrong = [check.name for check in verify_release(folder) if not check.ok]
    if wrong:
        raise StoreError(
            f"{folder}: does not verify ({', '.join(wrong)}); `klue verify {folder}` says what is"
            " wrong; fetch or build the release again"
        )


def require_release(folder: Path) -> None:
    """Raise InputError as `require_public_folder`, and for a folder without a manifest."""
    require_public_folder(folder)
    lacks = not os.path.lexists(folder / MANIFEST) and os.access(folder, os.X_OK)
    refuse(folder, (lacks, f"no release is there, for it has no {MANIFEST}; check the path"))


def require_public_folder(folder: Path) -> None:
    """Raise InputError for what is no folder, and for the private folder of a release."""
    require_folder(folder, "the folder of a release, NAME/VERSION")
    require_public(folder)


def task_at(place: Path, name: str) -> Task:
    """Return a task by its id or config; those of a release may be known by its specs alone."""
    if (place / MANIFEST).is_file():
        read_manifest(place)
    return task_of(name)


def require_public(folder: Path) -> None:
    """Raise InputError for the private folder of a release; it names the one beside it."""
    name = folder.absolute().name
    if name.endswith(_PRIVATE):
        raise InputError(
            f"{folder}: holds the private files of a release; give the folder beside it,"
            f" {name.removesuffix(_PRIVATE)}"
        )
