"""Control items of a batch: items with known answers, hidden among the others (Le et al. 2010).

They are also called gold or test questions. An annotator's list holds them at even distances, each
in a place drawn within its stretch. In the files of a tool every item of such a batch has an id
that is a hash, so that none stands out. A control item for more people than an item has answers is
there several times, under several ids, and never twice for one person. The votes on control items
lie apart from the batch's votes and never become gold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.annotation.batches.batch import Batch, Control, Plan, tool_ids
from pipeline.contracts.task import Task
from pipeline.core import schemas
from pipeline.core.errors import InputError
from pipeline.core.ids import candidate_id, draw
from pipeline.core.jsontext import canonical, parsed
from pipeline.core.wording import verb

#: Keys of a control item's `meta`: the item of the file, and before which of the batch's items it
#: stands in the files of a tool, counted from 0.
KNOWN_ITEM: Final = "control"
PLACE: Final = "before"
_SUGGESTION: Final = "suggestion"

#: What every annotator was given before: the texts of items (`text_of`).
Seen = Mapping[str, set[str]]


@dataclass(frozen=True)
class ControlPlan:
    """The items with `gold` (ITEMS) of which some are hidden, and their share of every list.

    An answer is right from the `likeness` to gold on. `shown` are the earlier answers that a round
    shows, by item.
    """

    items: pa.Table
    share: float
    likeness: float = 1.0
    shown: Mapping[str, Any] = field(default_factory=dict)


def text_of(fields: str, task: Task) -> str:
    """Return what makes two items the same for an annotator: the task's fields of both."""
    values = parsed(fields)
    return canonical({name: values.get(name) for name in task.fields})


