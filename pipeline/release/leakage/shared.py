"""What examples of two splits share beside their wording: documents, groups, entities."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.release.leakage.texts import Fields, answers


class Shared(NamedTuple):
    """Two examples that share something; `share` is how much of what the left one has."""

    left: str
    right: str
    share: float


def _spans(fields: Fields, label: Any) -> list[str]:
    return [fields["text"][span["start"] : span["end"]] for span in label]


def _pair(fields: Fields, _label: Any) -> list[str]:
    return [fields["subject"]["word"], fields["object"]["word"]]


#: The entities of an example, by task.
ENTITIES: Final[dict[str, Callable[[Fields, Any], list[str]]]] = {"ner": _spans, "re": _pair}


def form(word: str) -> str:
    """Return an entity as it is compared: NFKC, case folded, without blanks; its signs count."""
    return "".join(unicodedata.normalize("NFKC", word).casefold().split())


def documents(examples: pa.Table, split: str) -> dict[str, list[str]]:
    """Return by id the documents and the group of the examples of a split, each marked as such."""
    own = examples.filter(pc.equal(examples["split"], split)).sort_by("id")
    columns = (own[name].to_pylist() for name in ("id", "documents", "group"))
    return {
        name: [*(f"document {one}" for one in found), f"group {group}"]
        for name, found, group in zip(*columns, strict=True)
    }


def entities(examples: pa.Table, split: str, task: str) -> dict[str, list[str]]:
    """Return by id the distinct entities of the examples of a split, see `form`."""
    taken = ENTITIES[task]
    return {
        name: sorted({form(word) for word in taken(fields, label)})
        for name, fields, label in answers(examples, split)
    }


def shared(left: dict[str, list[str]], right: dict[str, list[str]]) -> Iterator[Shared]:
    """Yield each left example that has something that the right side has, with the first such."""
    first: dict[str, str] = {}
    for name, things in right.items():
        for thing in things:
            first.setdefault(thing, name)
    for name, things in left.items():
        found = [first[thing] for thing in things if thing in first]
        if found:
            yield Shared(name, min(found), len(found) / len(things))
