"""The tab-separated form of KLUE-NER and KLUE-DP: header lines, then one block a sentence.

## 주석 : ##                        header lines, before the first sentence
## GUID<TAB>TEXT                    the line before a sentence
CELL<TAB>CELL                       one row a character (NER) or word (DP)
                                    an empty line ends the sentence
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pipeline.contracts.official import documents
from pipeline.contracts.official.tables import Official, Row, fault, gather
from pipeline.core.errors import InputError

_SENTENCE: Final = re.compile(r"## (\S+)\t(.*)")
#: What an official guid ends in: the source, after a number.
_SOURCE: Final = re.compile(r".*_\d+[-_](.+)")


@dataclass(frozen=True)
class Block:
    """A sentence: its line, the text after its guid, and its rows with their lines."""

    line: int
    guid: str
    text: str
    rows: list[tuple[int, str]]

    @property
    def source(self) -> str | None:
        """Return the source that the guid names."""
        match = _SOURCE.fullmatch(self.guid)
        return match[1] if match else None


def read(task: str, path: Path, row: Callable[[Block], Row]) -> Official:
    """Read a file of this form; `row` makes one record of one sentence.

    Raises InputError for a file without a sentence.
    """
    text = documents.read_text(path)
    frame = documents.frame_of(text, path)
    lines = text.split(frame["line_end"])
    first = next((i for i, line in enumerate(lines) if _SENTENCE.fullmatch(line)), None)
    if first is None:
        raise InputError(
            f"{path}: no sentence in it; an official {task} file has a line"
            " `## GUID<TAB>TEXT` before the rows of each sentence"
        )
    frame["header"] = lines[:first]
    return gather(
        task, "tsv", path, _blocks(lines, first), lambda block: row(_check_block(block)), frame
    )


def write(official: Official, path: Path, default: list[str], blocks: Iterable[list[str]]) -> None:
    """Write sentences given as lists of lines; `default` is the header unless the frame has one."""
    frame: dict[str, Any] = official.frame
    end = frame.get("line_end", "\n")
    head = "".join(line + end for line in frame.get("header", default))
    body = (end + end).join(end.join(lines) for lines in blocks)
    documents.save(head + body + end + end, path, frame)


def cells(line: int, row: str, count: int) -> list[str]:
    """Return the cells of a row; raises RecordError when there are more or fewer."""
    columns = row.split("\t")
    if len(columns) != count:
        raise fault("form", f"line {line} has {len(columns)} columns; allowed: {count}")
    return columns


def _blocks(lines: list[str], first: int) -> list[tuple[int, Block]]:
    blocks: list[tuple[int, Block]] = []
    block: Block | None = None
    for number, line in enumerate(lines[first:], start=first + 1):
        head = _SENTENCE.fullmatch(line)
        if head or (block is None and line):
            block = Block(number, head[1] if head else "", head[2] if head else "", [])
            blocks.append((number, block))
        if not line:
            block = None
        elif block and not head:
            block.rows.append((number, line))
    return blocks


def _check_block(block: Block) -> Block:
    if not block.guid:
        raise fault("form", "rows without the line `## GUID<TAB>TEXT` before them")
    if not block.rows:
        raise fault("form", "a sentence without rows")
    return block
