"""Nothing public tells a label of the test split, a judgement on a closed item, or who judged."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.release.checks.subject import Check, Subject, judged
from pipeline.release.columns.base import leaf
from pipeline.release.people import PUBLIC
from pipeline.release.tables import COLUMNS

#: Ids that are looked for in texts: others (17, expert) are words that any text may have.
_TELLING: Final = re.compile(r"(?=.*[^\W\d_])(?=.*[\d._@-]).{4,}")
_NAMED: Final = re.compile(r"\bannotator (\S+)")


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
    """Look for ids of annotators where only public names may be."""
    known = _private_ids(subject)
    faults = [*_votes(subject, known), *_ledgers(subject, known), *_texts(subject, known)]
    fine = "annotators have public names only"
    return judged("annotators", faults, fine if known else f"{fine}, by their form")


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


def _votes(subject: Subject, known: Collection[str]) -> Iterator[str]:
    for config, _ in subject.configs:
        path = f"votes/{config}.parquet"
        names = _unique(subject, path, "annotator") - {None}
        clear = [one for one in names if one in known or not PUBLIC.fullmatch(one)]
        if clear:
            yield f"{path} has {len(clear)} annotators under their own ids"


def _ledgers(subject: Subject, known: Collection[str]) -> Iterator[str]:
    for path in _ledger_paths(subject, "ledger/"):
        reasons = _unique(subject, path, "reason") - {None}
        named = {name for reason in reasons for name in _NAMED.findall(reason)}
        if named & set(known):
            yield f"{path} names {len(named & set(known))} annotators by their own ids"


def _ledger_paths(subject: Subject, start: str) -> list[str]:
    """Return the paths of ledgers: not those of what the split and the check for leaks found."""
    others = ("/constraints.parquet", "/leaks.parquet")
    return [p for p in subject.manifest.files if p.startswith(start) and not p.endswith(others)]


def _texts(subject: Subject, known: Collection[str]) -> Iterator[str]:
    """Yield the texts that name an annotator by an id which is no common word."""
    telling = sorted(name for name in known if _TELLING.fullmatch(name))
    for path in subject.manifest.files:
        if path.endswith(".parquet"):
            continue
        text = (subject.folder / path).read_bytes().decode("utf-8", "replace")
        found = [one for one in telling if one in text and _stands(one, text)]
        if found:
            yield f"{path} names {len(found)} annotators by their own ids"


def _stands(name: str, text: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) is not None
