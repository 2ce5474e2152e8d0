"""An answer in parts: what one control, question or column of a tool can hold.

Every format maps parts to its own things by one table, used for writing and for reading. The
values of the parts, by kind:

    choice   the id of one option
    number   a number
    text     a text
    spans    [{"start", "end", "label"}]: offsets into the sheet's text, in code points
    words    one text a word
    arcs     [{"head", "deprel"}]: one a word, head 0 is the root
    turns    [{"role", "text", "state"}]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from pipeline.contracts.spec import Label, Round, TaskSpec
from pipeline.contracts.task import answered
from pipeline.core.errors import RecordError

PartKind = Literal["choice", "number", "text", "spans", "words", "arcs", "turns"]
Parts = dict[str, Any]
#: An option of a choice: its id as stored, and its title.
Option = tuple[str, str]

#: How many topics a form offers (Section 3.1: one to three).
RANKS: Final = 3
#: The labels of marks in a passage and the keys of the answer they belong to.
MARKS: Final = {"answer": "answers", "plausible": "plausible_answers"}
_YES_NO: Final = (("yes", "예"), ("no", "아니요"))
_VERDICTS: Final = (("accept", "승인"), ("reject", "반려"), ("revise", "수정"))
_MARK_TITLES: Final = {"answer": "답", "plausible": "그럴듯한 오답"}


@dataclass(frozen=True)
class Part:
    """One part of an answer: its name, its kind, what to call it, and what it may be."""

    name: str
    kind: PartKind
    title: str
    options: tuple[Option, ...] = ()


@dataclass(frozen=True)
class _Form:
    """The parts of one form of answer, and both ways between an answer and their values."""

    parts: Callable[[TaskSpec], tuple[Part, ...]]
    split: Callable[[Any], Parts]
    join: Callable[[Parts, str], Any]


def refused(code: str, reason: str) -> RecordError:
    """Return the fault of a record, under the rule `exchange.CODE@1`."""
    return RecordError(f"exchange.{code}@1", reason)


def parts_of(spec: TaskSpec, round_: Round) -> tuple[Part, ...]:
    """Return the parts of the answers of a round, in the order in which they are asked."""
    parts = _FORMS[answered(spec, round_)].parts(spec)
    if round_.answer != "verdict":
        return parts
    head = (Part("verdict", "choice", "판정", _VERDICTS), Part("feedback", "text", "의견"))
    return head + parts


def split(answer: Any, spec: TaskSpec, round_: Round) -> Parts:
    """Return the values of the parts of an answer; a part without a value is left out."""
    form = _FORMS[answered(spec, round_)]
    if round_.answer != "verdict":
        return form.split(answer)
    head = {key: answer[key] for key in ("verdict", "feedback") if key in answer}
    return head | (form.split(answer["answer"]) if "answer" in answer else {})


def join(parts: Parts, spec: TaskSpec, round_: Round, text: str = "") -> Any:
    """Return the answer of these parts; spans of a reading are cut out of `text`.

    With a verdict, the corrected answer counts only where the verdict is revise: the form was
    filled in beforehand. Raises RecordError where a part that the answer needs is not there.
    """
    form = _FORMS[answered(spec, round_)]
    if round_.answer != "verdict":
        return form.join(parts, text)
    made = {"verdict": _needed(parts, "verdict")}
    if made["verdict"] == "revise":
        made["answer"] = form.join(parts, text)
    if parts.get("feedback"):
        made["feedback"] = parts["feedback"]
    return made


def given(parts: Mapping[str, Any]) -> bool:
    """Tell whether any part has a value; an empty list of spans is none."""
    return any(value not in (None, "", []) for value in parts.values())


def options(labels: Sequence[Label]) -> tuple[Option, ...]:
    """Return labels as options with their Korean titles."""
    return tuple((label.id, label.title.ko) for label in labels)


def group(spec: TaskSpec, name: str | None = None) -> tuple[Option, ...]:
    """Return the labels of one group of a spec as options."""
    return options([label for label in spec.labels if label.group == name])


def distinct(found: Sequence[Option]) -> tuple[Option, ...]:
    """Return options whose titles differ: one that another has too is shown with its id."""
    titles = [title for _, title in found]
    return tuple(
        (id_, title if titles.count(title) == 1 else f"{title} ({id_})") for id_, title in found
    )


def deprels(spec: TaskSpec) -> tuple[Option, ...]:
    """Return every relation of a tree: a syntax tag, alone or with a function tag."""
    functions = (("", ""), *((f"_{id_}", f" {title}") for id_, title in group(spec, "function")))
    return tuple(
        (tag + mark, title + role)
        for tag, title in group(spec, "syntax")
        for mark, role in functions
    )


def _needed(parts: Parts, name: str) -> Any:
    if parts.get(name) in (None, ""):
        raise refused("unanswered", f"there is no answer for {name!r}")
    return parts[name]


def _one(name: str) -> tuple[Callable[[Any], Parts], Callable[[Parts, str], Any]]:
    """Return both ways of an answer that is one part."""
    return lambda answer: {name: answer}, lambda parts, _text: _needed(parts, name)


def _score_of(spec: TaskSpec) -> tuple[Part, ...]:
    """Return the one part of a score; its options are the ends of the scale."""
    low, high = (spec.scale.low, spec.scale.high) if spec.scale else (0, 5)
    return (Part("score", "number", "점수", (("low", str(low)), ("high", str(high)))),)


def _topics_of(spec: TaskSpec) -> tuple[Part, ...]:
    return tuple(
        Part(f"topic_{rank}", "choice", f"{rank}순위 주제", group(spec))
        for rank in range(1, RANKS + 1)
    )


def _split_topics(answer: Any) -> Parts:
    return {f"topic_{rank}": topic for rank, topic in enumerate(answer, 1)}


def _join_topics(parts: Parts, _text: str) -> list[str]:
    ranked = [parts.get(f"topic_{rank}") for rank in range(1, RANKS + 1)]
    topics = [topic for topic in ranked if topic]
    if not topics or any(ranked[len(topics) :]):
        raise refused("unanswered", "no first topic, or a rank is left out between two")
    return topics


def _labels_of(spec: TaskSpec) -> tuple[Part, ...]:
    """Return one question of yes or no for each label, which every tool can ask."""
    return tuple(Part(f"label_{id_}", "choice", title, _YES_NO) for id_, title in group(spec))


def _split_labels(answer: Any) -> Parts:
    return {f"label_{label}": "yes" for label in answer}


def _join_labels(parts: Parts, _text: str) -> list[str]:
    answered_parts = {name: value for name, value in parts.items() if name.startswith("label_")}
    if not any(answered_parts.values()):
        raise refused("unanswered", "no label has an answer of yes or no")
    return [name.removeprefix("label_") for name, value in answered_parts.items() if value == "yes"]


def _hypotheses_of(spec: TaskSpec) -> tuple[Part, ...]:
    return tuple(Part(f"hypothesis_{id_}", "text", f"{title} 가설") for id_, title in group(spec))


def _split_hypotheses(answer: Any) -> Parts:
    return {f"hypothesis_{label}": text for label, text in answer.items()}


def _join_hypotheses(parts: Parts, _text: str) -> dict[str, str]:
    names = [name for name in parts if name.startswith("hypothesis_")]
    if not names:
        raise refused("unanswered", "there is no hypothesis")
    return {name.removeprefix("hypothesis_"): parts[name] for name in names}


def _join_words(parts: Parts, _text: str) -> dict[str, Any]:
    return {"lemmas": _needed(parts, "lemmas"), "pos": _needed(parts, "pos")}


def _split_tree(answer: Any) -> Parts:
    pairs = zip(answer["heads"], answer["deprels"], strict=True)
    return {"arcs": [{"head": head, "deprel": deprel} for head, deprel in pairs]}


def _join_tree(parts: Parts, _text: str) -> dict[str, Any]:
    arcs = _needed(parts, "arcs")
    return {"heads": [a["head"] for a in arcs], "deprels": [a["deprel"] for a in arcs]}


def _reading_of(spec: TaskSpec) -> tuple[Part, ...]:
    return (
        Part("type", "choice", "질문 유형", group(spec, "question_type")),
        Part("question", "text", "질문"),
        Part("marks", "spans", "답", tuple(_MARK_TITLES.items())),
    )


def _split_reading(answer: Any) -> Parts:
    marks = [
        {"start": one["start"], "end": one["start"] + len(one["text"]), "label": label}
        for label, key in MARKS.items()
        for one in answer.get(key, [])
    ]
    return {"type": str(answer["type"]), "question": answer["question"], "marks": marks}


def _join_reading(parts: Parts, text: str) -> dict[str, Any]:
    kind = _needed(parts, "type")
    made: dict[str, Any] = {
        "question": _needed(parts, "question"),
        "type": int(kind) if str(kind).isdecimal() else kind,
        "answers": [],
        "plausible_answers": [],
    }
    for mark in parts.get("marks") or []:
        if mark["label"] not in MARKS:
            raise refused("control", f"a mark is one of {', '.join(MARKS)}")
        place = {"start": mark["start"], "text": text[mark["start"] : mark["end"]]}
        made[MARKS[mark["label"]]].append(place)
    return made


_FORMS: Final[dict[str, _Form]] = {
    "topics": _Form(_topics_of, _split_topics, _join_topics),
    "labels": _Form(_labels_of, _split_labels, _join_labels),
    "score": _Form(_score_of, *_one("score")),
    "label": _Form(lambda spec: (Part("label", "choice", "답", group(spec)),), *_one("label")),
    "hypotheses": _Form(_hypotheses_of, _split_hypotheses, _join_hypotheses),
    "spans": _Form(
        lambda spec: (Part("spans", "spans", "개체명", group(spec)),),
        lambda answer: {"spans": list(answer)},
        lambda parts, _text: parts.get("spans") or [],
    ),
    "morphemes": _Form(
        lambda spec: (
            Part("lemmas", "words", "형태소"),
            Part("pos", "words", "품사", group(spec, "pos")),
        ),
        lambda answer: {"lemmas": answer["lemmas"], "pos": answer["pos"]},
        _join_words,
    ),
    "tree": _Form(
        lambda spec: (Part("arcs", "arcs", "지배소와 관계", deprels(spec)),),
        _split_tree,
        _join_tree,
    ),
    "reading": _Form(_reading_of, _split_reading, _join_reading),
    "dialogue": _Form(
        lambda _spec: (Part("turns", "turns", "대화"),),
        lambda answer: {"turns": answer["turns"]},
        lambda parts, _text: {"turns": _needed(parts, "turns")},
    ),
}
