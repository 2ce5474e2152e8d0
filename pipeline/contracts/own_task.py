"""A user's own task: a folder with spec.yaml and guidelines, and perhaps modules of its own.

The kind of its answers gives every part that the folder does not hold:

    label    one label of a text            labels   any number of labels of a text
    pair     one label of two texts         score    a whole number on a scale for a text
    spans    labelled spans of a text

A folder whose spec has no `kind` must hold the module task.py, which says what an answer is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BeforeValidator, ConfigDict, ValidationError, model_validator

from pipeline.contracts.aggregation_rules import MODELS, Majority, keys_of
from pipeline.contracts.decisions import ADJUDICATE, VERDICTS
from pipeline.contracts.parts import FOLDERS_VARIABLE, note_unusable, own_folder, packages
from pipeline.contracts.pilot import Pilot
from pipeline.contracts.registry import shipped_names
from pipeline.contracts.spec import LANGUAGES, Both, TaskSpec, word_form
from pipeline.core.errors import SpecError
from pipeline.core.packages import PREFIX, add_package
from pipeline.core.packages import packages as own_packages
from pipeline.core.specs import Spec, load

AnswersKind = Literal["label", "labels", "pair", "score", "spans"]
#: The files of a folder that are not code.
_FILES: Final = ("spec.yaml", *(f"guideline.{language}.md" for language in LANGUAGES))
#: Rounds in which experts decide about items of every task.
DECISIONS: Final = (*VERDICTS, ADJUDICATE)
_QUESTION: Final = {"ko": "지침에 따라 답해 주세요.", "en": "Answer as the guideline says."}
_MAIN: Final = {"id": "main", "role": "annotator", "per_item": 3, "question": _QUESTION}
_INSPECT: Final = {
    **_MAIN,
    "id": "inspect",
    "role": "inspector",
    "per_item": 1,
    "answer": "verdict",
    "after": "main",
    "not_by": ["main"],
}
_LABEL: Final = {
    "rounds": [{**_MAIN, "answer": "label"}],
    "aggregation": {
        "rule": "majority",
        "roles": ["annotator"],
        "minimum": 3,
        "needed": 2,
        "otherwise": "expert",
    },
    "agreement": {"coefficient": "krippendorff_alpha", "level": "nominal"},
}
_COMMON: Final = {
    "pilot": {"rule": "correct", "items": 10, "needed": 7},
    "reports": [
        {"id": "personal_data", "title": {"ko": "개인정보가 드러남", "en": "Shows personal data"}},
        {"id": "hate", "title": {"ko": "혐오 표현", "en": "Hate speech"}},
    ],
    "split": {"rule": "stratified", "numbers": {"train": 8, "dev": 1, "test": 1}},
}
#: What a spec has by the kind of its answers, where it does not say otherwise.
DEFAULTS: Final[Mapping[str, Mapping[str, Any]]] = {
    "label": _LABEL,
    "pair": _LABEL,
    "labels": {
        "rounds": [{**_MAIN, "answer": "labels"}],
        "aggregation": {
            "rule": "label_majority",
            "roles": ["annotator"],
            "minimum": 3,
            "empty": True,
            "otherwise": "expert",
        },
        "agreement": {"coefficient": "krippendorff_alpha_masi"},
    },
    "score": {
        "rounds": [{**_MAIN, "answer": "score"}],
        "scale": {"low": 0, "high": 5},
        "aggregation": {
            "rule": "mean",
            "roles": ["annotator"],
            "minimum": 3,
            "step": 0.1,
            # numbers of a scale of one's own, which no default can know
            "drop_deviation": None,
            "binary_at": None,
        },
        "agreement": {"coefficient": "krippendorff_alpha", "level": "interval"},
    },
    "spans": {
        "rounds": [{**_MAIN, "per_item": 1, "answer": "spans"}, _INSPECT],
        "aggregation": {"rule": "inspected", "roles": ["annotator", "inspector"], "empty": True},
        "agreement": {"coefficient": "entity_f1"},
    },
}


#: The rules that votes of a kind are aggregated by.
RULES: Final[Mapping[str, tuple[str, ...]]] = {
    "label": ("majority", "plurality", *MODELS),
    "pair": ("majority", "plurality", *MODELS),
    "labels": ("label_majority", *MODELS),
    "score": ("mean", "median"),
    "spans": ("inspected",),
}


def _question(instruction: Any) -> Any:
    """Return what the first round asks: the instruction, or that to read the guideline."""
    try:
        return Both.model_validate(instruction).model_dump()
    except ValidationError:  # a fault of the instruction is told once
        return _QUESTION


def _rule_of(section: Any) -> Any:
    return section.get("rule") if isinstance(section, dict) else None


def _complete(section: str, given: Any, default: Any) -> Any:
    """Return a section as given, with the default of each key that it leaves out.

    Where it has another rule or coefficient than the defaults, only keys that both have are taken.
    """
    if not isinstance(given, dict) or not isinstance(default, dict):
        return given
    form = next((key for key in ("rule", "coefficient") if key in default), None)
    if form is not None and given.get(form, default[form]) != default[form]:
        known = {"aggregation": keys_of(given[form]), "pilot": Pilot.model_fields}.get(section, ())
        default = {key: value for key, value in default.items() if key in known}
    parts = {key: _complete(key, value, default.get(key)) for key, value in given.items()}
    return {**default, **parts}


#: How many labels a kind cannot do without.
_FEWEST_LABELS: Final[Mapping[str, int]] = {"label": 2, "pair": 2, "labels": 1, "spans": 1}


class OwnSpec(TaskSpec):
    """The spec of a user's own task: the kind of its answers decides what is not given."""

    kind: AnswersKind | None = None

    @model_validator(mode="before")
    @classmethod
    def _with_defaults(cls, data: Any) -> Any:
        kind = data.get("kind") if isinstance(data, dict) else None
        if not isinstance(kind, str) or kind not in DEFAULTS:
            return data
        rule = _rule_of(data.get("aggregation"))
        if rule is not None and rule not in RULES[kind]:
            raise ValueError(
                f"aggregation.rule: {rule} is not for answers of the kind {kind}; allowed:"
                f" {', '.join(RULES[kind])}"
            )
        first, *others = DEFAULTS[kind]["rounds"]
        asked = {**first, "question": _question(data.get("instruction"))}
        defaults = {**_COMMON, **DEFAULTS[kind], "rounds": [asked, *others]}
        given = {key: _complete(key, value, defaults.get(key)) for key, value in data.items()}
        return {**defaults, **given}

    @model_validator(mode="after")
    def _fits_its_kind(self) -> OwnSpec:
        """Raise ValueError for what the kind has no use for, and for a kind without labels.

        A module task.py says itself what its answers are.
        """
        self._check_rounds()
        folder = own_folder(self.task)
        if self.kind is not None and not (folder and (folder / "task.py").is_file()):
            self._check_labels(self.kind)
            self._check_answers(self.kind)
            self._check_votes()
        return self

    def _check_rounds(self) -> None:
        reserved = {"rounds": DECISIONS, "reports": ("none",)}
        for key, names in reserved.items():
            for place, part in enumerate(getattr(self, key)):
                if part.id in names:
                    raise ValueError(f"{key}.{place}.id: {part.id!r} is reserved; rename it")
        if self.rounds[0].answer == "verdict":
            raise ValueError("rounds.0.answer: a verdict needs a round before it, to be about")

    def _check_answers(self, kind: AnswersKind) -> None:
        allowed = list(dict.fromkeys(round_["answer"] for round_ in DEFAULTS[kind]["rounds"]))
        for place, round_ in enumerate(self.rounds):
            if round_.answer not in (*allowed, "verdict"):
                raise ValueError(
                    f"rounds.{place}.answer: {round_.answer} is no answer of the kind {kind};"
                    f" allowed: {', '.join(dict.fromkeys([*allowed, 'verdict']))}"
                )
        for key, kinds in {"scale": ("score",), "slots": ()}.items():
            if getattr(self, key) and kind not in kinds:
                raise ValueError(f"{key}: the kind {kind} has none; leave it out")

    def _check_votes(self) -> None:
        rule = self.aggregation
        asked = [r.per_item for r in self.rounds if r.role in rule.roles and r.answer != "verdict"]
        if isinstance(rule, Majority) and rule.needed > max(rule.minimum, sum(asked)):
            raise ValueError(
                f"aggregation.needed: {rule.needed} votes are never there: the rounds ask for"
                f" {sum(asked)} of an item"
            )

    def _check_labels(self, kind: AnswersKind) -> None:
        fewest = _FEWEST_LABELS.get(kind, 0)
        if len(self.labels) < fewest:
            raise ValueError(f"labels: the kind {kind} needs {fewest} or more")
        titles: dict[str, str] = {}
        for place, label in enumerate(self.labels):
            at = f"labels.{place}"
            if label.group is not None:
                raise ValueError(f"{at}.group: labels of the kind {kind} have none; leave it out")
            if kind == "score":
                self._check_point(at, label.id)
            other = titles.setdefault(word_form(label.title.ko), label.id)
            if other != label.id:
                raise ValueError(f"{at}.title: label {other!r} has it too; give each its own")

    def _check_point(self, at: str, name: str) -> None:
        low, high = (self.scale.low, self.scale.high) if self.scale else (0, 5)
        if re.fullmatch(r"-?[0-9]+", name) and not low <= int(name) <= high:
            raise ValueError(f"{at}.id: {name} is off the scale, which goes from {low} to {high}")


