"""The stage `split`: the gold of a task to examples in train, dev and test.

params: task, seed, spec (TASK@VERSION), styles (of sources). arguments: specs, a folder or None;
kept, the splits of earlier versions by id; versions, their folders; withdrawn, ids. Inputs: folders
of items, gold and candidates, then by name in params["has"]: dedup, distances. Tables: examples,
constraints, ledger.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from pipeline.contracts.parts import Parts
from pipeline.contracts.spec import SPECS, TaskSpec, load_spec
from pipeline.core import schemas
from pipeline.core.jsontext import canonical
from pipeline.core.morphology import PACKAGES
from pipeline.core.stage import Call, Outcome, Shard, Stage
from pipeline.release.splits.chosen import Chosen
from pipeline.release.splits.earlier import gone, without
from pipeline.release.splits.grouping.groups import groups
from pipeline.release.splits.member import Group, Member
from pipeline.release.splits.pool import Folders, Pool, pool

NAME: Final = "split"
WITHDRAWN: Final = "split.withdrawn@1"
#: The rule by which each task is split: called with groups, the rule's numbers, and the seed.
RULES: Final[Mapping[str, Callable[..., Chosen]]] = Parts("split", "split")


def divided(
    found: Pool,
    spec: TaskSpec,
    *,
    seed: int,
    withdrawn: Iterable[str] = (),
    absent: Sequence[Member] = (),
) -> tuple[list[Group], Chosen]:
    """Return the groups of a pool and what the spec's rule chose for every member.

    Withdrawn members are left out before, and so are new ones that tie two splits of an earlier
    version together or are like what its dev and test had and this pool has no more (`absent`).
    Raises InputError that names the constraint that binds.
    """
    out, before = frozenset(withdrawn), Chosen()
    stay = [one for one in found.members if one.id not in out]
    whole, bridges = groups([*stay, *absent], found.links, task=spec.task)
    whole = without(whole, absent, before)
    chosen = RULES[spec.task](whole, spec.split.numbers, seed=seed)
    names = {one.id for one in found.members}
    chosen.left |= before.left | {name: why for name, why in bridges.items() if name in names}
    gone_ = [one for one in found.members if one.id in out]
    chosen.leave(gone_, WITHDRAWN, "withdrawn after a complaint")
    return whole, chosen


def _shards(_call: Call) -> Iterator[Shard]:
    yield Shard("all", None)


def _run(call: Call, _shard: Shard) -> Outcome:
    params, folder = call.params, call.arguments.get("specs")
    spec = load_spec(params["task"], Path(folder) if folder else SPECS)
    extra = dict(zip(params["has"], call.inputs[3:], strict=True))
    folders = Folders(*call.inputs[:3], **extra)
    found = pool(folders, styles=params["styles"], kept=call.arguments["kept"])
    kept, out = call.arguments["kept"], call.arguments["withdrawn"]
    here = [one.id for one in found.members if one.id not in out]
    whole, chosen = divided(
        found,
        spec,
        seed=params["seed"],
        withdrawn=out,
        absent=gone(list(map(Path, call.arguments["versions"])), spec.task, kept, here),
    )
    tables = {
        "examples": examples(spec.task, whole, chosen),
        "constraints": constraints(spec.task, chosen),
        "ledger": ledger(found.members, chosen),
    }
    ids = pa.array([one.id for one in found.members], pa.string())
    return Outcome(len(found.members), tables, ids)


def examples(task: str, whole: Iterable[Group], chosen: Chosen) -> pa.Table:
    """Return the examples that have a split (EXAMPLES), by id."""
    rows = [
        _row(task, one, group.id, chosen.splits[one.id])
        for group in whole
        for one in group.members
        if one.id in chosen.splits
    ]
    return schemas.build("examples", sorted(rows, key=lambda row: str(row["id"])))


def _row(task: str, one: Member, group: str, split: str) -> dict[str, object]:
    return {
        "id": one.id,
        "task": task,
        "split": split,
        "source": one.source,
        "group": group,
        "fields": canonical(one.fields),
        "label": canonical(one.label),
        "documents": list(one.documents),
        "simulated": one.simulated,
        "kept": one.kept is not None,
        "sampler": one.sampler,
        "style": one.style,
        "date": one.date,
        "agreement": one.agreement,
        "meta": canonical(one.meta),
    }


def constraints(task: str, chosen: Chosen) -> pa.Table:
    """Return the constraints of a choice as a table (CONSTRAINTS), in the rule's order."""
    rows: list[dict[str, object]] = [
        {
            "task": task,
            "name": one.name,
            "split": one.split,
            "wanted": float(one.wanted),
            "found": float(one.found),
            "met": one.met,
            "binds": one.binds,
            "detail": one.detail,
        }
        for one in chosen.constraints
    ]
    return schemas.build("constraints", rows)


def ledger(members: list[Member], chosen: Chosen) -> pa.Table:
    """Return the members that were left out, by id (LEDGER)."""
    sources = {one.id: one.source for one in members}
    rows: list[dict[str, Any]] = [
        {
            "unit": name,
            "source": sources[name],
            "stage": NAME,
            "rule": rule,
            "action": "drop",
            "reason": reason,
        }
        for name, (rule, reason) in sorted(chosen.left.items())
    ]
    return schemas.build("ledger", rows)


STAGE = Stage(
    name=NAME,
    main="examples",
    law="filter",
    shards=_shards,
    run=_run,
    distributions=(*PACKAGES, "numpy", "scipy"),
)
