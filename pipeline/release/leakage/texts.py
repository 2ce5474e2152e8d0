"""The two sides of a comparison: the texts of a split in the form in which they are compared."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.contracts.task import Fields, Task
from pipeline.core.jsontext import parsed
from pipeline.release.leakage.compare import Bag, Match, rank

_WORD: Final = re.compile(r"[^\W_]+")


def key(text: str) -> str:
    """Return a text as it is compared: its words, separated by one blank.

    Words are runs of letters and digits after NFKC and case folding. A text without any is made of
    its other signs; one of blanks alone is empty, and equals no other.
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(_WORD.findall(folded) or folded.split())


@dataclass(frozen=True)
class Side:
    """The texts of one split, each once, in the order of the first example that has it.

    `names` are those first examples; `examples` says which texts (places in `bag`) each has, in the
    order of ids.
    """

    split: str
    bag: Bag
    names: list[str]
    examples: dict[str, list[int]]


def side(examples: pa.Table, split: str, texts: Callable[[Fields, Any], list[str]]) -> Side:
    """Return the texts that a function takes from the examples of a split."""
    places: dict[str, int] = {}
    names: list[str] = []
    owned: dict[str, list[int]] = {}
    for name, fields, label in _answers(examples, split):
        keys = dict.fromkeys(key(text) for text in texts(fields, label))
        for text in keys:
            if text and text not in places:
                places[text] = len(places)
                names.append(name)
        owned[name] = [places[text] for text in keys if text]
    return Side(split, Bag(list(places)), names, owned)


def by_example(of: Side, matches: Mapping[int, Match]) -> Iterator[tuple[str, Match]]:
    """Yield each example that has a text with a match, with the gravest of its matches."""
    for name, places in of.examples.items():
        own = [matches[place] for place in places if place in matches]
        if own:
            yield name, min(own, key=rank)


def documents(examples: pa.Table, split: str) -> dict[str, list[str]]:
    """Return by id the documents and the group of the examples of a split, each marked as such."""
    own = examples.filter(pc.equal(examples["split"], split)).sort_by("id")
    columns = (own[name].to_pylist() for name in ("id", "documents", "group"))
    return {
        name: [*(f"document {document}" for document in own_documents), f"group {group}"]
        for name, own_documents, group in zip(*columns, strict=True)
    }


def entities(examples: pa.Table, split: str, task: Task) -> dict[str, list[str]]:
    """Return by id the distinct entities of the examples of a split; empty for a task without.

    They are compared in NFKC, case folded and without blanks; signs count.
    """
    if task.texts.entities is None:
        return {}
    return {
        name: sorted(
            {
                "".join(unicodedata.normalize("NFKC", word).casefold().split())
                for word in task.texts.entities(fields, label)
            }
        )
        for name, fields, label in _answers(examples, split)
    }


def _answers(examples: pa.Table, split: str) -> Iterator[tuple[str, Fields, Any]]:
    """Yield id, fields and label of the examples of a split, by id."""
    own = examples.filter(pc.equal(examples["split"], split)).sort_by("id")
    columns = (own[name].to_pylist() for name in ("id", "fields", "label"))
    for name, fields, label in zip(*columns, strict=True):
        yield name, parsed(fields), parsed(label)
