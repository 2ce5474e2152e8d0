"""The answers that simulated annotators work from, found by the text of an item.

A truth file has the form of items: `gold` is the answer of the task's main round, a score may have
decimals. Its `meta` may say how hard the item is (`difficulty`, from 0 to 1), for what reason
careful readers report it (`report`), of a tree the morphemes (`lemmas`, `pos`), and of an answer
that its author had to correct the first attempt (`first`) and what the inspector said of it
(`feedback`).

Where nothing is known the answer is estimated: rough, always the same, and marked. A task's part
`simulated` has its own estimate; the defaults go by the form of its answers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from pipeline.annotation.intake.items import read_items
from pipeline.annotation.simulated.profile import profile_of
from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import TaskSpec, load_spec
from pipeline.contracts.task import Fields, Task
from pipeline.core.errors import InputError
from pipeline.core.ids import draw
from pipeline.core.jsontext import canonical, parsed
from pipeline.core.resources import DATA

#: The truths of the sample.
ANSWERS: Final = DATA / "sample" / "answers"
#: What an item's `meta` may say of its truth.
#: The chance of each label where a set of labels is estimated.
LABELLED: Final = 0.4
_META: Final = ("difficulty", "report", "first", "feedback")


@dataclass(frozen=True)
class Truth:
    """What is right about an item.

    `answer` has the form of gold; `difficulty` is from 0 to 1, None where the file says nothing;
    `first` is the author's first attempt, None where that was the answer, and `feedback` what the
    inspector said of it; `estimated` marks what no person judged.
    """

    answer: Any
    difficulty: float | None = None
    report: str | None = None
    first: Any = None
    feedback: str | None = None
    estimated: bool = False


class Truths:
    """The truths of one task, by the text of their items."""

    def __init__(
        self, task: str, items: pa.Table | None = None, spec: TaskSpec | None = None
    ) -> None:
        """Take items with gold; without them everything is estimated.

        `spec` names the labels of default estimates; by default the project's own spec.
        """
        self._task, self._part = TASKS[task], profile_of(task)
        self._spec = spec or load_spec(task)
        forms = [round_.answer for round_ in self._spec.rounds]
        #: The form of gold: that of the last round which is no verdict.
        self._form = [form for form in forms if form != "verdict"][-1]
        self._writes_hypotheses = "hypotheses" in forms
        self._known: dict[str, list[Truth]] = {}
        self._by_item: dict[tuple[str, str], Truth] = {}
        self._written: dict[str, dict[str, str]] = {}
        for row in items.to_pylist() if items is not None else []:
            self._add(row)
        self._answers = {key: truths[0].answer for key, truths in self._known.items()}

    def __len__(self) -> int:
        """Return how many items are known."""
        return sum(map(len, self._known.values()))

    def of(
        self,
        fields: Fields,
        *,
        item: str = "",
        turn: float = 0.0,
        gold: Any = None,
        meta: Fields | None = None,
    ) -> Truth:
        """Return the truth of an item, found by its text.

        Where a text has several (a passage its questions), it is that of the same `item`, or else
        `turn` in [0, 1) chooses, among questions of the type that was assigned. Of an unknown text
        it is its own `gold`, or else an estimate from the fields and the `meta` of the item.
        """
        key = self._key(fields)
        if (item, key) in self._by_item:
            return self._by_item[item, key]
        wanted = fields.get("question_type")
        truths = [
            truth
            for truth in self._known.get(key, ())
            if wanted is None
            or not isinstance(truth.answer, dict)
            or truth.answer.get("type", wanted) == wanted
        ]
        if truths:
            return truths[int(turn * len(truths))]
        if gold is not None:
            return Truth(self._complete(gold, fields, {}))
        return Truth(self._estimate(fields, meta or {}), estimated=True)

    def of_row(self, row: Mapping[str, Any], turn: float) -> Truth:
        """Return the truth of a row of the items table."""
        gold, meta = (parsed(row[name]) if row[name] else None for name in ("gold", "meta"))
        fields, meta = parsed(row["fields"]), meta if isinstance(meta, dict) else None
        return self.of(fields, item=row["item"], turn=turn, gold=gold, meta=meta)

    def hypotheses(self, fields: Fields) -> Truth:
        """Return what an author writes about an item: a hypothesis for each label."""
        text = str(fields[self._task.fields[0]])
        written = self._written.get(_squeeze(text), {})
        if set(written) >= set(self._spec.ids()):
            return Truth(dict(written))
        if self._part.write is not None:
            return Truth(self._part.write(text), estimated=True)
        return Truth(
            {label.id: f"{label.title.ko}: {text}" for label in self._spec.labels}, estimated=True
        )

    def _add(self, row: Mapping[str, Any]) -> None:
        fields = parsed(row["fields"])
        meta = parsed(row["meta"]) if row["meta"] else {}
        if row["gold"] is None:
            raise InputError(f"item {row['item']} of the truths has no `gold`; add it")
        answer = self._complete(parsed(row["gold"]), fields, meta)
        truth = Truth(answer, **{name: meta[name] for name in _META if name in meta})
        key = self._key(fields)
        self._known.setdefault(key, []).append(truth)
        self._by_item[row["item"], key] = truth
        if self._writes_hypotheses:
            source, written = self._task.fields
            self._written.setdefault(_squeeze(fields[source]), {})[answer] = fields[written]

    def _key(self, fields: Fields) -> str:
        """Return what an item is known by: its text, whatever its blanks."""
        values = [str(fields.get(name, "")) for name in self._task.fields]
        if self._part.key is not None:
            values = self._part.key(fields)
        return canonical([_squeeze(v) if isinstance(v, str) else v for v in values])

    def _complete(self, gold: Any, fields: Fields, meta: Fields) -> Any:
        if self._form != "tree":
            return gold
        known = {key: value for key, value in meta.items() if key in ("lemmas", "pos")}
        return {**self._estimate(fields, {}), **known, **gold}

    def _estimate(self, fields: Fields, meta: Fields) -> Any:
        if self._part.estimate is not None:
            return self._part.estimate(fields, self._answers, meta)
        return _estimate(self._form, fields, meta, self._task, self._spec)


def load_truths(task: Task, folder: Path = ANSWERS, spec: TaskSpec | None = None) -> Truths:
    """Read TASK.jsonl of a folder; where there is none, everything is estimated.

    Raises InputError for a line that gives no item, and for an item without gold.
    """
    path = folder / f"{task.id}.jsonl"
    if not path.is_file():
        return Truths(task.id, spec=spec)
    items, refused = read_items(path, task)
    if refused:
        raise InputError(f"{path}:{refused[0].line}: {refused[0].reason}; correct the line")
    return Truths(task.id, items, spec)


def _estimate(form: str, fields: Fields, meta: Fields, task: Task, spec: TaskSpec) -> Any:
    """Return an estimate in a form of answers.

    Labels and scores are keyed draws. Spans are those that the item carries or suggests, else a
    word; morphemes those that it suggests, else the first tag; every word of a tree depends on the
    next. A question asks for the first word; a dialogue says the goal.
    """
    chance, suggestion = draw(0, "sim.estimate", canonical(fields)), meta.get("suggestion")
    if form in ("topics", "label", "hypotheses"):
        label = spec.ids()[int(chance * len(spec.ids()))]
        return [label] if form == "topics" else label
    if form == "score":
        low, high = (spec.scale.low, spec.scale.high) if spec.scale else (0, 5)
        return round(low + chance * (high - low), 1)
    if form == "labels":
        return [name for name in spec.ids() if draw(0, f"sim.{name}", canonical(fields)) < LABELLED]
    if form == "spans":
        known = fields.get("spans", suggestion)
        return _word_span(str(fields[task.fields[-1]]), chance, spec) if known is None else known
    if form in ("morphemes", "tree"):
        return _tree(fields[task.fields[-1]], suggestion, spec)
    return _compose(form, str(fields[task.fields[-1]]))


def _compose(form: str, content: str) -> dict[str, Any]:
    if form == "reading":
        words = content.split()
        answers = [{"start": content.index(words[0]), "text": words[0]}] if words else []
        question = {"question": "이 글은 무엇에 대하여 말하는가?", "type": 1 if answers else 3}
        return question | {"answers": answers, "plausible_answers": []}
    turns = (("user", content), ("sys", "네, 알겠습니다."))
    return {"turns": [{"role": role, "text": text, "state": []} for role, text in turns]}


def _word_span(text: str, chance: float, spec: TaskSpec) -> list[dict[str, Any]]:
    words = list(re.finditer(r"\S+", text))
    word, label = words[int(chance * len(words))], spec.ids()[int(chance * 997) % len(spec.ids())]
    return [{"start": word.start(), "end": word.end(), "label": label}]


def _tree(words: list[str], suggestion: Any, spec: TaskSpec) -> dict[str, list[Any]]:
    count = len(words)
    tags, relations = spec.ids("pos") or ("NNG",), spec.ids("syntax") or ("NP",)
    tag = "NNG" if "NNG" in tags else tags[0]
    morphemes = suggestion or {"lemmas": list(map(str, words)), "pos": [tag] * count}
    return {
        "lemmas": list(morphemes["lemmas"]),
        "pos": list(morphemes["pos"]),
        "heads": [*range(2, count + 1), 0][:count],
        "deprels": ["NP" if "NP" in relations else relations[0]] * count,
    }


def _squeeze(text: str) -> str:
    return " ".join(text.split())
