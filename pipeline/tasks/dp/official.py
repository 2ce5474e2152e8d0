"""KLUE-DP: one word a row with its morphemes, their tags, its head and its relation.

The gold answer is the tree; `meta` holds the morphemes. Words that a spreadsheet damaged (`0.9%`
became `0.90%`) stay as the rows give them, and the sentence as the line before it gives it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
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
_COLUMNS: Final = 6
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
    tree = {"heads": [int(head) for head in heads], "deprels": deprels}
    _check_tree(tree["heads"])
    fields = {"text": block.text, "words": words}
    row = Row(block.guid, fields, tree, block.source, meta={"lemmas": lemmas, "pos": pos})
    row.notes = _notes(block, words, lemmas, pos, tree["heads"])
    return row


def _cells(place: int, line: int, row: str) -> tuple[str, str, str, str, str]:
    index, word, lemma, pos, head, deprel = columns.cells(line, row, _COLUMNS)
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


def _notes(
    block: Block, words: list[str], lemmas: list[str], pos: list[str], heads: list[int]
) -> list[tuple[str, str]]:
    notes = []
    if block.text.split(" ") != words:
        notes.append(("official.kept.words@1", "the words are not those of the sentence"))
    for place, (lemma, tags) in enumerate(zip(lemmas, pos, strict=True)):
        if len(lemma.split(" ")) != len(tags.split("+")):
            reason = f"line {block.rows[place][0]} has not one lemma a tag"
            notes.append(("official.kept.lemmas@1", reason))
    if turns_left(heads):
        notes.append(("official.kept.left@1", "a head stands left of its word"))
    return notes


def _lines(row: Row) -> list[str]:
    words, tree = row.fields["words"], row.gold
    empty = [""] * len(words)
    table = zip(
        words,
        row.meta.get("lemmas", empty),
        row.meta.get("pos", empty),
        map(str, tree["heads"]),
        tree["deprels"],
        strict=True,
    )
    head = f"## {row.item}\t{row.fields['text']}"
    return [head, *("\t".join((str(i), *cells)) for i, cells in enumerate(table, start=1))]


def _from_example(example: Example, _votes: Sequence[VoteRow]) -> Row:
    tree = {key: example.label[key] for key in ("heads", "deprels")}
    meta = {key: example.label[key] for key in ("lemmas", "pos")}
    return Row(example.id, dict(example.fields), tree, example.source, None, meta)


FILE: Final = ReleaseFile("klue-dp", ending="tsv", form="tsv", row=_from_example)
