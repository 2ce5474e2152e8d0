"""The sentences of a source that left as exact duplicates: their text stands elsewhere in it.

Such a sentence is no loss to its passage (docs/decisions/0002-duplicates.md): the ledger of
duplicates names the unit that stayed, whose text is the same but for case, width and blanks.
"""

from __future__ import annotations

from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.core.stage import Call
from pipeline.sampling import inputs

#: The rule under which exact duplicates leave, the source of its stage, and how its reason begins.
EXACT: Final = "duplicate.exact@1"
ALL: Final = "all"
_REASON: Final = "repeats "


def repeats(call: Call, source: str) -> dict[str, str]:
    """Return the kept text of every exact duplicate of a source, by the id of the unit that left.

    The input among the call's that holds the ledger of duplicates is the one of all sources.
    """
    originals = _originals(call, source)
    wanted = pa.array(sorted(set(originals.values())), pa.string())
    texts: dict[str, str] = {}
    for table in inputs.units(call, source):
        mine = table.filter(pc.is_in(table.column("id"), value_set=wanted))
        columns = (mine.column(name).to_pylist() for name in ("id", "text"))
        texts.update(zip(*columns, strict=True))
    return {unit: texts[one] for unit, one in originals.items() if one in texts}


def _originals(call: Call, source: str) -> dict[str, str]:
    """Return the unit that stayed for each that left; those of another kind among them."""
    found: dict[str, str] = {}
    for table in inputs.rows(call, ALL, "ledger"):
        same = pc.equal(table.column("source"), source)
        mine = table.filter(pc.and_(same, pc.equal(table.column("rule"), EXACT)))
        columns = (mine.column(name).to_pylist() for name in ("unit", "reason"))
        for unit, reason in zip(*columns, strict=True):
            found[unit] = reason.removeprefix(_REASON)
    return found