def hide(
    control: ControlPlan,
    items: pa.Table,
    assignments: pa.Table,
    *,
    plan: Plan,
    task: Task,
    per_item: int,
    seen: Seen,
) -> tuple[Control, pa.Table]:
    """Draw the control items of a batch; returns them, and `assignments` with their new places.

    Raises InputError where annotators have seen too many of the items, or would tell them apart.
    """
    pool = _unknown(control.items, items, task)
    looks = _looks(items)
    _check_looks(pool, looks)
    people = sorted(plan.annotators, key=lambda who: (draw(plan.seed, "control.turn", who), who))
    wanted = round(items.num_rows * control.share / (1 - control.share))
    count = max(wanted, -(-len(people) // per_item))
    # a circle of annotators: loads differ by one, and one's own items lie at even distances
    groups = [
        [people[(n * per_item + k) % len(people)] for k in range(per_item)] for n in range(count)
    ]
    chosen = _choose(groups, pool, seen, plan.seed)
    rows = [_copy(row, n, count, items, looks, plan, task) for n, row in enumerate(chosen)]
    names = [str(row["item"]) for row in rows]
    given = [(who, name) for name, group in zip(names, groups, strict=True) for who in group]
    own, mixed = _mix(assignments, given, plan.seed)
    return Control(schemas.build("items", rows), own, schemas.empty("votes")), mixed


def _unknown(control: pa.Table, items: pa.Table, task: Task) -> list[dict[str, Any]]:
    """Return the control items whose text is no item of the batch, each text once, by id."""
    known = {text_of(fields, task) for fields in items.column("fields").to_pylist()}
    rows = []
    for row in control.sort_by("item").to_pylist():
        text = text_of(row["fields"], task)
        if text not in known:
            rows.append({**row, "text": text})
            known.add(text)
    return rows


#: What annotators see of the form of an item: the names of its fields, and whether it suggests.
_Look = tuple[tuple[str, ...], bool]


def _look(row: Mapping[str, Any]) -> _Look:
    return tuple(sorted(parsed(row["fields"]))), _suggestion(row) is not None


def _suggestion(row: Mapping[str, Any]) -> Any:
    meta = parsed(row["meta"]) if row["meta"] else None
    return meta.get(_SUGGESTION) if isinstance(meta, dict) else None


def _looks(items: pa.Table) -> dict[_Look, list[int]]:
    rows = items.select(["fields", "meta"]).to_pylist()
    return schemas.group((_look(row), n) for n, row in enumerate(rows))


def _check_looks(pool: Sequence[Mapping[str, Any]], looks: Mapping[_Look, list[int]]) -> None:
    strange = [row for row in pool if _look(row) not in looks]
    if not strange:
        return
    (fields, suggests), (usual, offers) = _look(strange[0]), next(iter(looks))
    what = f"fields {', '.join(fields)}; those of the batch have {', '.join(usual)}"
    if fields == usual:
        have = ("have no `suggestion` in their `meta`", "have a `suggestion` in their `meta`")
        what = f"items that {have[suggests]}; those of the batch {have[offers]}"
    raise InputError(
        f"control items: annotators would tell {len(strange)} of {len(pool)} from the others, the"
        f" first is {strange[0]['item']}: {what}; give control items of the same form"
    )


def _choose(
    groups: Sequence[Sequence[str]], pool: Sequence[dict[str, Any]], seen: Seen, seed: int
) -> list[dict[str, Any]]:
    """Return an item for every group that none of it has seen, those least used first."""
    known = {who: set(seen.get(who, ())) for group in groups for who in group}
    used: Counter[str] = Counter()
    chosen = []
    for n, group in enumerate(groups):
        unseen = [row for row in pool if not any(row["text"] in known[who] for who in group)]
        if not unseen:
            each = max(Counter(who for group in groups for who in group).values())
            raise InputError(
                f"control items: {len(pool)} {verb(len(pool), 'is', 'are')} there, and none is left"
                " that"
                f" {', '.join(group)} have not seen (in a pilot, say) after {n} of {len(groups)};"
                f" each annotator is to get {each}: give more items, or a smaller"
                " `control_items.share` in the spec"
            )
        row = min(
            unseen,
            key=lambda row: (used[row["item"]], draw(seed, f"control.{n}", row["item"])),
        )
        used[row["item"]] += 1
        chosen.append(row)
        for who in group:
            known[who].add(row["text"])
    return chosen


def _copy(
    row: Mapping[str, Any],
    n: int,
    count: int,
    items: pa.Table,
    looks: Mapping[_Look, list[int]],
    plan: Plan,
    task: Task,
) -> dict[str, object]:
    """Return a control item as it is handed out, with the source of an item that looks like it."""
    alike = looks[_look(row)]
    model = alike[int(draw(plan.seed, "control.source", str(n)) * len(alike))]
    before = int((n + draw(plan.seed, "control.place", str(n))) * items.num_rows / count)
    suggestion = _suggestion(row)
    kept = {} if suggestion is None else {_SUGGESTION: suggestion}
    return {
        "item": candidate_id(task.id, "control", plan.name, str(plan.seed), str(n)),
        "task": task.id,
        "fields": row["fields"],
        "source": items.column("source")[model].as_py(),
        "sampler": items.column("sampler")[model].as_py(),
        "gold": row["gold"],
        "meta": canonical({**kept, KNOWN_ITEM: row["item"], PLACE: before}),
    }


def _mix(
    assignments: pa.Table, given: Iterable[tuple[str, str]], seed: int
) -> tuple[pa.Table, pa.Table]:
    """Return the assignments of control items and the others, in one queue for each annotator."""
    control = schemas.group(given)
    names = {name for queue in control.values() for name in queue}
    queues = schemas.group(
        (who, item)
        for who, _, item in sorted(schemas.rows(assignments, "annotator", "ordinal", "item"))
    )
    rows: list[dict[str, object]] = []
    for who in sorted(control.keys() | queues.keys()):
        queue, own = queues.get(who, []), control.get(who, [])
        places = [
            ((n + draw(seed, f"control.queue.{who}", str(n))) * len(queue) / len(own), name)
            for n, name in enumerate(own)
        ]
        mixed = sorted(
            [(float(n), 1, item) for n, item in enumerate(queue)]
            + [(float(int(place)), 0, name) for place, name in places]
        )
        rows += [
            {"item": item, "annotator": who, "ordinal": place}
            for place, (_, _, item) in enumerate(mixed, 1)
        ]
    table = schemas.build("assignments", rows)
    is_control = pa.array([item in names for item in table.column("item").to_pylist()], pa.bool_())
    return table.filter(is_control), table.filter(pc.invert(is_control))


def tool_view(batch: Batch) -> Batch:
    """Return a batch as annotators see it: control items among the others, ids of the tool's files.

    A batch without control items is returned as it is.
    """
    control = batch.control
    if not control.items.num_rows:
        return batch
    ids = tool_ids(batch)
    places = [(float(n), n) for n in range(batch.items.num_rows)]
    places += [
        (parsed(meta)[PLACE] - 0.5, batch.items.num_rows + n)
        for n, meta in enumerate(control.items.column("meta").to_pylist())
    ]
    order = pa.array([row for _, row in sorted(places)], pa.int64())
    tables = {
        name: _with_ids(pa.concat_tables([getattr(batch, name), getattr(control, name)]), ids)
        for name in ("items", "assignments", "votes")
    }
    items = tables["items"].take(order).combine_chunks()
    ordered = tables["assignments"].sort_by([("annotator", "ascending"), ("ordinal", "ascending")])
    return replace(batch, items=items, assignments=ordered, votes=tables["votes"])


def tool_answers(
    batch: Batch, shown: Mapping[str, Any], control: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the earlier answers that a round shows, by the ids of the tool's files.

    `shown` are those of the batch's items, `control` those of control items by their own ids.
    """
    ids = tool_ids(batch)
    answers = {ids[item]: answer for item, answer in shown.items() if item in ids}
    for item, meta in schemas.rows(batch.control.items, "item", "meta"):
        answers[item] = control[parsed(meta)[KNOWN_ITEM]]
    return answers


def _with_ids(table: pa.Table, ids: Mapping[str, str]) -> pa.Table:
    names = pa.array([ids[item] for item in table.column("item").to_pylist()], pa.string())
    return table.set_column(table.schema.get_field_index("item"), "item", names).cast(table.schema)
