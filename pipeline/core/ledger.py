"""The rows of the ledger, and the invariants of stages: rows in = rows out + ledger."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from pipeline.core import schemas
from pipeline.core.errors import ConservationError

Action = Literal["drop", "edit", "keep", "quarantine", "short"]
#: filter: every row in is one row out or leaves; fanout: every row in has a child or leaves;
#: mark: every row in is one row out; sampling: every row in is drawn (for any number of items),
#: refused (one drop in the ledger) or counted as undrawn; own: a stage whose rows are not its
#: inputs (votes, say) checks an invariant that its module states.
Invariant = Literal["filter", "fanout", "mark", "sampling", "own"]


def rows(
    units: pa.Table,
    *,
    stage: str,
    rule: str | pa.Array,
    action: Action | pa.Array,
    reason: str | pa.Array,
    score: pa.Array | None = None,
) -> pa.Table:
    """Make a ledger row for every row of `units` (columns `id`, `source`; also `file`, `line`)."""
    n = units.num_rows
    constants = {"stage": stage, "rule": rule, "action": action, "reason": reason}
    columns = {
        "unit": units.column("id"),
        "source": units.column("source"),
        **{k: pa.repeat(v, n) if isinstance(v, str) else v for k, v in constants.items()},
        "score": score if score is not None else pa.nulls(n, pa.float64()),
        "file": pa.nulls(n, pa.string()),
        "line": pa.nulls(n, pa.int64()),
    }
    columns |= {name: units.column(name) for name in ("file", "line") if name in units.column_names}
    return pa.table(columns, schema=schemas.LEDGER)


@dataclass
class Counts:
    """Row counts of a stage or of one shard of it; `rules` counts ledger rows by action and rule.

    `edited` counts units with at least one edit, dropped ones included; `childless` counts the
    inputs of a fan-out that left without a child. `drawn` and `undrawn` count the inputs of a stage
    that samples.
    """

    rows_in: int = 0
    rows_out: int = 0
    dropped: int = 0
    quarantined: int = 0
    edited: int = 0
    childless: int = 0
    drawn: int = 0
    undrawn: int = 0
    rules: dict[str, dict[str, int]] = field(default_factory=dict)

    def add(self, other: Counts) -> None:
        for name in _NUMBERS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for action, counts in other.rules.items():
            total = Counter(self.rules.get(action, {}))
            total.update(counts)
            self.rules[action] = dict(sorted(total.items()))


_NUMBERS = tuple(f.name for f in fields(Counts) if f.name != "rules")


def count(rows_in: int, out: pa.Table, ledger: pa.Table, *, invariant: Invariant) -> Counts:
    """Count one shard's rows and check its invariant.

    Raises ConservationError with the numbers when rows were lost or invented.
    """
    rules: dict[str, dict[str, int]] = {}
    for (action, rule), n in sorted(Counter(schemas.rows(ledger, "action", "rule")).items()):
        rules.setdefault(action, {})[rule] = n
    left = {action: sum(counts.values()) for action, counts in rules.items()}
    counts = Counts(
        rows_in=rows_in,
        rows_out=out.num_rows,
        dropped=left.get("drop", 0),
        quarantined=left.get("quarantine", 0),
        edited=pc.count_distinct(_units(ledger, "edit")).as_py(),
        rules=rules,
    )
    if invariant == "filter":
        balance(counts)
    elif invariant == "mark" and rows_in != out.num_rows:
        raise ConservationError(f"{rows_in} rows in, {out.num_rows} rows out of a marking stage")
    return counts


def balance(counts: Counts) -> None:
    """Check in = out + dropped + quarantined.

    Raises ConservationError with the four numbers.
    """
    if counts.rows_in != counts.rows_out + counts.dropped + counts.quarantined:
        raise ConservationError(
            f"{counts.rows_in} rows in, but {counts.rows_out} out + {counts.dropped} dropped"
            f" + {counts.quarantined} quarantined"
        )


def check_filter(inputs: pa.Array, outputs: pa.Array, ledger: pa.Table) -> None:
    """Check that every input id either came out or left through the ledger, and once only.

    Raises ConservationError naming up to five ids that were lost, or that did both.
    """
    gone = _units(ledger, "drop", "quarantine", "short")
    ends = pa.concat_arrays([outputs, gone])
    came, went = (_times(ids, inputs) for ids in (inputs, ends))
    if len(ends) == len(inputs) and (came == went).all():
        return
    lost = _without(inputs, ends)
    both = pc.filter(outputs, pc.is_in(outputs, value_set=gone))
    raise ConservationError(
        f"inputs and ends differ: lost {lost[:5].to_pylist()}, kept and dropped"
        f" {both[:5].to_pylist()}"
    )


def check_fanout(inputs: pa.Array, parents: pa.Array, ledger: pa.Table) -> int:
    """Check that every input id is a parent of a child or left through the ledger.

    Returns how many left without a child. Raises ConservationError naming up to five lost ids.
    """
    childless = _without(inputs, parents)
    lost = _without(childless, _units(ledger, "drop", "quarantine", "short"))
    _check_none(lost, "inputs have neither child nor ledger row")
    _check_none(_without(parents, inputs), "children of unknown inputs")
    return len(childless)


def check_sampling(counts: Counts, inputs: pa.Array, sample: pa.Table, ledger: pa.Table) -> None:
    """Check that every input id was drawn, refused once, or neither, and count how many were.

    `sample` is the table of that name; what was neither drawn nor refused is undrawn. Raises
    ConservationError naming up to five ids that came twice, were refused twice, were both drawn and
    refused, or never came in.
    """
    used = pc.unique(sample.column("unit")).cast(pa.string())
    refused = _units(ledger, "drop")
    _once(inputs, "came in")
    _once(refused, "were refused")
    _check_none(pc.filter(used, pc.is_in(used, value_set=refused)), "units drawn and refused")
    strangers = _without(pa.concat_arrays([used, refused]), inputs)
    _check_none(strangers, "units that never came in")
    if counts.rows_in != len(inputs):
        raise ConservationError(f"{counts.rows_in} rows in, but {len(inputs)} ids")
    counts.drawn, counts.undrawn = len(used), len(inputs) - len(used) - len(refused)


def _once(ids: pa.Array, noun: str) -> None:
    values, counts = ids.value_counts().flatten()
    _check_none(values.filter(pc.greater(counts, 1)), f"units {noun} twice")


def _check_none(ids: pa.Array, noun: str) -> None:
    """Raise ConservationError that counts ids and names up to five, if there are any."""
    if len(ids):
        raise ConservationError(f"{len(ids)} {noun}: {ids[:5].to_pylist()}")


def _without(ids: pa.Array, others: pa.Array) -> pa.Array:
    return pc.filter(ids, pc.invert(pc.is_in(ids, value_set=others)))


def _times(ids: pa.Array, inputs: pa.Array) -> NDArray[np.int64]:
    """Return how often each input id is among some ids, at the place where it comes first."""
    places = pc.index_in(ids, value_set=inputs).drop_null()
    return np.bincount(places.to_numpy(), minlength=len(inputs))


def _units(ledger: pa.Table, *actions: Action) -> pa.Array:
    """Return the units of the ledger rows with one of these actions."""
    wanted = pc.is_in(ledger.column("action"), value_set=pa.array(actions))
    return ledger.filter(wanted).column("unit").combine_chunks()
