"""KLUE-DP: one word a row with its morphemes, their tags, its head and its relation.

The gold answer is the tree; `meta` holds the morphemes. Words that a spreadsheet damaged (`0.9%`
became `0.90%`) stay as the rows give them, and the sentence as the line before it gives it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from pipeline.contracts.example import Example
from pipeline.contracts.official import tab_separated as columns
from pipeline.contracts.official.files import ReleaseFile, VoteRow
from pipeline.contracts.official.tab_separated import Block
from pipeline.contracts.official.tables import Official, Row, SourceTexts, fault, rows_of
from pipeline.core.errors import RecordError
from pipeline.tasks.dp.task import check_shape, turns_left

HEADER: Final = [
    r"## 토큰, 레이블 구분자 : \t",
    r"## 토큰 구분자 : \n",
    r"## 문장 구분자 : \n\n",
    "## 주석 : ##",
    "## 칼럼명 : INDEX\tWORD_FORM\tLEMMA\tPOS\tHEAD\tDEPREL",
]
_POS: Final = re.compile(r"[A-Z]+(\+[A-Z]+)*")
_DEPREL: Final = re.compile(r"[A-Z]+(_[A-Z]+)?")
TEXTS: Final = SourceTexts(rb"\tDEPREL|\n1\t[^\n]+\t[A-Z_]+\r?\n", ("text",))
#: What items have in their meta and gold has in its label.
META_OF_GOLD: Final = ("lemmas", "pos")


def read(path: Path) -> Official:
    """Read KLUE-DP; raises InputError for any other file."""
    return columns.read("dp", path, _row)


def write(official: Official, path: Path) -> None:
    """Write the items as KLUE-DP."""
    columns.write(official, path, HEADER, map(_lines, rows_of(official)))


def _row(block: Block) -> Row:
    table = [_cells(place, line, row) for place, (line, row) in enumerate(block.rows, start=1)]
    words, lemmas, pos, heads, deprels = (list(column) for column in zip(*table, strict=True))
    tree = {"heads": list(map(int, heads)), "deprels": deprels}
    _check_tree(tree["heads"])
    row = Row(block.guid, {"text": block.text, "words": words}, tree, block.source)
    row.meta = {"lemmas": lemmas, "pos": pos}
    row.notes = list(_notes(block, row))
    return row


def _cells(place: int, line: int, row: str) -> tuple[str, str, str, str, str]:
    index, word, lemma, pos, head, deprel = columns.cells(line, row, 6)
    if index != str(place):
        raise fault("form", f"line {line} does not have the index {place}")
    if not re.fullmatch(r"0|[1-9][0-9]{0,4}", head):
        raise fault("form", f"line {line}: the head is no number")
    if not word or not _POS.fullmatch(pos) or not _DEPREL.fullmatch(deprel):
        raise fault("label", f"line {line}: an empty word, or tags that are no capital letters")
    return word, lemma, pos, head, deprel


def _check_tree(heads: list[int]) -> None:
    if max(heads) > len(heads):
        raise fault("tree", f"a head is {max(heads)}, the last word is {len(heads)}")
    try:
        check_shape(heads)
    except RecordError as error:
        raise fault("tree", error.reason) from None


def _notes(block: Block, row: Row) -> Iterator[tuple[str, str]]:
    if block.text.split(" ") != row.fields["words"]:
        yield "official.kept.words@1", "the words are not those of the sentence"
    for (line, _), lemma, tags in zip(block.rows, row.meta["lemmas"], row.meta["pos"], strict=True):
        if len(lemma.split(" ")) != len(tags.split("+")):
            yield "official.kept.lemmas@1", f"line {line} has not one lemma a tag"
    if turns_left(row.gold["heads"]):
        yield "official.kept.left@1", "a head stands left of its word"


def _lines(row: Row) -> list[str]:
    empty = [""] * len(row.fields["words"])
    table = zip(
        row.fields["words"],
        row.meta.get("lemmas", empty),
        row.meta.get("pos", empty),
        map(str, row.gold["heads"]),
        row.gold["deprels"],
        strict=True,
    )
    return [
        f"## {row.item}\t{row.fields['text']}",
        *("\t".join((str(index), *cells)) for index, cells in enumerate(table, start=1)),
    ]


def _from_example(example: Example, _votes: Sequence[VoteRow]) -> Row:
    tree, meta = (
        {key: example.label[key] for key in keys} for keys in (("heads", "deprels"), META_OF_GOLD)
    )
    return Row(example.id, dict(example.fields), tree, example.source, None, meta)


FILE: Final = ReleaseFile("klue-dp", ending="tsv", form="tsv", row=_from_example)
