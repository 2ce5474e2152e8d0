"""Answers as annotation tools export them, of projects that this one knows nothing about.

Every tool asks questions: a control of Label Studio, a question of Argilla, a schema of Potato. An
answer is one annotator's value for one of them; its form says how such values are compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from pipeline.annotation.exchange.answer_parts import exchange_fault
from pipeline.annotation.intake.vote import Refused
from pipeline.core.errors import RecordError

#: choice: one label; choices: several; rating: a number of stars; number: any number; spans:
#: labelled spans of a text; text: written freely; other: what cannot be compared.
AnswerForm = Literal["choice", "choices", "rating", "number", "spans", "text", "other"]


@dataclass(frozen=True)
class Answer:
    """One annotator's answer to one question about an item; `line` is that of the item's record.

    `value` is a text (choice), a list of texts (choices) or a number; None for other forms. `times`
    may hold `at` and `seconds` of a vote.
    """

    file: str
    line: int
    item: str | int
    annotator: str | None
    question: str
    form: AnswerForm
    value: Any
    times: Mapping[str, Any] = field(default_factory=dict)


@dataclass
class ToolExport:
    """What a tool exported: answers, records that cannot be read, and what is no answer, counted.

    `skipped` counts by what it is, in the plural: "annotations that were cancelled".
    """

    answers: list[Answer] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)

    def refuse(self, file: str, line: int, fault: RecordError) -> None:
        """Add a record that cannot be read."""
        self.refused.append(Refused(file, line, fault.rule, fault.reason))


#: The key of a record that names its item, where it has one; else the tool's own id does.
ITEM: Final = "item"


def item_of(own: Mapping[str, Any], key: str, id_: Any) -> str | int:
    """Return the item: what `own` data says under `key`, or for ITEM alone the tool's id.

    Raises RecordError for a record that has neither.
    """
    item = own.get(key, id_ if key == ITEM else None)
    if not isinstance(item, str | int) or isinstance(item, bool) or not str(item).strip():
        raise exchange_fault("item", f"the record has no {key!r}, a text or a number, as its item")
    return item
