"""Natural language inference (NLI, Section 3.3): hypotheses written, and pairs labelled."""

from __future__ import annotations

from typing import Any, Final

from pipeline.contracts.spec import Round, TaskSpec
from pipeline.contracts.task import Fields, Task, Texts, answered, one_of, shown, verdict, wrong

#: The field that examples share which belong together.
SHARED_FIELD: Final = "premise"


def parse(answer: Any, fields: Fields, spec: TaskSpec, round_: Round) -> Any:
    """Return a label, or in a round that writes one hypothesis for each label."""
    if round_.answer == "verdict":
        return verdict(answer, fields, spec, round_, _judged)
    return _judged(answer, fields, spec, round_)


def _judged(answer: Any, _fields: Fields, spec: TaskSpec, round_: Round) -> Any:
    about = answered(spec, round_)
    if about == "hypotheses":
        return _hypotheses(answer, spec.ids())
    return one_of(answer, spec.ids(), "label")


def _hypotheses(answer: Any, labels: tuple[str, ...]) -> dict[str, str]:
    if not isinstance(answer, dict):
        raise wrong("form", f"an object with one hypothesis a label is wanted, not {shown(answer)}")
    given = {one_of(label, labels, "label"): text for label, text in answer.items()}
    texts = {label: given.get(label) for label in labels}
    blank = [
        label for label, text in texts.items() if not isinstance(text, str) or not text.strip()
    ]
    if blank:
        raise wrong("form", f"no hypothesis for {', '.join(blank)}; write one for each label")
    if len({" ".join(str(text).split()) for text in texts.values()}) < len(labels):
        raise wrong(
            "form", "two hypotheses are the same text; write a different one for each label"
        )
    return {label: str(text).strip() for label, text in texts.items()}


def _view(answer: str) -> str:
    return answer


def _compare(left: str, right: str) -> dict[str, float]:
    return {"equal": float(left == right)}


TASK = Task(
    id="nli",
    config="nli",
    kind="category",
    fields=("premise", "hypothesis"),
    titles={"premise": "전제", "hypothesis": "가설"},
    parse=parse,
    view=_view,
    compare=_compare,
    free=True,
    texts=Texts(fields=("premise",), reported=("hypothesis",)),
)
