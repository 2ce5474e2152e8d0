"""Columns of dp: one entry a word. Lemmas and parts of speech are input, in test files too."""

from __future__ import annotations

from typing import Final

from pipeline.contracts.example import Example
from pipeline.contracts.spec import TaskSpec
from pipeline.release.tables import NUMBERS, TEXT, TEXTS, Card, Columns, Row, schema
from pipeline.tasks.dp.task import check_shape

_PARTS: Final = {"lemmas": "lemma", "pos": "pos", "heads": "head", "deprels": "deprel"}


def _to_row(example: Example) -> Row:
    words = example.fields["words"]
    known = {**example.meta, **example.label}  # gold of official files has its morphemes beside it
    return {
        "guid": example.id,
        "source": example.source,
        "sentence": example.fields["text"],
        "index": list(range(1, len(words) + 1)),
        "word_form": words,
        **{column: known.get(part) for part, column in _PARTS.items()},
    }


def _from_row(row: Row) -> Example:
    fields = {"text": row["sentence"], "words": row["word_form"]}
    label = {part: row[name] for part, name in _PARTS.items() if row[name] is not None}
    return Example(row["guid"], row["source"], fields, label or None)


def _allowed_relations(spec: TaskSpec) -> list[str]:
    syntax, function = spec.ids("syntax"), spec.ids("function")
    return [*syntax, *(f"{phrase}_{role}" for phrase in syntax for role in function)]


def _is_valid(row: Row) -> bool:
    count = len(row["word_form"])
    check_shape(row["head"])
    columns = (row[name] for name in _PARTS.values() if row[name] is not None)
    return (
        all(0 <= head <= count for head in row["head"])
        and row["index"] == list(range(1, count + 1))
        and all(len(column) == count for column in columns)
    )


COLUMNS: Final = Columns(
    task="dp",
    schema=schema(
        sentence=TEXT,
        index=NUMBERS,
        word_form=TEXTS,
        lemma=TEXTS,
        pos=TEXTS,
        head=NUMBERS,
        deprel=TEXTS,
        guid=TEXT,
        source=TEXT,
    ),
    answer=("head", "deprel"),
    hidden_in_test=("head", "deprel"),
    to_row=_to_row,
    from_row=_from_row,
    former=(("guid", "source", "sentence", "index", "word_form", *_PARTS.values()),),
    label_names="deprel",
    allowed=_allowed_relations,
    is_valid=_is_valid,
)
CARD: Final = Card(
    "token-classification",
    "parsing",
    split="By source: every split has the sources in the shares of the whole.",
    promises=("Sources have the same shares in every split, as near as whole examples allow.",),
)
