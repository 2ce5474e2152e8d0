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


#: Takes an answer, and of its item the fields that its writer saw and the meta that they did not.
Check = Callable[[Any, Mapping[str, Any], Mapping[str, Any]], Iterable[Finding]]
#: What makes a check by the numbers of a spec; raises SpecError for a spec without them.
CHECKS: Final[Parts[Callable[[TaskSpec], Check]]] = Parts("returned", "CHECK")
