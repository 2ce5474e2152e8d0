"""A spec that was edited after a batch was made: what a user is told, and which votes count."""

from __future__ import annotations

from pathlib import Path

import pytest
from voting import make_items, raws

from pipeline.annotation.batches.batch import Plan, receive
from pipeline.annotation.batches.making import make
from pipeline.annotation.batches.rounds import main_batches
from pipeline.annotation.batches.spec_changes import FILE, batch_notes, require_labels
from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import TaskSpec, load_spec
from pipeline.core.errors import InputError, SpecError

SPEC = load_spec("re")
LABEL = "per:title"


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """Return a work directory with a batch that has a vote."""
    batch = make(tmp_path, Plan("first", "main", 1), make_items(["a", "b"], "re"), SPEC)
    vote = {"item": "a", "annotator": "07", "label": LABEL}
    receive(batch, raws(vote), task=TASKS["re"], spec=SPEC)
    return tmp_path


def _edited(**changes: object) -> TaskSpec:
    spec = SPEC.model_copy(update=changes)
    spec.__dict__.pop("digest", None)  # that of the spec it was copied from
    return spec


def _without(label: str) -> TaskSpec:
    return _edited(labels=tuple(one for one in SPEC.labels if one.id != label))


def test_an_unchanged_spec_needs_no_word(work: Path) -> None:
    assert list(batch_notes(work, SPEC)) == []
    require_labels(work, SPEC)
    other = SPEC.aggregation.model_copy(update={"minimum": 2})
    assert list(batch_notes(work, _edited(aggregation=other))) == [], "annotators do not see it"


def test_what_changed_is_told_with_the_batch(work: Path) -> None:
    new = SPEC.labels[0].model_copy(update={"id": "per:hobby"})
    spec = _edited(labels=(*SPEC.labels, new), instruction=SPEC.title)
    (note,) = batch_notes(work, spec)
    assert "after batch first was made: label per:hobby is new; other instruction;" in note
    assert "its 1 vote stay as they are" in note and "to 1.1.0" in note
    require_labels(work, spec)


def test_a_batch_without_its_spec_only_says_that_it_changed(work: Path) -> None:
    (work / "annotation" / "re" / "first" / FILE).unlink()
    (note,) = batch_notes(work, _edited(instruction=SPEC.title))
    assert "something, which the batch did not keep" in note


def test_a_label_that_votes_name_must_stay(work: Path) -> None:
    require_labels(work, _without("per:origin"))
    with pytest.raises(SpecError, match=r"'per:title' is gone, but 1 vote of batch first name"):
        require_labels(work, _without(LABEL))


def test_votes_under_a_version_that_is_ruled_out_are_refused_one_by_one(work: Path) -> None:
    newer = _edited(version="1.1.0")
    (note,) = batch_notes(work, newer)
    assert note.startswith("batch first was made by re@1.0.1, which re@1.1.0 rules out: its 1 vote")
    with pytest.raises(InputError, match="rules out"):
        main_batches(work / "annotation" / "re", newer)
    make(work, Plan("second", "main", 1), make_items(["a", "b"], "re"), newer)
    every = main_batches(work / "annotation" / "re", newer)
    assert every.votes.num_rows == 0
    refused = [(row["unit"], row["rule"], row["action"]) for row in every.ledger.to_pylist()]
    assert refused == [("a", "vote.spec@1", "quarantine")]
