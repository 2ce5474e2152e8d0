"""Columns of dp: one entry a word. Lemmas and parts of speech are input, in test files too."""

from __future__ import annotations

from typing import Final

from pipeline.contracts.example import Example
from pipeline.release.columns import NUMBERS, TEXT, TEXTS, Columns, Row, schema

_PARTS: Final = {"lemmas": "lemma", "pos": "pos", "heads": "head", "deprels": "deprel"}


def _row(one: Example) -> Row:
    words = one.fields["words"]
    known = {**one.meta, **one.label}  # gold of official files has its morphemes beside it
    return {
        "guid": one.id,
        "source": one.source,
        "sentence": one.fields["text"],
        "index": list(range(1, len(words) + 1)),
        "word_form": words,
        **{column: known.get(part) for part, column in _PARTS.items()},
    }


def _back(row: Row) -> Example:
    fields = {"text": row["sentence"], "words": row["word_form"]}
    label = {part: row[name] for part, name in _PARTS.items() if row[name] is not None}
    return Example(row["guid"], row["source"], fields, label or None)


COLUMNS: Final = Columns(
    task="dp",
    schema=schema(
        guid=TEXT,
        source=TEXT,
        sentence=TEXT,
        index=NUMBERS,
        word_form=TEXTS,
        lemma=TEXTS,
        pos=TEXTS,
        head=NUMBERS,
        deprel=TEXTS,
    ),
    answer=("head", "deprel"),
    betraying=("head", "deprel"),
    row=_row,
    back=_back,
)
