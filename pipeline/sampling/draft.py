"""The draft of a shard of sampling: what it drew and refused, and the tables that this gives.

The quotas of sources are filled by a walk through their units: a judge looks at each, and those
that it accepts are drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import wraps
from itertools import islice
from typing import Any, Final, NamedTuple, TypeVar

import pyarrow as pa

from pipeline.contracts.sampling import proportional
from pipeline.core import schemas
from pipeline.core.ids import candidate_id, record_id
from pipeline.core.jsontext import canonical
from pipeline.core.stage import Call, Outcome, Shard
from pipeline.sampling import inputs
from pipeline.sampling.inputs import Row, keyed_walk

T = TypeVar("T")
#: The stage of all candidates, in the ledger and in the store.
STAGE_NAME: Final = "candidates"

#: Decisions held as rows before they become a table, which takes a tenth of the memory.
HELD: Final = 8_192


class Refusal(NamedTuple):
    """Why a unit is no candidate: rule id, reason without its text, and a score if there is one."""

    rule: str
    reason: str
    score: float | None = None


@dataclass
class Draft:
    """The candidates of one task from one source, with their evidence, and the refused units.

    Every unit of the input is drawn (for one item or more), refused once, or left undrawn. `stage`
    is the stage that the ledger names. `used` are the clusters of near-duplicates of which a unit
    is drawn: no second unit of them may be.
    """

    task: str
    source: str
    items: list[Row] = field(default_factory=list)
    drawn: list[Row] = field(default_factory=list)
    stage: str = STAGE_NAME
    used: set[str] = field(default_factory=set)
    _notes: list[Row] = field(default_factory=list, repr=False)
    _written: list[pa.Table] = field(default_factory=list, repr=False)

    def add(
        self,
        fields: Mapping[str, Any],
        units: Mapping[str, str],
        *,
        sampler: str,
        meta: Mapping[str, Any] | None = None,
        parts: tuple[str, ...] = (),
    ) -> str:
        """Add a candidate and return its id.

        `units` are the ids of the units it is made from by their roles, `meta` its evidence (the
        ids are added to it under `units`); `parts` distinguish it from other candidates of the same
        units.
        """
        unit_ids = list(units.values())
        item = candidate_id(self.task, *unit_ids, *parts)
        self.items.append(
            {
                "item": item,
                "task": self.task,
                "fields": canonical(dict(fields)),
                "source": self.source,
                "sampler": sampler,
                "meta": canonical({**(meta or {}), "units": unit_ids}),
            }
        )
        self.drawn += [
            {"item": item, "task": self.task, "unit": u, "source": self.source, "role": role}
            for role, u in units.items()
        ]
        return item

    def near_duplicate(self, row: Row) -> Refusal | None:
        """Return why a unit may not be drawn beside those that are, or None."""
        if row["cluster"] not in self.used:
            return None
        reason = f"another of cluster {row['cluster']} is drawn"
        return Refusal(f"{self.task}.near_duplicate@1", reason)

    def refuse(self, unit: str, rule: str, reason: str, score: float | None = None) -> None:
        """Refuse a unit under the rule ``TASK.NAME@VERSION``; the reason holds no text of it."""
        self._note(unit, rule, "drop", reason, score=score)

    def edit(self, unit: str, rule: str, reason: str, *, score: float | None = None) -> None:
        """Note that part of the evidence about a unit was left out; the unit itself stays."""
        self._note(unit, rule, "edit", reason, score=score)

    def short(self, name: str, *, wanted: int, drawn: int, advice: str = "") -> None:
        """Note a quota that was not met, and what to do; does nothing for one that was."""
        if drawn < wanted:
            unit = f"{self.task}:{self.source}:{name}"
            reason = f"{name}: {wanted} wanted, {drawn} drawn{advice and f' ({advice})'}"
            self._note(unit, f"{self.task}.quota@1", "short", reason, score=wanted - drawn)

    def fault(
        self, file: str, line: int, rule: str, reason: str, *, source: str | None = None
    ) -> None:
        """Quarantine a record of a resource (triples, infoboxes, translations) by file and line."""
        place = source or self.source
        unit = record_id(place, file, line)
        self._note(unit, rule, "quarantine", reason, source=place, file=file, line=line)

    @property
    def ledger(self) -> pa.Table:
        """Return the ledger so far, in the order of the decisions."""
        return pa.concat_tables([*self._written, schemas.build("ledger", self._notes)])

    def outcome(self, ids: pa.Array | None = None) -> Outcome:
        """Return the tables of the shard: items, drawn, ledger; items in the order of adding.

        `ids` are the ids of all units of the input, which conservation is checked against.
        """
        tables = {
            "items": schemas.build("items", self.items),
            "drawn": schemas.build("drawn", self.drawn),
            "ledger": self.ledger,
        }
        ids = pa.array([], pa.string()) if ids is None else ids
        return Outcome(len(ids), tables, ids)

    def _note(
        self,
        unit: str,
        rule: str,
        action: str,
        reason: str,
        *,
        score: float | None = None,
        **at: Any,
    ) -> None:
        row: Row = {"unit": unit, "source": self.source, "stage": self.stage, "rule": rule}
        row |= {"action": action, "reason": reason, "file": None, "line": None}
        self._notes.append(row | {"score": None if score is None else float(score)} | at)
        if len(self._notes) == HELD:
            self._written.append(schemas.build("ledger", self._notes))
            self._notes = []


def merge_outcomes(outcomes: Sequence[Outcome]) -> Outcome:
    """Return the outcome of one shard that holds the tables of several, in their order."""
    tables = {
        name: pa.concat_tables([outcome.tables[name] for outcome in outcomes])
        for name in outcomes[0].tables
    }
    ids = pa.concat_arrays([outcome.inputs for outcome in outcomes if outcome.inputs is not None])
    return Outcome(len(ids), tables, ids)


#: Units that a judge gets at a time.
BATCH: Final = 256


#: A judge returns for each unit of a batch, in order, a refusal or the evidence for the unit.
Judge = Callable[[list[Row]], Iterable[Refusal | Mapping[str, Any]]]


def accept_units(
    draft: Draft,
    walk: Iterator[Row],
    *,
    quota: int,
    judge: Judge,
    batch_size: int = BATCH,
) -> Iterator[tuple[Row, Mapping[str, Any]]]:
    """Yield up to `quota` accepted units with their evidence; refusals go into the draft.

    Only the first unit of a cluster of near-duplicates is accepted. Units after the one that fills
    the quota are neither drawn nor refused, whatever the size of a batch.
    """
    accepted = 0
    while accepted < quota and (batch := list(islice(walk, batch_size))):
        for row, verdict in zip(batch, judge(batch), strict=True):
            if accepted == quota:
                break
            refusal = verdict if isinstance(verdict, Refusal) else draft.near_duplicate(row)
            if refusal is not None:
                draft.refuse(row["id"], *refusal)
                continue
            assert not isinstance(verdict, Refusal)
            draft.used.add(row["cluster"])
            accepted += 1
            yield row, verdict


def one_by_one(judge: Callable[[Row], Refusal | Mapping[str, Any]]) -> Judge:
    """Return the judge of a batch that looks at one unit after another, none ahead of its turn."""
    return lambda rows: map(judge, rows)


def with_quotas(function: Callable[..., T]) -> Callable[..., T]:
    """Return a function of a call that finds quotas for its sources in the call's section.

    Where the plan gave none (``call.params["share"]``), they are shared by what the sources give:
    ``total``, or as many as there are units, in proportion to the units of each, or where styles
    are ``even`` to its part of those of its style; ``kinds`` follow the source in the names of its
    quotas. They stand under ``key`` of the section.
    """

    @wraps(function)
    def run(call: Call, *rest: Any, **settings: Any) -> T:
        if share := call.params.get("share"):
            sources = call.params["sources"]
            counts = {name: len(inputs.ids(call, name)) for name in sources}
            style = {name: share["even"] and about["style"] for name, about in sources.items()}
            weights = {
                f"{name}{kind}": n
                / max(1, sum(counts[o] for o in counts if style[o] == style[name]))
                for name, n in counts.items()
                for kind in share["kinds"]
            }
            quotas = proportional(weights, min(share["total"], sum(counts.values())))
            sampling = {**call.params["sampling"], share["key"]: quotas}
            call = replace(call, params={**call.params, "sampling": sampling})
        return function(call, *rest, **settings)

    return run


@with_quotas
def source_shards(
    call: Call, key: str = "quotas", source_of: Callable[[str], str] = str
) -> Iterator[Shard]:
    """Yield a shard for every source that has a quota, whether it is in the build or not.

    `key` is that of the quotas in the section, `source_of` gives the source in the name of one. A
    source that is not in the build has no units; its quota is noted as short.
    """
    return (Shard(name, name) for name in sorted(set(map(source_of, call.params["sampling"][key]))))


@with_quotas
def fill_quota(
    call: Call,
    shard: Shard,
    *,
    judge: Judge,
    add: Callable[[Draft, Row, Mapping[str, Any]], None],
    ahead: int,
    units: int = 1,
) -> Outcome:
    """Walk through the units of a shard's source until its quota is full; return its candidates.

    `add` takes an accepted unit, with the evidence for it, into the draft of its source; a
    candidate is made of so many `units`. About `ahead` units are looked at for one that is drawn.
    If the source is not in the build, its quota is noted as not met.
    """
    source: str = shard.payload
    quota = call.params["sampling"]["quotas"][source]
    draft = Draft(call.source, source)
    if source not in call.params["sources"]:
        draft.short("not in this build", wanted=quota, drawn=0)
        return draft.outcome()
    walk = keyed_walk(call, source, purpose=call.source, first=ahead * quota * units)
    for row, evidence in accept_units(draft, walk, quota=quota * units, judge=judge):
        add(draft, row, evidence)
    draft.short(source, wanted=quota, drawn=len(draft.items))
    return draft.outcome(inputs.ids(call, source))
