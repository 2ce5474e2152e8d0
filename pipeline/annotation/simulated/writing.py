"""What writers and taggers give: the truth, or the truth with a slip."""

from __future__ import annotations

from typing import Any

from pipeline.annotation.simulated.flaws import dialogues, readings, spans, trees
from pipeline.annotation.simulated.labelling import Sitting
from pipeline.contracts.spec import AnswerKind, TaskSpec

#: The parts of the gold tree that a round of dependency parsing is about.
_PARTS = {"morphemes": ("lemmas", "pos"), "tree": ("heads", "deprels")}


def right(kind: AnswerKind, answer: Any) -> Any:
    """Return what of a truth a round asks for."""
    names = _PARTS.get(kind)
    return {name: answer[name] for name in names} if names else answer


def written(kind: AnswerKind, sitting: Sitting, spec: TaskSpec, *, attempt: int = 1) -> Any:
    """Return one annotator's answer; one that is given again is mostly better.

    Where the truth knows a first attempt, everybody who reads gives it first, and then the answer.
    """
    answer = right(kind, sitting.truth.answer)
    careless = sitting.who.habit in ("random", "always_same") or sitting.skims
    if sitting.truth.first is not None and not careless:
        return answer if attempt > 1 else right(kind, sitting.truth.first)
    wrong = careless or sitting.errs(f"error{attempt}")
    if wrong and (attempt == 1 or sitting.vote.at(f"again{attempt}") < 0.5):
        return flawed(kind, answer, sitting, spec)
    return answer


def flawed(kind: AnswerKind, answer: Any, sitting: Sitting, spec: TaskSpec) -> Any:
    """Return an answer with one slip of its kind."""
    if kind == "spans":
        return spans.flawed(answer, sitting.fields, spec, sitting.vote)
    if kind == "morphemes":
        return trees.morphemes(answer, spec, sitting.vote)
    if kind == "tree":
        return trees.tree(answer, spec, sitting.vote)
    if kind == "reading":
        return readings.flawed(answer, sitting.fields, sitting.vote)
    if kind == "dialogue":
        return dialogues.flawed(answer, sitting.vote)
    return _swapped(answer, sitting)


def _swapped(answer: dict[str, str], sitting: Sitting) -> dict[str, str]:
    """Return hypotheses of which two are written for each other's label."""
    names = sorted(answer)
    first, second = ("entailment", "neutral") if "neutral" in names else (names[0], names[-1])
    if sitting.vote.at("pair") < 0.3:
        first, second = "contradiction", "neutral"
    return {**answer, first: answer[second], second: answer[first]}
