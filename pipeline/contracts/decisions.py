"""The rounds in which experts decide about an item; they stand beside the rounds of every spec.

review      {"verdict": "uphold" | "dismiss", "reason": REPORT REASON}: about a report;
            `reason` may be left out
privacy     {"verdict": "keep" | "remove"}: about a person named in an item (NER, Section 3.4.1)
adjudicate  an answer in the form that gold has: what the votes left open
"""

from __future__ import annotations

from typing import Any, Final

from pipeline.contracts.spec import Both, Round, TaskSpec
from pipeline.contracts.task import mask, one_of, wrong

#: The role of those who decide.
EXPERT: Final = "expert"
REVIEW: Final = "review"
PRIVACY: Final = "privacy"
ADJUDICATE: Final = "adjudicate"
#: The round of a spec in which the top annotators choose (RE, Section 3.5.1).
RESOLVE: Final = "resolve"
#: Rounds whose votes decide about an item instead of answering it.
DECIDING: Final = (RESOLVE, ADJUDICATE, REVIEW, PRIVACY)
UPHOLD, DISMISS, KEEP, REMOVE = "uphold", "dismiss", "keep", "remove"
VERDICTS: Final = {REVIEW: (UPHOLD, DISMISS), PRIVACY: (KEEP, REMOVE)}
_QUESTION: Final = Both(ko="결정", en="The decision")


def deciding(name: str | None, spec: TaskSpec) -> list[Round]:
    """Return the rounds of experts of that name: one for each form that its answers may have."""
    if name in VERDICTS:
        forms = ["verdict"]
    elif name == ADJUDICATE:
        answers = [r.answer for r in spec.rounds if r.answer not in ("verdict", "hypotheses")]
        forms = list(dict.fromkeys(reversed(answers)))
    else:
        return []
    return [
        Round.model_validate(
            {"id": name, "role": EXPERT, "per_item": 1, "answer": form, "question": _QUESTION}
        )
        for form in forms
    ]


def parse_decision(answer: Any, name: str, spec: TaskSpec) -> dict[str, str]:
    """Return a decision of the rounds review and privacy in its one form; raises RecordError."""
    if not isinstance(answer, dict) or not {"verdict"} <= set(answer) <= {"verdict", "reason"}:
        raise wrong("form", f"a decision is an object with verdict, not {mask(answer)}")
    decision = {"verdict": one_of(answer["verdict"], VERDICTS[name], "verdict")}
    if answer.get("reason") is not None:
        decision["reason"] = one_of(answer["reason"], tuple(r.id for r in spec.reports), "reason")
    return decision


def verdict_of(answer: Any) -> Any:
    """Return the verdict that an answer holds; None where it holds none."""
    return answer.get("verdict") if isinstance(answer, dict) else None
