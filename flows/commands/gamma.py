"""`klue audit --gamma`: what gamma of the spans takes, said beforehand, and its values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flows.commands.votes import Loaded
from flows.view.console import say
from pipeline.agreement.coefficients.gamma import PRECISION, cost, gamma, require_package
from pipeline.agreement.coefficients.unitised import Continuum, continua
from pipeline.agreement.structured import text_lengths
from pipeline.agreement.votes.selection import select
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import Task
from pipeline.core.errors import InputError


def require_spans(task: Task | None) -> Task:
    """Return the task whose spans gamma aligns, before its votes are read.

    Raises InputError for votes that are no spans, MissingDependencyError without the extra.
    """
    if task is None or task.kind != "spans":
        kind = "votes of no task" if task is None else f"answers of {task.id} ({task.kind})"
        raise InputError(f"--gamma: aligns spans, and these are {kind}; leave it out")
    require_package()
    return task


def texts_of_spans(loaded: Loaded, task: Task, spec: TaskSpec | None) -> list[Continuum]:
    """Return the texts as annotators cut them, and say how long gamma takes at most.

    Raises InputError for texts with too many ways to align them.
    """
    selection = select(loaded.votes, task=task, spec=spec)
    lengths = text_lengths(loaded.items, task)
    texts = continua(selection.ratings, lengths, overlapping=True)
    needed = cost(texts)
    if needed.refused:
        raise InputError(f"--gamma: {needed.refused}")
    say(
        f"gamma aligns up to {needed.alignments:,} texts, {needed.texts:,} of them annotated, the"
        f" others random: at most about {needed.seconds / 60:,.1f} minutes of a processor"
    )
    return texts


def gamma_of(
    texts: Sequence[Continuum], *, bootstrap: int, seed: int
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the coefficients by name, and what they took and how exact chance is."""
    values, needed = gamma(texts, bootstrap=bootstrap, seed=seed), cost(texts)
    coefficients = {"gamma": values.gamma.record(), "gamma_cat": values.gamma_cat.record()}
    return coefficients, {
        "texts": needed.texts,
        "random_texts": values.random_texts,
        "precision": PRECISION,
        "most_seconds": needed.seconds,
    }
