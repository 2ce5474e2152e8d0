"""The texts of benchmarks that no corpus should hold: of releases, official files, any files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from flows.commands.releases import require_public_folder, require_sound
from flows.view.console import say
from pipeline.contracts.official.files import read_official
from pipeline.contracts.registry import task_of
from pipeline.contracts.splits import SPLITS
from pipeline.core import schemas
from pipeline.core.errors import InputError
from pipeline.core.files import refuse
from pipeline.core.io import Quarantined, guess_source, read_batches
from pipeline.core.io.source import NAME_COLUMN
from pipeline.core.jsontext import parsed
from pipeline.core.store import MANIFEST
from pipeline.core.wording import count
from pipeline.corpus.decontamination.benchmark import Guarded, guarded_table
from pipeline.release.manifest import read_manifest
from pipeline.release.reading import read_split
from pipeline.release.tables import examples_of
from pipeline.report.official import splits_of_file, task_of_file

_WANTED: Final = "the folder of a release, official KLUE files or their folder, or a file of texts"


def guarded_texts(
    against: Sequence[Path], *, text_column: str = "text", advice: str = NAME_COLUMN
) -> pa.Table:
    """Return the texts of all these benchmarks as GUARDED, in one order.

    A release is verified first, and its private files are not needed. Each row of a file of texts
    is an example of a task with the file's name; `advice` is for one without the column. Raises
    InputError for a place without texts and StoreError for a release that does not verify.
    """
    _refuse_equal_names(against)
    table = guarded_table(
        text for place in against for text in _texts_at(place, text_column, advice)
    )
    names = ", ".join(map(str, against))
    refuse(f"--against {names}", (not table.num_rows, "holds no text; give a benchmark"))
    return table


def _refuse_equal_names(against: Sequence[Path]) -> None:
    """Raise InputError where two files of texts would be the same task."""
    texts = {place.resolve() for place in against if place.is_file()}
    names = Counter(path.name for path in texts if not task_of_file(path.name))
    for name, files in names.items():
        fault = f"{files} files of texts have this name, and it names their task; rename one"
        refuse(f"--against {name}", (files > 1, fault))


def _texts_at(place: Path, text_column: str, advice: str) -> Iterator[Guarded]:
    refuse(f"--against {place}", (not place.exists(), f"does not exist; give {_WANTED}"))
    if place.is_dir():
        require_public_folder(place)
        yield from (_of_release if (place / MANIFEST).is_file() else _of_folder)(place)
    elif task_of_file(place.name):
        yield from _of_official(place)
    else:
        yield from _of_file(place, text_column, advice)


def _of_release(folder: Path) -> Iterator[Guarded]:
    require_sound(folder)
    for entry in read_manifest(folder).tasks.values():
        inputs = task_of(entry.task).inputs
        for split in SPLITS:
            for example in examples_of(read_split(folder, entry.task, split), entry.task):
                for text in inputs(example.fields, example.label):
                    yield Guarded(entry.task, split, example.id, text)


def _of_folder(folder: Path) -> Iterator[Guarded]:
    files = sorted(path for path in (*folder.glob("*"), *folder.glob("*/*")) if path.is_file())
    official = [path for path in files if task_of_file(path.name)]
    refuse(
        f"--against {folder}",
        (not official, f"is no release and holds no official KLUE file; give {_WANTED}"),
    )
    for path in official:
        yield from _of_official(path)


def _of_official(path: Path) -> Iterator[Guarded]:
    task = task_of(task_of_file(path.name) or "")
    read, splits = read_official(task.id, path), splits_of_file(path.name)
    lost = [problem for problem in read.problems if not problem.rule.startswith("official.kept.")]
    if lost:
        say(f"{path}: {count(len(lost), 'unreadable record')} of no use as a guard")
    for item, fields, gold, meta in schemas.rows(read.items, "item", "fields", "gold", "meta"):
        split = splits[0] if len(splits) == 1 else _value(meta, {}).get("split")
        for text in task.inputs(_value(fields, {}), _value(gold, None)):
            yield Guarded(task.id, split, item, text)


def _value(text: str | None, absent: Any) -> Any:
    return absent if text is None else parsed(text)


def _of_file(path: Path, text_column: str, advice: str) -> Iterator[Guarded]:
    lost: list[Quarantined] = []
    source = guess_source(path, text=text_column, advice=advice)
    for batch in read_batches(source, quarantine=lost.append):
        for line, text in zip(batch.lines.to_pylist(), batch.texts.to_pylist(), strict=True):
            yield Guarded(path.name, None, str(line), text)
    if lost:
        reason = f"line {lost[0].line}: {lost[0].reason}"
        raise InputError(
            f"--against {path}: {count(len(lost), 'unreadable row')}, the first {reason}"
        )
