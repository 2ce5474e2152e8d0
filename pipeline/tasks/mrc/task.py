"""Machine reading comprehension (MRC, Section 3.7): a question about a passage and its answers.

Type 1 paraphrases, type 2 needs several sentences, type 3 has no answer in the passage, only
plausible ones. Answers stand in the order in which their writer gave them.
"""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any, Final

from pipeline.contracts.spec import Round, TaskSpec
from pipeline.contracts.task import Fields, Task, Texts, mask, whole, with_verdicts, wrong

Reading = dict[str, Any]
_KEYS = frozenset({"question", "type", "answers", "plausible_answers"})
UNANSWERABLE = 3
#: See pipeline/contracts/task.py.
SHARED_FIELD: Final = "context"
#: The keys of label and fields that give the answer away; the rest is input.
ANSWER_KEYS: Final = frozenset({"type", "answers", "plausible_answers", "question_type"})


@with_verdicts
def parse(answer: Any, fields: Fields, _spec: TaskSpec, _round: Round) -> Reading:
    """Return a question with its type and answers, each at its place in the context."""
    if not isinstance(answer, dict) or not _KEYS - {"plausible_answers"} <= set(answer) <= _KEYS:
        raise wrong("form", f"an object with question, type and answers, not {mask(answer)}")
    question = answer["question"]
    if not isinstance(question, str) or not question.strip():
        raise wrong("form", "the question is blank; write one")
    kind = whole(answer["type"], "type")
    if kind not in (1, 2, UNANSWERABLE):
        raise wrong("range", f"the type of a question is 1, 2 or 3, not {mask(kind)}")
    answers, plausible = (
        _answers(answer.get(name, []), name, fields["context"])
        for name in ("answers", "plausible_answers")
    )
    if kind == UNANSWERABLE and answers:
        raise wrong("form", "a question of type 3 has no answers; give plausible_answers")
    if kind != UNANSWERABLE and not answers:
        raise wrong("form", f"a question of type {kind} needs at least one answer")
    if kind != UNANSWERABLE and plausible:
        raise wrong("form", "only a question of type 3 has plausible_answers")
    return {
        "question": question.strip(),
        "type": kind,
        "answers": answers,
        "plausible_answers": plausible,
    }


def _answers(values: Any, name: str, context: str) -> list[dict[str, Any]]:
    if not isinstance(values, list):
        raise wrong("form", f"{name} is a list, not {mask(values)}")
    answers = [_answer(answer, name, context) for answer in values]
    if len({(answer["start"], answer["text"]) for answer in answers}) < len(answers):
        raise wrong("form", f"{name} names one place twice; name each once")
    return answers


def _answer(answer: Any, name: str, context: str) -> dict[str, Any]:
    if not isinstance(answer, dict) or set(answer) != {"start", "text"}:
        raise wrong("form", f"one of {name} is an object with start and text, not {mask(answer)}")
    start, text = whole(answer["start"], "start"), answer["text"]
    if not isinstance(text, str) or not text.strip():
        raise wrong("form", f"one of {name} has a blank text")
    if start < 0 or context[start : start + len(text)] != text:
        raise wrong(
            "range",
            f"one of {name} does not stand at {mask(start)} in the context of {len(context)}"
            " characters",
        )
    return {"start": start, "text": text}


def _compare(left: Reading, right: Reading) -> dict[str, float]:
    ours = [a["text"] for a in left["answers"]] or [""]
    pairs = list(product(ours, [a["text"] for a in right["answers"]] or [""]))
    return {
        "em": float(any(a == b for a, b in pairs)),
        "char_f1": max(_char_f1(a, b) for a, b in pairs),
    }


def _char_f1(left: str, right: str) -> float:
    """Return the F1 of the characters of two texts, blanks left out; "" stands for no answer."""
    ours, theirs = Counter("".join(left.split())), Counter("".join(right.split()))
    total = ours.total() + theirs.total()
    return 2 * (ours & theirs).total() / total if total else 1.0


TASK = Task(
    id="mrc",
    config="mrc",
    kind="spans",
    fields=("title", "context"),
    titles={"title": "제목", "context": "지문"},
    shapes={"title": "optional"},
    parse=parse,
    view=lambda answer: [
        (a["start"], a["start"] + len(a["text"]), "answer") for a in answer["answers"]
    ],
    compare=_compare,
    texts=Texts(fields=("context",), written=lambda label: [label["question"]], long=True),
    takes="passages",
)
