"""Annotation specs: what annotators of a task are asked, and what becomes of their answers.

One folder a task, `annotation_specs/TASK/`: spec.yaml (this model), guideline.ko.md,
guideline.en.md and CHANGELOG.md. A patch version rewords; votes given under it stay compatible. A
minor or major one does not.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, Field, create_model, model_validator

from pipeline.contracts.aggregation_rules import AggregationRule, Positive, Role
from pipeline.contracts.control_items import ControlItems
from pipeline.contracts.parts import load_part, own_folder, packages, part_folder
from pipeline.contracts.pilot import Pilot
from pipeline.core.errors import SpecError
from pipeline.core.files import MOST_BYTES, regular_file
from pipeline.core.jsontext import canonical
from pipeline.core.resources import ANNOTATION_SPECS
from pipeline.core.specs import IDENTIFIER, Many, Spec, Text, load, matching

#: The specs that come with the project.
SPECS: Final = ANNOTATION_SPECS
LANGUAGES: Final = ("ko", "en")

#: The forms of answers, see pipeline/contracts/task.py.
AnswerKind = Literal[
    "topics",
    "score",
    "label",
    "labels",
    "hypotheses",
    "spans",
    "morphemes",
    "tree",
    "reading",
    "dialogue",
    "verdict",
]
Level = Literal["nominal", "ordinal", "interval", "ratio"]
Name = Annotated[str, matching("[a-z][a-z0-9_]*", IDENTIFIER)]
Version = Annotated[
    str, matching(r"\d+\.\d+\.\d+", "three numbers with points between, such as 1.0.0")
]


class Both(Spec):
    """A text in Korean and English; one text given alone stands for both."""

    ko: Text
    en: Text

    @model_validator(mode="before")
    @classmethod
    def _one_for_both(cls, value: Any) -> Any:
        if not isinstance(value, str | dict | Both):
            raise ValueError("must be a text in quotes, or one under each of ko and en")
        return {"ko": value, "en": value} if isinstance(value, str) else value


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _label_id(text: str) -> str:
    if not text.isprintable():
        raise ValueError("must hold no line break or other sign that is not printed")
    return _composed(text)


class Label(Spec):
    """A label: its id as stored, its titles, and its key terms (TC).

    `group` is the question it belongs to where a spec has several sets (dp: syntax, function, pos;
    mrc: question_type). `subject` and `objects` are the entity types between which a relation is
    offered first (RE); they offer, they never forbid. Of a score, ids that are whole numbers are
    points of the scale, and the titles the words for them.
    """

    id: Annotated[Text, AfterValidator(_label_id)]
    title: Both
    description: Both | None = None
    terms: Many[Text] = ()
    group: Name | None = None
    subject: Literal["PER", "ORG"] | None = None
    objects: Many[Literal["PER", "ORG", "LOC", "DAT", "POH", "NOH"]] = ()


class Scale(Spec):
    """The ends of a scale of whole numbers, both included."""

    low: int
    high: int

    @model_validator(mode="after")
    def _has_points(self) -> Scale:
        if self.low >= self.high:
            raise ValueError(f"low ({self.low}) must be less than high ({self.high})")
        return self


class Slot(Spec):
    """A slot of a dialogue domain (Table 23): `id` is DOMAIN-SLOT as in the official ontology.

    `informable` slots are tracked in the state; the others are only requested.
    """

    id: Text
    title: Both
    informable: bool
    boolean: bool = False
    required: bool = False
    booking: bool = False
    after_booking: bool = False
    values: Many[Text] = ()


class Round(Spec):
    """One pass over the items: who answers what, how often, and after which round.

    `after` names the round whose gold it shows; `not_by` the rounds whose annotators of an item (or
    of its premise) must not answer it here. A `final` round is the last one: experts review the
    whole answer of every item, all stages together, and what they reject is removed.
    """

    id: Name
    role: Role
    per_item: Positive
    answer: AnswerKind
    question: Both
    after: Name | None = None
    not_by: Many[Name] = ()
    attempts: Positive = 1
    # left out of a spec's digest unless it is set: digests of older specs stay as they were
    final: Annotated[bool, Field(exclude_if=lambda final: not final)] = False


class Report(Spec):
    """A reason to report an item; a report upheld in review removes it under `reason`."""

    id: Name
    title: Both


class Exclusion(Spec):
    """Whose votes are left out, by their agreement with the others on the whole pool (3.2.1).

    `minimum_items` is how many shared items it takes to judge somebody.
    """

    pearson_below: float | None = None
    alpha_below: float | None = None
    level: Level = "nominal"
    minimum_items: Positive = 10


class Agreement(Spec):
    """The coefficient a report leads with, and what the paper published, if anything."""

    coefficient: Literal[
        "krippendorff_alpha",
        "krippendorff_alpha_masi",
        "krippendorff_alpha_u",
        "entity_f1",
        "las",
        "joint_goal",
    ]
    level: Level | None = None
    published: float | None = None


class TaskSpec(Spec):
    """The whole of `spec.yaml`."""

    task: Name
    version: Version
    title: Both
    instruction: Both
    rounds: Annotated[Many[Round], Field(min_length=1)]
    labels: Many[Label] = ()
    slots: Many[Slot] = ()
    scale: Scale | None = None
    pilot: Pilot
    # left out of a spec's digest unless it is set: digests of older specs stay as they were
    control_items: Annotated[
        ControlItems | None, Field(exclude_if=lambda control: control is None)
    ] = None
    reports: Many[Report]
    exclusion: Exclusion = Exclusion()
    aggregation: AggregationRule
    agreement: Agreement
    sampling: Any = None
    split: Any

    @model_validator(mode="after")
    def _is_consistent(self) -> TaskSpec:
        rounds = [r.id for r in self.rounds]
        for key, ids in (
            ("rounds", rounds),
            ("labels", [f"{x.group}/{x.id}" if x.group else x.id for x in self.labels]),
            ("slots", [s.id for s in self.slots]),
            ("reports", [r.id for r in self.reports]),
        ):
            for place, id_ in enumerate(ids):
                if id_ in ids[:place]:
                    kind = key.removesuffix("s")
                    raise ValueError(f"{key}.{place}.id: {kind} {id_!r} is defined twice; keep one")
        for place, round_ in enumerate(self.rounds):
            for name in (round_.after, *round_.not_by):
                if name is not None and name not in rounds[:place]:
                    raise ValueError(
                        f"rounds.{place}: round {round_.id!r} names {name!r}, which is no earlier"
                        " round"
                    )
        for round_ in (r for r in self.rounds if r.final):
            form = round_.role, round_.answer, self.aggregation.rule
            is_last = round_ is self.rounds[-1] and round_.after is not None
            if not is_last or form != ("expert", "verdict", "inspected"):
                raise ValueError(
                    f"rounds: round {round_.id!r} is final, so it must be the last one, after"
                    " another, its role expert, its answer verdict, and the rule of aggregation"
                    " inspected"
                )
        self._check_words()
        roles = {r.role for r in self.rounds} | {"expert"}
        strangers = set(self.aggregation.roles) - roles
        if strangers:
            raise ValueError(
                f"aggregation.roles: {', '.join(sorted(strangers))} answer in no round"
            )
        self._check_control_round()
        return self

    def _check_control_round(self) -> None:
        round_ = self.control_round
        if self.control_items is not None and round_ is None:
            raise ValueError(f"control_items.round: unknown round {self.control_items.round!r}")
        if round_ is not None and round_.answer in ("verdict", "hypotheses"):
            raise ValueError(
                f"control_items: round {round_.id!r} asks for {round_.answer}, which has no right"
                " answer known beforehand; name another round"
            )

    @property
    def control_round(self) -> Round | None:
        """Return the round in which control items are hidden, if any."""
        if self.control_items is None:
            return None
        return self.round(self.control_items.round or self.rounds[0].id)

    def _check_words(self) -> None:
        words: dict[str, str] = {}
        for label in self.point_labels:
            for word in map(word_form, {label.title.ko, label.title.en}):
                if words.setdefault(word, label.id) != label.id:
                    raise ValueError(
                        f"labels: {words[word]!r} and {label.id!r} have one title; a word stands"
                        " for one point of the scale"
                    )

    @property
    def point_labels(self) -> tuple[Label, ...]:
        """The labels that name points of the scale: their ids are whole numbers."""
        labels = self.labels if self.scale is not None else ()
        return tuple(label for label in labels if re.fullmatch(r"-?\d{1,9}", label.id, re.ASCII))

    @cached_property
    def points(self) -> dict[str, int]:
        """Return the point of the scale that each word stands for, in the form of `word_form`."""
        return {
            word_form(word): int(label.id)
            for label in self.point_labels
            for word in (label.title.ko, label.title.en)
        }

    @property
    def name(self) -> str:
        """Return TASK@VERSION, as batches and votes carry it."""
        return f"{self.task}@{self.version}"

    @cached_property
    def digest(self) -> str:
        """Return the hash of everything the spec says (not of its layout or comments)."""
        return sha256(canonical(self.model_dump(mode="json")).encode()).hexdigest()

    def ids(self, group: str | None = None) -> tuple[str, ...]:
        """Return the ids of the labels of one group, in order."""
        return tuple(label.id for label in self.labels if label.group == group)

    def round(self, name: str) -> Round | None:
        return next((r for r in self.rounds if r.id == name), None)

    def accepts(self, name: str) -> bool:
        """Tell whether votes given under TASK@VERSION may be used with this spec."""
        minor_version = self.name.rpartition(".")[0]
        return re.fullmatch(rf"{re.escape(minor_version)}\.\d+", name) is not None


def word_form(text: str) -> str:
    """Return a word of a scale in the one form in which words are compared."""
    return _composed(text).strip().casefold()


def load_spec(task: str, folder: Path = SPECS) -> TaskSpec:
    """Read the spec of a task from its folder.

    Raises SpecError for a task that is not there, and for every fault with file, line and key.
    """
    path = spec_file(task, folder)
    if not path.is_file() or task not in packages():
        tasks = sorted(p.parent.name for p in folder.glob("*/spec.yaml"))
        raise SpecError(
            f"{path}: no spec of task {task!r}; there are: {', '.join(tasks) or 'none'}"
        )
    spec = load(path, _spec_model(task, own_folder(task)))
    if spec.task != task:
        raise SpecError(f"{path}: says it is the spec of {spec.task!r}; it lies in {task!r}")
    return spec


def spec_file(task: str, folder: Path = SPECS) -> Path:
    """Return the file of the spec of a task, whether it is there or not."""
    return _folder(task, folder) / "spec.yaml"


def _folder(task: str, specs: Path) -> Path:
    """Return the folder of a task's spec and guidelines.

    They lie in the folder of a user's own task, and may lie beside the parts of a task of the
    package.
    """
    beside = part_folder(task)
    return beside if beside and (beside / "spec.yaml").is_file() else specs / task


@cache
def _spec_model(task: str, folder: Path | None) -> type[TaskSpec]:
    """Return the model of a task's spec: TaskSpec with the task's own `sampling` and `split`.

    `folder` is that of an own task, which may be registered with another folder later.
    """
    from pipeline.contracts.own_task import OwnSpec

    base = TaskSpec if folder is None else OwnSpec
    sections = load_part(task, "spec")
    fields: dict[str, Any] = {
        "sampling": (sections.SAMPLING | None, None),
        "split": (sections.SPLIT, ...),
    }
    return create_model("TaskSpec", __base__=base, **fields)


def pilot_items(task: str, folder: Path = SPECS) -> Path:
    """Return the file of the pilot items of a task, with gold and explanations, beside its spec."""
    return _folder(task, folder) / "pilot.jsonl"


def control_file(spec: TaskSpec, folder: Path = SPECS) -> Path | None:
    """Return the file of control items that a spec names, beside it."""
    control = spec.control_items
    return _folder(spec.task, folder) / control.source if control and control.source else None


def guideline_file(task: str, language: str, folder: Path = SPECS) -> Path:
    """Return the file of the guideline of a task, whether it is there or not."""
    return _folder(task, folder) / f"guideline.{language}.md"


def guideline(task: str, language: str, folder: Path = SPECS) -> str:
    """Return the Markdown text that annotators of a task read, in `ko` or `en`."""
    path = guideline_file(task, language, folder)
    if own_folder(task) and not path.is_file():  # one language is enough
        path = next(path.parent.glob("guideline.*.md"))
    try:
        return regular_file(path, most=MOST_BYTES).read_text("utf-8")
    except OSError as error:
        raise SpecError(f"{path}: cannot be read: {error.strerror}") from None
