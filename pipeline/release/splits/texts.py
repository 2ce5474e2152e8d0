"""The texts by which two examples of a task are near-duplicates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

#: The fields of each task whose texts count, one by one.
_FIELDS: Final[dict[str, tuple[str, ...]]] = {
    "tc": ("title",),
    "sts": ("sentence1", "sentence2"),
    "nli": ("premise",),
    "ner": ("text",),
    "re": ("sentence",),
    "dp": ("text",),
    "mrc": ("context",),
    "dst": ("goal",),
}


def texts_of(task: str, fields: Mapping[str, Any], label: Any) -> tuple[str, ...]:
    """Return the texts of an example; another one is near it if any text of both is.

    The turns of a dialogue are one text: thanks and greetings are the same everywhere. Its goal is
    another; official files have none, and an empty text is not told.
    """
    texts = [fields.get(name) for name in _FIELDS[task]]
    if task == "dst":
        texts.append("\n".join(turn["text"] for turn in label["turns"]))
    return tuple(one for one in texts if one)
