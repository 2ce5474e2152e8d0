"""What of people's judgements and of small test splits is public, and under which names.

Public are the votes on train and dev examples, and what an author wrote about a text if all
examples made of it are such ones. Everything about other items (test, unresolved, removed, left
out) is private: an item that has no split yet may come into the test split of a later version.

An annotator's public name is a digest of the release's name and the annotator's id, under a secret
key where the build has one. It is a pseudonym, not anonymity: all votes of one person stay
together, and without a key whoever guesses an id can compute its name. When a vote was given is
private, and how long it took is public to a second. Inspectors' feedback is free text that nobody
has read for personal data: it is private.

The ledger of what came back from annotators is private as a whole: its rows name files of votes,
which have their annotators' names. No other ledger of a task tells files in public.

Labels of test are private one by one, and so is what a count of a few of them reveals: where the
test split has two examples and one is counted under a label, half of the answer is known. A count
over many examples reveals no more than the promises of the split do.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.contracts.parts import Parts
from pipeline.contracts.splits import Split
from pipeline.core.errors import InputError
from pipeline.core.jsontext import canonical, parsed
from pipeline.release.material import Material, TaskMaterial

#: The form of a public name.
PUBLIC: Final = re.compile(r"a-[0-9a-f]{10}")
#: The splits whose labels are public.
OPEN: Final[tuple[Split, ...]] = ("train", "dev")
#: What a report says in public whose reason is none of the spec's.
OTHER: Final = "other"
#: The ledgers of a task of which nothing is public.
PRIVATE_LEDGERS: Final = ("annotation",)
_FEEDBACK: Final = "feedback"
_CHECK: Final = b"klue release check value of the key of names"


def public_name(release: str, annotator: str, key: bytes = b"") -> str:
    """Return the name under which an annotator's votes are public in all versions of a release.

    It is HMAC-SHA256 under `key`, plain SHA-256 without one; the first 40 bits of it.
    """
    message = f"{release}\x1f{annotator}".encode()
    digest = hmac.digest(key, message, "sha256") if key else sha256(message).digest()
    return f"a-{digest[:5].hex()}"


def key_check(key: bytes) -> str:
    """Return 16 hexadecimal digits that tell keys apart and do not give one away; '' for no key."""
    return hmac.digest(key, _CHECK, "sha256")[:8].hex() if key else ""


def rename_annotators(votes: pa.Table, release: str, key: bytes = b"") -> pa.Table:
    """Return votes with annotators under their public names."""
    return _map_texts(votes, "annotator", lambda name: public_name(release, name, key))


def public_names(material: Material) -> dict[str, str]:
    """Return the public names of all annotators of a release, by id.

    Raises InputError in the event that two of them would have the same one, and ValueError when
    cards would tell of the names what is not so.
    """
    if material.facts.keyed != bool(material.key):
        raise ValueError("facts.keyed must tell whether the material has a key")
    columns = (pc.unique(task.votes["annotator"]) for task in material.tasks.values())
    people = {name for column in columns for name in column.to_pylist()} - {None}
    names = {
        person: public_name(material.facts.name, person, material.key) for person in sorted(people)
    }
    if len(set(names.values())) < len(names):
        raise InputError(
            f"release {material.facts.name}: two annotators would have one public name; give the"
            " release another `release.name` in the build file"
        )
    return names


@dataclass(frozen=True)
class Judgements:
    """What people said of the items of a task; `names` are the public names of annotators."""

    material: TaskMaterial
    names: Mapping[str, str]

    def votes(self) -> pa.Table:
        """Return the votes that are public, as they are public; the private folder has them all."""
        votes = self.material.votes
        public = votes.filter(_among(votes["item"], self.open_items))
        reasons = {report.id for report in self.material.spec.reports}
        changes: dict[str, Callable[[str], str]] = {
            "annotator": lambda name: self.names[name],
            "label": _without_feedback,
            "report": lambda reason: reason if reason in reasons else OTHER,
        }
        for column, change in changes.items():
            public = _map_texts(public, column, change)
        return _set_column(_set_null(public, "at"), "seconds", pc.round(public["seconds"]))

    def ledger(self, stage: str, table: pa.Table) -> tuple[pa.Table, pa.Table]:
        """Return the public rows of a stage's ledger, and the private ones as they are.

        A row is public unless it is about an item that is not open.

        No public row has a file. Of PRIVATE_LEDGERS no row is public.
        """
        if stage in PRIVATE_LEDGERS:
            return table.slice(0, 0), table
        units = table["unit"]
        is_item = pc.or_(
            _among(units, self._items), pc.starts_with(units, f"{self.material.task.id}-c")
        )
        closed = pc.and_(is_item, pc.invert(_among(units, self.open_items)))
        public = _set_null(table.filter(pc.invert(closed)), "file", "line")
        return _map_texts(public, "reason", _renamer(self.names)), table.filter(closed)

    @cached_property
    def open_items(self) -> frozenset[str]:
        """Return the items about which judgements are public."""
        table = self.material.examples
        splits = dict(zip(table["id"].to_pylist(), table["split"].to_pylist(), strict=True))
        is_open = {name for name, split in splits.items() if split in OPEN}
        origins = dict(zip(splits, map(_origin, table["meta"].to_pylist()), strict=True))
        closed = {origins.get(name) or origin_of(name) for name in self._items - is_open}
        return frozenset(is_open | ({origins[name] for name in is_open} - closed - {""}))

    @cached_property
    def _items(self) -> frozenset[str]:
        material = self.material
        columns = (material.gold["item"], material.votes["item"], material.examples["id"])
        return frozenset(name for column in columns for name in pc.unique(column).to_pylist())


def origin_of(name: str) -> str:
    """Return the item that a pair is about by its id, '' for another id."""
    return name.rpartition(".")[0]


def _origin(meta: str | None) -> str:
    origin = parsed(meta).get("origin") if meta and '"origin":' in meta else None
    return origin if isinstance(origin, str) else ""


def _among(column: pa.ChunkedArray, names: Iterable[str]) -> pa.ChunkedArray:
    return pc.is_in(column, value_set=pa.array(sorted(names), pa.string()))


def _map_texts(table: pa.Table, name: str, change: Callable[[str], str]) -> pa.Table:
    """Return a table with a column's texts changed; every different one is changed once."""
    coded = table.column(name).combine_chunks().dictionary_encode()
    texts = [change(text) for text in coded.dictionary.to_pylist()]
    return _set_column(table, name, pa.array(texts, pa.string()).take(coded.indices))


