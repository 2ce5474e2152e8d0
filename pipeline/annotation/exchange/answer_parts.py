"""An answer in parts: what one control, question or column of a tool can hold.

Every format maps parts to its own things by one table, used for writing and for reading. The
values of the parts, by kind:

    choice   the id of one option
    number   a number
    text     a text
    spans    [{"start", "end", "label"}]: offsets into the item's text, in code points
    words    one text a word
    arcs     [{"head", "deprel"}]: one a word, head 0 is the root
    turns    [{"role", "text", "state"}]

Where a tool has no control for a kind, the value is JSON in a text field.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any, Final, Literal

from pipeline.annotation.exchange.marked_spans import tidy_spans
from pipeline.contracts.inspection import ANSWER_KEYS
from pipeline.contracts.spec import AnswerKind, Label, Round, TaskSpec
from pipeline.contracts.task import answer_forms
from pipeline.core.errors import RecordError
from pipeline.core.jsontext import parsed

PartKind = Literal["choice", "number", "text", "spans", "words", "arcs", "turns"]
Parts = dict[str, Any]
#: An option of a choice: its id as stored, and its title.
Option = tuple[str, str]

#: How many topics a form offers (Section 3.1: one to three).
RANKS: Final = (1, 2, 3)
#: The labels of marks in a passage and the keys of the answer they belong to.
MARKS: Final = {"answer": "answers", "plausible": "plausible_answers"}
#: What an annotator is told to write where a value is JSON in a text field.
FORMS: Final[dict[PartKind, str]] = {
    "spans": 'JSON: [{"start": 0, "end": 2, "label": "OG"}]',
    "words": 'JSON, 어절마다 하나: ["그 는", "노래 를"]',
    "arcs": 'JSON, 어절마다 하나, 뿌리는 0: [{"head": 2, "deprel": "NP_SBJ"}]',
    "turns": 'JSON: [{"role": "user", "text": "...", "state": ["숙소-지역-서울 중앙"]}]',
}
_KEYS: Final[dict[PartKind, set[str]]] = {
    "spans": {"start", "end", "label"},
    "arcs": {"head", "deprel"},
    "turns": {"role", "text"},
}


@dataclass(frozen=True)
class Part:
    """One part of an answer: its name, its kind, what to call it, and what it may be."""

    name: str
    kind: PartKind
    title: str
    options: tuple[Option, ...] = ()


def exchange_fault(code: str, reason: str) -> RecordError:
    """Return the fault of a record, under the rule `exchange.CODE@1`."""
    return RecordError(f"exchange.{code}@1", reason)


def parts_of(spec: TaskSpec, round_: Round) -> tuple[Part, ...]:
    """Return the parts of the answers of a round, in the order in which they are asked."""
    forms = answer_forms(spec, round_)
    parts = tuple(part for form in forms for part in _parts_of_form(form, spec))
    if round_.answer != "verdict":
        return parts
    verdicts = (("accept", "승인"), ("reject", "반려"), ("revise", "수정"))
    return (Part("verdict", "choice", "판정", verdicts), Part("feedback", "text", "의견"), *parts)


def _parts_of_form(form: AnswerKind, spec: TaskSpec) -> tuple[Part, ...]:
    parts: list[Part]
    match form:
        case "topics":
            parts = [
                Part(f"topic_{rank}", "choice", f"{rank}순위 주제", group(spec)) for rank in RANKS
            ]
        case "labels":  # a question of yes or no for each label, which every tool can ask
            yes_no = (("yes", "예"), ("no", "아니요"))
            parts = [Part(f"label_{id_}", "choice", title, yes_no) for id_, title in group(spec)]
        case "score":  # the options are the ends of the scale
            low, high = (spec.scale.low, spec.scale.high) if spec.scale else (0, 5)
            parts = [Part("score", "number", "점수", (("low", str(low)), ("high", str(high))))]
        case "label":
            parts = [Part("label", "choice", "답", group(spec))]
        case "hypotheses":
            parts = [
                Part(f"hypothesis_{id_}", "text", f"{title} 가설") for id_, title in group(spec)
            ]
        case "spans":
            parts = [Part("spans", "spans", "개체명", group(spec))]
        case "morphemes":
            parts = [
                Part("lemmas", "words", "형태소"),
                Part("pos", "words", "품사", group(spec, "pos")),
            ]
        case "tree":
            parts = [Part("arcs", "arcs", "지배소와 관계", _deprels(spec))]
        case "reading":
            parts = [
                Part("type", "choice", "질문 유형", group(spec, "question_type")),
                Part("question", "text", "질문"),
                Part("marks", "spans", "답", (("answer", "답"), ("plausible", "그럴듯한 오답"))),
            ]
        case _:
            parts = [Part("turns", "turns", "대화")]
    return tuple(parts)


def split(answer: Any, spec: TaskSpec, round_: Round) -> Parts:
    """Return the values of the parts of an answer; a part without a value is left out."""
    forms = answer_forms(spec, round_)
    if round_.answer != "verdict":
        return _split_form(forms[0], answer)
    parts = {key: answer[key] for key in ("verdict", "feedback") if key in answer}
    for form in forms if "answer" in answer else ():
        if all(key in answer["answer"] for key in ANSWER_KEYS.get(form, ())):
            parts |= _split_form(form, answer["answer"])
    return parts


def _split_form(form: AnswerKind, answer: Any) -> Parts:
    match form:
        case "topics":
            parts = {f"topic_{rank}": topic for rank, topic in enumerate(answer, 1)}
        case "labels":
            parts = {f"label_{label}": "yes" for label in answer}
        case "score" | "label":
            parts = {form: answer}
        case "hypotheses":
            parts = {f"hypothesis_{label}": text for label, text in answer.items()}
        case "spans":
            parts = {"spans": list(answer)}
        case "tree":
            pairs = zip(answer["heads"], answer["deprels"], strict=True)
            parts = {"arcs": [{"head": head, "deprel": deprel} for head, deprel in pairs]}
        case "reading":
            marks = [
                {"start": mark["start"], "end": mark["start"] + len(mark["text"]), "label": label}
                for label, key in MARKS.items()
                for mark in answer.get(key, [])
            ]
            parts = {"type": str(answer["type"]), "question": answer["question"], "marks": marks}
        case _:
            parts = {name: answer[name] for name in ANSWER_KEYS.get(form, ("turns",))}
    return parts


def join(parts: Parts, spec: TaskSpec, round_: Round, text: str = "") -> Any:
    """Return the answer of these parts; spans point into `text`, and lose blanks at their ends.

    With a verdict, the corrected answer counts only where the verdict is revise: the form was
    filled in beforehand. Raises RecordError where a part that the answer needs is not there.
    """
    forms = answer_forms(spec, round_)
    if round_.answer != "verdict":
        return _join_form(forms[0], parts, text)
    verdict = {"verdict": _require(parts, "verdict")}
    if verdict["verdict"] == "revise":
        given = [f for f in forms if any(parts.get(p.name) for p in _parts_of_form(f, spec))]
        answers = [_join_form(form, parts, text) for form in given or forms[:1]]
        verdict["answer"] = reduce(or_, answers)  # several are objects, of a final review
    if parts.get("feedback"):
        verdict["feedback"] = parts["feedback"]
    return verdict


def _join_form(form: AnswerKind, parts: Parts, text: str) -> Any:
    answer: Any
    match form:
        case "topics":
            ranked = [parts.get(f"topic_{rank}") for rank in RANKS]
            answer = [topic for topic in ranked if topic]
            if not answer or any(ranked[len(answer) :]):
                raise exchange_fault(
                    "unanswered", "no first topic, or a rank is left out between two"
                )
        case "labels":
            marks = _with_prefix(parts, "label_")
            if not any(marks.values()):
                raise exchange_fault("unanswered", "no label has an answer of yes or no")
            answer = [label for label, mark in marks.items() if mark == "yes"]
        case "score" | "label":
            answer = _require(parts, form)
        case "hypotheses":
            answer = _with_prefix(parts, "hypothesis_")
            if not answer:
                raise exchange_fault("unanswered", "there is no hypothesis")
        case "spans":
            answer = tidy_spans(parts.get("spans") or [], text)
        case "tree":
            arcs = _require(parts, "arcs")
            answer = {"heads": [a["head"] for a in arcs], "deprels": [a["deprel"] for a in arcs]}
        case "reading":
            answer = _join_reading(parts, text)
        case _:
            answer = {name: _require(parts, name) for name in ANSWER_KEYS.get(form, ("turns",))}
    return answer


def _join_reading(parts: Parts, text: str) -> dict[str, Any]:
    kind, question = _require(parts, "type"), _require(parts, "question")
    number = int(kind) if str(kind).isdecimal() else kind
    answer: dict[str, Any] = {"question": question, "type": number} | {
        k: [] for k in MARKS.values()
    }
    for mark in tidy_spans(parts.get("marks") or [], text):
        if mark["label"] not in MARKS:
            raise exchange_fault("control", f"a mark is one of {', '.join(MARKS)}")
        answer[MARKS[mark["label"]]].append(
            {"start": mark["start"], "text": text[mark["start"] : mark["end"]]}
        )
    return answer


def _with_prefix(parts: Parts, prefix: str) -> Parts:
    return {k.removeprefix(prefix): value for k, value in parts.items() if k.startswith(prefix)}


def _require(parts: Parts, name: str) -> Any:
    if parts.get(name) in (None, ""):
        raise exchange_fault("unanswered", f"there is no answer for {name!r}")
    return parts[name]


def has_value(parts: Mapping[str, Any]) -> bool:
    """Tell whether any part has a value; an empty list of spans is none."""
    return any(value not in (None, "", []) for value in parts.values())


def options(labels: Sequence[Label]) -> tuple[Option, ...]:
    """Return labels as options with their Korean titles."""
    return tuple((label.id, label.title.ko) for label in labels)


def group(spec: TaskSpec, name: str | None = None) -> tuple[Option, ...]:
    """Return the labels of one group of a spec as options."""
    return options([label for label in spec.labels if label.group == name])


def _deprels(spec: TaskSpec) -> tuple[Option, ...]:
    """Return every relation of a tree: a syntax tag, alone or with a function tag."""
    functions = (("", ""), *((f"_{id_}", f" {title}") for id_, title in group(spec, "function")))
    return tuple(
        (tag + mark, title + role)
        for tag, title in group(spec, "syntax")
        for mark, role in functions
    )


def to_text(value: Any) -> str:
    """Return the text of the value of a part: a text as it is, anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def from_text(part: Part, text: str) -> Any:
    """Return the value of a part that a text holds; raises RecordError for no such value."""
    if part.kind in ("choice", "text"):
        return (text.strip() if part.kind == "choice" else text) if text.strip() else None
    allowed = FORMS.get(part.kind, "a number")
    try:
        value = parsed(text)
    except (ValueError, RecursionError):
        raise exchange_fault("form", f"{part.name!r} is not JSON; allowed: {allowed}") from None
    if part.kind == "number":
        return value
    if not isinstance(value, list) or not all(_is_element(part.kind, element) for element in value):
        raise exchange_fault("form", f"{part.name!r} is not of its form; allowed: {allowed}")
    return value


def _is_element(kind: PartKind, value: Any) -> bool:
    if kind == "words":
        return isinstance(value, str)
    if not isinstance(value, dict) or not _KEYS[kind] <= set(value):
        return False
    return kind != "spans" or all(type(value[key]) is int for key in ("start", "end"))
