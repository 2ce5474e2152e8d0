"""The stage `split`: from the gold of a task to examples in train, dev and test.

params: task, seed, spec (TASK@VERSION), styles (of sources); numbers, those of the rule that the
build file replaces, if any. arguments: specs, a folder or None;
kept, the splits of earlier versions by id; versions, their folders; withdrawn, ids. Inputs: folders
of items, gold and candidates, then by name in params["has"]: dedup, distances. Tables: examples,
constraints, ledger.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from pipeline.contracts.parts import Parts
from pipeline.contracts.spec import SPECS, TaskSpec, load_spec
from pipeline.contracts.splits import EVALUATION, SPLITS, Split
from pipeline.core import schemas
from pipeline.core.errors import InputError
from pipeline.core.jsontext import canonical
from pipeline.core.morphology import PACKAGES
from pipeline.core.stage import Call, Outcome, Shard, Stage
from pipeline.release.reading import read_split
from pipeline.release.soft_labels import label_order
from pipeline.release.splits.assignment import Assignment
from pipeline.release.splits.groups import groups, read_pool
from pipeline.release.splits.member import Group, Member, group
from pipeline.release.tables import COLUMNS, examples_of

NAME: Final = "split"
WITHDRAWN: Final = "split.withdrawn@1"
#: A new example that is like one that dev or test of an earlier version had and this pool lacks.
LIKE: Final = "split.earlier@1"
#: The split rule of a task: called with groups in order of their ids, the rule's numbers, and the
#: seed that keys every draw. Groups that an earlier version placed (`kept`) stay where they are, or
#: are left out where they no longer meet a constraint; no example goes from test to another split.
#: The result must not depend on the order of groups.
RULES: Final = Parts[Callable[..., Assignment]]("split", "split")


def assign(task: str, whole: Sequence[Group], numbers: Any, *, seed: int) -> Assignment:
    """Return what the rule of a task chooses for groups.

    Raises InputError when a split gets no example, naming the constraints that bind.
    """
    assignment = RULES[task](whole, numbers, seed=seed)
    empty = [split for split in SPLITS if not assignment.count(split)]
    if empty:
        binding = "; ".join(
            f"{row.name}{f' in {row.split}' if row.split else ''}: wanted {row.wanted:g}, found"
            f" {row.found:g}{f' ({row.detail})' if row.detail else ''}"
            for row in assignment.constraints
            if row.binds or not row.met
        )
        raise InputError(
            f"{task}: no example is left for {' and '.join(empty)} of {len(assignment.splits):,};"
            f" what binds: {binding or 'the number of examples'}; give more examples, or other"
            " numbers under `split` of the spec"
        )
    return assignment


def split_pool(
    members: Sequence[Member],
    links: Mapping[str, Sequence[str]],
    spec: TaskSpec,
    *,
    seed: int,
    withdrawn: Iterable[str] = (),
    absent: Sequence[Member] = (),
) -> tuple[list[Group], Assignment]:
    """Return the groups of members and what the spec's rule chose for every one of them.

    `links` are keys, by id, that a member shares with those it may not be separated from. Withdrawn
    members are left out before, and so are new ones that connect two splits of an earlier version
    or are similar to what its dev and test had and these members lack (`absent`). Raises InputError
    that names the constraint that binds.
    """
    withdrawn, before = frozenset(withdrawn), Assignment()
    stay = [member for member in members if member.id not in withdrawn]
    whole, bridges = groups([*stay, *absent], links, task=spec.task)
    whole = _without(whole, absent, before)
    assignment = assign(spec.task, whole, spec.split.numbers, seed=seed)
    ids = {member.id for member in members}
    assignment.left_out |= before.left_out
    assignment.left_out |= {name: why for name, why in bridges.items() if name in ids}
    out = [member for member in members if member.id in withdrawn]
    assignment.leave_out(out, WITHDRAWN, "withdrawn after a complaint")
    return whole, assignment


def missing_members(
    versions: Sequence[Path], task: str, splits: Mapping[str, Split], ids: Iterable[str]
) -> list[Member]:
    """Return what dev and test of earlier versions had and `ids` (ids) lacks, by id.

    `versions` are release folders, the newest one last; of an example in several the newest counts.
    Texts and source alone are known of it. Raises StoreError for a release that is not sound.
    """
    absent = {name for name, split in splits.items() if split in EVALUATION} - set(ids)
    members: dict[str, Member] = {}
    for folder in versions if absent else ():
        for split in EVALUATION:
            for example in examples_of(read_split(folder, task, split), task):
                if example.id in absent:
                    members[example.id] = Member(
                        example.id,
                        example.source,
                        example.fields,
                        example.label,
                        kept=splits[example.id],
                    )
    return [members[name] for name in sorted(members)]


def _without(
    whole: Iterable[Group], absent: Sequence[Member], assignment: Assignment
) -> list[Group]:
    """Return groups without absent members; new members of a group that had one are left out.

    What was looked at in an earlier test may have been seen by models since: a new version of it
    under another id must come neither into train nor into another split.
    """
    ids = {member.id for member in absent}
    stay: list[Group] = []
    for group_ in whole:
        present = [member for member in group_.members if member.id not in ids]
        if len(present) == len(group_.members):
            stay.append(group_)
            continue
        known = [member for member in present if member.kept is not None]
        new = [member for member in present if member.kept is None]
        assignment.leave_out(new, LIKE, "like an example of dev or test in an earlier version")
        stay += [group(known)] if known else []
    return stay


def _run(call: Call, _shard: Shard) -> Outcome:
    params, folder = call.params, call.arguments.get("specs")
    spec = load_spec(params["task"], Path(folder) if folder else SPECS)
    numbers = spec.split.numbers.model_copy(update=params.get("numbers", {}))
    spec = spec.model_copy(update={"split": spec.split.model_copy(update={"numbers": numbers})})
    names = ("items", "gold", "candidates", *params["has"])
    folders = dict(zip(names, call.inputs, strict=True))
    splits, out = call.arguments["kept"], call.arguments["withdrawn"]
    labels = label_order(COLUMNS[spec.task], spec)
    members, links = read_pool(folders, styles=params["styles"], splits=splits, labels=labels)
    ids = [member.id for member in members]
    versions = list(map(Path, call.arguments["versions"]))
    absent = missing_members(versions, spec.task, splits, set(ids) - set(out))
    split_groups, assignment = split_pool(
        members, links, spec, seed=params["seed"], withdrawn=out, absent=absent
    )
    tables = split_tables(spec.task, members, split_groups, assignment)
    return Outcome(len(members), tables, pa.array(ids, pa.string()))


def split_tables(
    task: str, members: Iterable[Member], groups: Iterable[Group], assignment: Assignment
) -> dict[str, pa.Table]:
    """Return the tables of a split: EXAMPLES that have one, CONSTRAINTS, LEDGER of the others."""
    examples: list[dict[str, object]] = [
        {
            "id": member.id,
            "task": task,
            "split": assignment.splits[member.id],
            "source": member.source,
            "group": group_.id,
            "fields": canonical(member.fields),
            "label": canonical(member.label),
            "documents": list(member.documents),
            "simulated": member.simulated,
            "kept": member.kept is not None,
            "sampler": member.sampler,
            "style": member.style,
            "date": member.date,
            "agreement": member.agreement,
            "meta": canonical(member.meta),
        }
        for group_ in groups
        for member in group_.members
        if member.id in assignment.splits
    ]
    constraints: list[dict[str, object]] = [
        {
            "task": task,
            **asdict(constraint),
            "wanted": float(constraint.wanted),
            "found": float(constraint.found),
        }
        for constraint in assignment.constraints
    ]
    sources = {member.id: member.source for member in members}
    ledger: list[dict[str, object]] = [
        {
            "unit": name,
            "source": sources[name],
            "stage": NAME,
            "rule": rule,
            "action": "drop",
            "reason": reason,
        }
        for name, (rule, reason) in sorted(assignment.left_out.items())
    ]
    examples.sort(key=lambda row: str(row["id"]))
    tables = {"examples": examples, "constraints": constraints, "ledger": ledger}
    return {name: schemas.build(name, rows) for name, rows in tables.items()}


STAGE = Stage(
    name=NAME,
    main="examples",
    invariant="filter",
    shards=lambda _call: iter([Shard("all", None)]),
    run=_run,
    distributions=(*PACKAGES, "numpy", "scipy"),
)
