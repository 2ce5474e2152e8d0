"""What the regions of a Label Studio task point into, and what results are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from pipeline.annotation.exchange.answer_parts import refused

Result = dict[str, Any]

WORD: Final = "word"
TURN: Final = "turn"
WORDS: Final = "words"
DIALOGUE: Final = "dialogue"
TURN_TEXT: Final = "turn_text"
STATE: Final = "state"
STATE_TEXT: Final = "state_text"
#: What stands after the words of a tree: the head of its root.
ROOT: Final = "[ROOT]"


@dataclass(frozen=True)
class Layout:
    """What the regions of a task point into, as the task's data says.

    `text` is what spans point into, `words` those of a tree, `turns` (role, text) the paragraphs.
    `closed` are the slot-values that the Taxonomy offers; `to` is the object that controls without
    regions belong to, `target` the one of spans.
    """

    to: str
    target: str = ""
    text: str = ""
    words: tuple[str, ...] = ()
    turns: tuple[tuple[str, str], ...] = ()
    closed: frozenset[str] = frozenset()
    slots: tuple[str, ...] = ()

    @property
    def places(self) -> list[tuple[int, int]]:
        """Return where the words stand in the text that shows them; the last is the root's."""
        found, start = [], 0
        for word in (*self.words, ROOT):
            found.append((start, start + len(word)))
            start += len(word) + 1
        return found


@dataclass
class Results:
    """The results of one annotation: by control, and the relations."""

    by_name: dict[str, list[Result]] = field(default_factory=dict)
    relations: list[Result] = field(default_factory=list)


def region(id_: str, name: str, to: str, type_: str, value: Mapping[str, Any]) -> Result:
    """Return a result of one control about one object."""
    return {"id": id_, "from_name": name, "to_name": to, "type": type_, "value": dict(value)}


def at(place: tuple[int, int]) -> dict[str, Any]:
    """Return a place as a region's offsets."""
    return {"start": place[0], "end": place[1]}


def one(result: Result, key: str, name: str) -> str | None:
    """Return the one text of a result or None; several of a TextArea are lines of one."""
    held = result["value"].get(key)
    held = [held] if isinstance(held, str) else held
    if not isinstance(held, list) or not all(isinstance(one, str) for one in held):
        raise refused("form", f"{name!r} holds no list of texts under {key!r}")
    if len(held) > 1 and key != "text":
        raise refused("form", f"{name!r} has {len(held)} values; one is wanted")
    return "\n".join(held) or None


def whole(value: Mapping[str, Any], key: str) -> int:
    """Return a whole number that a region holds; raises RecordError for anything else."""
    held = value.get(key)
    if isinstance(held, str) and held.isdecimal():
        return int(held)
    if not isinstance(held, int) or isinstance(held, bool):
        raise refused("offset", f"a region's {key} is no whole number")
    return held


#: {"value": NAME, "children": [BRANCH, ...]}, a value of a slot without children: the form in which
#: the editor takes options from a task.
Branch = dict[str, Any]
_LEVELS: Final = 3


def branches(values: Mapping[str, Sequence[str]]) -> list[Branch]:
    """Return the tree of values by slot (DOMAIN-SLOT)."""
    domains: dict[str, list[Branch]] = {}
    for slot, held in values.items():
        domain, _, name = slot.partition("-")
        children = [{"value": value} for value in held]
        domains.setdefault(domain, []).append({"value": name, "children": children})
    return [{"value": domain, "children": slots} for domain, slots in domains.items()]


def leaves(tree: object, path: tuple[str, ...] = ()) -> set[str]:
    """Return the slot-values (DOMAIN-SLOT-VALUE) of a tree; what is no branch has none."""
    found: set[str] = set()
    for one in tree if isinstance(tree, list) and len(path) < _LEVELS else ():
        if isinstance(one, dict) and isinstance(one.get("value"), str):
            below = (*path, one["value"])
            found |= leaves(one["children"], below) if "children" in one else {"-".join(below)}
    return found
