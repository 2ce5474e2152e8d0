"""How far inspectors agree who judge the same answers, round by round.

Section 3.4.1 has two linguists who check every sentence. They agree on a verdict (accept, reject,
revise), and on what becomes of the answer: two corrections may differ.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any, Final

import numpy as np
import pyarrow as pa

from pipeline.agreement.coefficients.alpha import krippendorff_alpha
from pipeline.agreement.coefficients.estimates import trim
from pipeline.agreement.votes.labels import load_label
from pipeline.agreement.votes.ratings import Ratings, code_texts
from pipeline.contracts.decisions import verdict_of
from pipeline.contracts.spec import Round, TaskSpec
from pipeline.contracts.task import Task
from pipeline.core import schemas
from pipeline.core.jsontext import canonical, parsed

#: The shares that the audit states as facts, and what each counts; ROUND stands before them.
ABOUT: Final = {
    "same_verdict": "pairs of inspectors of one answer who give the same verdict",
    "same_answer": "pairs of inspectors of one answer whose verdicts lead to the same answer",
}
_Vote = tuple[str, int, str, str]  # item, attempt, who, label


def inspectors(
    votes: pa.Table, *, task: Task, spec: TaskSpec, bootstrap: int = 0, seed: int = 0
) -> dict[str, Any]:
    """Return by round of verdicts how far those agree who judged one attempt at an item.

    A record has `items` with two verdicts or more, `pairs` of verdicts on one of them,
    `same_verdict` and `same_answer` (shares of the pairs), `alpha` (Krippendorff's, nominal, of the
    verdicts), and `corrections`, the pairs that both corrected, with `likeness`, the mean of the
    task's usual comparison of these (None without any). Rounds in which nobody judged the same
    answer are left out.
    """
    records = {}
    for round_ in spec.rounds:
        if round_.answer == "verdict":
            judged = _pairs(votes, round_)
            if judged:
                records[round_.id] = _record(judged, task, bootstrap, seed)
    return records


def _pairs(votes: pa.Table, round_: Round) -> list[list[_Vote]]:
    """Return the verdicts of a round on each attempt at an item that has two or more."""
    rows = schemas.rows(votes, "item", "attempt", "annotator", "seat", "round", "label")
    given = {
        (item, attempt, who if who is not None else f"seat {seat}"): label
        for item, attempt, who, seat, name, label in rows
        if name == round_.id and label is not None
    }
    groups = schemas.group(
        ((item, attempt), (item, attempt, who, label))
        for (item, attempt, who), label in sorted(given.items())
    )
    return [group for group in groups.values() if len(group) > 1]


def _record(groups: list[list[_Vote]], task: Task, bootstrap: int, seed: int) -> dict[str, Any]:
    pairs = [
        tuple(load_label(vote[-1], "a verdict") for vote in pair)
        for group in groups
        for pair in combinations(group, 2)
    ]
    same_answer = [canonical(_result(left)) == canonical(_result(right)) for left, right in pairs]
    corrected = [
        next(iter(task.compare(left["answer"], right["answer"]).values()))
        for left, right in pairs
        if verdict_of(left) == verdict_of(right) == "revise"
    ]
    alpha = krippendorff_alpha(_ratings(groups), bootstrap=bootstrap, seed=seed)
    return {
        "items": len({vote[0] for group in groups for vote in group}),
        "pairs": len(pairs),
        "same_verdict": _share([verdict_of(left) == verdict_of(right) for left, right in pairs]),
        "same_answer": _share(same_answer),
        "alpha": alpha.record(),
        "corrections": len(corrected),
        "likeness": _share(corrected) if corrected else None,
    }


def _result(verdict: Any) -> Any:
    """Return what a verdict leads to; feedback makes no difference."""
    return {key: value for key, value in verdict.items() if key != "feedback"}


def _share(values: list[Any]) -> float:
    return trim(float(np.mean(values)))


def _ratings(groups: list[list[_Vote]]) -> Ratings:
    names = [f"{item}\x1f{attempt}" for group in groups for item, attempt, _, _ in group]
    people = [who for group in groups for _, _, who, _ in group]
    verdicts = [str(verdict_of(parsed(label))) for group in groups for _, _, _, label in group]
    columns = [code_texts(pa.chunked_array([pa.array(c)])) for c in (names, people, verdicts)]
    (unit, units), (rater, raters), (value, values) = columns
    return Ratings(
        unit.astype(np.int32),
        rater.astype(np.int32),
        value.astype(np.int32),
        tuple(units),
        tuple(raters),
        tuple(values),
    )
