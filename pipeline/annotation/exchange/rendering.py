"""What an annotator has before them: the texts of an item, and what is filled in beforehand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

import pyarrow as pa

from pipeline.annotation.exchange.answer_parts import Option, Parts, options, split
from pipeline.annotation.exchange.offers import (
    KNOWLEDGE,
    ROWS,
    VALUES,
    Offer,
    offer_of,
    suggestion_of,
)
from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import Label, Round, TaskSpec
from pipeline.contracts.task import Fields, Task, answer_form
from pipeline.core.errors import InputError, RecordError
from pipeline.core.jsontext import canonical, parsed

#: Korean titles of the texts beside the task's own fields. `wanted` is the type of question to
#: write, `more` holds fields beyond those of the task, `told` the answer of the round before where
#: it is of another form (the morphemes, under a tree), `first` the labels to look at first.
_TITLES: Final = {
    "wanted": "쓸 질문의 유형",
    VALUES: "슬롯에 넣을 값",
    KNOWLEDGE: "지식베이스 검색 결과",
    "more": "참고",
    "told": "앞 단계의 답",
    "first": "먼저 볼 답",
}


@dataclass(frozen=True)
class RenderedItem:
    """One item as a form shows it.

    `texts` by name, in the order of showing; spans point into the one named `target`. `words` are
    those of a tree. `offered` are the options of its one label, in the order in which to offer
    them, the first `fitting` of them by the types of the item's entities. `filled` are parts filled
    in beforehand; if an item came with a `suggestion`, an answer in its one form, they are its
    parts. `offer` is what a dialogue's writer may choose from, `asked` the type of question that is
    to be written, or "".
    """

    item: str
    texts: dict[str, str]
    target: str = ""
    words: tuple[str, ...] = ()
    offered: tuple[Option, ...] = ()
    fitting: int = 0
    filled: Parts = field(default_factory=dict)
    suggestion: Any = None
    offer: Offer = field(default_factory=Offer)
    asked: str = ""
    assigned: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Return the text that spans point into."""
        return self.texts.get(self.target, "")

    @property
    def texts_with_first(self) -> dict[str, str]:
        """Return the texts for a form that offers all labels in one order, with the first ones."""
        if self.fitting in (0, len(self.offered)):
            return self.texts
        first = ", ".join(f"{title} ({id_})" for id_, title in self.offered[: self.fitting])
        return self.texts | {"first": first}


def titles_of(task: str) -> dict[str, str]:
    """Return the Korean titles of the texts of a task's items, by name."""
    part = TASKS[task]
    return _TITLES | {name: part.titles.get(name, name) for name in part.fields}


def target_of(task: str) -> str:
    """Return the field that spans and words point into, or "" where answers point nowhere."""
    return TASKS[task].fields[-1] if TASKS[task].kind in ("spans", "tree") else ""


def render_items(
    items: pa.Table,
    *,
    spec: TaskSpec,
    round_: Round,
    assigned: Mapping[str, tuple[str, ...]] | None = None,
    shown: Mapping[str, Any] | None = None,
) -> Iterator[RenderedItem]:
    """Yield the items of one task as a round shows them, in their order.

    Of `meta` they hold the suggestion alone, of the other columns (source, sampler, gold) nothing.
    A suggestion gives way to what is `shown`; one that is no answer is left out. Raises InputError
    for items of another task, and for something to show that is no answer.
    """
    answers, people = shown or {}, assigned or {}
    for batch in items.select(["item", "task", "fields", "meta"]).to_batches(max_chunksize=ROWS):
        for row in batch.to_pylist():
            name = row["item"]
            if row["task"] != spec.task:
                raise InputError(f"item {name}: of task {row['task']!r}; the spec is {spec.name}")
            yield _render(row, spec, round_, answers.get(name), tuple(people.get(name, ())))


def _render(
    row: Mapping[str, Any], spec: TaskSpec, round_: Round, answer: Any, assigned: tuple[str, ...]
) -> RenderedItem:
    task, fields = TASKS[spec.task], parsed(row["fields"])
    filled, earlier, suggestion = _parts_in_fields(fields), "", None
    labels = [label for label in spec.labels if label.group is None]
    if answer is None:
        with suppress(RecordError):  # offers.unusable reports it
            suggestion = suggestion_of(row["meta"], fields, spec, round_)
        filled |= {} if suggestion is None else split(suggestion, spec, round_)
    else:
        try:
            if answer_form(spec, round_) == "label" and isinstance(answer, list):
                only = [task.parse(label, fields, spec, round_) for label in answer]
                labels = [label for label in labels if not only or label.id in only]
                filled = {}
            else:
                filled, earlier = _shown_answer(task, spec, round_, fields, answer)
        except RecordError as error:
            raise InputError(f"item {row['item']}: the answer to show: {error.reason}") from None
    offer = offer_of(fields, spec) if spec.slots else Offer()
    texts = _texts(task, spec, round_, fields, offer)
    return RenderedItem(
        item=row["item"],
        texts=texts | ({"told": earlier} if earlier else {}),
        target=target_of(task.id),
        words=tuple(fields[task.fields[-1]]) if task.kind == "tree" else (),
        offered=options(sorted(labels, key=lambda label: not _fits(label, fields))),
        fitting=sum(_fits(label, fields) for label in labels),
        filled={key: value for key, value in filled.items() if key != "verdict"},
        suggestion=suggestion,
        offer=offer,
        asked=asked_type(fields),
        assigned=assigned,
    )


