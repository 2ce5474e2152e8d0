"""The official files that a release was made of: described when it is made, and written again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.contracts.registry import task_of
from pipeline.core import schemas
from pipeline.release import tables
from pipeline.release.contained import released_file
from pipeline.release.manifest import Manifest
from pipeline.release.material import TaskMaterial
from pipeline.release.originals import (
    FILES,
    FOLDER,
    OriginalFile,
    Originals,
    describe,
    published_names,
    records_of,
    restore,
)
from pipeline.release.privacy import Judgements, public_name
from pipeline.release.reading import read_parquet, read_split
from pipeline.report.official import OfficialTask, splits_of_file


def describe_files(
    folder: Path, release: str, parts: Iterable[tuple[TaskMaterial, OfficialTask]]
) -> tuple[Originals, dict[str, pa.Table]]:
    """Return what a release keeps of the official files of a folder, and its rows by their path."""
    names: dict[str, str] = {}
    files: list[OriginalFile] = []
    kept: dict[str, pa.Table] = {}
    for part, read in parts:
        people = [name for name in pc.unique(part.votes["annotator"]).to_pylist() if name]
        names |= (published := published_names(release, people))
        votes = Judgements(part, {name: public_name(release, name) for name in people}).votes()
        task = part.task.id
        rows = tables.rows(part.examples, task, labels=True)
        records = records_of(task, tables.examples_of(rows, task), votes, published)
        described = [describe(folder / file, file, of, records) for file, of in read.files.items()]
        files += [file for file, _ in described]
        kept[f"{FOLDER}/{part.task.config}.parquet"] = pa.concat_tables(
            rows for _, rows in described
        )
    return Originals(annotators=sorted(names.values()), files=files), kept


def write_files(folder: Path, manifest: Manifest, out: Path) -> Iterator[dict[str, Any]]:
    """Write the official files of a release again into a folder, and yield what each is.

    `same` says whether it has the bytes that were imported; `unlike` is the first that it has not.
    """
    text = released_file(folder, FILES, manifest.files).read_bytes()
    originals = Originals.model_validate_json(text)
    names = published_names(manifest.name, originals.annotators)
    for task, files in schemas.group((file.task, file) for file in originals.files).items():
        config = task_of(task).config
        table = read_parquet(folder / FOLDER / f"{config}.parquet", schemas.ORIGINALS.equals)
        votes = read_parquet(folder / "votes" / f"{config}.parquet", schemas.VOTES.equals)
        rows = pa.concat_tables(read_split(folder, task, split) for split in ("train", "dev"))
        records = records_of(task, tables.examples_of(rows, task), votes, names)
        for file in files:
            path = out / file.file
            path.parent.mkdir(parents=True, exist_ok=True)
            same = restore(file, table, records, path)
            unlike = file.unlike.model_dump() if file.unlike and not same else None
            splits = ", ".join(splits_of_file(file.file))
            yield {
                **{"task": task, "split": splits, "file": file.file},
                **{"same": same, "unlike": unlike},
            }
