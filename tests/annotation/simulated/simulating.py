"""What the tests of simulated annotators share: items of the sample, made-up items, one round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import accumulate
from typing import Any

import pyarrow as pa

from pipeline.annotation.batches.assignment import assign
from pipeline.annotation.intake.items import read_items
from pipeline.annotation.intake.vote import RawVote
from pipeline.annotation.simulated.campaign import as_votes
from pipeline.annotation.simulated.engine import simulate
from pipeline.annotation.simulated.profile import Habit, Pool, bad_annotator, default_pool
from pipeline.annotation.simulated.truths import ANSWERS, Truth, Truths, load_truths
from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import TaskSpec, load_spec
from pipeline.core import schemas
from pipeline.core.ids import draw
from pipeline.core.jsontext import canonical, parsed

SEED = 20201201
#: Shares of the topics (Table 3 of the paper, column Total).
TOPICS = {
    "정치": 8851,
    "경제": 8734,
    "사회": 12574,
    "생활문화": 8507,
    "세계": 9931,
    "IT과학": 6376,
    "스포츠": 8919,
}
WRITTEN = ("tc", "sts", "nli", "ner", "re", "dp", "mrc", "dst")


def sample(task: str) -> pa.Table:
    """Return the items of the sample's answers; of NLI the pairs."""
    items, refused = read_items(ANSWERS / f"{task}.jsonl", TASKS[task])
    assert not refused
    return items


@cache
def _truths(task: str) -> Truths:
    return load_truths(TASKS[task])


def truth_of(task: str, fields: Mapping[str, Any]) -> Truth:
    """Return the sample's truth of an item, found by its text; unknown ones are estimated."""
    return _truths(task).of(fields)


def blind(items: pa.Table) -> pa.Table:
    """Return items without gold and meta, as a build would give them out."""
    return schemas.build(
        "items", [{**row, "gold": None, "meta": None} for row in items.to_pylist()]
    )


def premises() -> pa.Table:
    """Return the premises of the sample's pairs, each once, as a build would give them out."""
    rows: dict[str, dict[str, object]] = {}
    for row in sample("nli").to_pylist():
        name = parsed(row["meta"])["origin"]
        fields = canonical({"premise": parsed(row["fields"])["premise"]})
        rows[name] = {"item": name, "task": "nli", "fields": fields, "source": row["source"]}
    return schemas.build("items", list(rows.values()))


def made_up(task: str, count: int) -> pa.Table:
    """Return items with gold whose texts nobody knows: topics, scores, relations by draws."""
    make = {"tc": _headline, "sts": _pair, "nli": _judged, "re": _relation}[task]
    spec = load_spec(task)
    rows: list[dict[str, object]] = []
    for i in range(count):
        fields, gold = make(i, spec)
        row = {"item": f"made-{i:05d}", "task": task, "fields": canonical(fields)}
        rows.append({**row, "gold": canonical(gold)})
    return schemas.build("items", rows)


def _headline(i: int, _spec: TaskSpec) -> tuple[dict[str, Any], Any]:
    place = draw(1, "topic", str(i)) * sum(TOPICS.values())
    ends = accumulate(TOPICS.values())
    topic = next(name for name, end in zip(TOPICS, ends, strict=True) if place < end)
    return {"title": f"제목 {i}"}, [topic]


def _pair(i: int, _spec: TaskSpec) -> tuple[dict[str, Any], Any]:
    """Half the pairs are alike (3 to 5), half are not (0 to 2), as in Figure 1 of the paper."""
    place = draw(1, "score", str(i))
    score = 3 + 4 * place if place < 0.5 else 4 * (place - 0.5)
    return {"sentence1": f"문장 {i}", "sentence2": f"다른 문장 {i}"}, round(score, 1)


def _judged(i: int, spec: TaskSpec) -> tuple[dict[str, Any], Any]:
    """Every premise has three hypotheses, one of each label."""
    fields = {"premise": f"전제 {i // 3}", "hypothesis": f"가설 {i}"}
    return fields, spec.ids()[i % 3]


def _relation(i: int, spec: TaskSpec) -> tuple[dict[str, Any], Any]:
    """Two in five have no relation; types are those that a relation is offered for."""
    label = spec.labels[1 + int(draw(1, "label", str(i)) * 29)]
    none = draw(1, "none", str(i)) < 0.4
    sides = {"subject": label.subject, "object": label.objects[0]}
    fields: dict[str, Any] = {
        side: {"start": place, "end": place + 1, "word": "가", "type": kind}
        for place, (side, kind) in enumerate(sides.items())
    }
    return {"sentence": f"가가 {i}", **fields}, "no_relation" if none else label.id


def with_habits(pool: Pool, *habits: Habit) -> Pool:
    """Return a pool with one more annotator for each habit, numbered on."""
    first = 1 + int(list(pool)[-1].rpartition("-")[2])
    more = [bad_annotator(first + n, habit) for n, habit in enumerate(habits)]
    return {**pool, **{person.id: person for person in more}}


def first_round(
    items: pa.Table, task: str, *, seed: int = SEED, pool: Pool | None = None
) -> list[RawVote]:
    """Return the votes of the first round of a task."""
    spec = load_spec(task)
    round_ = spec.rounds[0]
    people = pool or default_pool(spec, round_, items=items.num_rows)
    names = items.column("item").to_pylist()
    given = assign(names, people, per_item=round_.per_item, seed=seed)
    return list(
        simulate(items, given, task=TASKS[task], spec=spec, round_=round_, pool=people, seed=seed)
    )


def table(raws: Sequence[RawVote], task: str) -> pa.Table:
    """Return votes as a table."""
    return as_votes(raws, TASKS[task])