def _is_id(task: object) -> object:
    if not isinstance(task, str) or not re.fullmatch("[a-z][a-z0-9_]*", task):
        raise ValueError("must be an id of small letters, digits and _, such as emotions")
    return task


class _Head(Spec):
    """What makes a spec's folder known as a task, before the rest of the spec is read."""

    model_config = ConfigDict(extra="ignore")

    task: Annotated[str, BeforeValidator(_is_id)]
    kind: AnswersKind | None = None


def spec_files(task: str) -> dict[str, str]:
    """Return the spec and guidelines of an own task by file name; nothing for a task of KLUE."""
    if (folder := own_folder(task)) is None:
        return {}
    paths = [folder / name for name in _FILES]
    return {path.name: path.read_text("utf-8") for path in paths if path.is_file()}


def register_released(folder: Path) -> None:
    """Make a task known by the spec and guidelines that a release holds.

    Raises SpecError as `register_task` does, and for any other file in the folder: what a release
    brings is never run as code.
    """
    if others := sorted({path.name for path in folder.iterdir()} - set(_FILES)):
        raise SpecError(
            f"{folder}: holds {others[0]}, but releases hold no code; remove it, and name the"
            f" task's own folder in {FOLDERS_VARIABLE}"
        )
    register_task(folder)


def register_task(folder: Path) -> str:
    """Make a folder known as a task and return the task's id.

    Raises SpecError for a folder without a spec, id, known kind or guideline, and for an id that
    another task has. The rest of the spec is checked when it is loaded.
    """
    path = folder / "spec.yaml"
    if folder.is_dir() and not path.is_file():
        raise SpecError(f"{path}: no such file; the folder of a task holds it and a guideline")
    head = load(path, _Head)
    _check_id(head.task, folder)
    if head.kind is None and not (folder / "task.py").is_file():
        raise SpecError(
            f"{path}: kind: missing; allowed: {', '.join(DEFAULTS)}; or add task.py, which says"
            " what an answer is"
        )
    if not any((folder / name).is_file() for name in _FILES[1:]):
        raise SpecError(f"{folder}: no guideline for annotators; add {' or '.join(_FILES[1:])}")
    add_package(f"{PREFIX}{head.task}", folder.absolute())
    return head.task


def register_noted(task: str, folder: Path, where: str) -> None:
    """Make a task known by the folder that a build noted, unless it is known already.

    A folder that is gone or cannot be used is an error only for whoever asks for the task; `where`
    names the build.
    """
    if task in packages():
        return
    try:
        if not folder.is_dir():
            raise SpecError(f"{folder}: the folder of task {task} in {where} is not there")
        if register_task(folder) != task:
            raise SpecError(f"{folder}: no longer holds task {task} of {where}")
    except SpecError as error:
        hint = f"put it back, or name the folder of {task} in {FOLDERS_VARIABLE}"
        note_unusable(task, f"{error}; {hint}")


def _check_id(task: str, folder: Path) -> None:
    other = own_packages().get(f"{PREFIX}{task}")
    if other is None and task not in shipped_names():
        return
    if other != folder.absolute():
        raise SpecError(
            f"{folder / 'spec.yaml'}: task {task!r} has the id of {other or 'the task of KLUE'};"
            " rename it"
        )
