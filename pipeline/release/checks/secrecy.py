"""Nothing public reveals a label of test, a judgement on a closed item, or who judged.

An annotator's id with a letter and a sign that is none (worker-01, a3f, kim@example.org) is looked
for in any text. One of letters alone or digits alone, or of fewer than three signs (expert, 17), is
also a word of some text, or a name that a corpus has: it is looked for only where nothing but the
name of somebody or of a file could be.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.core.store import MANIFEST
from pipeline.core.wording import count, verb
from pipeline.release.checks.subject import ERRATA, Subject
from pipeline.release.privacy import PRIVATE_LEDGERS, PUBLIC
from pipeline.release.tables import COLUMNS, leaf

#: Columns of votes and ledgers in which somebody or a file could be named.
_NAMING: Final = frozenset({"annotator", "unit", "reason", "file"})
#: The programs of a page, its styles and the outlines of its shapes; data are scripts of another
#: type.
_PROGRAM: Final = re.compile(r"<(script|style)>.*?</\1>| (?:d|class)=\"[^\"]*\"", re.DOTALL)


def no_labels(subject: Subject) -> Iterator[str]:
    """Look for a value in a column of a test file that holds or betrays the answer."""
    for config, entry in subject.manifest.tasks.items():
        columns, table = COLUMNS[entry.task], subject.split(config, "test")
        released = columns.schema_like(table.schema).names
        for path in columns.hidden_in_test:
            name = path.partition(".")[0]
            if name not in released:  # a release of before that has no such column
                continue
            if name not in table.column_names:
                yield f"{config}/test.parquet lacks the column {name!r}"
            elif table.schema.field(name).type != columns.schema.field(name).type:
                yield f"{config}/test.parquet has another type in {name!r}"
            elif values := leaf(table, path).drop_null():
                yield f"{config}/test.parquet tells {path} of {count(len(values), 'row')}"


def judgements(subject: Subject) -> Iterator[str]:
    """Look for public votes on items that are neither train nor dev examples, and ledger rows.

    A ledger may name other units; it may name no test example, and no item that has no split, but
    for those that errata took out of train and dev.
    """
    for config in subject.manifest.tasks:
        votes, is_open = f"votes/{config}.parquet", subject.open_items(config)
        if closed := sorted(_values(subject, votes, "item") - is_open):
            yield f"{votes} has votes on {count(len(closed), 'closed item')}, such as {closed[0]}"
        items = set(subject.guids[config]["test"])
        if subject.private is not None:
            items |= _values(subject, f"gold/{config}.parquet", "item", private=True)
            items |= _values(subject, votes, "item", private=True)
        for path in _ledger_paths(subject, config):
            if path.endswith(f"/{ERRATA}.parquet"):
                is_open |= _values(subject, path, "unit") - set(subject.guids[config]["test"])
            if about := sorted(_values(subject, path, "unit") & items - is_open):
                items_told = count(len(about), "closed item")
                yield f"{path} has rows about {items_told}, such as {about[0]}"


def annotators(subject: Subject) -> Iterator[str]:
    """Look for ids of annotators where only public names may be, and for files and times of votes.

    Looked through are the texts of all tables, all other files and the manifest.
    """
    for config in subject.manifest.tasks:
        path = f"votes/{config}.parquet"
        names = _values(subject, path, "annotator") - {None}
        if clear := [name for name in names if not PUBLIC.fullmatch(name)]:
            yield f"{path} has {count(len(clear), 'annotator')} under their own ids"
        table = subject.table(path, ["at", "seconds"])
        exact = pc.not_equal(table["seconds"], pc.round(table["seconds"]))
        if table["at"].null_count < table.num_rows or pc.any(exact).as_py():
            yield f"{path} tells exactly when votes were given, or how long they took"
    for config in subject.manifest.tasks:
        for path in _ledger_paths(subject, config):
            if path in {f"ledger/{config}/{stage}.parquet" for stage in PRIVATE_LEDGERS}:
                yield f"{path} is a ledger that tells files of votes: it must be private"
            table = subject.table(path, ["file", "line"])
            if any(column.null_count < len(column) for column in table.columns):
                yield f"{path} names files"
    ids = _ids(subject)
    ids_by_path = {
        path: _annotator_ids(subject, path, ids) for path in subject.manifest.files if ids.known
    }
    tables_first = sorted(ids_by_path, key=lambda path: not path.endswith(".parquet"))
    settings = subject.manifest.model_dump(mode="json")
    ids_by_path[MANIFEST] = ids.within(pa.array(_leaves(settings, keys=True), pa.string()))
    ids_by_path[MANIFEST] |= ids.instead(
        pa.array(_leaves(settings["build"], keys=False), pa.string())
    )
    for path in (*tables_first, MANIFEST):
        if ids_by_path[path]:
            yield f"{path} names {count(len(ids_by_path[path]), 'annotator')} by their own ids"


def annotators_detail(subject: Subject) -> str:
    """Say how the names of annotators were looked for."""
    ids, fine = _ids(subject), "annotators have public names only"
    if not ids.known:
        return f"{fine}, by their form"
    n = len(ids.words)
    are = verb(n, "is a common word", "are common words")
    short = f"; {count(n, 'id')} {are} or short: looked for as whole values only"
    return fine + short * bool(n)


def _ids(subject: Subject) -> Ids:
    if subject.private is None:
        return Ids(frozenset())
    paths = [f"votes/{config}.parquet" for config in subject.manifest.tasks]
    names = (_values(subject, path, "annotator", private=True) for path in paths)
    return Ids(frozenset().union(*names) - {None})


def _values(subject: Subject, path: str, column: str, *, private: bool = False) -> set[str]:
    return set(pc.unique(subject.table(path, [column], private=private)[column]).to_pylist())


def _ledger_paths(subject: Subject, config: str) -> list[str]:
    """Return the paths of ledgers: not those of what the split and the check for leaks found."""
    start, others = f"ledger/{config}/", ("/constraints.parquet", "/leaks.parquet")
    return [p for p in subject.manifest.files if p.startswith(start) and not p.endswith(others)]


def _annotator_ids(subject: Subject, path: str, ids: Ids) -> set[str]:
    """Return the ids of annotators that stand in a file."""
    if not path.endswith(".parquet"):
        text = subject.file(path).read_bytes().decode("utf-8", "replace")
        text = _PROGRAM.sub("", text) if path.endswith(".html") else text
        return ids.within(pa.array(text.splitlines(), pa.string()))
    table = subject.table(path)
    may_name = _NAMING if path.startswith(("votes/", "ledger/")) else frozenset()
    matches: set[str] = set()
    for name, column in zip(table.column_names, table.columns, strict=True):
        for texts in (array for chunk in column.chunks for array in strings(chunk)):
            matches |= ids.within(texts)
            matches |= ids.instead(texts) if name in may_name else set()
    return matches


def _leaves(value: Any, *, keys: bool) -> list[str]:
    """Return the texts of plain data, with or without its keys."""
    if isinstance(value, dict):
        keys_of_value = list(value) if keys else []
        return keys_of_value + [
            text for item in value.values() for text in _leaves(item, keys=keys)
        ]
    if isinstance(value, list):
        return [text for item in value for text in _leaves(item, keys=keys)]
    return [value] if isinstance(value, str) else []


_TELLING: Final = re.compile(r"(?=.*[^\W\d_])(?=.*[\W\d_]).{3,}", re.DOTALL)
#: How many ids one pattern looks for.
_AT_ONCE: Final = 200


@dataclass(frozen=True)
class Ids:
    """The ids of annotators."""

    known: Collection[str]

    @cached_property
    def telling(self) -> tuple[str, ...]:
        """Return those that are looked for in any text."""
        return tuple(sorted(name for name in self.known if _TELLING.fullmatch(name)))

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Return the others."""
        return tuple(sorted(set(self.known) - set(self.telling)))

    def within(self, texts: pa.Array) -> set[str]:
        """Return the telling ids that stand apart anywhere in texts."""
        return _match_ids(texts, self.telling, r"(?<![\w-])(?:IDS)(?![\w-])")

    def instead(self, values: pa.Array) -> set[str]:
        """Return the ids that are values as a whole, or named as annotators, or names of files.

        For values that may name a person or a file, and else are no words that an id may be.
        """
        whole = values.filter(pc.is_in(values, value_set=pa.array(sorted(self.known), pa.string())))
        named = _match_ids(values, self.words, r"(?<=\bannotator )(?:IDS)(?![\w-])")
        files = _match_ids(values, self.words, r"(?<![\w-])(?:IDS)(?=\.[A-Za-z]\w{1,7}\b)")
        return {*whole.to_pylist(), *named, *files}


def strings(array: pa.Array) -> Iterator[pa.Array]:
    """Yield all texts of a column, those inside lists, structs and maps as well."""
    kind = array.type
    if pa.types.is_string(kind):
        yield array
    elif pa.types.is_struct(kind):
        for child in array.flatten():
            yield from strings(child)
    elif pa.types.is_map(kind):
        yield from strings(array.keys)
        yield from strings(array.items)
    elif pa.types.is_list(kind):
        yield from strings(array.flatten())


def _match_ids(texts: pa.Array, ids: Collection[str], form: str) -> set[str]:
    """Return the ids that stand in texts as a form says; Arrow finds the few texts to look at."""
    matches: set[str] = set()
    longest = sorted(ids, key=lambda name: (-len(name), name))
    for at in range(0, len(longest), _AT_ONCE):
        either = "|".join(map(re.escape, longest[at : at + _AT_ONCE]))
        some = texts.filter(pc.match_substring_regex(texts, either))
        pattern = re.compile(form.replace("IDS", either))
        matches.update(match for text in some.to_pylist() for match in pattern.findall(text))
    return matches