def _shown_answer(
    task: Task, spec: TaskSpec, round_: Round, fields: Fields, answer: Any
) -> tuple[Parts, str]:
    earlier = spec.round(round_.after) if round_.after else None
    if earlier is None or answer_form(spec, earlier) == answer_form(spec, round_):
        return split(_parse(task, spec, round_, fields, answer), spec, round_), ""
    answer = _parse(task, spec, earlier, fields, answer)
    if earlier.answer == "verdict":
        answer = answer["answer"]
    if isinstance(answer, dict) and set(answer) == {"lemmas", "pos"}:
        rows = zip(fields[target_of(task.id)], answer["lemmas"], answer["pos"], strict=True)
        return {}, "\n".join(f"{word}: {lemma} [{pos}]" for word, lemma, pos in rows)
    return {}, answer if isinstance(answer, str) else canonical(answer)


def _parts_in_fields(fields: Fields) -> Parts:
    """Return the parts that the fields themselves give: a written dialogue, a question, its type.

    Annotators of a human baseline find them so, and authors the type they are to write.
    """
    question = fields.get("question")
    parts = {
        "turns": _turns(fields),
        "question": question if isinstance(question, str) else None,
        "type": asked_type(fields),
    }
    return {name: value for name, value in parts.items() if value}


def _parse(task: Task, spec: TaskSpec, round_: Round, fields: Fields, answer: Any) -> Any:
    """Return an answer in its one form; under a verdict it is what would be corrected."""
    if round_.answer == "verdict":
        answer = {"verdict": "revise", "answer": answer}
    return task.parse(answer, fields, spec, round_)


def _fits(label: Label, fields: Fields) -> bool:
    """Tell whether a relation is offered first: types order the labels and forbid none (3.5)."""
    subject, object_ = (
        entity.get("type") if isinstance(entity, dict) else None
        for entity in (fields.get("subject"), fields.get("object"))
    )
    return label.subject is None or (label.subject == subject and object_ in label.objects)


def _texts(
    task: Task, spec: TaskSpec, round_: Round, fields: Fields, offer: Offer
) -> dict[str, str]:
    """Return what is shown of the fields: the task's own, the type that is asked for, the rest.

    The last field is not shown where it is what the round writes.
    """
    hidden = task.fields[-1] if answer_form(spec, round_) == "hypotheses" else None
    first, *others = (key for key in task.fields if key != hidden)
    wanted = "".join(
        f"{label.id}. {label.title.ko}: {label.description.ko}"
        for label in spec.labels
        if label.group == "question_type" and label.id == asked_type(fields) and label.description
    )
    known = {*task.fields, *offer.texts}
    known |= {"turns"} if _turns(fields) else set()
    known |= {"question_type"} if wanted else set()
    more = [f"{key}: {_plain(fields[key], ', ')}" for key in sorted(fields) if key not in known]
    texts = {
        first: _field_text(task, first, fields),
        "wanted": wanted,
        **{key: _field_text(task, key, fields) for key in others},
        **offer.texts,
        "more": "\n".join(more),
    }
    return {key: text for key, text in texts.items() if text or key in task.fields}


def _field_text(task: Task, key: str, fields: Fields) -> str:
    value, shape = fields[key], task.shapes.get(key)
    if shape == "words":
        return " ".join(value)
    if shape == "entity" and isinstance(value, dict) and "word" in value:
        return f"{value['word']} ({value.get('type', '')})"
    if not isinstance(value, str):
        return _plain(value, "\n")
    inserts: list[tuple[int, int, str]] = []
    for name in (name for name, shape in task.shapes.items() if shape == "entity"):
        entity, title = fields.get(name), task.titles.get(name, name)
        if isinstance(entity, dict) and isinstance(entity.get("start"), int):
            inserts += [(entity["start"], 1, f"[{title}: "), (entity["end"], 0, "]")]
    for place, _order, mark in sorted(inserts, reverse=True):
        value = value[:place] + mark + value[place:]
    return str(value)


def _plain(value: Any, separator: str) -> str:
    if isinstance(value, list) and all(isinstance(text, str) for text in value):
        return separator.join(value)
    return value if isinstance(value, str) else canonical(value)


def asked_type(fields: Fields) -> str:
    """Return the type of question that is asked for, or ""."""
    kind = fields.get("question_type")
    return str(kind) if type(kind) is int and kind in (1, 2, 3) else ""


def _turns(fields: Fields) -> list[dict[str, Any]]:
    turns = fields.get("turns")
    if not isinstance(turns, list) or not all(isinstance(turn, dict) for turn in turns):
        return []
    texts = [(turn.get("role"), turn.get("text")) for turn in turns]
    if not all(isinstance(text, str) for pair in texts for text in pair):
        return []
    return [{"role": role, "text": text, "state": []} for role, text in texts]
