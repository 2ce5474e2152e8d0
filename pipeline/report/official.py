"""The official KLUE files of a folder as tables of examples: what `klue report --klue` looks at."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

import orjson
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.contracts.official.files import read_official
from pipeline.contracts.official.tables import Official as OfficialFile
from pipeline.contracts.parts import Parts
from pipeline.contracts.registry import TASKS
from pipeline.contracts.splits import SPLITS
from pipeline.core import schemas
from pipeline.core.errors import InputError
from pipeline.core.files import refuse
from pipeline.core.jsontext import canonical, parsed
from pipeline.core.pool import active
from pipeline.core.wording import count, verb
from pipeline.report.quality.statistics import paper_size

#: Keys of the meta of official items that belong to the label in its form of gold.
META_OF_GOLD: Final[Mapping[str, Sequence[str]]] = Parts("official", "META_OF_GOLD")
_SUFFIXES: Final = frozenset({".json", ".csv", ".tsv"})
#: A split in a file name, with digits that say how much of it: train36547.
_SPLIT: Final = re.compile(rf"_({'|'.join(SPLITS)})(?=\d*[_.])")
_DAY: Final = re.compile(r"(\d{4})[.-](\d{2})[.-](\d{2})")
#: So many of the largest files are read in this process: the workers are still starting.
_HERE: Final = 2
#: The source of examples whose file names none.
UNKNOWN: Final = "unknown"


class Note(NamedTuple):
    """What is to be known of a file, or why it was not used."""

    file: str
    note: str


@dataclass(frozen=True)
class OfficialTask:
    """The official examples of a task (EXAMPLES), their raw votes (VOTES), and notes on files.

    `files` are those that could be read, as they were read, by their paths in the folder.
    """

    examples: pa.Table
    votes: pa.Table
    notes: tuple[Note, ...]
    files: Mapping[str, OfficialFile]


@dataclass(frozen=True)
class Official:
    """What a folder holds: tasks in the order of their ids, and notes on files of no task."""

    tasks: dict[str, OfficialTask]
    notes: tuple[Note, ...]


@dataclass(frozen=True)
class _Part:
    """The examples of one file that belong to one split, and the file."""

    file: str
    split: str
    examples: pa.Table
    read: OfficialFile

    @property
    def rank(self) -> tuple[int, int, str]:
        """Order parts of a split: most examples first, then most that is told of them."""
        meta_bytes = pc.sum(pc.binary_length(self.examples.column("meta"))).as_py() or 0
        return -self.examples.num_rows, -meta_bytes, self.file


def official_tasks(folder: Path) -> tuple[str, ...]:
    """Return the ids of the tasks whose files a folder holds, by their names; nothing is read.

    Raises InputError for a folder without any official file.
    """
    tasks = {task for path in _files(folder) if (task := task_of_file(path.name))}
    if not tasks:
        raise _no_file(folder, [Note(path.name, _unknown(path)) for path in _files(folder)])
    return tuple(sorted(tasks))


def official_examples(folder: Path, *, tasks: Collection[str] | None = None) -> Official:
    """Read the official KLUE files of a folder and of the folders in it, by their names.

    Task and split are told by the name of a file, or by its records where the name has several
    splits. Of two files that hold an example the one with more of its split counts. Answers have
    the forms of gold; `group` is the example alone, `documents` are not known, and the source is
    `unknown` where the file names none. What was left out, and what is a part only, stands in the
    notes. With `tasks` only the files of these are read. The active pool divides the files. Raises
    InputError for a folder without any readable official file.
    """
    parts: dict[str, list[_Part]] = {}
    notes: dict[str | None, list[Note]] = {}
    files = [(folder, path, task_of_file(path.name)) for path in _files(folder)]
    jobs = [file for file in files if tasks is None or file[2] in tasks]
    jobs.sort(key=lambda job: -job[1].stat().st_size)
    with ThreadPoolExecutor(1) as beside:
        others = beside.submit(list, active().map_in_order(_read, iter(jobs[_HERE:])))
        done = [_read(job) for job in jobs[:_HERE]] + others.result()
    by_file = sorted(zip(jobs, done, strict=True), key=lambda pair: pair[0][1])
    for _, (task, found, remarks) in by_file:
        notes.setdefault(task, []).extend(remarks)
        if task is not None:
            parts.setdefault(task, []).extend(found)
    merged = {task: _merge(task, parts[task], notes[task]) for task in sorted(parts) if parts[task]}
    rest = [note for task, remarks in notes.items() if task not in merged for note in remarks]
    if not merged:
        raise _no_file(folder, rest)
    return Official(merged, tuple(sorted(rest)))


def _read(job: tuple[Path, Path, str | None]) -> tuple[str | None, list[_Part], list[Note]]:
    """Return the task, the parts and the notes of a file in a folder."""
    folder, path, task = job
    file, remarks = path.relative_to(folder).as_posix(), list[Note]()
    if task is None:
        return task, [], [Note(file, _unknown(path))]
    try:
        return task, _parts(task, path, file, remarks), remarks
    except InputError as error:
        return task, [], [*remarks, Note(file, f"not read: {str(error).removeprefix(f'{path}: ')}")]


def _no_file(folder: Path, notes: list[Note]) -> InputError:
    return InputError(
        f"{folder}: no readable official KLUE file in it; give the folder of files such as"
        " klue-nli-v1.1_dev.json" + "".join(f"\n  {note.file}: {note.note}" for note in notes[:5])
    )


def _files(folder: Path) -> list[Path]:
    refuse(
        folder, (not folder.is_dir(), "no such folder; give the one that holds the official files")
    )
    inside = [path for path in folder.glob("*/*") if task_of_file(path.name)]
    files = [path for path in [*folder.iterdir(), *inside] if path.is_file()]
    return sorted(path for path in files if not path.name.startswith("."))


def splits_of_file(name: str) -> list[str]:
    """Return the splits that the name of an official file tells."""
    return sorted(set(_SPLIT.findall(name)))


def task_of_file(name: str) -> str | None:
    """Return the id of the task whose official file has such a name, if any."""
    if Path(name).suffix.lower() not in _SUFFIXES or not _SPLIT.search(name):
        return None
    for task in TASKS.values():
        starts = [f"klue-{task.id}-", *([f"{task.config}-"] if task.config != task.id else [])]
        if name.startswith(tuple(starts)):
            return task.id
    return None


def _unknown(path: Path) -> str:
    if path.suffix.lower() not in _SUFFIXES:
        return "not read: neither JSON nor CSV nor TSV"
    return "not read: its name is not that of official examples, such as klue-nli-v1.1_dev.json"


def _parts(task: str, path: Path, file: str, notes: list[Note]) -> list[_Part]:
    read = read_official(task, path)
    for rule, many in sorted(Counter(problem.rule for problem in read.problems).items()):
        treatment = "kept as they are" if rule.startswith("official.kept.") else "left out"
        notes.append(Note(file, f"{count(many, 'fault')} of records, {treatment} ({rule})"))
    items = read.items
    if absent := items.column("gold").null_count:
        notes.append(Note(file, f"{count(absent, 'example')} without a label, left out"))
        items = items.filter(items.column("gold").is_valid())
    examples = _examples(task, items, splits_of_file(path.name))
    if lost := items.num_rows - examples.num_rows:
        notes.append(Note(file, f"{count(lost, 'example')} whose split is not told, left out"))
    return [
        _Part(file, split, rows, read)
        for split in SPLITS
        if (rows := examples.filter(pc.equal(examples.column("split"), split))).num_rows
    ]


def _examples(task: str, items: pa.Table, splits: list[str]) -> pa.Table:
    metas = [orjson.loads(text or "{}") for text in items.column("meta").to_pylist()]
    many = items.num_rows
    columns = {
        "id": items.column("item"),
        "task": items.column("task"),
        "split": splits * many if len(splits) == 1 else [meta.get("split") for meta in metas],
        "source": pc.fill_null(items.column("source"), UNKNOWN),
        "group": items.column("item"),
        "fields": items.column("fields"),
        "label": _labels(task, items.column("gold"), metas),
        "documents": [[]] * many,
        "simulated": [False] * many,
        "kept": [False] * many,
        "sampler": items.column("sampler"),
        "style": [None] * many,
        "date": [_day(meta.get("date")) for meta in metas],
        "agreement": [None] * many,
        "meta": items.column("meta"),
    }
    table = pa.table(columns, schema=schemas.EXAMPLES)
    is_known_split = pc.is_in(table.column("split"), value_set=pa.array(SPLITS))
    return schemas.check(table.filter(is_known_split), "examples")


def _labels(task: str, gold: pa.ChunkedArray, metas: list[dict[str, Any]]) -> Any:
    keys = META_OF_GOLD.get(task)
    if not keys:
        return gold
    pairs = zip(gold.to_pylist(), metas, strict=True)
    return [canonical(parsed(text) | {key: meta[key] for key in keys}) for text, meta in pairs]


def _day(date: object) -> str | None:
    """Return the day of a date such as `2017.09.21. 오후 5:09`, as YYYY-MM-DD."""
    match = _DAY.match(date) if isinstance(date, str) else None
    return "-".join(match.groups()) if match else None


def _merge(task: str, parts: list[_Part], notes: list[Note]) -> OfficialTask:
    """Return the examples of all parts; of an example in several the fullest part's counts."""
    examples, votes = [], []
    for split in SPLITS:
        texts: dict[str, tuple[str, str]] = {}
        for part in sorted(
            (part for part in parts if part.split == split), key=lambda part: part.rank
        ):
            rows = schemas.rows(part.examples, "id", "fields", "label")
            part_texts = {name: (fields, label) for name, fields, label in rows}
            known = pc.is_in(part.examples["id"], value_set=pa.array(list(texts), pa.string()))
            new = part.examples.filter(pc.invert(known))
            if twice := part_texts.keys() & texts.keys():
                other = sum(texts[example] != part_texts[example] for example in twice)
                equal = "with equal texts and labels"
                differ = (
                    f"{other:,} of them {verb(other, 'differs', 'differ')} in text or label"
                    if other
                    else equal
                )
                overlap = (
                    f"{count(len(twice), 'example')} of {split} in a fuller file too ({differ})"
                )
                notes.append(Note(part.file, overlap))
            texts = part_texts | texts
            examples.append(new)
            given = part.read.votes
            is_new = pc.is_in(given["item"], value_set=new["id"].combine_chunks())
            votes.append(given.filter(is_new))
        size = paper_size(task, split)
        if texts and size is not None and len(texts) < size:
            files = ", ".join(part.file for part in parts if part.split == split)
            notes.append(
                Note(files, f"a part of {split}: {len(texts):,} of {count(size, 'example')}")
            )
    read = {part.file: part.read for part in sorted(parts, key=lambda part: part.file)}
    tables = pa.concat_tables(examples), pa.concat_tables(votes)
    return OfficialTask(*tables, tuple(sorted(notes)), read)
