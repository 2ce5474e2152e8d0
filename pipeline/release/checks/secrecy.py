"""Nothing public tells a label of the test split, a judgement on a closed item, or who judged."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.core.store import MANIFEST
from pipeline.release.checks.naming import Ids, strings
from pipeline.release.checks.subject import Check, Subject, judged
from pipeline.release.columns import leaf
from pipeline.release.people import PRIVATE_LEDGERS, PUBLIC
from pipeline.release.tables import COLUMNS

#: Columns of votes and ledgers in which somebody or a file could be named.
_NAMING: Final = frozenset({"annotator", "unit", "reason", "file"})
#: The programs of a page; its data are scripts of another type.
_PROGRAM: Final = re.compile(r"<script>.*?</script>", re.DOTALL)


def no_labels(subject: Subject) -> Check:
    """Look for a value in a column of a test file that holds or betrays the answer."""
    faults = (fault for config, _ in subject.configs for fault in _told(subject, config))
    return judged("test_labels", faults, "no test file holds a label, or what betrays it")


def judgements(subject: Subject) -> Check:
    """Look for public votes on items that are neither train nor dev examples, and ledger rows.

    A ledger may name other units; it may name no test example, and no item that has no split.
    """
    faults = (fault for config, _ in subject.configs for fault in _judged(subject, config))
    fine = "votes and ledgers are about nothing closed"
    known = "" if subject.private else "; items without a split are known to the private files only"
    return judged("judgements", faults, fine + known)


def annotators(subject: Subject) -> Check:
    """Look for ids of annotators where only public names may be, and for files and times of votes.

    Looked through are the texts of all tables, all other files and the manifest (naming.py).
    """
    ids = Ids(_private_ids(subject))
    faults = [*_votes(subject), *_ledgers(subject)]
    faults += [*_tables(subject, ids), *_texts(subject, ids), *_manifest(subject, ids)]
    fine = "annotators have public names only"
    if not ids.known:
        return judged("annotators", faults, f"{fine}, by their form")
    short = f"; {len(ids.words)} ids are common words or short: looked for as whole values only"
    return judged("annotators", faults, fine + short * bool(ids.words))


def _told(subject: Subject, config: str) -> Iterator[str]:
    columns = COLUMNS[subject.manifest.tasks[config].task]
    table = subject.split(config, "test")
    for path in columns.betraying:
        name = path.partition(".")[0]
        if name not in table.column_names:
            yield f"{config}/test.parquet lacks the column {name!r}"
        elif _kind(table, name) != _kind(columns.schema, name):
            yield f"{config}/test.parquet has another type in {name!r}"
        elif (values := leaf(table, path)).null_count < len(values):
            yield f"{config}/test.parquet tells {path} of {len(values) - values.null_count} rows"


def _kind(holder: pa.Table | pa.Schema, name: str) -> pa.DataType:
    schema = holder.schema if isinstance(holder, pa.Table) else holder
    return schema.field(name).type


def _judged(subject: Subject, config: str) -> Iterator[str]:
    is_open = subject.open_items(config)
    votes = _unique(subject, f"votes/{config}.parquet", "item")
    closed = sorted(votes - is_open)
    if closed:
        yield f"votes/{config}.parquet has votes on {len(closed)} closed items, such as {closed[0]}"
    items = _closed(subject, config)
    for path in _ledger_paths(subject, f"ledger/{config}/"):
        told = sorted(_unique(subject, path, "unit") & items)
        if told:
            yield f"{path} has rows about {len(told)} closed items, such as {told[0]}"


def _closed(subject: Subject, config: str) -> set[str]:
    """Return the items about which no ledger row may be public, as far as they can be known."""
    found = set(subject.guids[config]["test"])
    if subject.private is not None:
        found |= _unique(subject, f"gold/{config}.parquet", "item", private=True)
        found |= _unique(subject, f"votes/{config}.parquet", "item", private=True)
    return found - subject.open_items(config)


def _unique(subject: Subject, path: str, column: str, *, private: bool = False) -> set[str]:
    table = subject.table(path, [column], private=private)
    return set(pc.unique(table[column]).to_pylist())


def _private_ids(subject: Subject) -> set[str]:
    """Return the annotators that the private votes name."""
    if subject.private is None:
        return set()
    paths = [f"votes/{config}.parquet" for config, _ in subject.configs]
    found = (_unique(subject, path, "annotator", private=True) for path in paths)
    return {name for names in found for name in names if name is not None}


def _votes(subject: Subject) -> Iterator[str]:
    for config, _ in subject.configs:
        path = f"votes/{config}.parquet"
        names = _unique(subject, path, "annotator") - {None}
        clear = [one for one in names if not PUBLIC.fullmatch(one)]
        if clear:
            yield f"{path} has {len(clear)} annotators under their own ids"
        table = subject.table(path, ["at", "seconds"])
        exact = pc.not_equal(table["seconds"], pc.round(table["seconds"]))
        if table["at"].null_count < table.num_rows or pc.any(exact).as_py():
            yield f"{path} tells exactly when votes were given, or how long they took"


def _ledgers(subject: Subject) -> Iterator[str]:
    for config, _ in subject.configs:
        for path in _ledger_paths(subject, f"ledger/{config}/"):
            if path in {f"ledger/{config}/{stage}.parquet" for stage in PRIVATE_LEDGERS}:
                yield f"{path} is a ledger that tells files of votes: it must be private"
            table = subject.table(path, ["file", "line"])
            if any(column.null_count < len(column) for column in table.columns):
                yield f"{path} names files"


def _tables(subject: Subject, ids: Ids) -> Iterator[str]:
    for path in subject.manifest.files if ids.known else ():
        if path.endswith(".parquet"):
            table = subject.table(path)
            named = path.startswith(("votes/", "ledger/"))
            found: set[str] = set()
            for name, column in zip(table.column_names, table.columns, strict=True):
                for texts in (one for chunk in column.chunks for one in strings(chunk)):
                    found |= ids.within(texts)
                    found |= ids.instead(texts) if named and name in _NAMING else set()
            if found:
                yield f"{path} names {len(found)} annotators by their own ids"


def _ledger_paths(subject: Subject, start: str) -> list[str]:
    """Return the paths of ledgers: not those of what the split and the check for leaks found."""
    others = ("/constraints.parquet", "/leaks.parquet")
    return [p for p in subject.manifest.files if p.startswith(start) and not p.endswith(others)]


def _texts(subject: Subject, ids: Ids) -> Iterator[str]:
    for path in subject.manifest.files if ids.known else ():
        if path.endswith(".parquet"):
            continue
        text = (subject.folder / path).read_bytes().decode("utf-8", "replace")
        text = _PROGRAM.sub("", text) if path.endswith(".html") else text
        found = ids.within(pa.array(text.splitlines(), pa.string()))
        if found:
            yield f"{path} names {len(found)} annotators by their own ids"


def _manifest(subject: Subject, ids: Ids) -> Iterator[str]:
    told = subject.manifest.model_dump(mode="json")
    found = ids.within(_leaves(told, keys=True))
    found |= ids.instead(_leaves(told["build"], keys=False))
    if found:
        yield f"{MANIFEST} names {len(found)} annotators by their own ids"


def _leaves(value: Any, *, keys: bool) -> pa.Array:
    """Return the texts of plain data, with or without its keys."""
    return pa.array(_walked(value, keys=keys), pa.string())


def _walked(value: Any, *, keys: bool) -> list[str]:
    if isinstance(value, dict):
        own = list(value) if keys else []
        return own + [text for one in value.values() for text in _walked(one, keys=keys)]
    if isinstance(value, list):
        return [text for one in value for text in _walked(one, keys=keys)]
    return [value] if isinstance(value, str) else []
