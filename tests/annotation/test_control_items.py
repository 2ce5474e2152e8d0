"""Control items are spread over every list, look like the others, and are counted apart."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from scipy.stats import binomtest
from voting import raws

from pipeline.annotation.batches.batch import Batch, Plan, read, receive
from pipeline.annotation.batches.control import ControlPlan, text_of, tool_view
from pipeline.annotation.batches.making import make
from pipeline.annotation.batches.progress import progress
from pipeline.annotation.batches.rounds import main_batches
from pipeline.annotation.qualification.control import PARTS, control_record, wilson
from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import load_spec
from pipeline.core import schemas
from pipeline.core.errors import InputError, StoreError
from pipeline.core.jsontext import canonical, parsed

SPEC, TASK = load_spec("tc"), TASKS["tc"]
PEOPLE = tuple(f"p{n:02}" for n in range(1, 11))
PLAN = Plan("main", "main", seed=7, annotators=PEOPLE)


def items(count: int, prefix: str = "t", **more: Any) -> pa.Table:
    """Return items with texts of their own."""
    rows: list[dict[str, object]] = [
        {
            "item": f"{prefix}{n}",
            "task": "tc",
            "fields": canonical({"title": f"{prefix} {n}"}),
            **more,
        }
        for n in range(count)
    ]
    return schemas.build("items", rows)


def control(count: int = 40, share: float = 0.1) -> ControlPlan:
    return ControlPlan(items(count, "gold", gold='["사회"]', source="pilot"), share)


def batch_of(work: Path, count: int = 200, plan: Plan = PLAN) -> Batch:
    return make(work, plan, items(count), SPEC, control=control())


def queues(batch: Batch) -> dict[str, list[str]]:
    return schemas.group(schemas.rows(tool_view(batch).assignments, "annotator", "item"))


def test_every_annotator_has_the_share_evenly_and_nothing_twice(tmp_path: Path) -> None:
    batch = batch_of(tmp_path)
    hidden = set(batch.control.items["item"].to_pylist())
    known = {i: parsed(m)["control"] for i, m in schemas.rows(batch.control.items, "item", "meta")}
    lists = queues(batch)
    assert set(lists) == set(PEOPLE)
    for queue in lists.values():
        places = [place for place, item in enumerate(queue) if item in hidden]
        assert len(places) / len(queue) == pytest.approx(0.1, abs=0.015)
        # one in every stretch: each lies in its own part of the others
        stretch = (len(queue) - len(places)) / len(places)
        for n, place in enumerate(places):
            assert n * stretch - 1 <= place - n <= (n + 1) * stretch
        sources = [known[queue[place]] for place in places]
        assert len(set(sources)) == len(sources)
    ordinals = schemas.group(schemas.rows(tool_view(batch).assignments, "annotator", "ordinal"))
    assert all(places == list(range(1, len(places) + 1)) for places in ordinals.values())


def test_the_file_of_a_tool_spreads_them_too_with_as_many_people_each(tmp_path: Path) -> None:
    batch = batch_of(tmp_path)
    hidden, view = set(batch.control.items["item"].to_pylist()), tool_view(batch)
    order = view.items["item"].to_pylist()
    thirds = [sum(item in hidden for item in order[n * 74 : (n + 1) * 74]) for n in range(3)]
    assert sum(thirds) == len(hidden) == 22
    assert max(thirds) - min(thirds) <= 2
    people = Counter(view.assignments["item"].to_pylist())
    assert set(people.values()) == {SPEC.rounds[0].per_item}
    lengths = {len(item) for item in order}
    assert len(lengths) == 1  # ids are hashes of one form
    assert not set(order) & set(batch.items["item"].to_pylist())
    own = [item for item, place in zip(order, range(len(order)), strict=True) if item not in hidden]
    texts = dict(schemas.rows(view.items, "item", "fields"))
    assert [texts[item] for item in own] == batch.items["fields"].to_pylist()


def test_a_person_has_at_least_one_and_nobody_is_nameless(tmp_path: Path) -> None:
    batch = make(tmp_path, PLAN, items(10), SPEC, control=control(share=0.01))
    assert {who for who, _ in schemas.rows(batch.control.assignments, "annotator", "item")} == set(
        PEOPLE
    )
    nobody = replace(PLAN, name="open", annotators=())
    with pytest.raises(InputError, match="no annotator is named"):
        make(tmp_path, nobody, items(10), SPEC, control=control())


def test_the_same_is_made_again_whatever_the_order(tmp_path: Path) -> None:
    one = batch_of(tmp_path / "one")
    plan, gold = replace(PLAN, annotators=PEOPLE[::-1]), control()
    turned = replace(gold, items=gold.items.take(list(range(gold.items.num_rows))[::-1]))
    other = make(tmp_path / "two", plan, items(200), SPEC, control=turned)
    assert one.control.items.equals(other.control.items)
    assert one.assignments.equals(other.assignments)
    again = make(tmp_path / "one", PLAN, items(200), SPEC, control=control())
    assert again.control.items.equals(read(one.folder).control.items)
    with pytest.raises(StoreError, match="control_share"):
        make(tmp_path / "one", PLAN, items(200), SPEC, control=control(share=0.2))


def test_what_somebody_has_seen_is_not_given_again(tmp_path: Path) -> None:
    pilot = Plan("pilot", "main", seed=1, annotators=PEOPLE[:3], kind="pilot")
    make(tmp_path, pilot, items(30, "gold", gold='["사회"]'), SPEC)
    first = batch_of(tmp_path)
    second = make(
        tmp_path, replace(PLAN, name="more"), items(40, "u"), SPEC, control=control(count=60)
    )
    seen: dict[str, list[str]] = {who: [f"gold {n}" for n in range(30)] for who in PEOPLE[:3]}
    for batch in (first, second):
        texts = {
            i: parsed(f)["title"] for i, f in schemas.rows(batch.control.items, "item", "fields")
        }
        for who, item in schemas.rows(batch.control.assignments, "annotator", "item"):
            seen.setdefault(who, []).append(texts[item])
    assert all(len(set(texts)) == len(texts) for texts in seen.values())
    with pytest.raises(InputError, match="none is left"):
        make(tmp_path, replace(PLAN, name="third"), items(40, "v"), SPEC, control=control(count=30))
    with pytest.raises(StoreError, match="as a control item of batch main"):
        late = Plan("late", "main", seed=1, annotators=PEOPLE[5:], kind="pilot")
        make(tmp_path, late, items(40, "gold", gold='["사회"]'), SPEC)


def test_items_that_look_otherwise_are_refused(tmp_path: Path) -> None:
    suggesting = items(20, meta='{"suggestion":["사회"]}')
    with pytest.raises(InputError, match="have no `suggestion`"):
        make(tmp_path, PLAN, suggesting, SPEC, control=control())
    more = pa.Table.from_pylist(
        [row | {"fields": canonical({"title": "글", "url": "u"})} for row in items(1).to_pylist()],
        schema=schemas.ITEMS,
    )
    with pytest.raises(InputError, match="fields title, url"):
        make(tmp_path, PLAN, items(20), SPEC, control=ControlPlan(more, 0.1))


def test_votes_on_them_lie_apart_and_are_scored_in_their_course(tmp_path: Path) -> None:
    batch = batch_of(tmp_path)
    hidden = set(batch.control.items["item"].to_pylist())
    votes = []
    for who, queue in queues(batch).items():
        for place, item in enumerate(queue):
            careless = who == "p01" and place >= len(queue) / 2
            votes.append(
                {"item": item, "annotator": who, "label": ["정치" if careless else "사회"]}
            )
    batch, taken = receive(batch, raws(*votes), task=TASK, spec=SPEC)
    assert taken.counts.new == len(votes)
    assert batch.votes.num_rows == 600
    assert batch.control.votes.num_rows == len(votes) - 600 == batch.card.control_assignments
    assert set(batch.votes["item"].to_pylist()) == set(batch.items["item"].to_pylist())
    everything = main_batches(batch.folder.parent, SPEC)
    assert not hidden & set(everything.votes["item"].to_pylist())
    assert not hidden & set(everything.items["item"].to_pylist())
    done = progress(tool_view(batch))
    assert done["answered"] == done["assigned"] == len(votes)

    before = {p: p.read_bytes() for p in sorted(batch.folder.rglob("*.parquet"))}
    receive(read(batch.folder), raws(*votes), task=TASK, spec=SPEC)
    assert before == {p: p.read_bytes() for p in sorted(batch.folder.rglob("*.parquet"))}

    record = control_record([read(batch.folder)], TASK)
    assert record is not None
    assert record["answered"] == record["assigned"] == batch.control.votes.num_rows
    people = record["annotators"]
    careless = people.pop("p01")
    assert [careless[part]["share"] for part in (PARTS[0], PARTS[2])] == [1.0, 0.0]
    assert [answer["right"] for answer in careless["answers"]] == sorted(
        (answer["right"] for answer in careless["answers"]), reverse=True
    )
    assert all(person["share"] == 1.0 for person in people.values())


def test_reports_and_answers_of_others_are_no_answers(tmp_path: Path) -> None:
    batch = batch_of(tmp_path)
    hidden = set(batch.control.items["item"].to_pylist())
    mine = [item for item in queues(batch)["p01"] if item in hidden]
    others = next(item for item in sorted(hidden) if item not in mine)
    votes: list[dict[str, Any]] = [
        {"item": mine[0], "annotator": "p01", "report": "hate"},
        {"item": mine[1], "annotator": "p01", "label": ["정치"], "at": "2026-01-02T00:00:00Z"},
        {"item": mine[2], "annotator": "p01", "label": ["사회"], "at": "2026-01-01T00:00:00Z"},
        {"item": others, "annotator": "p01", "label": ["사회"]},
    ]
    batch, _ = receive(batch, raws(*votes), task=TASK, spec=SPEC, open_tool=True)
    record = control_record([batch], TASK)
    assert record is not None
    person = record["annotators"]["p01"]
    assert (person["reported"], person["n"], person["right"]) == (1, 2, 1)
    assert [answer["right"] for answer in person["answers"]] == [True, False]  # by time
    assert record["annotators"]["p02"]["share"] is None


@pytest.mark.parametrize(("right", "n"), [(0, 1), (1, 1), (7, 9), (0, 20), (31, 40), (400, 400)])
def test_the_interval_is_wilsons(right: int, n: int) -> None:
    expected = binomtest(right, n).proportion_ci(0.95, method="wilson")
    assert wilson(right, n) == pytest.approx((expected.low, expected.high), abs=1e-6)
    assert wilson(0, 0) == (None, None)


def test_the_text_alone_makes_items_the_same() -> None:
    assert text_of('{"title":"a","url":"b"}', TASK) == text_of('{"title":"a"}', TASK)
