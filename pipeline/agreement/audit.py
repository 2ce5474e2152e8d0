"""The agreement audit: one long table of votes in, one record out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import pyarrow as pa

from pipeline.agreement import inspectors as judges
from pipeline.agreement.aggregation.outcome import matches
from pipeline.agreement.annotators.flags import judge_annotators
from pipeline.agreement.annotators.matrix import absent, matrix, matrix_record, why_no_matrix
from pipeline.agreement.annotators.measures import annotator_records, measures
from pipeline.agreement.coefficients.alpha import krippendorff_alpha
from pipeline.agreement.coefficients.chance import all_coefficients, percent_agreement
from pipeline.agreement.coefficients.estimates import NO_PAIR, Estimate
from pipeline.agreement.groups import (
    Bools,
    confusion,
    count_values,
    per_label,
    per_source,
    sources_of,
)
from pipeline.agreement.items import distributions, facts, facts_about, per_item, reports
from pipeline.agreement.structured import structured_record
from pipeline.agreement.votes.ratings import Ratings
from pipeline.agreement.votes.selection import Selection, select
from pipeline.contracts.spec import TaskSpec, load_spec
from pipeline.contracts.task import Task
from pipeline.core import steps
from pipeline.core.wording import count

NO_ANNOTATOR: Final = (
    "no compared vote names its annotator, so nothing can be said of a person: columns such as"
    " author or label2 are seats that different people fill from row to row"
)
#: Labels that other programs write where there is none.
_GAPS: Final = frozenset({"NA", "N/A", "n/a", "NaN", "nan", "None", "NULL", "-"})
NO_VOTES: Final = "there is no vote to compare"


def audit(
    votes: pa.Table,
    *,
    task: Task | None = None,
    spec: TaskSpec | None = None,
    level: str | None = None,
    labels: Sequence[Any] = (),
    items: pa.Table | None = None,
    gold: pa.Table | None = None,
    bootstrap: int = 1000,
    seed: int = 0,
) -> dict[str, Any]:
    """Return the whole record of a table of votes (VOTES), as plain JSON-able data but `per_item`.

    The records of items are ItemRecords: each is made when it is read, since all of them take more
    memory than the votes.

    With a task its spec (the shipped one unless given) says which votes are compared and on which
    level; without one `level` does, and labels are JSON scalars, of `labels` if these are given:
    all that could be chosen, names in their order or numbers. `items` (ITEMS) gives sources,
    lengths of texts and official labels, `gold` (GOLD) what aggregation made of the votes.
    `published` is in the record where the spec says what the paper found, under the name that one's
    own coefficient has. Numbers are finite or None, and every None has its reason beside it. The
    order of the rows changes nothing but the drift of annotators whose votes carry no time, or
    mostly the same one. Raises InputError for labels of the wrong form, and without both task and
    level.
    """
    if task is not None and spec is None:
        spec = load_spec(task.id)
    selection = select(votes, task=task, spec=spec, level=level, labels=labels)
    sources = sources_of(votes, items)
    reported = reports(votes)
    record = _head(selection, task, spec, reported, bootstrap, seed)
    if selection.kind in ("category", "number"):
        scale = selection.ratings.values if spec is not None or labels else None
        record |= _atomic(selection, spec, scale, sources, reported, bootstrap, seed)
    else:
        record |= structured_record(
            selection, task, spec, sources, reported, items, bootstrap=bootstrap, seed=seed
        )
    _add_verdicts(record, selection)
    if spec is not None and spec.agreement.published is not None:
        asked = spec.agreement
        name = asked.coefficient if asked.level is None else f"{asked.coefficient}_{asked.level}"
        record["published"] = {"coefficient": name, "value": asked.published, "of": "the paper"}
    if task is not None and spec is not None:
        record |= _inspectors(votes, record, task, spec, bootstrap, seed)
    if not selection.ratings.raters:
        record["no_annotators"] = NO_ANNOTATOR if len(selection.ratings) else NO_VOTES
    if gold is not None:
        record["gold"] = _gold(gold, items, task)
    record["notes"] = _notes(selection, record)
    return record


def _head(
    selection: Selection,
    task: Task | None,
    spec: TaskSpec | None,
    reported: dict[str, Counter[str]],
    bootstrap: int,
    seed: int,
) -> dict[str, Any]:
    ratings, votes = selection.ratings, selection.votes
    compared = votes.select(["role", "round"]).take(pa.array(selection.rows))
    simulated = votes.column("simulated")
    return {
        "task": task.id if task is not None else None,
        "level": "multilabel" if selection.kind == "labels" else selection.level,
        "kind": selection.kind,
        "spec": spec.name if spec is not None else None,
        "simulated": bool(simulated.to_numpy(zero_copy_only=False).any()) if len(votes) else False,
        "seed": seed,
        "bootstrap": bootstrap,
        "items": len(set(ratings.units) | set(reported)),
        "items_shared": int(ratings.patterns.pairable.units.sum()),
        "annotators": len(ratings.raters),
        "votes": len(ratings),
        "anonymous_votes": int((ratings.rater < 0).sum()),
        "reports": sum(sum(reasons.values()) for reasons in reported.values()),
        "report_reasons": dict(sorted(sum(reported.values(), Counter()).items())),
        "roles": count_values(compared, "role"),
        "rounds": count_values(compared, "round"),
        "left_out": dict(sorted(selection.left_out.items())),
        "verdicts": dict(sorted(selection.verdicts.items())),
    }


def _atomic(
    selection: Selection,
    spec: TaskSpec | None,
    scale: Sequence[Any] | None,
    sources: dict[str, str | None],
    reported: dict[str, Counter[str]],
    bootstrap: int,
    seed: int,
) -> dict[str, Any]:
    ratings, level = selection.ratings, selection.level
    assert level is not None
    with steps.running("coefficients"):
        values = all_coefficients(ratings, level=level, scale=scale, bootstrap=bootstrap, seed=seed)
    lead = f"krippendorff_alpha_{level}"

    def source_coefficients(_units: Bools, votes: Ratings) -> dict[str, Estimate]:
        alpha = krippendorff_alpha(votes, level=level, bootstrap=bootstrap, seed=seed)
        return {lead: alpha, "percent_agreement_units": percent_agreement(votes)}

    no_matrix = why_no_matrix(ratings)
    shares, about = facts(selection, spec), facts_about(spec)
    record: dict[str, Any] = {
        "lead": lead,
        "coefficients": {name: estimate.record() for name, estimate in values.items()},
        "per_annotator": _annotators(selection, values[lead].value),
        "pairs": absent(no_matrix) if no_matrix else matrix_record(ratings, matrix(ratings, level)),
        "per_item": per_item(selection, sources, reported),
        "confusion": confusion(ratings),
        "per_source": per_source(ratings, sources, source_coefficients, NO_PAIR),
        "per_label": per_label(ratings, bootstrap=bootstrap, seed=seed),
        "distributions": distributions(selection),
        "facts": shares,
        "facts_about": {name: about[name] for name in shares},
    }
    if None in shares.values():
        record["facts_reason"] = (
            "a fact without a value has no item or vote to be counted on; scores have no majority,"
            " and two votes none that is not unanimous"
        )
    if spec is not None:
        record["exclusion"] = _exclusion(spec, record["per_annotator"])
    return record


def _inspectors(
    votes: pa.Table,
    record: Mapping[str, Any],
    task: Task,
    spec: TaskSpec,
    bootstrap: int,
    seed: int,
) -> dict[str, Any]:
    """Return the agreement of inspectors by round, with its shares among the facts."""
    found = judges.inspectors(votes, task=task, spec=spec, bootstrap=bootstrap, seed=seed)
    if not found:
        return {}
    shares = {f"{r}_{name}": rec[name] for r, rec in found.items() for name in judges.ABOUT}
    about = {f"{r}_{name}": text for r in found for name, text in judges.ABOUT.items()}
    return {
        "inspectors": found,
        "facts": record["facts"] | shares,
        "facts_about": record["facts_about"] | about,
    }


def _annotators(selection: Selection, alpha: float | None) -> dict[str, Any]:
    if not selection.ratings.raters:
        return {}
    return annotator_records(selection, measures(selection), alpha)


def _add_verdicts(record: dict[str, Any], selection: Selection) -> None:
    """Add flags to the annotators, and to the record the ranked list and who was not tested."""
    with steps.running("tests of annotators"):
        verdicts = judge_annotators(selection)
    for name, flags in verdicts.flags.items():
        record["per_annotator"][name]["flags"] = [flag.record() for flag in flags]
    record["review"] = [{"annotator": name, **flag.record()} for name, flag in verdicts.review]
    record["untested"] = verdicts.untested


def _exclusion(spec: TaskSpec, people: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Return who falls under the spec's rule of exclusion (nobody is left out here)."""
    rule = spec.exclusion
    alpha = "alpha_vs_rest_nominal" if rule.level == "nominal" else "alpha_vs_rest"
    limits = (("pearson_vs_rest", rule.pearson_below), (alpha, rule.alpha_below))
    below: dict[str, str] = {}
    for name, person in people.items():
        faults = [
            f"{field} {_apart_from(person[field], limit)} is below {limit}"
            for field, limit in limits
            if limit is not None and person[field] is not None and person[field] < limit
        ]
        if faults and person["items_shared"] >= rule.minimum_items:
            below[name] = "; ".join(faults)
    return {"rule": rule.model_dump(mode="json"), "below": below}


