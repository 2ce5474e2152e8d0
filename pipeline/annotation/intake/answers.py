"""The answers of votes in their one form: parsed by the task, or on a level of measurement."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import orjson
import pyarrow as pa

from pipeline.annotation.intake.vote import is_number, normal
from pipeline.contracts.decisions import VERDICTS, deciding, parse_decision
from pipeline.contracts.spec import Round, TaskSpec
from pipeline.contracts.task import Task, label_set, mask, nfc, wrong
from pipeline.core import schemas
from pipeline.core.errors import InputError, RecordError
from pipeline.core.jsontext import canonical, parsed

#: The ids of this project, with what rounds append to them (`.e`: a pair made of a premise).
_OWN_ID: Final = re.compile(r"(.+)-[dpsw][0-9a-f]{20}(?:\.[0-9a-z]+)*")
#: The largest number that may be a label: up to it whole numbers are exact, and sums stay so.
_MOST: Final = 10**15
#: The largest whole number that may be a name.
_MOST_NAME: Final = 2**63 - 1
#: The level of votes that name several labels an item.
MULTILABEL: Final = "multilabel"
_DEEP: Final = "the answer is nested too deeply, or holds what is no JSON"


def source_in(item: str) -> str | None:
    """Return the source that an id of this project names; ids of others name none."""
    match = _OWN_ID.fullmatch(item)
    return match[1] if match else None


class Items:
    """The items by id; without a table every id is known."""

    def __init__(self, table: pa.Table | None) -> None:
        """Take the items table."""
        self.listed = table is not None
        table = table if table is not None else schemas.empty("items")
        self._rows = {
            item: (source, fields)
            for item, source, fields in schemas.rows(table, "item", "source", "fields")
        }
        self._by_form: dict[str, str] = {normal(item): item for item in reversed(self._rows)}
        self._last: tuple[str, Mapping[str, Any]] = ("", {})

    def id_of(self, item: str) -> str:
        """Return the id that a vote means: the table's own, if it differs in Unicode form alone."""
        return item if item in self._rows else self._by_form.get(normal(item), normal(item))

    def knows(self, item: str) -> bool:
        """Tell whether an item is among them."""
        return not self.listed or item in self._rows

    def source(self, item: str) -> str | None:
        """Return the source of a known item, if it has one."""
        return (self._rows[item][0] if self.listed else None) or source_in(item)

    def fields(self, item: str) -> Mapping[str, Any]:
        """Return the fields of a known item; those of the last one are kept."""
        if self._last[0] != item and self.listed:
            self._last = item, parsed(self._rows[item][1])
        return self._last[1]


class Answers:
    """The answers to a task; where they do not point into items, each text is parsed once."""

    def __init__(self, task: Task, spec: TaskSpec, items: Items, batch_round: str | None) -> None:
        """Take the round of the batch, if the votes are of one."""
        self._task, self._spec, self._items = task, spec, items
        self._open = [r for r in spec.rounds if batch_round in (None, r.id)]
        roles = [*(r.role for r in spec.rounds), *spec.aggregation.roles, "expert"]
        self._roles = tuple(dict.fromkeys(roles))
        self._parsed: dict[Any, str | RecordError] = {}
        self._rounds: dict[tuple[str | None, str | None], list[Round]] = {}

    def answer(self, item: str, label: Any, role: Any, name: Any) -> tuple[Round, str, str | None]:
        """Return the round, the role and the answer as canonical JSON.

        A vote that names no round belongs to the first one of its role, or else of any role, that
        takes answers of its form; experts' decisions name theirs. Raises RecordError.
        """
        for key, text in (("role", role), ("round", name)):
            if text is not None and not isinstance(text, str):
                raise wrong(key, f"`{key}` is a text, not a {type(text).__name__}")
        if (role, name) not in self._rounds:
            self._rounds[role, name] = self._find_rounds(role, name)
        rounds = self._rounds[role, name]
        if label is None:
            return rounds[0], role or rounds[0].role, None
        faults: list[RecordError] = []
        for round_ in rounds:
            answer = self._read(label, item, round_)
            if isinstance(answer, str):
                return round_, role or round_.role, answer
            faults.append(answer)
        # of several rounds, the fault of the one whose form the answer has tells most
        fault = next((fault for fault in faults if fault.rule != "vote.form@1"), faults[0])
        raise RecordError(fault.rule, fault.reason)

    def _find_rounds(self, role: str | None, name: str | None) -> list[Round]:
        if role is not None and role not in self._roles:
            raise wrong("role", f"is of a role {mask(role)}; allowed: {', '.join(self._roles)}")
        decisions = deciding(name, self._spec) if role in (None, "expert") else []
        if decisions:
            return decisions
        if name is None:
            return sorted(self._open, key=lambda r: r.role != role)
        rounds = [r for r in self._open if r.id == name]
        if not rounds:
            raise wrong(
                "round",
                f"is of a round {mask(name)}; allowed here: {', '.join(r.id for r in self._open)}",
            )
        return rounds

    def _read(self, label: Any, item: str, round_: Round) -> str | RecordError:
        if not self._task.free:
            return self._parse(label, self._items.fields(item), round_)
        key: Any = (round_.id, type(label), label)
        if isinstance(label, dict | list):
            try:
                key = (round_.id, orjson.dumps(label))
            except TypeError:
                return wrong("form", _DEEP)
        if key not in self._parsed:
            self._parsed[key] = self._parse(label, {}, round_)
        return self._parsed[key]

    def _parse(self, label: Any, fields: Mapping[str, Any], round_: Round) -> str | RecordError:
        try:
            if round_.id in VERDICTS:
                answer = parse_decision(label, round_.id, self._spec)
            else:
                answer = self._task.parse(label, fields, self._spec, round_)
            text = canonical(answer)
            text.encode()
        except RecordError as fault:
            return fault
        except KeyError as error:
            raise InputError(
                f"an item of task {self._task.id} lacks the field {error.args[0]!r}; it needs"
                f" {', '.join(self._task.fields)}"
            ) from None
        except (ValueError, OverflowError, RecursionError):
            return wrong("form", _DEEP)
        return text


def scalar(label: Any, level: str) -> str | None:
    """Return a label on a level of measurement: a number, or for nominal also a text or true.

    On the level multilabel it is a sorted list of texts (see `label_set`).

    Scores are finite and of a size that sums of their squares can bear: 1e15 at most.
    """
    if label is None:
        return None
    if level == MULTILABEL:
        return canonical(sorted(label_set(label)))
    if level == "nominal" and isinstance(label, int) and -_MOST_NAME <= label <= _MOST_NAME:
        return canonical(label)
    if isinstance(label, int | float) and not isinstance(label, bool):
        if not is_number(label) or abs(label) > _MOST:
            raise wrong("label", "the label is not a finite number from -1e15 to 1e15")
        is_whole = isinstance(label, float) and label.is_integer()
        return canonical(int(label) if is_whole else label)  # pandas writes 3 as 3.0 beside gaps
    if level == "nominal" and isinstance(label, str) and label.strip():
        return canonical(nfc(label.encode("utf-8", "replace").decode()))
    if level == "nominal":
        raise wrong("label", f"a nominal label is a text, number, true or false, not {mask(label)}")
    raise wrong(
        "label",
        f"a label on the level {level} is a number, as in 3 or 3.5, not {mask(label)}; scores of"
        " words: --labels poor=1,good=2",
    )
