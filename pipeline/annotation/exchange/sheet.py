"""What an annotator has before them: the texts of an item, and what is filled in beforehand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import pyarrow as pa

from pipeline.annotation.exchange.parts import Option, Parts, options, split
from pipeline.core.errors import InputError, RecordError
from pipeline.core.jsontext import canonical, parsed
from pipeline.tasks.base import Fields, Task, answered
from pipeline.tasks.registry import TASKS
from pipeline.tasks.spec import Label, Round, TaskSpec

#: The Korean names of the texts of an item. `more` holds fields beyond those of the task, `told`
#: the answer of the round before where it is of another form (the morphemes, under a tree).
NAMES: Final = {
    "title": "제목",
    "sentence1": "문장 1",
    "sentence2": "문장 2",
    "premise": "전제",
    "hypothesis": "가설",
    "text": "문장",
    "sentence": "문장",
    "subject": "주체",
    "object": "객체",
    "words": "어절",
    "context": "지문",
    "goal": "목표",
    "more": "참고",
    "told": "앞 단계의 답",
    "first": "먼저 볼 답",
}
#: The text that spans point into.
TARGETS: Final = {"ner": "text", "mrc": "context", "dp": "words"}


@dataclass(frozen=True)
class Sheet:
    """One item as a form shows it.

    `texts` by name, in the order of showing; spans point into the one named `target`. `words` are
    those of a tree. `offered` are the options of its one label, in the order in which to offer
    them, the first `fitting` of them by the types of the item's entities. `filled` are parts filled
    in beforehand.
    """

    item: str
    texts: dict[str, str]
    target: str = ""
    words: tuple[str, ...] = ()
    offered: tuple[Option, ...] = ()
    fitting: int = 0
    filled: Parts = field(default_factory=dict)
    assigned: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Return the text that spans point into."""
        return self.texts.get(self.target, "")

    @property
    def told(self) -> dict[str, str]:
        """Return the texts for a form that offers all labels in one order: the first ones told."""
        if self.fitting in (0, len(self.offered)):
            return self.texts
        first = ", ".join(f"{title} ({id_})" for id_, title in self.offered[: self.fitting])
        return self.texts | {"first": first}


def sheets(
    items: pa.Table,
    *,
    spec: TaskSpec,
    round_: Round,
    assigned: Mapping[str, tuple[str, ...]] | None = None,
    shown: Mapping[str, Any] | None = None,
) -> Iterator[Sheet]:
    """Yield the sheets of items of one task for a round, in their order.

    Raises InputError for items of another task, and for something to show that is no answer.
    """
    task = TASKS[spec.task]
    for batch in items.select(["item", "task", "fields"]).to_batches():
        for row in batch.to_pylist():
            name = row["item"]
            if row["task"] != task.id:
                raise InputError(f"item {name}: of task {row['task']!r}; the spec is {spec.name}")
            fields = parsed(row["fields"])
            try:
                before = _before(task, spec, round_, fields, (shown or {}).get(name))
            except RecordError as error:
                raise InputError(f"item {name}: the answer to show: {error.reason}") from None
            who = (assigned or {}).get(name, ())
            yield _sheet(name, task, spec, round_, fields, before, tuple(who))


@dataclass(frozen=True)
class _Before:
    """What is known before: parts filled in, a text told, and the only labels offered."""

    filled: Parts = field(default_factory=dict)
    told: str = ""
    only: tuple[str, ...] = ()


def _before(task: Task, spec: TaskSpec, round_: Round, fields: Fields, answer: Any) -> _Before:
    if answer is None:
        return _Before(filled=_ready(fields))
    earlier = spec.round(round_.after) if round_.after else None
    form = answered(spec, round_)
    if form == "label" and isinstance(answer, list):
        return _Before(only=tuple(task.parse(one, fields, spec, round_) for one in answer))
    if earlier is None or answered(spec, earlier) == form:
        return _Before(filled=split(_proper(task, spec, round_, fields, answer), spec, round_))
    checked = _proper(task, spec, earlier, fields, answer)
    about = checked if earlier.answer != "verdict" else checked["answer"]
    return _Before(told=_told(about, fields))


def _ready(fields: Fields) -> Parts:
    """Return the parts that the fields themselves give: a written dialogue, a question, its type.

    Annotators of a human baseline find them so, and authors the type they are to write.
    """
    kind, question = fields.get("question_type"), fields.get("question")
    ready = {
        "turns": _turns(fields),
        "question": question if isinstance(question, str) else None,
        "type": str(kind) if kind in (1, 2, 3) else None,
    }
    return {name: value for name, value in ready.items() if value}


