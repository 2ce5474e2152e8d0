"""Whether one record of a vote file is a good vote."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, cast, get_args

import pyarrow as pa

from pipeline.annotation.intake.answers import MULTILABEL, Answers, Items, scalar
from pipeline.annotation.intake.vote import Vote, Within, duration, moment, normal, own_work
from pipeline.annotation.intake.votefile import KEYS
from pipeline.contracts.aggregation_rules import Role
from pipeline.contracts.decisions import EXPERT
from pipeline.contracts.spec import Level, Round, TaskSpec
from pipeline.contracts.task import Task, shown, wrong
from pipeline.core.errors import InputError

#: The task of votes that name none, in an audit on a level of measurement.
NO_TASK: Final = ""
_KEYS: Final = frozenset(KEYS)
_ROLES: Final[tuple[str, ...]] = get_args(Role)
_NAME: Final = re.compile(r"[a-z][a-z0-9_]*")
_SPEC: Final = re.compile(r"[a-z]{2,3}@[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{1,2}")
_MOST_ATTEMPTS: Final = 127
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
        self._simulated = simulated
        self.items = Items(items)
        self._answers = _answers(task, spec, self.items, items is not None, within.round)
        if self._answers is None and level not in (*get_args(Level), MULTILABEL):
            raise ValueError("give a task and its spec, or a level")
        self._level = cast(str, level)
        self._reports = tuple(r.id for r in spec.reports) if spec else None
        most = max((r.attempts for r in spec.rounds), default=1) if spec else _MOST_ATTEMPTS
        self._attempts = min(most, _MOST_ATTEMPTS)
        self._assigned = _assigned(within.assignments)
        self._pilot = {normal(item) for item in within.pilot}
        self._names: dict[tuple[bool, str], str | None] = {}
        self._stated: str | None = None
        self._fitting: tuple[Any, Any] = (None, None)

    def validate(self, value: Mapping[str, Any]) -> Vote:
        """Return the vote of a record; raises RecordError."""
        if not _KEYS.issuperset(value):
            key = min(str(k) for k in value if k not in _KEYS)
            raise wrong("key", f"has a key {shown(key)}; allowed: {', '.join(KEYS)}")
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
        return Vote(
            item,
            task,
            role,
            round_.id if isinstance(round_, Round) else round_,
            self._attempt(value.get("attempt")),
            self._is_simulated(value.get("simulated"), annotator),
            annotator,
            seat,
            answer,
            report,
            moment(value.get("at")),
            duration(value.get("seconds")),
            value.get("spec"),
            self._name(value, "source") or self.items.source(item),
        )

    def _check_task(self, task: Any, spec: Any) -> str:
        """Check what a vote says of its task and spec; returns the task's id."""
        if self._task is not None and (task, spec) == self._fitting:
            return self._task.id
        if spec is not None and not isinstance(spec, str):
            raise wrong("spec", f"`spec` is TASK@VERSION, not {shown(spec)}")
        under = spec.partition("@")[0] if spec else None
        if self._task is None or self._spec is None:
            return self._same_task(task if task is not None else under)
        for named in (task, under):
            if named is not None and named not in (self._task.id, self._task.config):
                raise wrong("task", f"is of task {shown(named)}, not of {self._task.id}")
        if spec and not self._spec.accepts(spec):
            raise wrong(
                "spec", f"was given under {_version(spec)}, which {self._spec.name} rules out"
            )
        self._fitting = task, spec
        return self._task.id

    def _same_task(self, named: Any) -> str:
        if named is not None and not isinstance(named, str):
            raise wrong("task", f"`task` is a text, not {shown(named)}")
        self._stated = self._stated or named
        if named is not None and named != self._stated:
            raise wrong("task", f"is of task {shown(named)}, the votes before of another")
        return named or NO_TASK

    def _name(self, value: Mapping[str, Any], key: str) -> str | None:
        """Return a text that names something, or None where it is blank; 7 becomes "7".

        Whatever its Unicode form and outer blanks, a name is one.
        """
        name = value.get(key)
        if name is None:
            return None
        if isinstance(name, int) and not isinstance(name, bool) and abs(name) < _LONG:
            return str(name)
        code = key if key in ("item", "annotator") else "value"
        if not isinstance(name, str):
            raise wrong(code, f"`{key}` is a text, not a {type(name).__name__}")
        place = key == "item", name
        if place not in self._names:
            self._names[place] = self._named(name, key, code)
        return self._names[place]

    def _named(self, name: str, key: str, code: str) -> str | None:
        try:
            name.encode()
        except UnicodeEncodeError:
            raise wrong(code, f"`{key}` holds half of a surrogate pair") from None
        if not name.strip():
            return None
        return self.items.named(name) if key == "item" else normal(name)

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
        named = isinstance(report, str) and _NAME.fullmatch(report)
        if named and (self._reports is None or report in self._reports):
            return cast(str, report)
        given = ("a name such as personal_data",) if self._reports is None else self._reports
        allowed = ", ".join(given) or "none"
        raise wrong("report", f"reports for a reason that is not known; allowed: {allowed}")

    def _answer(
        self, value: Mapping[str, Any], item: str, label: Any
    ) -> tuple[Round | str, str, str | None]:
        """Return round, role and answer; without a task the round is a bare name, or blank."""
        role, name = value.get("role"), value.get("round")
        if self._answers is not None:
            return self._answers.answer(item, label, role, name)
        if role is not None and role not in _ROLES:
            raise wrong("role", f"is of a role {shown(role)}; allowed: {', '.join(_ROLES)}")
        if name is not None and not (isinstance(name, str) and _NAME.fullmatch(name)):
            raise wrong("round", "`round` is a name in small letters, such as main")
        return name or "", role or "annotator", scalar(label, self._level)

    def _check_person(
        self, item: str, annotator: str | None, round_: Round | str, role: str
    ) -> None:
        """Check those whom a batch was given to; others and experts, who decide, are free."""
        if isinstance(round_, str) or role != round_.role or role == EXPERT:
            return
        if annotator is not None and annotator in map(normal, self._within.barred.get(item, ())):
            raise own_work()
        if self._assigned is not None and (item, annotator) not in self._assigned:
            raise wrong("unassigned", "is about an item that was not given to this annotator")

    def _attempt(self, attempt: Any) -> int:
        if attempt is None:
            return 1
        whole = isinstance(attempt, int) and not isinstance(attempt, bool)
        if not whole or not 1 <= attempt <= self._attempts:
            raise wrong("attempt", f"`attempt` is a number from 1 to {self._attempts}")
        return int(attempt)

    def _is_simulated(self, given: Any, annotator: str | None) -> bool:
        if given is not None and not isinstance(given, bool):
            raise wrong("value", f"`simulated` is true or false, not a {type(given).__name__}")
        return self._simulated or bool(given) or (annotator or "").startswith("sim-")


def _version(spec: str) -> str:
    """Return TASK@VERSION as given, which is no text of a person's, or else what is shown of it."""
    return repr(spec) if _SPEC.fullmatch(spec) else shown(spec)


def _answers(
    task: Task | None, spec: TaskSpec | None, items: Items, given: bool, round_: str | None
) -> Answers | None:
    if task is None or spec is None:
        return None
    if not task.free and not given:
        raise InputError(
            f"answers of task {task.id} point into their items ({', '.join(task.fields)}); give the"
            " items too"
        )
    return Answers(task, spec, items, round_)


def _assigned(table: pa.Table | None) -> frozenset[tuple[str, str]] | None:
    """Return who was given what; None when nobody was, and another tool gave the items out."""
    if table is None or not table.num_rows:
        return None
    people = {name: normal(name) for name in table.column("annotator").unique().to_pylist()}
    columns = (table.column(name).to_pylist() for name in ("item", "annotator"))
    return frozenset((item, people[who]) for item, who in zip(*columns, strict=True))
