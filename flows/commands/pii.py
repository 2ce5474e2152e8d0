"""`klue pii`: personal data in files of the user's, over a pool of processes, one file each."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from flows.view.console import Result, print_line, print_table, say
from pipeline.core import steps
from pipeline.core.errors import InputError
from pipeline.core.files import check_utf8
from pipeline.core.io import guess_source
from pipeline.core.pool import Workers
from pipeline.core.wording import count
from pipeline.pii import files, key
from pipeline.pii.files import Findings, Task
from pipeline.pii.key import Originals
from pipeline.pii.kinds import MINIMUM, TYPES

R = TypeVar("R")


@dataclass(frozen=True)
class Request:
    """What the command line asked for, the same for all three commands."""

    paths: tuple[Path, ...]
    form: str | None = None
    text: str = "text"
    delimiter: str | None = None
    source: str | None = None
    types: str | None = None
    minimum: float = MINIMUM
    hits: Path | None = None
    out: Path | None = None
    force: bool = False
    workers: int = 1
    key_file: Path | None = None

    def tasks(self) -> list[Task]:
        """Return the work, file by file. Raises InputError for options that are not allowed."""
        repeated = [name for name, n in Counter(path.name for path in self.paths).items() if n > 1]
        if repeated:
            raise InputError(
                f"two files are named {', '.join(repeated)}, so that results could not be told"
                " apart; run the command for each"
            )
        if not 0 <= self.minimum <= 1:
            raise InputError(f"--min-confidence {self.minimum} is out of range; allowed: 0 to 1")
        if self.workers < 1:
            raise InputError(f"--workers {self.workers} is out of range; allowed: 1 or more")
        tasks = [
            Task(
                file=guess_source(p, form=self.form, text=self.text, delimiter=self.delimiter),
                types=_types(self.types),
                minimum=self.minimum,
                source=self.source,
                hits=self._output("--hits", self.hits, f"{p.name}.hits.jsonl"),
                out=self._output("--out", self.out, p.name),
                force=self.force,
                run=os.getpid(),
                kept=(*self.paths, *([self.key_file] if self.key_file else [])),
            )
            for p in self.paths
        ]
        for task in tasks:
            task.check()
        return tasks

    def _output(self, option: str, path: Path | None, name: str) -> Path | None:
        """Return the file to write: the path given, or `name` in the folder given."""
        check_utf8(f"{option} {path}", str(path), "rename it")
        if path is not None and path.is_dir():
            return path / name
        if path is not None and len(self.paths) > 1:
            raise InputError(f"{option} {path}: give an existing folder for several files")
        return path


def scan(**options: Any) -> Result:
    """Return what personal data the files hold: types, sources, rules and shapes, no value."""
    request = Request(**options)
    return _result(_map_files(request, request.tasks(), files.search_file))


def redact(**options: Any) -> Result:
    """Write the files again with every hit replaced by its type."""
    request = Request(**options)
    tasks = request.tasks()
    return _result(_map_files(request, tasks, files.search_file), tasks)


def pseudonymise(**options: Any) -> Result:
    """Write the files again with every hit replaced by a pseudonym.

    A first pass over all files collects the originals, so that no pseudonym is one of them.
    """
    request = Request(**options)
    tasks, key_file = request.tasks(), request.key_file
    secret = key.random_key() if key_file is None else key.read_key(key_file)
    warning = key.exposure(key_file) if key_file is not None else None
    if warning:
        say(f"warning: {warning}")
    try:
        collect = partial(files.collect_originals, key=secret)
        known = Originals.merge(_map_files(request, tasks, collect))
        work = partial(files.pseudonymise_file, key=secret, known=known)
        findings = _map_files(request, tasks, work)
    finally:
        for task in tasks:
            task.notes.unlink(missing_ok=True)
    run: dict[str, Any] = {"reproducible": key_file is not None, "originals": len(known)}
    if key_file is not None:
        run["key"] = key.check_value(secret)
    else:
        say(
            "no --key-file: a random key was used and not kept; another run gives other pseudonyms"
            " (not reproducible)"
        )
    redacted = sum((file.redacted for file in findings), Counter[str]())
    if redacted:
        say(
            f"{redacted.total()} values have no free pseudonym and were redacted instead:"
            f" {', '.join(sorted(redacted))}"
        )
    return _result(findings, tasks, **run, redacted=dict(sorted(redacted.items())))


def _types(option: str | None) -> tuple[str, ...]:
    if option is None:
        return TYPES
    names = [name.strip() for name in option.split(",") if name.strip()]
    unknown = [name for name in names if name not in TYPES]
    if unknown or not names:
        raise InputError(
            f"--types {option!r}: {', '.join(unknown) or 'nothing'} is no type; allowed:"
            f" {', '.join(TYPES)}"
        )
    return tuple(names)


def _map_files(request: Request, tasks: list[Task], work: Callable[[Task], R]) -> list[R]:
    """Do the work for every file, results in the order of the files."""
    with Workers(min(request.workers, len(tasks))) as workers:
        results = workers.map(partial(_run_numbered, work), iter(enumerate(tasks)))
        done = dict(steps.counted("files", results, len(tasks)) if workers.n > 1 else results)
    return [done[place] for place in range(len(tasks))]


def _run_numbered(work: Callable[[Task], R], item: tuple[int, Task]) -> tuple[int, R]:
    return item[0], work(item[1])


def _result(findings: list[Findings], tasks: list[Task] | None = None, **run: Any) -> Result:
    record = _record(findings) | run
    if tasks:
        record["out"] = [str(task.out) for task in tasks]
        if any(task.file.form != "text" for task in tasks):
            say(f"only the column {tasks[0].file.text!r} was looked at; others are as they were")
    for file in findings:
        for row in file.first:
            say(f"{file.file} line {row.line}: left out, {row.reason} ({row.rule})")
        more = file.quarantined.total() - len(file.first)
        if more:
            say(f"{file.file}: {more} more rows left out")
    return record, _show


def _record(findings: list[Findings]) -> dict[str, Any]:
    hits = sum((file.hits for file in findings), Counter[tuple[str, str, str]]())
    types, rules = Counter[str](), Counter[str]()
    sources: dict[str, Counter[str]] = {}
    for (source, kind, rule), n in hits.items():
        types[kind] += n
        rules[rule] += n
        sources.setdefault(source, Counter())[kind] += n
    examples: dict[str, dict[str, None]] = {}
    for file in findings:
        for rule, shapes in file.examples.items():
            examples.setdefault(rule, {}).update(dict.fromkeys(shapes))
    quarantined = sum((file.quarantined for file in findings), Counter[str]())
    return {
        "rows": sum(file.rows for file in findings),
        "rows_with_hits": sum(file.rows_with_hits for file in findings),
        "hits": {kind: types[kind] for kind in TYPES if types[kind]},
        "rules": dict(sorted(rules.items())),
        "sources": {name: dict(sorted(types.items())) for name, types in sorted(sources.items())},
        "examples": {rule: list(x)[: files.EXAMPLES] for rule, x in sorted(examples.items())},
        "quarantined": dict(sorted(quarantined.items())),
    }


def _show(record: dict[str, Any]) -> None:
    """Print the record for people: rules with their shapes, then sources by type."""
    rows = [
        (rule, f"{n:,}", "   ".join(record["examples"][rule]))
        for rule, n in record["rules"].items()
    ]
    shapes = "shapes (every letter and digit masked)"
    print_table("Personal data by type and rule", ("rule", "hits", shapes), rows, left=(shapes,))
    kinds = record["hits"]
    print_table(
        "By source",
        ("source", *kinds),
        (
            (name, *(f"{types[kind]:,}" if kind in types else "" for kind in kinds))
            for name, types in record["sources"].items()
        ),
    )
    left_out = sum(record["quarantined"].values())
    print_line(
        f"{count(record['rows'], 'row')}, {record['rows_with_hits']:,} with personal data,"
        f" {left_out:,} left out as unreadable"
    )
    for path in record.get("out", []):
        print_line(f"written  {path}")
    if "key" in record:
        print_line(f"key      {record['key']} (a check value, not the key)")
