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
from pipeline.release.checks.subject import Check, Subject, judged
from pipeline.release.privacy import PRIVATE_LEDGERS, PUBLIC
from pipeline.release.tables import COLUMNS, leaf

#: Columns of votes and ledgers in which somebody or a file could be named.
_NAMING: Final = frozenset({"annotator", "unit", "reason", "file"})
#: The programs of a page; its data are scripts of another type.
_PROGRAM: Final = re.compile(r"<script>.*?</script>", re.DOTALL)


def no_labels(subject: Subject) -> Check:
    """Look for a value in a column of a test file that holds or betrays the answer."""
    faults = (fault for config, _ in subject.configs for fault in _betrayed(subject, config))
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

    Looked through are the texts of all tables, all other files and the manifest .
    """
    ids = Ids(_private_ids(subject))
    faults = [*_votes(subject), *_ledgers(subject)]
    faults += [*_tables(subject, ids), *_texts(subject, ids), *_manifest(subject, ids)]
    fine = "annotators have public names only"
    if not ids.known:
        return judged("annotators", faults, f"{fine}, by their form")
    short = f"; {len(ids.words)} ids are common words or short: looked for as whole values only"
    return judged("annotators", faults, fine + short * bool(ids.words))


def _betrayed(subject: Subject, config: str) -> Iterator[str]:
    columns = COLUMNS[subject.manifest.tasks[config].task]
    table = subject.split(config, "test")
    for path in columns.betraying:
        name = path.partition(".")[0]
        if name not in table.column_names:
            yield f"{config}/test.parquet lacks the column {name!r}"
        elif table.schema.field(name).type != columns.schema.field(name).type:
            yield f"{config}/test.parquet has another type in {name!r}"
        elif (values := leaf(table, path)).null_count < len(values):
            yield f"{config}/test.parquet tells {path} of {len(values) - values.null_count} rows"


def _judged(subject: Subject, config: str) -> Iterator[str]:
    is_open = subject.open_items(config)
    closed = sorted(_unique(subject, f"votes/{config}.parquet", "item") - is_open)
    if closed:
        yield f"votes/{config}.parquet has votes on {len(closed)} closed items, such as {closed[0]}"
    items = _closed(subject, config)
    for path in _ledger_paths(subject, f"ledger/{config}/"):
        about = sorted(_unique(subject, path, "unit") & items)
        if about:
            yield f"{path} has rows about {len(about)} closed items, such as {about[0]}"


def _closed(subject: Subject, config: str) -> set[str]:
    """Return the items about which no ledger row may be public, as far as they can be known."""
    found = set(subject.guids[config]["test"])
    if subject.private is not None:
        found |= _unique(subject, f"gold/{config}.parquet", "item", private=True)
        found |= _unique(subject, f"votes/{config}.parquet", "item", private=True)
    return found - subject.open_items(config)


def _unique(subject: Subject, path: str, column: str, *, private: bool = False) -> set[str]:
    return set(pc.unique(subject.table(path, [column], private=private)[column]).to_pylist())


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
    data = subject.manifest.model_dump(mode="json")
    found = ids.within(pa.array(_leaves(data, keys=True), pa.string()))
    found |= ids.instead(pa.array(_leaves(data["build"], keys=False), pa.string()))
    if found:
        yield f"{MANIFEST} names {len(found)} annotators by their own ids"


def _leaves(value: Any, *, keys: bool) -> list[str]:
    """Return the texts of plain data, with or without its keys."""
    if isinstance(value, dict):
        own = list(value) if keys else []
        return own + [text for one in value.values() for text in _leaves(one, keys=keys)]
    if isinstance(value, list):
        return [text for one in value for text in _leaves(one, keys=keys)]
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
        return tuple(sorted(one for one in self.known if _TELLING.fullmatch(one)))

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Return the others."""
        return tuple(sorted(set(self.known) - set(self.telling)))

    def within(self, texts: pa.Array) -> set[str]:
        """Return the telling ids that stand apart anywhere in texts."""
        return _found(texts, self.telling, r"(?<![\w-])(?:IDS)(?![\w-])")

    def instead(self, values: pa.Array) -> set[str]:
        """Return the ids that are values as a whole, or named as annotators, or names of files.

        For values that may name a person or a file, and else are no words that an id may be.
        """
        whole = values.filter(pc.is_in(values, value_set=pa.array(sorted(self.known), pa.string())))
        named = _found(values, self.words, r"(?<=\bannotator )(?:IDS)(?![\w-])")
        files = _found(values, self.words, r"(?<![\w-])(?:IDS)(?=\.[A-Za-z]\w{1,7}\b)")
        return {*whole.to_pylist(), *named, *files}


def strings(array: pa.Array) -> Iterator[pa.Array]:
    """Yield all texts of a column, those inside lists, structs and maps as well."""
    kind = array.type
    if pa.types.is_string(kind):
        yield array
    elif pa.types.is_struct(kind):
        for one in array.flatten():
            yield from strings(one)
    elif pa.types.is_map(kind):
        yield from strings(array.keys)
        yield from strings(array.items)
    elif pa.types.is_list(kind):
        yield from strings(array.flatten())


def _found(texts: pa.Array, ids: Collection[str], form: str) -> set[str]:
    """Return the ids that stand in texts as a form says; Arrow finds the few texts to look at."""
    found: set[str] = set()
    longest = sorted(ids, key=lambda one: (-len(one), one))
    for at in range(0, len(longest), _AT_ONCE):
        either = "|".join(map(re.escape, longest[at : at + _AT_ONCE]))
        some = texts.filter(pc.match_substring_regex(texts, either))
        pattern = re.compile(form.replace("IDS", either))
        found.update(one for text in some.to_pylist() for one in pattern.findall(text))
    return found
