"""Which sources a task draws from: those that its spec has quotas of."""

from __future__ import annotations

from collections.abc import Iterable

from pipeline.core.errors import SpecError
from pipeline.core.stage import Call


def planned(call: Call, quotas: Iterable[str]) -> list[str]:
    """Return the sources of a call and those that have quotas, sorted.

    One that has a quota and is not in the build has no units; whoever draws notes its quota as
    short. Raises SpecError for a source of the build that feeds the task and has no quota.
    """
    wanted = set(quotas)
    strangers = sorted(set(call.params["sources"]) - wanted)
    if strangers:
        raise SpecError(
            f"{call.source}: {', '.join(strangers)} feeds it and has no quota in the section"
            f" `sampling` of its spec, which has {', '.join(sorted(wanted))}; add one, or take"
            f" {call.source} from the units of that source in the catalogue"
        )
    return sorted(wanted)
