"""The files of texts that names stand for: files, folders, globs, and corpora for pretraining."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from flows.plan.own import find_inputs
from flows.view.console import say
from pipeline.core.files import refuse
from pipeline.core.io import Quarantined, Source, guess_source
from pipeline.core.io.shards import check_shard
from pipeline.core.io.source import form_of
from pipeline.core.wording import count

#: Where `klue pretrain-corpus` puts text, a sentence a line and a blank line between documents.
_TEXT: Final = "text"
_PARTS: Final = "part-*.txt"
#: Rows that cannot be read and are named.
NAMED: Final = 5


class Unreadable:
    """Rows that cannot be read: the first are named as they are met, all are counted."""

    def __init__(self) -> None:
        self.rows = 0

    def add(self, source: Source, row: Quarantined) -> None:
        """Count a row of a file."""
        self.rows += 1
        if self.rows <= NAMED:
            say(f"{source.path} line {row.line}: left out, {row.reason} ({row.rule})")

    def say_rest(self) -> None:
        """Say how many rows were not named."""
        if (more := self.rows - NAMED) > 0:
            say(f"{count(more, 'more row')} left out")


def text_sources(
    names: tuple[str, ...], *, text_column: str, out: Path | None = None
) -> list[Source]:
    """Return the files in the order of their paths, each once and looked through.

    Of a folder with `text/part-*.txt`, as `klue pretrain-corpus` writes it, these alone are taken.
    Raises InputError for what cannot be read, lies around `out`, holds no row, or is cut off.
    """
    sources: dict[str, Source] = {}
    for path in map(Path, names):
        if path.is_file():
            guess_source(path, text=text_column)  # before archives count as folders
    for found in find_inputs(tuple(map(_of_corpus, names)), out):
        chosen = [path for _, path in found.files if found.path == path or form_of(path)]
        if others := len(found.files) - len(chosen):
            say(f"{found.path}: {count(others, 'file')} of other forms left out")
        real = map(os.path.realpath, chosen)  # unlike resolve, it takes a link to itself
        guessed = (guess_source(path, text=text_column) for path in chosen)
        sources |= dict(zip(real, guessed, strict=True))
    refuse(", ".join(names), (not sources, "no file of texts"))
    ordered = [sources[path] for path in sorted(sources)]
    for source in ordered:
        check_shard(source)
    return ordered


def _of_corpus(name: str) -> str:
    """Return the pattern of the text of a corpus for pretraining; another name as it is."""
    folder = Path(name) / _TEXT
    return str(folder / _PARTS) if any(folder.glob(_PARTS)) else name