def _set_null(table: pa.Table, *names: str) -> pa.Table:
    for name in names:
        table = _set_column(table, name, pa.nulls(table.num_rows, table.schema.field(name).type))
    return table


def _set_column(table: pa.Table, name: str, column: pa.Array | pa.ChunkedArray) -> pa.Table:
    place = table.schema.get_field_index(name)
    return table.set_column(place, table.schema.field(place), column)


def _without_feedback(label: str) -> str:
    if f'"{_FEEDBACK}":' not in label:
        return label
    answer: Any = parsed(label)
    if not isinstance(answer, dict) or "verdict" not in answer:
        return label
    return canonical({key: value for key, value in answer.items() if key != _FEEDBACK})


def _renamer(names: Mapping[str, str]) -> Callable[[str], str]:
    """Return what puts public names into the reasons of a ledger, which say `annotator ID`."""
    if not names:
        return str
    known = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    pattern = re.compile(rf"(?<=\bannotator )(?:{known})(?![\w-])")
    return lambda reason: pattern.sub(lambda match: names[match[0]], reason)


#: Fewest examples of a test split about which counts by label are public. Chosen by this project:
#: with 30 or more one example is at most 3.3 percent of any share, and a reader who knows the
#: labels of a few cannot work out those of the others. The numbers of the paper lie far above.
FLOOR: Final = 30
#: The constraints of every task's split that are not counted by label.
_PLAIN: Final = frozenset({"size", "kept", "whole_groups", "source_share"})
#: The names of other such constraints, of a task's own rule. All others are counted by label, or by
#: what betrays it.
_OWN: Final = Parts[frozenset[str]]("split", "PLAIN_CONSTRAINTS")


def open_examples(examples: pa.Table) -> pa.Table:
    """Return EXAMPLES about which aggregates may be public: without a test split below FLOOR."""
    if not _is_small(examples):
        return examples
    return examples.filter(pc.not_equal(examples["split"], "test"))


def open_constraints(constraints: pa.Table, examples: pa.Table) -> pa.Table:
    """Return CONSTRAINTS that may be public, those of `examples` (EXAMPLES) of one task.

    Where test has fewer examples than FLOOR, those counted by label are left out, of all splits:
    what a rule wanted of train or dev tells the count of all, and with it that of test.
    """
    if not _is_small(examples):
        return constraints
    plain = _PLAIN | frozenset().union(
        *(_OWN.get(task, ()) for task in pc.unique(constraints["task"]).to_pylist())
    )
    is_open = pc.is_in(constraints["name"], value_set=pa.array(sorted(plain), pa.string()))
    return constraints.filter(is_open)


def _is_small(examples: pa.Table) -> bool:
    test: int = pc.sum(pc.equal(examples["split"], "test")).as_py() or 0
    return 0 < test < FLOOR
