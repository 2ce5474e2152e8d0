"""Columns of ner: one character a token, blanks too.

On the hub `sentence` has the entities marked (`<경찰:OG>`), which would tell them in a test file:
here it is the plain text in every split.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Final

from pipeline.contracts.example import Example
from pipeline.release.cards.task_card import Card
from pipeline.release.tables import TEXT, TEXTS, Columns, Row, schema
from pipeline.tasks.ner.official import tags


def spans(bio: list[str]) -> list[dict[str, Any]]:
    """Return the spans of BIO tags, one a character.

    Raises ValueError for an I- that does not go on with the entity before it, and for other tags.
    """
    found: list[dict[str, Any]] = []
    for place, (before, tag) in enumerate(pairwise(["O", *bio])):
        mark, _, label = tag.partition("-")
        if mark == "B" and label:
            found.append({"start": place, "end": place + 1, "label": label})
        elif mark == "I" and label and before[1:] == tag[1:]:
            found[-1]["end"] = place + 1
        elif tag != "O":
            raise ValueError(f"the tag of character {place} does not follow from the one before")
    return found


def _row(example: Example) -> Row:
    text = example.fields["text"]
    return {
        "guid": example.id,
        "source": example.source,
        "sentence": text,
        "tokens": list(text),
        "ner_tags": tags(len(text), example.label),
    }


def _back(row: Row) -> Example:
    label = None if row["ner_tags"] is None else spans(row["ner_tags"])
    return Example(row["guid"], row["source"], {"text": "".join(row["tokens"])}, label)


def _fits(row: Row) -> bool:
    tokens, tags = row["tokens"], row["ner_tags"]
    spans(tags)
    letters = all(len(token) == 1 for token in tokens)
    return letters and "".join(tokens) == row["sentence"] and len(tags) == len(tokens)


COLUMNS: Final = Columns(
    task="ner",
    schema=schema(guid=TEXT, source=TEXT, sentence=TEXT, tokens=TEXTS, ner_tags=TEXTS),
    answer=("ner_tags",),
    betraying=("ner_tags",),
    row=_row,
    back=_back,
    names="ner_tags",
    label_of=lambda tag: tag.partition("-")[2],
    fits=_fits,
)
CARD: Final = Card(
    "token-classification",
    "named-entity-recognition",
    split="By entity: sentences with entities that train does not have go to test first.",
    promises=("Test has sentences with entities that no train sentence has.",),
)
