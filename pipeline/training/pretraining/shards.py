"""Text to pretrain on: files of UTF-8, a sentence a line, a blank line between documents.

A folder stands for the text files in it, or in its folder `text`, as `klue pretrain-corpus` writes
them. Where no file has a blank line, there are no documents: each line stands for itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from pipeline.core.errors import InputError
from pipeline.core.files import refuse
from pipeline.core.io import batch, streams
from pipeline.core.io.shards import check_shard
from pipeline.core.io.source import Source

#: The text files of a folder; those of `text/` come before its own.
_PATTERNS: Final = ("text/*.txt*", "*.txt*")
#: A blank line between two that are not.
_GAP: Final = re.compile(rb"\S[^\S\n]*\n(?:[^\S\n]*\n)+\s*\S")


def text_files(places: Sequence[Path]) -> list[Path]:
    """Return the text files of files and folders, in the order given, those of a folder by name.

    Raises InputError for what is not there, a folder without text, and a file that comes twice.
    """
    files: list[Path] = []
    for place in places:
        files += _files_in(place) if place.is_dir() else [place]
    twice = [path for path in files if files.count(path) > 1]
    refuse("TEXT", (twice, f"{twice[0] if twice else ''} comes twice; give it once"))
    return files


def check_texts(files: Sequence[Path]) -> bool:
    """Tell whether a blank line stands between two lines of any file.

    All of each is read, and only a part is held. Raises InputError for a file that is empty, cut
    off within a character, no lines of text, or (with ``file:line``) no UTF-8.
    """
    divided = [_check(path) for path in files]
    return any(divided)


def sentences(files: Sequence[Path], *, documents: bool) -> Iterator[tuple[bool, str]]:
    """Yield each sentence, and whether a document begins with it.

    Without `documents`, every sentence is one. Raises InputError with ``file:line`` for a line that
    is no UTF-8.
    """
    for path in files:
        begins = True
        for number, line in _lines(path):
            try:
                text = line.decode("utf-8").strip()
            except UnicodeDecodeError:
                raise _encoding_error(path, number) from None
            if text:
                yield begins or not documents, text
            begins = not text


def _files_in(folder: Path) -> list[Path]:
    for pattern in _PATTERNS:
        if found := sorted(path for path in folder.glob(pattern) if path.is_file()):
            return found
    raise InputError(
        f"{folder}: holds no text file; give files (*.txt, also packed), or a folder with them, as"
        " klue pretrain-corpus writes it"
    )


def _check(path: Path) -> bool:
    check_shard(Source(path, "text"))
    tail, divided = b"", False
    with streams.open_text(Source(path, "text")) as stream:
        for number, block in streams.read_blocks(stream):
            data = block or b""  # None is a long line, which was refused
            try:
                data.decode("utf-8")
            except UnicodeDecodeError as error:
                raise _encoding_error(path, number + data.count(b"\n", 0, error.start)) from None
            divided = divided or _GAP.search(tail + data) is not None
            tail = (tail + data)[len((tail + data).rstrip()) - 1 :]
    refuse(path, (not tail or tail.isspace(), "holds no text; leave it out"))
    return divided


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a file; long ones were refused when it was checked."""
    with streams.open_text(Source(path, "text")) as stream:
        for number, line in streams.read_lines(stream):
            if line is None:
                raise InputError(f"{path}:{number}: the line is longer than {batch.LIMIT:,} bytes")
            yield number, line


def _encoding_error(path: Path, number: int) -> InputError:
    return InputError(f"{path}:{number}: the line is no UTF-8; save the file as UTF-8")
