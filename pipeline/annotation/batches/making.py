"""Making a batch: what is to be given out, to whom, and what pilots take away."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from dataclasses import asdict, fields, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.annotation.batches.assignment import Barred, assign
from pipeline.annotation.batches.batch import (
    CARD,
    CONTROL,
    CONTROL_TABLES,
    NO_CONTROL,
    TABLES,
    Batch,
    Card,
    Control,
    Plan,
    folder_of,
    items_by_kind,
    read,
)
from pipeline.annotation.batches.control import ControlPlan, hide
from pipeline.annotation.batches.seen import require_unseen, seen_by
from pipeline.annotation.batches.spec_changes import keep_spec
from pipeline.annotation.intake.answers import source_in
from pipeline.contracts.registry import task_of
from pipeline.contracts.spec import TaskSpec
from pipeline.core import schemas, store
from pipeline.core.errors import InputError, StoreError
from pipeline.core.files import refuse
from pipeline.core.fingerprint import of_value
from pipeline.core.wording import count

#: What making a batch decides, and what making it again must not change.
_DECIDED: Final = tuple(
    f.name
    for f in fields(Card)
    if f.name not in ("items", "taken_out", "assignments", "control_items", "control_assignments")
)


def make(
    work: Path,
    plan: Plan,
    items: pa.Table,
    spec: TaskSpec,
    *,
    barred: Barred | None = None,
    control: ControlPlan | None = None,
) -> Batch:
    """Make a batch of items, or return it unchanged where it was made of the same before.

    A main batch leaves out, with a ledger row, the items of every pilot of the task; with `control`
    items of known answers are hidden in it. Raises StoreError for a batch that was made of other
    things, and for a pilot whose items are in a main batch already; InputError for items or a plan
    that cannot be given out.
    """
    folder = folder_of(work, spec.task, plan.name)
    card = _card(plan, items, spec, barred or {}, control)
    if folder.is_dir():
        existing = read(folder)
        differences = [
            f"{name} (there: {_short(old)}, asked for: {_short(new)})"
            for name in _DECIDED
            if (old := getattr(existing.card, name)) != (new := getattr(card, name))
        ]
        if differences:
            raise StoreError(
                f"{folder}: this batch was made before, with another {'; '.join(differences)}; a"
                " batch never changes: give the new one another name"
            )
        return existing
    left, ledger = _without_pilots(items, plan, folder.parent)
    refuse(
        f"batch {plan.name}", (not left.num_rows, "no items are left to give out; give other items")
    )
    assignments = schemas.empty("assignments")
    if plan.annotators:
        names, people = left.column("item").to_pylist(), plan.annotators
        assignments = assign(names, people, per_item=card.per_item, seed=plan.seed, barred=barred)
    hidden, task = NO_CONTROL, task_of(spec.task)
    if control is not None:
        seen, per_item = seen_by(folder.parent, task), card.per_item
        hidden, assignments = hide(
            control, left, assignments, plan=plan, task=task, per_item=per_item, seen=seen
        )
    elif plan.kind == "pilot":
        require_unseen(folder.parent, left, plan, task)
    counts = {"items": left.num_rows, "taken_out": ledger.num_rows}
    counts |= {"assignments": assignments.num_rows, "control_items": hidden.items.num_rows}
    card = replace(card, **counts, control_assignments=hidden.assignments.num_rows)
    batch = Batch(folder, card, left, assignments, schemas.empty("votes"), ledger, hidden)
    partial = store.partial_of(folder)
    shutil.rmtree(partial, ignore_errors=True)
    try:
        partial.mkdir(parents=True)
        _write_tables(partial, batch, TABLES)
        if control is not None:
            (partial / CONTROL).mkdir()
            _write_tables(partial / CONTROL, hidden, CONTROL_TABLES)
        keep_spec(partial, spec)
        store.write_json(partial / CARD, asdict(card))
        partial.rename(folder)
    except OSError as error:
        raise StoreError(
            f"{folder}: cannot be written: {error.strerror}; check the work directory"
        ) from None
    return batch


def _write_tables(folder: Path, of: Batch | Control, names: Iterable[str]) -> None:
    for name in names:
        table = schemas.check(getattr(of, name), name).combine_chunks()
        store.write_parquet(folder / f"{name}.parquet", table)


def _card(
    plan: Plan, items: pa.Table, spec: TaskSpec, barred: Barred, control: ControlPlan | None
) -> Card:
    round_ = spec.round(plan.round)
    if round_ is None:
        raise InputError(
            f"{spec.name} has no round {plan.round!r}; allowed:"
            f" {', '.join(round_.id for round_ in spec.rounds)}"
        )
    everybody = len(plan.annotators) if plan.kind != "main" else 0
    per_item = plan.per_item if plan.per_item is not None else everybody or round_.per_item
    twice = items.num_rows - int(pc.count_distinct(items.column("item")).as_py())
    others = ", ".join(sorted(set(items.column("task").to_pylist()) - {spec.task}))
    refuse(
        f"batch {plan.name}",
        (twice, f"{count(twice, 'item')} given twice; give each once"),
        (others, f"holds items of {others}, not {spec.task}"),
        (per_item < 1, f"{per_item} answers an item; allowed: 1 or more"),
    )
    asked = replace(plan, per_item=per_item, annotators=tuple(sorted(plan.annotators)))
    of_control: dict[str, Any] = {}
    if control is not None:
        if not plan.annotators:
            raise InputError(
                f"batch {plan.name}: control items are hidden in the list of each annotator, and"
                " no annotator is named; name them (--annotators), or take `control_items` out of"
                " the spec"
            )
        of_control = {
            "control_given": digest_of(control.items),
            "control_share": control.share,
            "control_likeness": control.likeness,
        }
    return Card(
        **asdict(asked),
        task=spec.task,
        role=round_.role,
        spec=spec.name,
        spec_digest=spec.digest,
        given=digest_of(items),
        barred=of_value({item: sorted(who) for item, who in sorted(barred.items()) if who}),
        **of_control,
    )


def digest_of(items: pa.Table) -> str:
    """Return a digest of items, whatever their order."""
    rows = items.sort_by("item").select(schemas.TABLES["items"].names)
    digest = sha256()
    for batch in rows.to_batches(max_chunksize=1_024):
        for row in batch.to_pylist():
            digest.update(of_value(row).encode())
    return digest.hexdigest()


def _short(value: Any) -> str:
    text = f"{len(value)} names" if isinstance(value, tuple) else str(value)
    return text if len(text) < 24 else text[:12] + "..."


def _without_pilots(items: pa.Table, plan: Plan, folder: Path) -> tuple[pa.Table, pa.Table]:
    """Keep pilots and main batches apart; returns the items left, and the ledger of the others."""
    if plan.kind == "baseline":
        return items, schemas.empty("ledger")
    other = items_by_kind(folder, "main" if plan.kind == "pilot" else "pilot")
    out = [item in other for item in items.column("item").to_pylist()]
    if plan.kind == "pilot" and any(out):
        first = items.column("item")[out.index(True)].as_py()
        raise StoreError(
            f"pilot {plan.name}: {sum(out)} of its items are in the main batch {other[first]}"
            f" already, the first is {first}; a pilot needs items of its own"
        )
    mask = pa.array(out, pa.bool_())
    ledger: list[dict[str, object]] = [
        {
            "unit": row["item"],
            "source": row["source"] or source_in(row["item"]) or "",
            "stage": "batch",
            "rule": "batch.pilot@1",
            "action": "drop",
            "reason": f"is an item of the pilot {other[row['item']]}; pilot items never enter the"
            " main batch",
        }
        for row in items.filter(mask).to_pylist()
    ]
    return items.filter(pc.invert(mask)), schemas.build("ledger", ledger)
