"""Columns of ner: one character a token, blanks too.

On the hub `sentence` has the entities marked (`<경찰:OG>`), which would tell them in a test file:
here it is the plain text in every split.
"""

from __future__ import annotations

from typing import Any, Final

from pipeline.contracts.example import Example
from pipeline.release.tables import TEXT, TEXTS, Card, Columns, Row, schema
from pipeline.tasks.ner.official import spans_of, tags


def spans(bio: list[str]) -> list[dict[str, Any]]:
    """Return the spans of BIO tags, one a character.

    Raises ValueError for an I- that does not go on with the entity before it, and for other tags.
    """
    entities = spans_of(bio)
    if tags(len(bio), entities) != bio:
        raise ValueError("a tag does not follow from the one before")
    return entities


def _to_row(example: Example) -> Row:
    text = example.fields["text"]
    return {
        "guid": example.id,
        "source": example.source,
        "sentence": text,
        "tokens": list(text),
        "ner_tags": tags(len(text), example.label),
    }


def _from_row(row: Row) -> Example:
    label = None if row["ner_tags"] is None else spans(row["ner_tags"])
    return Example(row["guid"], row["source"], {"text": "".join(row["tokens"])}, label)


def _is_valid(row: Row) -> bool:
    spans(row["ner_tags"])
    return row["tokens"] == list(row["sentence"]) and len(row["ner_tags"]) == len(row["tokens"])


COLUMNS: Final = Columns(
    task="ner",
    schema=schema(sentence=TEXT, tokens=TEXTS, ner_tags=TEXTS, guid=TEXT, source=TEXT),
    answer=("ner_tags",),
    hidden_in_test=("ner_tags",),
    to_row=_to_row,
    from_row=_from_row,
    classes=lambda spec: {
        "ner_tags": [*(f"{mark}-{name}" for name in sorted(spec.ids()) for mark in "BI"), "O"]
    },
    former=(("guid", "source", "sentence", "tokens", "ner_tags"),),
    label_names="ner_tags",
    label_of=lambda tag: tag.partition("-")[2],
    is_valid=_is_valid,
)
CARD: Final = Card(
    "token-classification",
    "named-entity-recognition",
    split="By entity: sentences with entities that train does not have go to test first.",
    promises=("Test has sentences with entities that no train sentence has.",),
)
