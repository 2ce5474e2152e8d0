"""Votes from a tool's export of any project: one question of it, on the level of its answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

from pipeline.annotation.exports.answer import Answer, AnswerForm, ToolExport
from pipeline.annotation.intake.answers import MULTILABEL
from pipeline.annotation.intake.vote import RawVote, Refused
from pipeline.core import schemas
from pipeline.core.errors import InputError
from pipeline.core.registry import Registry
from pipeline.core.wording import count


class Reader(Protocol):
    """The reader of one tool: a module of this folder."""

    def read(self, path: Path, item: str) -> ToolExport:
        """Read all answers of an export; `item` is the key of the tool's data for the item."""


_HERE: Final = "pipeline.annotation.exports"
READERS: Final[Registry[Reader]] = Registry(
    "annotation tool",
    {
        "label-studio": f"{_HERE}.label_studio",
        "doccano": f"{_HERE}.doccano",
        "argilla": f"{_HERE}.argilla",
        "potato": f"{_HERE}.potato",
    },
)
#: The level on which answers of a form are compared.
LEVELS: Final[Mapping[AnswerForm, str]] = {
    "choice": "nominal",
    "choices": MULTILABEL,
    "rating": "ordinal",
    "number": "interval",
}
_ABOUT: Final[Mapping[AnswerForm, str]] = {
    "spans": "spans, which need --task and an export of what `klue export` wrote",
    "text": "written text, which is not compared",
    "other": "of a kind that is not compared",
}


@dataclass(frozen=True)
class Question:
    """A question of an export: its name, the form of its answers, and how many there are."""

    name: str
    form: AnswerForm
    answers: int

    def __str__(self) -> str:
        """Return the question for a message."""
        about = LEVELS.get(self.form) or _ABOUT[self.form]
        return f"{self.name!r} ({about}; {count(self.answers, 'answer')})"


@dataclass(frozen=True)
class ToolVotes:
    """The votes on one question of an export, with the records that could not be read."""

    question: Question
    export: ToolExport

    @property
    def level(self) -> str:
        """The level of measurement that fits the answers."""
        return LEVELS[self.question.form]

    def votes(self, level: str | None) -> Iterator[RawVote | Refused]:
        """Yield the votes as they are compared on a level; None: as the tool gives them.

        On a scale, choices that are numbers in digits are numbers.
        """
        yield from self.export.refused
        for answer in self.export.answers:
            if answer.question == self.question.name:
                vote = {"item": answer.item, "annotator": answer.annotator}
                vote["label"] = _label(answer.value, level or self.level)
                yield RawVote(answer.file, answer.line, {**vote, **answer.times})

    def messages(self) -> Iterator[str]:
        """Yield what was read, and what was skipped."""
        yield f"question {self.question}"
        for what, n in sorted(self.export.skipped.items()):
            yield f"{what}: {n:,} skipped"


def read_tool(source: str, path: Path, *, label: str | None, item: str) -> ToolVotes:
    """Read the votes on one question: the one named `label`, or the only one that is compared.

    Raises InputError where there is none, or several, naming them.
    """
    export = READERS[source].read(path, item)
    questions = _questions(export.answers)
    if label is not None:
        chosen = [question for question in questions if question.name == label]
    else:
        chosen = [question for question in questions if question.form in LEVELS]
    if len(chosen) == 1 and chosen[0].form in LEVELS:
        return ToolVotes(chosen[0], export)
    listed = "; ".join(map(str, questions)) or "none"
    if len(chosen) > 1:
        fault = f"asks several questions: {listed}; choose one: --columns label=NAME"
    elif chosen:
        fault = f"question {chosen[0]}"
    elif label is not None:
        fault = f"asks no question {label!r}; it has: {listed}{_first(export)}"
    else:
        fault = f"holds no answer that can be compared; its questions: {listed}{_first(export)}"
    raise InputError(f"{path}: {fault}")


def _first(export: ToolExport) -> str:
    refused = export.refused
    skipped = [f"{count:,} {what}" for what, count in sorted(export.skipped.items())]
    if refused:
        first = f"{refused[0].file} line {refused[0].line}: {refused[0].reason}"
        skipped.append(f"{count(len(refused), 'unreadable record')}, the first is {first}")
    return f"; {'; '.join(skipped)}" if skipped else ""


def _questions(answers: list[Answer]) -> list[Question]:
    """Return the questions in their order."""
    by_name = schemas.group((answer.question, answer) for answer in answers)
    return [Question(name, _form(some), len(some)) for name, some in by_name.items()]


def _form(answers: list[Answer]) -> AnswerForm:
    """Return the one form of a question; lists that all hold one label are choices of one."""
    forms = {answer.form for answer in answers}
    if forms <= {"choice", "choices"}:
        several = (isinstance(x.value, list) and len(x.value) != 1 for x in answers)
        return "choices" if any(several) else "choice"
    return next(iter(forms)) if len(forms) == 1 else "other"


def _label(value: Any, level: str) -> Any:
    if level == MULTILABEL:
        return value if isinstance(value, list) else [value]
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, str) and level != "nominal":
        with suppress(ValueError):
            return float(value)
    return value
