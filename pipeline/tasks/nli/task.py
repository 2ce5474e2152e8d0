"""Natural language inference (NLI, Section 3.3): hypotheses written, and pairs labelled."""

from __future__ import annotations

from typing import Any, Final

from pipeline.contracts.answers import compare_labels, same
from pipeline.contracts.spec import Round, TaskSpec
from pipeline.contracts.task import (
    Fields,
    Task,
    Texts,
    answer_form,
    mask,
    one_of,
    with_verdicts,
    wrong,
)

#: See pipeline/contracts/task.py.
SHARED_FIELD: Final = "premise"


@with_verdicts
def parse(answer: Any, _fields: Fields, spec: TaskSpec, round_: Round) -> Any:
    """Return a label, or in a round that writes one hypothesis for each label."""
    if answer_form(spec, round_) == "hypotheses":
        return _hypotheses(answer, spec.ids())
    return one_of(answer, spec.ids(), "label")


def _hypotheses(answer: Any, labels: tuple[str, ...]) -> dict[str, str]:
    if not isinstance(answer, dict):
        raise wrong("form", f"an object with one hypothesis a label is wanted, not {mask(answer)}")
    texts = {
        one_of(label, labels, "label"): text.strip() if isinstance(text, str) else ""
        for label, text in answer.items()
    }
    blank = [label for label in labels if not texts.get(label)]
    if blank:
        raise wrong("form", f"no hypothesis for {', '.join(blank)}; write one for each label")
    if len({" ".join(text.split()) for text in texts.values()}) < len(labels):
        raise wrong(
            "form", "two hypotheses are the same text; write a different one for each label"
        )
    return {label: texts[label] for label in labels}


TASK = Task(
    id="nli",
    config="nli",
    kind="category",
    fields=("premise", "hypothesis"),
    titles={"premise": "전제", "hypothesis": "가설"},
    parse=parse,
    view=same,
    compare=compare_labels,
    free=True,
    texts=Texts(fields=("premise",), reported=("hypothesis",)),
)
