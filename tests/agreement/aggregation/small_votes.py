"""Votes, items and small specs for the tests of aggregation."""

from __future__ import annotations

import json
from typing import Any

import pyarrow as pa

from pipeline.agreement.aggregation.aggregate import Aggregated, aggregate
from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import TaskSpec
from pipeline.core import schemas
from pipeline.core.jsontext import canonical

_TEXT = {"ko": "글", "en": "text"}
TC_RULE = {
    "rule": "majority",
    "roles": ["annotator"],
    "minimum": 3,
    "needed": 2,
    "otherwise": "removed",
}
NLI_RULE = {
    "rule": "majority",
    "roles": ["author", "validator"],
    "minimum": 5,
    "needed": 3,
    "otherwise": "removed",
}
RE_RULE = TC_RULE | {"otherwise": "top_annotators", "top": 30}
STS_RULE = {
    "rule": "mean",
    "roles": ["annotator"],
    "minimum": 5,
    "step": 0.1,
    "drop_deviation": 2.0,
    "binary_at": 3.0,
}
INSPECTED_RULE = {"rule": "inspected", "roles": ["annotator", "author", "inspector", "expert"]}
NER_RULE = INSPECTED_RULE | {
    "roles": ["annotator", "inspector", "expert"],
    "privacy_labels": ["PS"],
}


def round_(name: str, role: str, answer: str, per_item: int = 1, **more: Any) -> dict[str, Any]:
    """Return a round of a spec."""
    return {
        "id": name,
        "role": role,
        "per_item": per_item,
        "answer": answer,
        "question": _TEXT,
        **more,
    }


ROUNDS = {
    "tc": [round_("main", "annotator", "topics", 3)],
    "sts": [round_("main", "annotator", "score", 7)],
    "nli": [
        round_("write", "author", "hypotheses"),
        round_("validate", "validator", "label", 4),
    ],
    "re": [
        round_("main", "annotator", "label", 3),
        round_("resolve", "annotator", "label", 3),
    ],
    "ner": [
        round_("tag", "annotator", "spans"),
        round_("inspect", "inspector", "verdict", after="tag"),
    ],
    "dp": [
        round_("pos", "annotator", "morphemes"),
        round_("pos_review", "inspector", "verdict", after="pos"),
        round_("arcs", "annotator", "tree", after="pos_review"),
        round_("arcs_review", "inspector", "verdict", after="arcs"),
    ],
    "mrc": [
        round_("write", "author", "reading", attempts=3),
        round_("inspect", "inspector", "verdict", after="write"),
    ],
}
RULES: dict[str, dict[str, Any]] = {
    "tc": TC_RULE,
    "sts": STS_RULE,
    "nli": NLI_RULE,
    "re": RE_RULE,
    "ner": NER_RULE,
    "dp": NER_RULE | {"privacy_labels": []},
    "mrc": INSPECTED_RULE | {"roles": ["author", "inspector", "expert"]},
}


def spec(task: str, **more: Any) -> TaskSpec:
    """Return the spec of a task with the rounds and the rule above; `more` replaces its keys."""
    return TaskSpec.model_validate(
        {
            "task": task,
            "version": "1.0.0",
            "title": _TEXT,
            "instruction": _TEXT,
            "rounds": ROUNDS[task],
            "scale": {"low": 0, "high": 5} if task == "sts" else None,
            "pilot": {"rule": "correct", "items": 5, "needed": 4},
            "reports": [{"id": one, "title": _TEXT} for one in ("hate", "bias", "personal_data")],
            "aggregation": RULES[task],
            "agreement": {"coefficient": "krippendorff_alpha", "level": "nominal"},
            "split": {
                "rule": "by_source",
                "numbers": {"train": 6, "dev": 2, "test": 2, "keep_source_shares": True},
            },
            **more,
        }
    )


def vote(item: str, annotator: str | None, label: Any = None, **more: Any) -> dict[str, Any]:
    """Return a vote; the label is plain data, `task` is filled in by `votes`."""
    text = None if label is None else canonical(label)
    found = {"item": item, "annotator": annotator, "label": text, "role": "annotator"}
    return found | {"round": "main", "attempt": 1, "simulated": False} | more


def votes(task: str, rows: list[dict[str, Any]]) -> pa.Table:
    """Return the table of votes."""
    return schemas.build("votes", [{**row, "task": task} for row in rows])


def items(task: str, fields: dict[str, dict[str, Any]], **gold: Any) -> pa.Table:
    """Return the table of items, in the order of their fields; `gold` holds plain labels by id."""
    rows: list[dict[str, object]] = [
        {
            "item": name,
            "task": task,
            "fields": canonical(found),
            "gold": canonical(gold[name]) if name in gold else None,
        }
        for name, found in fields.items()
    ]
    return schemas.build("items", rows)


def count(task: str, rows: list[dict[str, Any]], **options: Any) -> Aggregated:
    """Aggregate votes under the small spec of a task; `rule` and `exclusion` replace its own."""
    changed = {
        key: options.pop(name)
        for name, key in (("rule", "aggregation"), ("exclusion", "exclusion"))
        if name in options
    }
    return aggregate(votes(task, rows), task=TASKS[task], spec=spec(task, **changed), **options)


def ends(found: Aggregated) -> dict[str, dict[str, Any]]:
    """Return the rows of gold by item, labels and evidence as plain data."""
    return {
        row["item"]: row
        | {
            "label": None if row["label"] is None else json.loads(row["label"]),
            "evidence": json.loads(row["evidence"]),
        }
        for row in found.gold.to_pylist()
    }


def end(found: Aggregated, item: str = "a") -> tuple[Any, ...]:
    """Return status, label, reason and queue of one item."""
    row = ends(found)[item]
    return row["status"], row["label"], row["reason"], row["queue"]


def left_out(found: Aggregated) -> list[tuple[str, str, str]]:
    """Return item, rule and action of every row of the ledger."""
    return [(row["unit"], row["rule"], row["action"]) for row in found.ledger.to_pylist()]