def _turns(fields: Fields) -> list[dict[str, Any]]:
    """Return the turns of a dialogue that is given, or none."""
    turns = fields.get("turns")
    if not isinstance(turns, list) or not all(isinstance(turn, dict) for turn in turns):
        return []
    texts = [(turn.get("role"), turn.get("text")) for turn in turns]
    good = all(isinstance(one, str) for pair in texts for one in pair)
    return [{"role": role, "text": text, "state": []} for role, text in texts] if good else []


def _proper(task: Task, spec: TaskSpec, round_: Round, fields: Fields, answer: Any) -> Any:
    """Return an answer in its one form; under a verdict it is what would be corrected."""
    if round_.answer == "verdict":
        answer = {"verdict": "revise", "answer": answer}
    return task.parse(answer, fields, spec, round_)


def _told(answer: Any, fields: Fields) -> str:
    if isinstance(answer, dict) and set(answer) == {"lemmas", "pos"}:
        rows = zip(fields["words"], answer["lemmas"], answer["pos"], strict=True)
        return "\n".join(f"{word}: {lemma} [{pos}]" for word, lemma, pos in rows)
    return answer if isinstance(answer, str) else canonical(answer)


def _sheet(
    name: str,
    task: Task,
    spec: TaskSpec,
    round_: Round,
    fields: Fields,
    before: _Before,
    assigned: tuple[str, ...],
) -> Sheet:
    texts = {key: _shown(task, key, fields) for key in task.fields if _asked(key, spec, round_)}
    shown = (*task.fields, "turns") if _turns(fields) else task.fields
    more = {key: fields[key] for key in sorted(fields) if key not in shown}
    if more:
        texts["more"] = "\n".join(f"{key}: {_plain(value)}" for key, value in more.items())
    if before.told:
        texts["told"] = before.told
    verdictless = {k: v for k, v in before.filled.items() if k != "verdict"}
    offered = _offered(spec, before.only)
    return Sheet(
        item=name,
        texts=texts,
        target=TARGETS.get(task.id, ""),
        words=tuple(fields["words"]) if "words" in task.fields else (),
        offered=options(sorted(offered, key=lambda label: not _fits(label, fields))),
        fitting=sum(_fits(label, fields) for label in offered),
        filled=verdictless,
        assigned=assigned,
    )


def _asked(key: str, spec: TaskSpec, round_: Round) -> bool:
    """Tell whether a field is shown: a hypothesis is not where hypotheses are written."""
    return key != "hypothesis" or answered(spec, round_) != "hypotheses"


def _shown(task: Task, key: str, fields: Fields) -> str:
    value = fields[key]
    if key == "words":
        return " ".join(value)
    if key in ("subject", "object") and isinstance(value, dict) and "word" in value:
        return f"{value['word']} ({value.get('type', '')})"
    if task.id == "re" and key == "sentence":
        return _marked(value, [(NAMES[k], fields[k]) for k in ("subject", "object")])
    return _plain(value)


def _marked(sentence: str, entities: Sequence[tuple[str, Any]]) -> str:
    """Return a sentence with its entities in brackets that name them."""
    inserts: list[tuple[int, int, str]] = []
    for name, entity in entities:
        if isinstance(entity, dict) and isinstance(entity.get("start"), int):
            inserts += [(entity["start"], 1, f"[{name}: "), (entity["end"], 0, "]")]
    for place, _order, mark in sorted(inserts, reverse=True):
        sentence = sentence[:place] + mark + sentence[place:]
    return sentence


def _plain(value: Any) -> str:
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return "\n".join(value)
    return value if isinstance(value, str) else canonical(value)


def _offered(spec: TaskSpec, only: tuple[str, ...]) -> list[Label]:
    """Return the labels of the one label of a form; `only` leaves just these."""
    return [x for x in spec.labels if x.group is None and (not only or x.id in only)]


def _fits(label: Label, fields: Fields) -> bool:
    """Tell whether a relation is offered first: types order the labels and forbid none (3.5)."""
    types = [fields.get(key) for key in ("subject", "object")]
    subject, object_ = (one.get("type") if isinstance(one, dict) else None for one in types)
    return label.subject is None or (label.subject == subject and object_ in label.objects)
