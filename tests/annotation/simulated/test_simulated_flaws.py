"""Flawed answers: wrong in one place, and still answers that a tool would save."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from operator import eq

import pytest
from simulating import sample

from pipeline.annotation.simulated.labelling import Sitting
from pipeline.annotation.simulated.profile import Annotator, Chance
from pipeline.annotation.simulated.truths import load_truths
from pipeline.annotation.simulated.writing import add_slip, right_answer, verdict, write_answer
from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import load_spec
from pipeline.contracts.task import Fields
from pipeline.core.jsontext import parsed

ROUNDS = (
    ("ner", "tag"),
    ("dp", "pos"),
    ("dp", "arcs"),
    ("mrc", "write"),
    ("dst", "dialogue"),
)


def _sittings(task: str, accuracy: float = 0.8) -> list[tuple[Fields, Sitting]]:
    truths = load_truths(TASKS[task])
    found = []
    for row in sample(task).to_pylist():
        fields = parsed(row["fields"])
        truth = replace(truths.of(fields, item=row["item"]), first=None)
        draws = Chance(3, row["item"])
        who = Annotator("sim-01", accuracy)
        found.append((fields, Sitting(who, truth, fields, draws, draws, draws, 0.0)))
    return found


@pytest.mark.parametrize(("task", "name"), ROUNDS)
def test_a_flawed_answer_is_in_form_and_mostly_another(task: str, name: str) -> None:
    spec = load_spec(task)
    round_ = spec.round(name)
    assert round_ is not None
    other = 0
    sittings = _sittings(task)
    for fields, sitting in sittings:
        wanted = right_answer(sitting.truth.answer, round_.answer)
        made = add_slip(round_.answer, wanted, sitting, spec)
        TASKS[task].parse(made, fields, spec, round_)
        other += made != wanted
        assert wanted == right_answer(sitting.truth.answer, round_.answer)  # the truth is untouched
    assert other >= 0.95 * len(sittings)


@pytest.mark.parametrize(("task", "name"), ROUNDS)
def test_accuracy_decides_how_many_are_flawed(task: str, name: str) -> None:
    spec = load_spec(task)
    round_ = spec.round(name)
    assert round_ is not None

    def share(accuracy: float) -> float:
        sittings = [s for _, s in _sittings(task, accuracy)]
        made = [write_answer(round_.answer, s, spec) for s in sittings]
        wanted = [right_answer(s.truth.answer, round_.answer) for s in sittings]
        return sum(map(eq, made, wanted)) / len(made)

    assert share(1.0) == 1.0 > share(0.8) > share(0.4)


@pytest.mark.parametrize(("task", "name"), ROUNDS)
def test_inspectors_accept_the_right_and_refuse_the_wrong(task: str, name: str) -> None:
    spec = load_spec(task)
    judged = spec.round(name)
    judging = next(r for r in spec.rounds if r.after == name and r.answer == "verdict")
    assert judged is not None
    said: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
    for fields, sitting in _sittings(task, 0.97):
        wanted = right_answer(sitting.truth.answer, judged.answer)
        for shown in (wanted, add_slip(judged.answer, wanted, sitting, spec)):
            found = verdict([judged.answer], shown, sitting, spec, judged)
            TASKS[task].parse(found, fields, spec, judging)
            said[(shown == wanted)][found["verdict"]] += 1
            if found["verdict"] == "revise" and shown != wanted:
                assert found["answer"] == wanted
    assert said[True]["accept"] > 0.9 * said[True].total()
    wrong = "reject" if judged.attempts > 1 else "revise"
    assert said[False][wrong] > 0.8 * said[False].total()


def test_a_swapped_hypothesis_keeps_the_texts() -> None:
    fields, sitting = _sittings("nli")[0]
    texts = load_truths(TASKS["nli"]).hypotheses(fields).answer
    made = add_slip("hypotheses", texts, sitting, load_spec("nli"))
    assert made != texts and sorted(made.values()) == sorted(texts.values())
