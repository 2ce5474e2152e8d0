"""The texts of examples that must not repeat, and the form in which texts are compared.

What is looked at: the headline (tc), each sentence (sts), the premise (nli), the text (ner, dp),
the sentence (re), the passage (mrc) and all turns of the dialogue (dst).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.core.jsontext import parsed
from pipeline.release.leakage.bag import Bag
from pipeline.release.leakage.compare import Match, rank

_WORD: Final = re.compile(r"[^\W_]+")
Fields = Mapping[str, Any]


def _dialogue(_fields: Fields, label: Any) -> list[str]:
    return ["\n".join(turn["text"] for turn in label["turns"])]


#: The texts of an example, from its fields and label, by task; of NLI also the hypothesis.
MAIN: Final[dict[str, Callable[[Fields, Any], list[str]]]] = {
    "tc": lambda fields, _label: [fields["title"]],
    "sts": lambda fields, _label: [fields["sentence1"], fields["sentence2"]],
    "nli": lambda fields, _label: [fields["premise"]],
    "ner": lambda fields, _label: [fields["text"]],
    "re": lambda fields, _label: [fields["sentence"]],
    "dp": lambda fields, _label: [fields["text"]],
    "mrc": lambda fields, _label: [fields["context"]],
    "dst": _dialogue,
    "nli hypothesis": lambda fields, _label: [fields["hypothesis"]],
}


def key(text: str) -> str:
    """Return a text as it is compared: its words, parted by one blank.

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
    for name, fields, label in answers(examples, split):
        found = dict.fromkeys(key(text) for text in texts(fields, label))
        for one in found:
            if one and one not in places:
                places[one] = len(places)
                names.append(name)
        owned[name] = [places[one] for one in found if one]
    return Side(split, Bag(list(places)), names, owned)


def by_example(of: Side, matches: Mapping[int, Match]) -> Iterator[tuple[str, Match]]:
    """Yield each example that has a text with a match, with the gravest of its matches."""
    for name, places in of.examples.items():
        found = [matches[place] for place in places if place in matches]
        if found:
            yield name, min(found, key=rank)


def answers(examples: pa.Table, split: str) -> Iterator[tuple[str, Fields, Any]]:
    """Yield id, fields and label of the examples of a split, by id."""
    own = examples.filter(pc.equal(examples["split"], split)).sort_by("id")
    columns = (own[name].to_pylist() for name in ("id", "fields", "label"))
    for name, fields, label in zip(*columns, strict=True):
        yield name, parsed(fields), parsed(label)
