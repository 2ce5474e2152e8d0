"""A task made of options: votes of no task are aggregated as those of an own task are.

The level of measurement says what an answer is, and which rules can decide it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from flows.commands.outputs import check_choice
from pipeline.agreement.votes.labels import category, labels
from pipeline.annotation.intake.label_names import Measured
from pipeline.contracts.aggregation_rules import MODELS
from pipeline.contracts.decisions import DECIDING
from pipeline.contracts.own_task import OwnSpec
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import Task
from pipeline.core.errors import InputError
from pipeline.core.files import refuse
from pipeline.core.jsontext import canonical
from pipeline.tasks.kinds.task import ANSWERS

#: The kind of answer on each level, and its rules, the default one first.
_KINDS: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "nominal": ("label", ("majority", "plurality", *MODELS)),
    "ordinal": ("score", ("median",)),
    "interval": ("score", ("mean", "median")),
    "ratio": ("score", ("mean", "median")),
    "multilabel": ("labels", ("majority", *MODELS)),
}
#: Every rule by its name in options.
RULES: Final = tuple(
    dict.fromkeys(name.replace("_", "-") for _, rules in _KINDS.values() for name in rules)
)
#: An item needs so many votes where the options do not say.
MINIMUM: Final = 2


@dataclass(frozen=True)
class RuleOptions:
    """What options say of the rule; None where they do not."""

    rule: str | None = None
    margin: int | None = None
    minimum: int | None = None

    def require_no_task(self, task: str | None) -> None:
        """Raise InputError where a task's spec has the rule, and an option asks for another."""
        options = {"--rule": self.rule, "--margin": self.margin, "--minimum": self.minimum}
        asked = next((name for name, value in options.items() if value is not None), None)
        refuse(
            f"{asked}",
            (
                task is not None and asked,
                f"is for votes of no task; the spec of {task} has the rule under `aggregation`"
                " (change it there, and give --specs)",
            ),
        )

    def aggregation(self, level: str) -> dict[str, Any]:
        """Return the section `aggregation` of a spec; raises InputError for what does not fit."""
        kind, allowed = _KINDS[level]
        check_choice("--rule", self.rule, RULES)
        name = (self.rule or allowed[0]).replace("-", "_")
        shown = ", ".join(rule.replace("_", "-") for rule in allowed)
        numbers = {"--margin": self.margin, "--minimum": self.minimum}
        refuse(
            f"--rule {self.rule}",
            (name not in allowed, f"does not decide votes on the level {level}; allowed: {shown}"),
        )
        refuse(
            "--margin",
            (self.margin is not None and name != "plurality", "is for --rule plurality"),
        )
        for option, number in numbers.items():
            refuse(f"{option} {number}", (number is not None and number < 1, "must be at least 1"))
        section = {"rule": name, "roles": ["annotator"], "minimum": self.minimum or MINIMUM}
        if kind == "score":
            return section | dict.fromkeys(("step", "drop_deviation", "binary_at"))
        section["otherwise"] = "expert"
        if kind == "labels" and name == "majority":
            return section | {"rule": "label_majority", "empty": True, "queue_ties": True}
        needs = {"majority": {"needed": 1}, "plurality": {"margin": self.margin or 1}}
        return section | needs.get(name, {})


def unnamed_task(
    votes: pa.Table, measured: Measured, options: RuleOptions
) -> tuple[Task, TaskSpec, pa.Table]:
    """Return the task and spec that votes of no task are aggregated by, and the votes (VOTES).

    Its labels are those of `--labels`, or those that votes have. Whoever gave a vote in whatever
    round counts alike, but for decisions of experts (round adjudicate). Raises InputError for a
    rule that the level does not have.
    """
    section = options.aggregation(measured.level)
    kind = _KINDS[measured.level][0]
    answers = dict(ANSWERS[kind])
    if kind == "label":
        answers["view"] = _category
    names = votes["task"].unique().to_pylist() or [""]
    task = Task(id=names[0], config=names[0], fields=(), **answers)
    spec = {
        "task": "votes",
        "version": "1.0.0",
        "kind": kind,
        "title": "Votes",
        "instruction": "Votes of no task",
        "labels": [{"id": x, "title": x} for x in _label_ids(votes, measured, kind)],
        "scale": None,
        "aggregation": section,
    }
    if kind != "labels":
        spec["agreement"] = {"coefficient": "krippendorff_alpha", "level": measured.level}
    return task, OwnSpec.model_validate(spec), _in_one_round(votes)


def _category(answer: Any) -> str:
    """Return a label as a name; numbers and truth values are named as JSON has them."""
    return answer if isinstance(answer, str) else canonical(answer)


def _label_ids(votes: pa.Table, measured: Measured, kind: str) -> list[str]:
    if kind == "score":
        return []
    if measured.labels:
        return list(measured.labels)
    texts = [text for text in votes["label"].unique().to_pylist() if text is not None]
    if kind == "label":
        return sorted(set(map(category, texts)))
    return sorted(frozenset[str]().union(*map(labels, texts)))


def _in_one_round(votes: pa.Table) -> pa.Table:
    """Return votes as those of annotators in one round, but for decisions of experts."""
    decides = pc.is_in(votes["round"], value_set=pa.array(DECIDING))
    for name, value in (("role", "annotator"), ("round", "main")):
        column = pc.if_else(decides, votes[name], value)
        votes = votes.set_column(
            votes.schema.get_field_index(name), votes.schema.field(name), column
        )
    return votes


def require_annotators(votes: pa.Table, spec: TaskSpec) -> None:
    """Raise InputError for votes of one annotator alone, where a rule asks for several."""
    people = votes["annotator"].unique().to_pylist()
    if len(people) == 1 and people[0] is not None and spec.aggregation.minimum > 1:  # type: ignore[union-attr]
        raise InputError(
            "all votes are of one annotator, so that no item has two; give the votes of others, or"
            " --minimum 1 to take single votes as gold"
        )
