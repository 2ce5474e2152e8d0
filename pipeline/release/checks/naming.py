"""Looks for the ids of annotators in texts.

An id with a letter and a sign that is none (worker-01, a3f, kim@example.org) is looked for wherever
it stands apart. One of letters alone or digits alone, or of fewer than three signs (expert, 17), is
also a word of some text, or a name that a corpus has: it is looked for only where nothing but the
name of somebody or of a file could stand.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

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
        """Return the ids that are values as a whole, or told as annotators, or as names of files.

        For values that may name a person or a file, and else are no words that an id may be.
        """
        whole = values.filter(pc.is_in(values, value_set=pa.array(sorted(self.known), pa.string())))
        told = _found(values, self.words, r"(?<=\bannotator )(?:IDS)(?![\w-])")
        files = _found(values, self.words, r"(?<![\w-])(?:IDS)(?=\.[A-Za-z]\w{1,7}\b)")
        return {*whole.to_pylist(), *told, *files}


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
