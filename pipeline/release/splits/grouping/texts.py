"""The texts by which two examples of a task are near-duplicates, or one holds the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

#: The fields of each task whose texts count, one by one; the turns of a dialogue are one text.
_FIELDS: Final[dict[str, tuple[str, ...]]] = {
    "tc": ("title",),
    "sts": ("sentence1", "sentence2"),
    "nli": ("premise",),
    "ner": ("text",),
    "re": ("sentence",),
    "dp": ("text",),
    "mrc": ("context",),
    "dst": (),
}


def wordings_of(task: str, fields: Mapping[str, Any], label: Any) -> tuple[str, ...]:
    """Return the texts of an example that no text of another may hold, or be held by.

    The turns of a dialogue are one text: thanks and greetings are the same everywhere. An empty
    text is not told.
    """
    texts = [fields.get(name) for name in _FIELDS[task]]
    if task == "dst":
        texts.append("\n".join(turn["text"] for turn in label["turns"]))
    return tuple(one for one in texts if one)


def texts_of(task: str, fields: Mapping[str, Any], label: Any) -> tuple[str, ...]:
    """Return the texts of an example; another one is near it if any text of both is.

    These are its wordings, and before them the goal of a dialogue, which is made of set phrases
    that many goals hold. Official files have no goals.
    """
    goal = fields.get("goal") if task == "dst" else None
    return (*([goal] if goal else []), *wordings_of(task, fields, label))
