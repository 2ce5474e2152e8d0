"""Releases as official KLUE files: inside a release, and out of one that is there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
import pyarrow.compute as pc

from flows.view.console import console, emit_json
from pipeline.contracts.registry import task_of
from pipeline.contracts.splits import Split
from pipeline.core import schemas
from pipeline.core.errors import InputError, StoreError
from pipeline.release import official, tables, vote_privacy
from pipeline.release.manifest import private_folder, read_manifest
from pipeline.release.material import Material
from pipeline.release.reading import read_parquet, read_split
from pipeline.release.verify import verify

#: The splits that official files can hold: theirs have labels.
_OPEN: Sequence[Split] = ("train", "dev")


def official_texts(material: Material) -> dict[str, str]:
    """Return the official files of a release in the making by their path in it (klue/...).

    The test split is not among them.
    """
    found, names, version = {}, vote_privacy.public_names(material), material.facts.version
    with TemporaryDirectory() as folder:
        for one in material.tasks:
            votes = vote_privacy.Judgements(one, names).votes()
            for split in _OPEN:
                chosen = one.examples.filter(pc.equal(one.examples["split"], split))
                rows = tables.rows(chosen, one.task.id, labels=True)
                path = Path(folder) / official.file_name(one.task.id, version, split)
                _write(one.task.id, rows, votes, path)
                found[f"klue/{path.name}"] = path.read_bytes().decode()
    return found


def converted(folder: Path, out: Path, *, form: str, labels: bool, as_json: bool) -> None:
    """Write the examples of a release as official files into a folder, new or empty."""
    if form != "klue":
        raise InputError(f"--format {form!r} is not known; allowed: klue")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError(f"--out {out}: is there and not empty; give a new or empty folder")
    manifest = read_manifest(folder)
    _require_sound(folder, labels=labels)
    splits: list[Split] = [*_OPEN, "test"] if labels else [*_OPEN]
    written = []
    with _made(out) as making:
        for entry in manifest.tasks.values():
            votes = _votes(folder, task_of(entry.task).config)
            for split in splits:
                rows = read_split(folder, entry.task, split, labels=labels)
                name = official.file_name(entry.task, manifest.version, split)
                _write(entry.task, rows, votes, making / name, private=split == "test")
                written.append({"task": entry.task, "split": split, "file": str(out / name)})
    if as_json:
        emit_json({"release": str(folder), "files": written})
        return
    for one in written:
        console().print(f"{one['task']:4} {one['split']:6} {one['file']}", soft_wrap=True)


@contextmanager
def _made(out: Path) -> Iterator[Path]:
    """Give a folder to write into, which gets its name when all is written; else nothing stays."""
    out.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=out.parent, prefix=f".{out.name}.") as folder:
        making = Path(folder) / "files"
        making.mkdir()
        yield making
        if out.exists():
            out.rmdir()  # it was empty
        making.rename(out)


def _require_sound(folder: Path, *, labels: bool) -> None:
    """Raise StoreError for a release that was changed, or whose test labels are not here."""
    if labels and not private_folder(folder).is_dir():
        raise StoreError(
            f"{private_folder(folder)}: is not there, and it holds the test labels; leave"
            " --test-labels out, or bring the private folder"
        )
    wrong = [one.name for one in verify(folder) if not one.ok]
    if wrong:
        raise StoreError(
            f"{folder}: does not verify ({', '.join(wrong)}); `klue verify {folder}` says what is"
            " wrong; fetch or build the release again"
        )


def _votes(folder: Path, config: str) -> pa.Table:
    return read_parquet(folder / "votes" / f"{config}.parquet", schemas.VOTES)


def _write(
    task: str, rows: pa.Table, votes: pa.Table, path: Path, *, private: bool = False
) -> None:
    examples = tables.examples_of(rows, task)
    official.write(official.official(task, examples, votes), path, private=private)
