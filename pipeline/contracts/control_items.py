"""How many items with known answers a spec hides in its batches: its section `control_items`."""

from __future__ import annotations

from typing import Annotated

from pydantic import ConfigDict, Field

from pipeline.core.specs import Spec, matching

#: A file beside the spec: no folder, nothing hidden.
FileName = Annotated[
    str,
    matching(r"[^/\\.][^/\\]*", "the name of a file, without / and \\, not beginning with a point"),
]


class ControlItems(Spec):
    """Control items (also: gold or test questions) of one round.

    `share` is that of each annotator's list, at least one item. `from` names the file of items with
    `gold` in the spec's folder; where it is left out, the export names one. `round` is the first
    one unless named.
    """

    model_config = ConfigDict(validate_by_name=False, serialize_by_alias=True)

    share: Annotated[float, Field(gt=0, le=0.5)]
    source: Annotated[FileName | None, Field(alias="from")] = None
    round: str | None = None