def _apart_from(value: float, limit: float) -> str:
    """Return a number with three digits, or as many as tell it from a limit that it is below."""
    digits = next(n for n in range(3, 18) if float(f"{value:.{n}f}") < limit)
    return f"{value:.{digits}f}"


def _gold(gold: pa.Table, items: pa.Table | None, task: Task | None) -> dict[str, Any]:
    status = count_values(gold, "status")
    counts: dict[str, Any] = {
        "items": gold.num_rows,
        "resolved": status.get("gold", 0),
        "unresolved": status.get("unresolved", 0),
        "removed": status.get("removed", 0),
        "queues": count_values(gold, "queue"),
        "rules": count_values(gold, "rule"),
    }
    same = matches(gold, items, task) if task is not None else None
    return counts if same is None else {**counts, "matches_official": same}


def _notes(selection: Selection, record: dict[str, Any]) -> list[str]:
    ratings, shared = selection.ratings, record["items_shared"]
    gaps = [value for value in ratings.values if value in _GAPS]
    listed = ", ".join(f"{n} of {why}" for why, n in record["left_out"].items())
    drifts = [person["drift"] for person in record["per_annotator"].values()]
    notes = {
        f"{NO_VOTES.capitalize()}: the table has {count(len(selection.votes), 'row')}.": not len(
            ratings
        ),
        "No item has two votes: agreement cannot be measured.": len(ratings) and not shared,
        "All answers are the same: agreement beyond chance cannot be measured.": shared
        and len(np.unique(ratings.value)) == 1,
        f"Answers that are not compared: {listed}.": listed,
        "An inspector's correction counts as an answer, and so does the answer of one person"
        " that an inspector accepted; a rejection does not.": record["verdicts"],
        f"The label {' and the label '.join(gaps)} counts as any other; if it stands for a missing"
        " vote, leave out its rows, or its cells empty.": gaps,
        "Anonymous votes count among the others, but for nobody.": ratings.raters
        and record["anonymous_votes"],
        "Some or all votes carry no time (at): the drift of these annotators follows the order"
        " of the rows in the file.": any(drift and drift["order"] == "rows" for drift in drifts),
        "Votes are anonymous: there are no results for single annotators.": len(ratings)
        and not ratings.raters,
    }
    return [note for note, applies in notes.items() if applies]
