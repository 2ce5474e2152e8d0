"""What a batch says of itself (batch.json), and where batches lie."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from pipeline.core.errors import InputError, StoreError

FOLDER: Final = "annotation"
CARD: Final = "batch.json"
#: The layout of a batch's folder; a number that is not known is refused.
LAYOUT: Final = 1
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")


Kind = Literal["main", "pilot", "baseline"]


@dataclass(frozen=True)
class Plan:
    """What is to be given out.

    `kind` pilot is a test before the main batch, baseline the measuring of people (Tables 7, 21).
    Without `annotators` nothing is assigned: another tool gives the items out. `per_item` answers
    are wanted for an item: by default as many as the round says, or in a pilot and a baseline one
    of every annotator; `format` is the tool's; `attempt` counts from 1 where rejected answers are
    given again.
    """

    name: str
    round: str
    seed: int
    annotators: tuple[str, ...] = ()
    kind: Kind = "main"
    per_item: int | None = None
    format: str = "jsonl"
    attempt: int = 1


@dataclass(frozen=True)
class Card:
    """What a batch says of itself, in batch.json; nothing in it depends on time or host.

    `given` is a digest of the items asked for, `taken_out` of how many of them were left out as
    pilot items; `barred` a digest of who was barred from what.
    """

    task: str
    name: str
    kind: str
    round: str
    role: str
    spec: str
    spec_digest: str
    seed: int
    per_item: int
    annotators: tuple[str, ...]
    format: str
    attempt: int
    given: str
    barred: str
    items: int = 0
    taken_out: int = 0
    assignments: int = 0
    layout: int = LAYOUT


def read_card(folder: Path) -> Card:
    """Read what a batch says of itself.

    Raises StoreError when it is not there or damaged.
    """
    path = folder / CARD
    try:
        data = json.loads(path.read_text("utf-8"))
        card = Card(**{**data, "annotators": tuple(data["annotators"])})
    except FileNotFoundError:
        there = ", ".join(sorted(p.parent.name for p in folder.parent.glob(f"*/{CARD}")))
        raise StoreError(
            f"{folder}: no such batch; of this task there are: {there or 'none'}; `klue export`"
            " makes one"
        ) from None
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise StoreError(
            f"{path}: unreadable ({type(error).__name__}); put it back from a copy, or remove the"
            " folder to make the batch again (its votes are in it)"
        ) from None
    if card.layout != LAYOUT:
        raise StoreError(
            f"{path}: layout {card.layout!r} is not known; this version reads {LAYOUT}"
        )
    return card


def list_batches(work: Path, task: str | None = None) -> list[Card]:
    """Return the cards of all batches of a work directory, by task and name."""
    found = (work / FOLDER).glob(f"{task or '*'}/*/{CARD}")
    return [read_card(p.parent) for p in sorted(found) if _NAME.fullmatch(p.parent.name)]


def folder_of(work: Path, task: str, name: str) -> Path:
    """Return the folder of a batch; raises InputError for a name that cannot be one."""
    if not _NAME.fullmatch(name):
        raise InputError(
            f"{name!r} cannot name a batch; allowed: up to 64 of a to z, 0 to 9, - and _, beginning"
            " with a letter or digit"
        )
    return work / FOLDER / task / name
