"""The readers by name; a module is imported when its reader is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Final, cast

from pipeline.core.errors import SpecError
from pipeline.ingest.readers.base import Reader

_HERE: Final = "pipeline.ingest.readers"

#: Reader name, as catalogue entries give it, to module path.
READERS: Final[dict[str, str]] = {
    "airbnb": f"{_HERE}.airbnb",
    "csv": f"{_HERE}.rows_csv",
    "headlines": f"{_HERE}.headlines",
    "jsonl": f"{_HERE}.rows_jsonl",
    "mediawiki": f"{_HERE}.mediawiki",
    "news_csv": f"{_HERE}.news_csv",
    "news_jsonl": f"{_HERE}.news_jsonl",
    "nsmc": f"{_HERE}.nsmc",
    "nsmc_ratings": f"{_HERE}.nsmc_ratings",
    "parakqc": f"{_HERE}.parakqc",
    "parquet": f"{_HERE}.rows_parquet",
    "text": f"{_HERE}.text_lines",
    "text_files": f"{_HERE}.text_files",
    "tsv": f"{_HERE}.rows_tsv",
    "wikinews_csv": f"{_HERE}.wikinews_csv",
}


def get(name: str) -> Reader:
    """Return the reader of that name; raises SpecError that lists the names there are."""
    if name not in READERS:
        raise SpecError(f"unknown reader {name!r}; allowed: {', '.join(sorted(READERS))}")
    return cast(Reader, import_module(READERS[name]))
