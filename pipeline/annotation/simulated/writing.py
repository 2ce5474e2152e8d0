"""What writers, taggers and inspectors answer: the truth, or the truth with a slip."""

from __future__ import annotations

from typing import Any, Final

from pipeline.annotation.simulated.flaws import flawed
from pipeline.annotation.simulated.labelling import Sitting
from pipeline.contracts.inspection import ANSWER_KEYS
from pipeline.contracts.spec import AnswerKind, Round, TaskSpec

#: How often an inspector changes, or sends back, an answer that was right.
_HASTY: Final = 0.02
#: How often a wrong answer is sent back where its author may not try again: it stays unresolved.
_GIVEN_BACK: Final = 0.04
_FEEDBACK: Final = {
    "spans": "개체의 경계와 유형을 다시 확인해 주세요.",
    "morphemes": "품사 표지를 다시 확인해 주세요.",
    "tree": "지배소와 기능 표지를 다시 확인해 주세요.",
    "reading": "질문의 유형과 답의 경계를 지침에 맞게 고쳐 주세요.",
    "dialogue": "상태가 바뀌는 차례를 다시 확인해 주세요.",
}


def right_answer(kind: AnswerKind, answer: Any) -> Any:
    """Return what of a truth a round asks for."""
    names = ANSWER_KEYS.get(kind)
    return {name: answer[name] for name in names} if names else answer


def written_answer(kind: AnswerKind, sitting: Sitting, spec: TaskSpec, *, attempt: int = 1) -> Any:
    """Return one annotator's answer; one that is given again is mostly better.

    Where the truth knows a first attempt, everybody who reads gives it first, and then the answer.
    """
    answer = right_answer(kind, sitting.truth.answer)
    careless = sitting.who.habit in ("random", "always_same") or sitting.skims
    if sitting.truth.first is not None and not careless:
        return answer if attempt > 1 else right_answer(kind, sitting.truth.first)
    wrong = careless or sitting.errs(f"error{attempt}")
    if wrong and (attempt == 1 or sitting.vote.at(f"again{attempt}") < 0.5):
        return flawed(kind, answer, sitting.fields, spec, sitting.vote)
    return answer


def verdict(
    about: AnswerKind, shown: Any, sitting: Sitting, spec: TaskSpec, judged: Round
) -> dict[str, Any]:
    """Return a verdict: accept, revise with the corrected answer, or reject with feedback.

    Where the author may answer again, a wrong answer goes back; elsewhere it is corrected. The
    first attempt that the truth knows is never overlooked.
    """
    truth, feedback = sitting.truth, _FEEDBACK.get(about, "지침을 다시 확인해 주세요.")
    wanted = right_answer(about, truth.answer)
    if shown == wanted:
        if sitting.vote.at("hasty") >= _HASTY:
            return {"verdict": "accept"}
        wrong = flawed(about, wanted, sitting.fields, spec, sitting.vote)
        return _refusal(wrong, shown, judged, feedback)
    if truth.first is not None and shown == right_answer(about, truth.first):
        return _refusal(wanted, shown, judged, truth.feedback or feedback)
    if sitting.errs("overlooked"):
        return {"verdict": "accept"}
    if judged.attempts == 1 and sitting.vote.at("back") < _GIVEN_BACK:
        return {"verdict": "reject", "feedback": feedback}
    return _refusal(wanted, shown, judged, feedback)


def _refusal(wanted: Any, shown: Any, judged: Round, feedback: str) -> dict[str, Any]:
    if shown == wanted:  # nothing was found to change
        return {"verdict": "accept"}
    if judged.attempts > 1:
        return {"verdict": "reject", "feedback": feedback}
    return {"verdict": "revise", "answer": wanted, "feedback": feedback}
