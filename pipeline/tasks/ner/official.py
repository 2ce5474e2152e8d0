"""KLUE-NER: one character a row with its BIO tag; blanks are characters too.

The line before a sentence repeats it with marks, `<경찰:OG>`. Where marks and tags differ, the tags
count and the line is kept as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from pipeline.contracts.answers import span_tuples
from pipeline.contracts.official import tab_separated as columns
from pipeline.contracts.official.files import ReleaseFile
from pipeline.contracts.official.tab_separated import Block
from pipeline.contracts.official.tables import Official, Row, SourceTexts, fault, rows_of
from pipeline.scoring.metrics.entities import bio_tags

TYPES: Final = ("PS", "LC", "OG", "DT", "TI", "QT")
HEADER: Final = [
    r"## 토큰, 레이블 구분자 : \t",
    r"## 토큰 구분자 : \n",
    r"## 문장 구분자 : \n\n",
    "## 주석 : ##",
    "## 컬럼명 : CHAR\tNE_TAG",
]
_TAG: Final = re.compile(rf"O|[BI]-({'|'.join(TYPES)})")
Span = dict[str, Any]
TEXTS: Final = SourceTexts(rb"\tNE_TAG|\n[^\t\n]+\t(O|[BI]-[A-Z]{2})\r?\n", ("text",))


def read(path: Path) -> Official:
    """Read KLUE-NER; raises InputError for any other file."""
    return columns.read("ner", path, _row)


def write(official: Official, path: Path) -> None:
    """Write the items as KLUE-NER."""
    columns.write(official, path, HEADER, map(_lines, rows_of(official)))


def tags(length: int, spans: list[Span]) -> list[str]:
    """Return the BIO tag of each of `length` characters."""
    return bio_tags(length, span_tuples(spans))


def spans_of(bio: Sequence[str]) -> list[Span]:
    """Return the entities of BIO tags, one a character; an I- that continues none is left out."""
    spans: list[Span] = []
    for place, tag in enumerate(bio):
        mark, _, label = tag.partition("-")
        if mark == "B" and label:
            spans.append({"start": place, "end": place + 1, "label": label})
        elif spans and spans[-1]["end"] == place and tag == f"I-{spans[-1]['label']}":
            spans[-1]["end"] = place + 1
    return spans


def mark_entities(text: str, spans: list[Span]) -> str:
    """Return the text with its entities marked, `<경찰:OG>은`."""
    parts, at = [], 0
    for span in spans:
        inside = text[span["start"] : span["end"]]
        parts += [text[at : span["start"]], f"<{inside}:{span['label']}>"]
        at = span["end"]
    return "".join(parts) + text[at:]


def _row(block: Block) -> Row:
    cells = [_cells(line, row) for line, row in block.rows]
    text, spans = "".join(char for char, _ in cells), spans_of([tag for _, tag in cells])
    for (_, tag), expected, (line, _) in zip(
        cells, tags(len(text), spans), block.rows, strict=True
    ):
        if tag != expected:
            raise fault("bio", f"line {line}: {tag} does not follow B- or {tag}")
    row = Row(block.guid, {"text": text}, spans, block.source)
    if block.text != mark_entities(text, spans):
        row.meta["marked"] = block.text
        row.notes.append(("official.kept.marks@1", "the marked sentence differs from the tags"))
    return row


def _cells(line: int, row: str) -> tuple[str, str]:
    char, tab, tag = row.rpartition("\t")
    if not tab or len(char) != 1:
        raise fault("form", f"line {line} is no character, tab and tag")
    if not _TAG.fullmatch(tag):
        raise fault("label", f"line {line} has an unknown tag; allowed: O, B- and I- of {TYPES}")
    return char, tag


def _lines(row: Row) -> list[str]:
    text, spans = row.fields["text"], row.gold
    head = f"## {row.item}\t{row.meta.get('marked', mark_entities(text, spans))}"
    return [head, *(f"{c}\t{t}" for c, t in zip(text, tags(len(text), spans), strict=True))]


FILE: Final = ReleaseFile(
    "klue-ner",
    ending="tsv",
    form="tsv",
    forms=dict.fromkeys(("sentence", "tokens", "ner_tags"), "marked"),
)
