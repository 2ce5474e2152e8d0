"""What an annotator has before them: the texts of an item, and what is filled in beforehand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

import pyarrow as pa

from pipeline.annotation.exchange.offers import Offer, offer_of
from pipeline.annotation.exchange.parts import Option, Parts, options, split
from pipeline.annotation.exchange.suggestions import ROWS, suggestion_of
from pipeline.annotation.exchange.texts import asked_type, named, texts_of, turns_of
from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import Label, Round, TaskSpec
from pipeline.contracts.task import Fields, Task, answered
from pipeline.core.errors import InputError, RecordError
from pipeline.core.jsontext import canonical, parsed

#: The text that spans point into.
TARGETS: Final = {"ner": "text", "mrc": "context", "dp": "words"}


@dataclass(frozen=True)
class Sheet:
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

    Of `meta` they hold the suggestion alone, of the other columns (source, sampler, gold) nothing.
    A suggestion gives way to what is `shown`; one that is no answer is left out. Raises InputError
    for items of another task, and for something to show that is no answer.
    """
    task = TASKS[spec.task]
    for batch in items.select(["item", "task", "fields", "meta"]).to_batches(max_chunksize=ROWS):
        for row in batch.to_pylist():
            name = row["item"]
            if row["task"] != task.id:
                raise InputError(f"item {name}: of task {row['task']!r}; the spec is {spec.name}")
            fields = parsed(row["fields"])
            try:
                before = _before(task, spec, round_, fields, (shown or {}).get(name))
                if name not in (shown or {}):
                    before = _suggested(before, row["meta"], spec, round_, fields)
            except RecordError as error:
                raise InputError(f"item {name}: the answer to show: {error.reason}") from None
            who = (assigned or {}).get(name, ())
            yield _sheet(name, task, spec, round_, fields, before, tuple(who))


@dataclass(frozen=True)
class _Before:
    """What is known before: parts filled in, a text told, the only labels offered, a suggestion."""

    filled: Parts = field(default_factory=dict)
    told: str = ""
    only: tuple[str, ...] = ()
    suggestion: Any = None


def _suggested(
    before: _Before, meta: str | None, spec: TaskSpec, round_: Round, fields: Fields
) -> _Before:
    """Fill in an item's suggestion, if it has one that is an answer."""
    try:
        answer = suggestion_of(meta, fields, spec, round_)
    except RecordError:  # told by suggestions.unusable
        return before
    if answer is None:
        return before
    return replace(before, filled=before.filled | split(answer, spec, round_), suggestion=answer)


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
    question = fields.get("question")
    ready = {
        "turns": turns_of(fields),
        "question": question if isinstance(question, str) else None,
        "type": asked_type(fields),
    }
    return {name: value for name, value in ready.items() if value}


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
    offer = offer_of(fields, spec) if spec.slots else Offer()
    verdictless = {k: v for k, v in before.filled.items() if k != "verdict"}
    offered = _offered(spec, before.only)
    return Sheet(
        item=name,
        texts=texts_of(task, spec, round_, fields, offer) | named("told", before.told),
        target=TARGETS.get(task.id, ""),
        words=tuple(fields["words"]) if "words" in task.fields else (),
        offered=options(sorted(offered, key=lambda label: not _fits(label, fields))),
        fitting=sum(_fits(label, fields) for label in offered),
        filled=verdictless,
        suggestion=before.suggestion,
        offer=offer,
        asked=asked_type(fields),
        assigned=assigned,
    )


def _offered(spec: TaskSpec, only: tuple[str, ...]) -> list[Label]:
    """Return the labels of the one label of a form; `only` leaves just these."""
    return [x for x in spec.labels if x.group is None and (not only or x.id in only)]


def _fits(label: Label, fields: Fields) -> bool:
    """Tell whether a relation is offered first: types order the labels and forbid none (3.5)."""
    types = [fields.get(key) for key in ("subject", "object")]
    subject, object_ = (one.get("type") if isinstance(one, dict) else None for one in types)
    return label.subject is None or (label.subject == subject and object_ in label.objects)
