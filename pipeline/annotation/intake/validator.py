"""Whether one record of a vote file is a good vote."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, get_args

import pyarrow as pa

from pipeline.annotation.intake.answers import MULTILABEL, Answers, Items, scalar
from pipeline.annotation.intake.vote import (
    KEYS,
    NOT_GIVEN,
    OWN_WORK,
    UNASSIGNED,
    RawVote,
    Refused,
    Within,
    is_number,
    moment,
    normal,
)
from pipeline.contracts.aggregation_rules import Role
from pipeline.contracts.decisions import EXPERT
from pipeline.contracts.spec import Level, Round, TaskSpec
from pipeline.contracts.task import Task, mask, wrong
from pipeline.core import schemas
from pipeline.core.errors import InputError, RecordError

#: The task of votes that name none, in an audit on a level of measurement.
NO_TASK: Final = ""
_KEYS: Final = frozenset(KEYS)
_ROLES: Final[tuple[str, ...]] = get_args(Role)
_NAME: Final = re.compile(r"[a-z][a-z0-9_]*")
_SPEC: Final = re.compile(r"[a-z]{2,3}@[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{1,2}")
_MOST_ATTEMPTS: Final = 127
#: So many labels on a level are remembered.
_MOST_SCALARS: Final = 10_000
#: Whole numbers below it may be names.
_LONG: Final = 10**18


class VoteValidator:
    """Validates records one by one, each under the first rule of `vote.RULES` that it breaks."""

    def __init__(
        self,
        task: Task | None,
        spec: TaskSpec | None,
        items: pa.Table | None,
        level: str | None,
        within: Within,
        *,
        simulated: bool,
    ) -> None:
        """Take a task with its spec, or a level.

        Raises ValueError for neither, and InputError for a task whose answers can only be checked
        with their items when these are not given.
        """
        self._task, self._spec, self._within = task, spec, within
        self._simulated, self._level = simulated, level or ""
        self.items = Items(items)
        self._answers: Answers | None = None
        self._reports, self._attempts = None, _MOST_ATTEMPTS
        if task is not None and spec is not None:
            if not task.free and items is None:
                raise InputError(
                    f"answers of task {task.id} point into their items ({', '.join(task.fields)});"
                    " give the items too"
                )
            self._answers = Answers(task, spec, self.items, within.round)
            self._reports = tuple(report.id for report in spec.reports)
            self._attempts = min(_MOST_ATTEMPTS, max(r.attempts for r in spec.rounds))
        elif level not in (*get_args(Level), MULTILABEL):
            raise ValueError("give a task and its spec, or a level")
        self._assigned = _assigned_pairs(within.assignments)
        round_ = spec.round(within.round) if spec is not None and within.round else None
        self._batch_role = round_.role if round_ is not None else None
        self._pilot = {normal(item) for item in within.pilot}
        self._names: dict[tuple[bool, str], str | None] = {}
        self._scalars: dict[tuple[type, Any], str | None] = {}
        self._fitting: tuple[Any, Any] = (None, None)

    def validate(self, value: Mapping[str, Any]) -> dict[str, Any]:
        """Return the vote of a record, a row of the votes table; raises RecordError."""
        if not _KEYS.issuperset(value):
            key = min(str(k) for k in value if k not in _KEYS)
            raise wrong("key", f"has a key {mask(key)}; allowed: {', '.join(KEYS)}")
        task = self._check_task(value.get("task"), value.get("spec"))
        item = self._item(value)
        annotator, seat = self._name(value, "annotator"), self._name(value, "seat")
        if annotator is None and seat is None:
            raise wrong("annotator", "names no annotator; an anonymous vote needs a `seat`")
        label, report = value.get("label"), self._report(value.get("report"))
        if label is None and report is None:
            raise wrong("empty", "has neither a label nor a report")
        round_, role, answer = self._answer(value, item, label)
        self._check_person(item, annotator, round_, role)
        attempt, seconds = value.get("attempt"), value.get("seconds")
        if attempt is not None and not (type(attempt) is int and 1 <= attempt <= self._attempts):
            raise wrong("attempt", f"`attempt` is a number from 1 to {self._attempts}")
        simulated = value.get("simulated")
        if simulated is not None and not isinstance(simulated, bool):
            raise wrong("value", f"`simulated` is true or false, not a {type(simulated).__name__}")
        at = moment(value.get("at"))
        if seconds is not None and not (is_number(seconds) and seconds >= 0):
            raise wrong("seconds", "`seconds` is a number of seconds, 0 or more")
        return {
            "item": item,
            "task": task,
            "role": role,
            "round": round_.id if isinstance(round_, Round) else round_,
            "attempt": 1 if attempt is None else attempt,
            "simulated": self._simulated or bool(simulated) or (annotator or "").startswith("sim-"),
            "annotator": annotator,
            "seat": seat,
            "label": answer,
            "report": report,
            "at": at,
            "seconds": None if seconds is None else float(seconds),
            "spec": value.get("spec"),
            "source": self._name(value, "source") or self.items.source(item),
        }

    def _check_task(self, task: Any, spec: Any) -> str:
        if self._task is not None and (task, spec) == self._fitting:
            return self._task.id
        if spec is not None and not isinstance(spec, str):
            raise wrong("spec", f"`spec` is TASK@VERSION, not {mask(spec)}")
        spec_task = spec.partition("@")[0] if spec else None
        if self._task is None or self._spec is None:
            name = task if task is not None else spec_task
            if name is not None and not isinstance(name, str):
                raise wrong("task", f"`task` is a text, not {mask(name)}")
            return name or NO_TASK
        for name in (task, spec_task):
            if name is not None and name not in (self._task.id, self._task.config):
                raise wrong("task", f"is of task {mask(name)}, not of {self._task.id}")
        if spec and not self._spec.accepts(spec):
            # a version as given is no text of a person's
            version = repr(spec) if _SPEC.fullmatch(spec) else mask(spec)
            raise wrong("spec", f"was given under {version}, which {self._spec.name} rules out")
        self._fitting = task, spec
        return self._task.id

    def _name(self, value: Mapping[str, Any], key: str) -> str | None:
        """Return a text that names something, or None where it is blank; 7 becomes "7".

        Whatever its Unicode form and outer blanks, a name is one.
        """
        name = value.get(key)
        if name is None:
            return None
        if isinstance(name, float) and name.is_integer():  # pandas writes 7 as 7.0 beside gaps
            name = int(name)
        if isinstance(name, int) and not isinstance(name, bool) and abs(name) < _LONG:
            return str(name)
        code = key if key in ("item", "annotator") else "value"
        if not isinstance(name, str):
            raise wrong(code, f"`{key}` is a text, not a {type(name).__name__}")
        place = key == "item", name
        if place not in self._names:
            try:
                name.encode()
            except UnicodeEncodeError:
                raise wrong(code, f"`{key}` holds half of a surrogate pair") from None
            known = self.items.id_of(name) if key == "item" else normal(name)
            self._names[place] = known if name.strip() else None
        return self._names[place]

    def item_of(self, record: RawVote | Refused) -> str | None:
        """Return the id of the item that a record names, None where it names none."""
        item = record.item if isinstance(record, Refused) else record.value.get("item")
        try:
            return self._name({"item": item}, "item")
        except RecordError:
            return None

    def _item(self, value: Mapping[str, Any]) -> str:
        item = self._name(value, "item")
        if item is None:
            raise wrong("item", "names no item; `item` is the id of what was answered")
        if self._pilot and normal(item) in self._pilot:
            raise wrong("pilot", "is about an item of a pilot; those never enter the main batch")
        if not self.items.knows(item):
            raise wrong("unknown_item", "is about an item that is not among those given out")
        return item

    def _report(self, report: Any) -> str | None:
        if report is None or report == "":
            return None
        is_name = isinstance(report, str) and _NAME.fullmatch(report)
        if is_name and (self._reports is None or report in self._reports):
            return str(report)
        reasons = ("a name such as personal_data",) if self._reports is None else self._reports
        allowed = ", ".join(reasons) or "none"
        raise wrong("report", f"reports for a reason that is not known; allowed: {allowed}")

    def _answer(
        self, value: Mapping[str, Any], item: str, label: Any
    ) -> tuple[Round | str, str, str | None]:
        role, name = value.get("role"), value.get("round")
        if self._answers is not None:
            return self._answers.answer(item, label, role, name)
        if role is not None and role not in _ROLES:
            raise wrong("role", f"is of a role {mask(role)}; allowed: {', '.join(_ROLES)}")
        if name is not None and not (isinstance(name, str) and _NAME.fullmatch(name)):
            raise wrong("round", "`round` is a name in small letters, such as main")
        return name or "", role or "annotator", self._scalar(label)

    def _scalar(self, label: Any) -> str | None:
        """Return a label on the level; most labels have been seen before."""
        key = type(label), label
        if isinstance(label, dict | list) or len(self._scalars) >= _MOST_SCALARS:
            return scalar(label, self._level)
        if key not in self._scalars:
            self._scalars[key] = scalar(label, self._level)
        return self._scalars[key]

    def _check_person(
        self, item: str, annotator: str | None, round_: Round | str, role: str
    ) -> None:
        """Check those whom a batch was given to; others and experts, who decide, are free."""
        if isinstance(round_, str) or role != round_.role or role == EXPERT:
            return
        if annotator is not None and annotator in map(normal, self._within.barred.get(item, ())):
            raise wrong("own", OWN_WORK)
        if not self._within.open and self._is_unassigned(item, annotator):
            raise RecordError(UNASSIGNED, NOT_GIVEN)

    @property
    def assigns(self) -> bool:
        """Whether items were given to annotators."""
        return self._assigned is not None

    def is_unassigned(self, item: str, annotator: str | None, role: str) -> bool:
        """Tell whether a validated vote is about an item that its annotator was not given."""
        if role != self._batch_role or role == EXPERT:
            return False
        return self._is_unassigned(item, annotator)

    def _is_unassigned(self, item: str, annotator: str | None) -> bool:
        return self._assigned is not None and (item, annotator) not in self._assigned


def _assigned_pairs(table: pa.Table | None) -> frozenset[tuple[str, str]] | None:
    """Return who was given what; None when nobody was, and another tool gave the items out."""
    if table is None or not table.num_rows:
        return None
    people = {name: normal(name) for name in table.column("annotator").unique().to_pylist()}
    return frozenset((item, people[who]) for item, who in schemas.rows(table, "item", "annotator"))
