"""Every worker's answers of a pilot are reviewed apart (Section 3.7.1)."""

from __future__ import annotations

from pathlib import Path

from voting import make_items, raws, take

from pipeline.annotation.batches import making
from pipeline.annotation.batches.batch import Plan, receive
from pipeline.annotation.qualification.items import review_items, reviews
from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import load_spec
from pipeline.core.jsontext import parsed

SPEC = load_spec("mrc")
INSPECT = next(r for r in SPEC.rounds if r.id == "inspect")


def _reading(question: str) -> dict[str, object]:
    answers = [{"start": 5, "text": "1919년"}]
    return {"question": question, "type": 1, "answers": answers, "plausible_answers": []}


def test_an_item_for_each_answer(tmp_path: Path) -> None:
    given = [
        {"item": item, "annotator": who, "label": _reading(f"{who}는 언제인가?")}
        for item, who in (("a", "w2"), ("a", "w1"), ("b", "w2"))
    ]
    items = make_items(["a", "b", "c"], "mrc", gold="1")
    votes = take(*given, task="mrc").votes
    made, shown = review_items(items, votes, INSPECT)
    assert made.column("item").to_pylist() == ["a.1", "a.2", "b.1"]
    workers = [parsed(meta)["worker"] for meta in made.column("meta").to_pylist()]
    assert workers == ["w1", "w2", "w2"]
    assert made.column("gold").null_count == 3
    assert [shown[name]["question"][:2] for name in ("a.1", "a.2", "b.1")] == ["w1", "w2", "w2"]
    assert '"worker"' not in "".join(made.column("fields").to_pylist())

    plan = Plan(name="review", round="inspect", seed=1, kind="pilot", annotators=("e1", "e2"))
    batch = making.make(tmp_path, plan, made, SPEC)
    said = [("a.1", "e1", "accept"), ("a.1", "e2", "accept"), ("a.2", "e1", "accept")]
    said += [("a.2", "e2", "reject")]
    verdicts = [{"item": i, "annotator": e, "label": {"verdict": v}} for i, e, v in said]
    batch, _ = receive(batch, raws(*verdicts), task=TASKS["mrc"], spec=SPEC)
    assert reviews([batch]) == {("w1", "a"): True, ("w2", "a"): False}
