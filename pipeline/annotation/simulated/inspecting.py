"""What inspectors say about an answer that they are shown."""

from __future__ import annotations

from typing import Any, Final

from pipeline.annotation.simulated.estimate import same
from pipeline.annotation.simulated.labelling import Sitting
from pipeline.annotation.simulated.writing import flawed, right
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


def verdict(
    about: AnswerKind, shown: Any, sitting: Sitting, spec: TaskSpec, judged: Round
) -> dict[str, Any]:
    """Return a verdict: accept, revise with the corrected answer, or reject with feedback.

    Where the author may answer again, a wrong answer goes back; elsewhere it is corrected. The
    first attempt that the truth knows is never overlooked.
    """
    truth, feedback = sitting.truth, _feedback(about)
    wanted = right(about, truth.answer)
    if same(shown, wanted):
        if sitting.vote.at("hasty") >= _HASTY:
            return {"verdict": "accept"}
        return _refusal(flawed(about, wanted, sitting, spec), shown, judged, feedback)
    if truth.first is not None and same(shown, right(about, truth.first)):
        return _refusal(wanted, shown, judged, truth.feedback or feedback)
    if sitting.errs("overlooked"):
        return {"verdict": "accept"}
    if judged.attempts == 1 and sitting.vote.at("back") < _GIVEN_BACK:
        return {"verdict": "reject", "feedback": feedback}
    return _refusal(wanted, shown, judged, feedback)


def _refusal(wanted: Any, shown: Any, judged: Round, feedback: str) -> dict[str, Any]:
    if same(shown, wanted):  # nothing was found to change
        return {"verdict": "accept"}
    if judged.attempts > 1:
        return {"verdict": "reject", "feedback": feedback}
    return {"verdict": "revise", "answer": wanted, "feedback": feedback}


def _feedback(about: AnswerKind) -> str:
    return _FEEDBACK.get(about, "지침을 다시 확인해 주세요.")
