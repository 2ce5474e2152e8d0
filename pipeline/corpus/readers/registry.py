"""The readers by name; a module is imported when its reader is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final, cast

from pipeline.core.errors import SpecError
from pipeline.corpus.readers.base import Options, Reader

_HERE: Final = "pipeline.corpus.readers"

#: Reader name, as catalogue entries give it, to the module in this folder that is the reader, or
#: to ``module:ATTRIBUTE`` where it is an object in one.
READERS: Final[dict[str, str]] = {
    "airbnb": "airbnb:READER",
    "csv": "rows:CSV",
    "headlines": "rows:HEADLINES",
    "jsonl": "rows:JSONL",
    "klue_texts": "klue_texts",
    "mediawiki": "wiki.mediawiki",
    "news_csv": "rows:NEWS_CSV",
    "news_jsonl": "rows:NEWS_JSONL",
    "nsmc": "nsmc",
    "nsmc_ratings": "rows:NSMC_RATINGS",
    "parakqc": "parakqc",
    "parquet": "parquet",
    "text": "text_lines",
    "text_files": "text_files",
    "tsv": "rows:TSV",
    "wikinews_csv": "rows:WIKINEWS",
}


def names() -> tuple[str, ...]:
    """Return the names of all readers, sorted."""
    return tuple(sorted(READERS))


def module(name: str) -> str:
    """Return the dotted path of the module that holds a reader, without importing it.

    Raises SpecError that lists the names there are.
    """
    return f"{_HERE}.{_place(name)[0]}"


def get(name: str) -> Reader:
    """Return the reader of that name; raises SpecError that lists the names there are."""
    found, attribute = import_module(module(name)), _place(name)[1]
    return cast(Reader, getattr(found, attribute) if attribute else found)


def check(name: str, options: Mapping[str, Any]) -> None:
    """Raise SpecError when an option that a reader has no use for differs from its default.

    `options` has the fields of `Options`, all or some.
    """
    takes = get(name).takes
    idle = sorted(Options(**options).given() - takes)
    if idle:
        allowed = f"it takes {', '.join(sorted(takes))}" if takes else "it takes no options"
        raise SpecError(f"reader {name} has no use for {', '.join(idle)}; {allowed}")


def _place(name: str) -> tuple[str, str]:
    """Return a reader's module within this folder, and the attribute, "" for the module itself."""
    if name not in READERS:
        raise SpecError(f"unknown reader {name!r}; allowed: {', '.join(names())}")
    found, _, attribute = READERS[name].partition(":")
    return found, attribute
