"""Stage `clean`: the cleaning rules over units, with a ledger row for every edit and drop.

Edits come first, in the order of the table, again and again until a text stays as it is (at most
MAX_ROUNDS times): what one rule takes away may reveal what another looks for. Then come the drops.
One exception keeps escaped markup readable: a text in which decoding an entity made a tag is not
edited again, or that tag would be cut.

A rule may touch a text more than once; the ledger has one row for a rule and a unit, with the
counts added up, and a drop stands for the edits that the same rule made before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.core import ledger, schemas, store
from pipeline.core.join_memory import MEMORY
from pipeline.core.stage import Call, Shard, Stage, own_shards, table_shards
from pipeline.core.stage import Outcome as StageOutcome
from pipeline.corpus import repeats
from pipeline.corpus.rules.table import Action, Limits, Outcome, Rule, select

#: A text is edited at most this often; what is nested deeper stays.
MAX_ROUNDS: Final = 8
#: Rows taken at a time.
BATCH: Final = 65_536
_LENGTH: Final = "characters fewer"
_REPEATED: Final = "repeated.parquet"

Rows = np.ndarray[Any, np.dtype[np.int64]]


class Event(NamedTuple):
    """One decision on one row. `reason` says what was found and how often, without any text."""

    action: Action
    reason: str
    score: float | None


class Journal:
    """The decisions on the rows of one batch; a decision is named by (row, order of the rule)."""

    def __init__(self) -> None:
        self._edits: dict[tuple[int, int], dict[str, int]] = {}
        self._drops: dict[tuple[int, int], Event] = {}
        self.dropped: set[int] = set()
        self.settled: set[int] = set()

    def note(self, row: int, order: int, text: str, outcome: Outcome) -> str | None:
        """Record what a rule did to the text of a row; return what is left of it."""
        if outcome.text is None:
            self.dropped.add(row)
            self._drops[row, order] = Event("drop", _reason(dict(outcome.counts)), outcome.score)
        elif outcome.text != text:
            counts = self._edits.setdefault((row, order), {_LENGTH: 0})
            for kind, n in ((_LENGTH, len(text) - len(outcome.text)), *outcome.counts):
                counts[kind] = counts.get(kind, 0) + n
            if outcome.settled:
                self.settled.add(row)
        return outcome.text

    def events(self) -> list[tuple[int, int, Event]]:
        """Return (row, order of the rule, decision), sorted by both."""
        edits = {key: Event("edit", _reason(c), None) for key, c in self._edits.items()}
        return [(*key, event) for key, event in sorted((edits | self._drops).items())]


def _reason(counts: dict[str, int]) -> str:
    """Say ``zero-width 2, line 1; 3 characters fewer``."""
    kinds = ", ".join(f"{kind} {number}" for kind, number in counts.items() if kind != _LENGTH)
    return kinds if _LENGTH not in counts else f"{kinds}; {counts[_LENGTH]} {_LENGTH}"


def clean(
    units: pa.Table,
    rule_ids: Sequence[str],
    *,
    stage: str = "clean",
    max_foreign: int = 10,
    foreign_share: float = 0.0,
    min_hangul: float = 0.1,
) -> tuple[pa.Table, pa.Table]:
    """Clean the `text` of units: (kept units in order, ledger rows).

    The ledger has one row for each unit that a rule edited (reason: what was found, how often, and
    by how many characters the text got shorter) and one for each that a rule dropped (score: the
    number that decided, where there is one), ordered as the units, then as the table of rules. Ids
    and offsets stay those of the text as read.

    Raises SpecError for unknown rules.
    """
    rules, limits = select(rule_ids), Limits(max_foreign, foreign_share, min_hangul)
    batches = units.combine_chunks().to_batches(max_chunksize=BATCH)
    cleaned = [_clean_batch(batch, rules, limits, stage) for batch in batches]
    return (
        pa.Table.from_batches([kept for kept, _ in cleaned], schema=units.schema),
        pa.concat_tables([schemas.empty("ledger"), *(rows for _, rows in cleaned)]),
    )


def _clean_batch(
    batch: pa.RecordBatch, rules: list[Rule], limits: Limits, stage: str
) -> tuple[pa.RecordBatch, pa.Table]:
    journal = Journal()

    def apply(texts: pa.Array, rows: Rows, action: Action) -> pa.Array:
        """Apply the rules of an action to texts; `rows` are their numbers in the batch."""
        for order, rule in enumerate(rules):
            if rule.action != action:
                continue
            gate = pc.match_substring_regex(texts, rule.gate)
            hits = np.flatnonzero(gate.to_numpy(zero_copy_only=False))
            changed = {}
            for place, text in zip(
                hits.tolist(), texts.take(pa.array(hits)).to_pylist(), strict=True
            ):
                row = int(rows[place])
                if row not in journal.dropped:
                    new = journal.note(row, order, text, rule.apply(text, limits))
                    if new is not None and new != text:
                        changed[place] = new
            values = pa.array(list(changed.values()), texts.type)
            texts = _put(texts, np.array(list(changed), dtype=np.int64), values)
        return texts

    texts, rows = batch.column("text"), np.arange(batch.num_rows)
    for _ in range(MAX_ROUNDS):
        before = texts
        texts = _put(texts, rows, apply(texts.take(pa.array(rows)), rows, "edit"))
        changed = np.flatnonzero(pc.not_equal(texts, before).to_numpy(zero_copy_only=False))
        rows = np.setdiff1d(changed, list(journal.dropped | journal.settled))
        if not len(rows):
            break
    apply(texts, np.arange(batch.num_rows), "drop")
    stays = np.ones(batch.num_rows, dtype=bool)
    stays[list(journal.dropped)] = False
    place = batch.schema.get_field_index("text")
    kept = batch.set_column(place, batch.schema.field(place), texts).filter(pa.array(stays))
    return kept, _ledger_rows(batch, rules, journal, stage)


def _put(texts: pa.Array, rows: Rows, values: pa.Array) -> pa.Array:
    if not len(rows):
        return texts
    mask = np.zeros(len(texts), dtype=bool)
    mask[rows] = True
    return pc.replace_with_mask(texts, pa.array(mask), values)


def _ledger_rows(
    batch: pa.RecordBatch, rules: list[Rule], journal: Journal, stage: str
) -> pa.Table:
    events = journal.events()
    numbers = pa.array([row for row, _, _ in events], pa.int64())
    return ledger.rows(
        pa.table(batch.select(["id", "source"]).take(numbers)),
        stage=stage,
        rule=pa.array([rules[order].id for _, order, _ in events], pa.string()),
        action=pa.array([event.action for _, _, event in events], pa.string()),
        reason=pa.array([event.reason for _, _, event in events], pa.string()),
        score=pa.array([event.score for _, _, event in events], pa.float64()),
    )


def _shards(call: Call) -> Iterator[Shard]:
    # What is repeated, and so cut, may change with any unit of the source.
    return (table_shards if "repeated" in call.params else own_shards)(call, "units")


def _prepare(call: Call, folder: Path) -> None:
    """Count the repeated windows of all units, if repeated spans are to be cut."""
    if "repeated" in call.params:
        paths = [shard.payload for shard in table_shards(call, "units")]
        memory = call.arguments.get("memory", MEMORY)
        repeats.count(paths, folder / _REPEATED, **call.params["repeated"], memory=memory)


def _run(call: Call, shard: Shard) -> StageOutcome:
    units = store.read_table(shard.payload, "units")
    spans = schemas.empty("ledger")
    if "repeated" in call.params:
        path = store.partial_of(call.folder) / _REPEATED
        units, spans = repeats.cut(units, path, length=call.params["repeated"]["length"])
    limits = {
        name: call.params[name] for name in ("max_foreign", "foreign_share") if name in call.params
    }
    kept, rows = clean(units, call.params["rules"], **limits)
    rows = pa.concat_tables([spans, rows])
    return StageOutcome(
        units.num_rows, {"units": kept, "ledger": rows}, units.column("id").combine_chunks()
    )


STAGE = Stage(
    name="clean",
    main="units",
    invariant="filter",
    shards=_shards,
    run=_run,
    prepare=_prepare,
    distributions=("regex",),
)
