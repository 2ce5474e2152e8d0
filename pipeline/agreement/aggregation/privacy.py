"""A sentence that names a person waits for a review of its privacy (Section 3.4.1).

A list of public figures only proposes: "keep" where every person named is on it, else "review".
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Any, Final

from pipeline.agreement.aggregation.ballots import Ballots
from pipeline.agreement.aggregation.decisions import Decision, unneeded, verdicts
from pipeline.agreement.aggregation.outcome import Note, Outcome
from pipeline.agreement.aggregation.pool import viewed
from pipeline.contracts.decisions import KEEP, PRIVACY, REMOVE, verdict_of
from pipeline.contracts.spec import Inspected, TaskSpec
from pipeline.contracts.task import Task
from pipeline.core.jsontext import parsed

RULE: Final = "gold.privacy@1"
REASON: Final = "personal_data"
PublicFigures = Callable[[str], bool] | frozenset[str]


def apply(
    outcomes: Sequence[Outcome],
    ballots: Ballots,
    *,
    task: Task,
    spec: TaskSpec,
    fields: Sequence[str | None],
    public_figures: PublicFigures | None,
    held: Collection[int],
) -> tuple[list[Outcome], list[Note]]:
    """Return the outcomes with the decisions of round `privacy`, and notes.

    Only gold answers with a span of the spec's `privacy_labels` are concerned. `fields` holds the
    JSON fields of each item, where they are known: the names are read there, compared with the list
    in NFKC without outer blanks, and never stored.
    """
    rule, known = spec.aggregation, _lookup(public_figures)
    decided, notes = verdicts(ballots, PRIVACY, (KEEP, REMOVE))
    found = list(outcomes)
    labels = rule.privacy_labels if isinstance(rule, Inspected) else ()
    for item, outcome in enumerate(outcomes):
        spans = _spans(outcome, task, labels)
        given = decided.get(item, [])
        if spans:
            names = _names(spans, fields[item], task)
            found[item] = _outcome(outcome, given, _facts(spans, names, known))
        elif item not in held:
            notes += unneeded(ballots.names.items[item], "a review of its privacy", len(given))
    return found, notes


def _spans(outcome: Outcome, task: Task, labels: Sequence[str]) -> list[tuple[int, int, str]]:
    if not labels or outcome.label is None or task.kind != "spans":
        return []
    return [span for span in viewed(parsed(outcome.label), task) if span[2] in labels]


def _names(
    spans: Sequence[tuple[int, int, str]], fields: str | None, task: Task
) -> list[str] | None:
    text = parsed(fields).get(task.fields[0]) if fields is not None else None
    if not isinstance(text, str):
        return None
    return [_normal(text[start:end]) for start, end, _ in spans]


def _normal(name: str) -> str:
    return unicodedata.normalize("NFKC", name).strip()


def _lookup(public_figures: PublicFigures | None) -> Callable[[str], bool]:
    if public_figures is None:
        return lambda _name: False
    if isinstance(public_figures, frozenset):
        return frozenset(map(_normal, public_figures)).__contains__
    return public_figures


def _facts(
    spans: Sequence[object], names: Sequence[str] | None, known: Callable[[str], bool]
) -> dict[str, Any]:
    public = sum(bool(known(name)) for name in names or ())
    proposal = KEEP if public == len(spans) else "review"
    return {"persons": len(spans), "public": public, "proposal": proposal}


def _outcome(outcome: Outcome, decisions: Sequence[Decision], facts: dict[str, Any]) -> Outcome:
    said = {verdict_of(one.answer) for one in decisions}
    if len(said) == 1:
        facts["verdict"] = next(iter(said))
    evidence = {**outcome.evidence, "privacy": facts}
    if said == {KEEP}:
        return replace(outcome, evidence=evidence)
    if said == {REMOVE}:
        return Outcome("removed", RULE, outcome.votes, reason=REASON, evidence=evidence)
    reason = "experts_differ" if said else "names_a_person"
    return Outcome(
        "unresolved", RULE, outcome.votes, reason=reason, queue="privacy", evidence=evidence
    )
