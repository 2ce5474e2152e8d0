"""What earlier batches hand on, whatever they were called and in which order they are named."""

from __future__ import annotations

from pathlib import Path

import pytest
from voting import make_items, raws

from pipeline.annotation.batches import making
from pipeline.annotation.batches.batch import Batch, Plan, receive
from pipeline.annotation.batches.rounds import earlier, items_of, main_batches
from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import TaskSpec, load_spec
from pipeline.core import schemas
from pipeline.core.errors import InputError

SPEC = load_spec("ner")
SPANS = [{"start": 0, "end": 3, "label": "PS"}]


def _batch(
    work: Path, name: str, items: list[str], round_: str, *, spec: TaskSpec = SPEC, attempt: int = 1
) -> Batch:
    plan = Plan(name=name, round=round_, seed=1, attempt=attempt)
    return making.make(work, plan, make_items(items, spec.task), spec)


def _answer(batch: Batch, label: object) -> None:
    names = batch.items.column("item").to_pylist()
    values = [{"item": name, "annotator": batch.card.name, "label": label} for name in names]
    receive(batch, raws(*values), task=TASKS["ner"], spec=SPEC)


def test_what_a_verdict_is_about_comes_along(tmp_path: Path) -> None:
    _answer(_batch(tmp_path, "tag", ["a", "b"], "tag"), SPANS)
    _answer(_batch(tmp_path, "other", ["x"], "tag"), SPANS)
    _answer(_batch(tmp_path, "inspect", ["a", "b"], "inspect"), {"verdict": "accept"})
    found = earlier(tmp_path, SPEC, ["inspect"])
    assert found.rounds == ("inspect",)
    assert found.items.column("item").to_pylist() == ["a", "b"]
    rounds = found.votes.column("round").to_pylist()
    assert sorted(rounds) == ["inspect", "inspect", "tag", "tag"]
    assert "x" not in found.votes.column("item").to_pylist()


def test_the_order_of_the_names_changes_nothing(tmp_path: Path) -> None:
    _batch(tmp_path, "one", ["a", "b"], "tag")
    _batch(tmp_path, "two", ["b", "c"], "tag")
    ways = [earlier(tmp_path, SPEC, names) for names in (["one", "two"], ["two", "one", "two"])]
    assert ways[0].items.equals(ways[1].items) and ways[0].votes.equals(ways[1].votes)
    assert ways[0].items.column("item").to_pylist() == ["a", "b", "c"]


def test_only_the_last_attempt_is_built_on(tmp_path: Path) -> None:
    _batch(tmp_path, "write", ["a", "b"], "tag")
    _batch(tmp_path, "again", ["b"], "tag", attempt=2)
    found = earlier(tmp_path, SPEC, ["again", "write"])
    assert found.attempt == 2
    assert found.items.column("item").to_pylist() == ["b"]


def test_a_task_is_all_its_main_batches(tmp_path: Path) -> None:
    one = _batch(tmp_path, "one", ["a"], "tag")
    _batch(tmp_path, "two", ["b"], "tag")
    plan = Plan(name="test", round="tag", seed=1, kind="pilot", annotators=("w",))
    making.make(tmp_path, plan, make_items(["p"], "ner"), SPEC)
    found = main_batches(one.folder.parent, SPEC)
    assert found.items.column("item").to_pylist() == ["a", "b"]


def test_premises_are_no_items_of_nli(tmp_path: Path) -> None:
    spec = load_spec("nli")
    write = _batch(tmp_path, "write", ["a"], "write", spec=spec)
    with pytest.raises(InputError, match="hypotheses are written"):
        main_batches(write.folder.parent, spec)
    _batch(tmp_path, "validate", ["a.c", "a.e"], "validate", spec=spec)
    found = main_batches(write.folder.parent, spec)
    assert found.items.column("item").to_pylist() == ["a.c", "a.e"]


def test_an_id_means_one_thing(tmp_path: Path) -> None:
    one = _batch(tmp_path, "one", ["a"], "tag")
    plan = Plan(name="two", round="tag", seed=1)
    other = make_items(["a"], "ner").to_pylist()
    other[0]["fields"] = '{"text":"다른 글"}'
    two = making.make(tmp_path, plan, schemas.build("items", other), SPEC)
    with pytest.raises(InputError, match="item a is another thing"):
        items_of([one, two])


def test_batches_of_another_version_are_refused(tmp_path: Path) -> None:
    _batch(tmp_path, "one", ["a"], "tag")
    newer = SPEC.model_copy(update={"version": "2.0.0"})
    with pytest.raises(InputError, match=r"ner@1\.0\.2, which ner@2\.0\.0 rules out"):
        earlier(tmp_path, newer, ["one"])
