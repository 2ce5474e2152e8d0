"""Checks of returned answers by rule: the part `returned` of a task."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple

from pipeline.contracts.parts import Parts
from pipeline.contracts.spec import TaskSpec


class Finding(NamedTuple):
    """What speaks against an answer, without any text of it; a hint only says that it may."""

    rule: str
    detail: str
    is_hint: bool = False


#: Takes an answer, of its item the fields that its writer saw and the meta that they did not, and
#: the spec; raises SpecError for a spec without the numbers of the check.
Check = Callable[[Any, Mapping[str, Any], Mapping[str, Any], TaskSpec], Iterable[Finding]]
CHECKS: Final[Parts[Check]] = Parts("returned", "CHECK")


def texts_of(part: Mapping[str, Any], key: str) -> dict[str, list[str]]:
    """Return the lists of texts by name under a key of fields or meta; other forms are none."""
    value = part.get(key)
    return {
        name: texts
        for name, texts in (value.items() if isinstance(value, dict) else ())
        if isinstance(texts, list) and all(isinstance(text, str) for text in texts)
    }
