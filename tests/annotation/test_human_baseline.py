"""The items of a human baseline are drawn by key and show no label."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest
from voting import FIELDS, make_items, raws

from pipeline.annotation.batches.batch import Plan, receive
from pipeline.annotation.batches.making import make
from pipeline.annotation.batches.progress import progress
from pipeline.annotation.qualification.items import human_baseline, require_fresh
from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import load_spec
from pipeline.core.errors import InputError
from pipeline.core.jsontext import canonical, parsed

GOLD = {"gold": '"neutral"', "meta": '{"author":"neutral"}', "source": "x", "sampler": "y"}


def _items(count: int) -> pa.Table:
    return make_items([f"nli-{n:03d}" for n in range(count)], "nli", **GOLD)


def test_the_draw_is_keyed_and_without_labels() -> None:
    items = _items(300)
    drawn = human_baseline(items, 100, task=TASKS["nli"], seed=1)
    names = drawn.column("item").to_pylist()
    assert len(set(names)) == 100 and names == sorted(names)
    backwards = items.take(list(range(299, -1, -1)))
    assert human_baseline(backwards, 100, task=TASKS["nli"], seed=1).equals(drawn)
    assert human_baseline(items, 100, task=TASKS["nli"], seed=2) != drawn
    fewer = human_baseline(items, 40, task=TASKS["nli"], seed=1)
    assert set(fewer.column("item").to_pylist()) < set(names)
    assert "neutral" not in str(drawn.to_pylist())
    for name in ("gold", "meta", "source", "sampler"):
        assert drawn.column(name).null_count == 100


def test_fields_that_the_task_does_not_ask_for_are_left_out() -> None:
    fields = canonical(FIELDS["nli"] | {"author_label": "neutral"})
    items = _items(1).set_column(2, "fields", pa.array([fields]))
    (row,) = human_baseline(items, 1, task=TASKS["nli"], seed=1).to_pylist()
    assert parsed(row["fields"]) == FIELDS["nli"]


def test_a_question_is_shown_without_type_and_answers() -> None:
    gold = {"question": "언제?", "type": 3, "answers": [], "plausible_answers": []}
    items = make_items(["a"], "mrc", gold=canonical(gold))
    (row,) = human_baseline(items, 1, task=TASKS["mrc"], seed=1).to_pylist()
    assert parsed(row["fields"]) == FIELDS["mrc"] | {"question": "언제?"}


def test_a_dialogue_is_shown_without_states() -> None:
    turns = [{"role": "user", "text": "방 있나요?", "state": ["숙소-지역-서울 중앙"]}]
    items = make_items(["a"], "dst", gold=canonical({"turns": turns}))
    (row,) = human_baseline(items, 1, task=TASKS["dst"], seed=1).to_pylist()
    assert parsed(row["fields"])["turns"] == [{"role": "user", "text": "방 있나요?"}]


@pytest.mark.parametrize("n", [0, 6, -1])
def test_too_many_or_too_few_are_told(n: int) -> None:
    with pytest.raises(InputError, match=f"{n} items were asked for and 5 are there"):
        human_baseline(_items(5), n, task=TASKS["nli"], seed=1)


def test_everybody_answers_every_item_of_a_batch_of_its_own(tmp_path: Path) -> None:
    spec = load_spec("nli")
    drawn = human_baseline(_items(20), 5, task=TASKS["nli"], seed=1)
    plan = Plan("human", "validate", 1, ("p1", "p2", "p3", "p4"), kind="baseline")
    batch = make(tmp_path, plan, drawn, spec)
    assert (batch.card.per_item, batch.assignments.num_rows) == (4, 20)
    assert progress(batch)["untouched"] == 5


def test_people_who_took_part_are_refused(tmp_path: Path) -> None:
    spec, task = load_spec("nli"), TASKS["nli"]
    people = ("07", "08", "09", "10")
    make(tmp_path, Plan("main", "validate", 1, people), make_items(["a"], "nli"), spec)
    free = make(tmp_path, Plan("free", "validate", 1), make_items(["b"], "nli"), spec)
    receive(free, raws({"item": "b", "annotator": "11", "label": "neutral"}), task=task, spec=spec)
    own = Plan("human", "validate", 1, ("p1", "p2"), kind="baseline")
    make(tmp_path, own, make_items(["c"], "nli"), spec)
    require_fresh(tmp_path, "nli", ["p1", "p2", "p3"])
    require_fresh(tmp_path, "sts", ["07"])
    for person in ("07", "11"):
        with pytest.raises(InputError, match=f"{person} took part"):
            require_fresh(tmp_path, "nli", ["p1", person])
