"""The readers by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pipeline.core.errors import SpecError
from pipeline.core.registry import Registry
from pipeline.corpus.readers.base import Options, Reader

_HERE: Final = "pipeline.corpus.readers"

#: The readers by the names that catalogue entries give them.
READERS: Final[Registry[Reader]] = Registry(
    "reader",
    {
        "airbnb": f"{_HERE}.corpora:AIRBNB",
        "csv": f"{_HERE}.rows:CSV",
        "headlines": f"{_HERE}.rows:HEADLINES",
        "jsonl": f"{_HERE}.rows:JSONL",
        "klue_texts": f"{_HERE}.klue_texts:READER",
        "mediawiki": f"{_HERE}.wiki.mediawiki:READER",
        "news_csv": f"{_HERE}.rows:NEWS_CSV",
        "news_jsonl": f"{_HERE}.rows:NEWS_JSONL",
        "nsmc": f"{_HERE}.corpora:NSMC",
        "nsmc_ratings": f"{_HERE}.rows:NSMC_RATINGS",
        "parakqc": f"{_HERE}.corpora:PARAKQC",
        "parquet": f"{_HERE}.parquet:READER",
        "text": f"{_HERE}.lines:TEXT",
        "text_files": f"{_HERE}.lines:TEXT_FILES",
        "tsv": f"{_HERE}.rows:TSV",
        "wikinews_csv": f"{_HERE}.rows:WIKINEWS",
    },
)


def check_options(name: str, options: Mapping[str, Any]) -> None:
    """Raise SpecError when an option that a reader has no use for differs from its default.

    `options` has the fields of `Options`, all or some.
    """
    takes = READERS[name].takes
    idle = sorted(Options(**options).changed() - takes)
    if idle:
        allowed = f"it takes {', '.join(sorted(takes))}" if takes else "it takes no options"
        raise SpecError(f"reader {name} has no use for {', '.join(idle)}; {allowed}")
