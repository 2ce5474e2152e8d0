"""The parts of an audit's record that differ for structured answers: spans, trees, sets ..."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

import numpy as np
import pyarrow as pa

from pipeline.agreement.annotators.matrix import Matrix, absent, matrix_record, why_no_matrix
from pipeline.agreement.annotators.measures import NO_SECONDS, timings
from pipeline.agreement.coefficients import structures
from pipeline.agreement.coefficients.estimates import Estimate
from pipeline.agreement.coefficients.structures import (
    NO_PAIR,
    Agreement,
    set_alphas,
    structured_agreement,
)
from pipeline.agreement.groups import Bools, per_source, unanimous
from pipeline.agreement.items import distributions, per_item
from pipeline.agreement.votes.labels import plain
from pipeline.agreement.votes.ratings import Ratings
from pipeline.agreement.votes.selection import Selection
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import Task
from pipeline.core import schemas
from pipeline.core.jsontext import parsed

_STRUCTURED: Final = "answers are whole structures, neither categories nor numbers"
_ALONE: Final = "shares no item with anything to agree on"
#: Measures of annotators that categories and numbers have, and structured answers have not.
_UNMEASURED: Final = (
    "pearson_vs_rest",
    "spearman_vs_rest",
    "alpha_vs_rest",
    "alpha_vs_rest_nominal",
    "alpha_without",
    "alpha_change",
    "agreement_with_majority",
    "bias",
    "severity",
    "severity_points",
    "spread",
    "drift",
)


def structured_record(
    selection: Selection,
    task: Task | None,
    spec: TaskSpec | None,
    sources: dict[str, str | None],
    reported: dict[str, Counter[str]],
    items: pa.Table | None,
    *,
    bootstrap: int,
    seed: int,
) -> dict[str, Any]:
    """Return what `audit` reports of structured answers, in the shape of the other kinds."""
    ratings, is_sets = selection.ratings, selection.kind == "labels"
    lengths = text_lengths(items, task) if selection.kind == "spans" else {}
    agreement = structured_agreement(
        selection.kind, ratings, lengths=lengths, bootstrap=bootstrap, seed=seed
    )
    form, counts = agreement.form, agreement.counts
    coefficients = {name: agreement.overall[measure] for name, measure in form.measures.items()}
    coefficients |= agreement.alphas
    lead = next(iter(agreement.alphas if is_sets else coefficients))
    if spec is not None and spec.agreement.coefficient in coefficients:
        lead = spec.agreement.coefficient

    def source_coefficients(units: Bools, votes: Ratings) -> dict[str, Estimate]:
        pairs = agreement.pairs.only(units[agreement.pairs.unit], [*form.measures.values()])
        values = structures.estimates(pairs, bootstrap=bootstrap, seed=seed)
        alphas = set_alphas(votes, bootstrap=bootstrap, seed=seed) if is_sets else {}
        return alphas | {name: values[measure] for name, measure in form.measures.items()}

    apart = structures.per_unit(agreement.pairs, form.ranks, len(ratings.units))
    share = unanimous(ratings)
    record: dict[str, Any] = {
        "lead": lead,
        "coefficients": {name: value.record() for name, value in coefficients.items()},
        form.key: agreement.record(),
        "per_annotator": _annotators(selection, agreement),
        "pairs": _matrix(ratings, agreement),
        "per_item": per_item(selection, sources, reported, apart, form.show),
        "confusion": {"labels": [], "counts": [], "top": [], "reason": _STRUCTURED},
        "per_source": per_source(ratings, sources, source_coefficients, NO_PAIR),
        "per_label": {
            label: {
                "votes": count,
                "share": round(count / sum(counts.values()), 6),
                "agreement": agreement.per_label[label].record(),
            }
            for label, count in counts.items()
        },
        "distributions": distributions(selection, [""] * len(ratings.values)) | {"labels": counts},
        "facts": {"unanimous": share},
        "facts_about": {"unanimous": "items with at least two answers whose answers are all equal"},
    }
    return record if share is not None else record | {"facts_reason": NO_PAIR}


def text_lengths(items: pa.Table | None, task: Task | None) -> dict[str, int]:
    """Return how many code points the longest text of each item has: spans point into it."""
    if items is None or task is None:
        return {}
    lengths = {}
    for item, fields in schemas.rows(items, "item", "fields"):
        values = parsed(fields)
        texts = [values[key] for key in task.fields if isinstance(values.get(key), str)]
        if texts:
            lengths[item] = max(map(len, texts))
    return lengths


def _annotators(selection: Selection, agreement: Agreement) -> dict[str, Any]:
    ratings, form = selection.ratings, agreement.form
    count = len(ratings.raters)
    share, shared = structures.per_rater(agreement.pairs, form.ranks, count)
    shares = {"agreement_vs_rest": share} | {
        f"{name}_vs_rest": structures.per_rater(agreement.pairs, measure, count)[0]
        for name, measure in form.measures.items()
    }
    votes = np.bincount(ratings.rater[ratings.rater >= 0], minlength=count)
    seconds, timed = timings(selection)
    people: dict[str, Any] = {}
    for rater, name in enumerate(ratings.raters):
        measured = {key: plain(values[rater]) for key, values in shares.items()}
        reasons = dict.fromkeys(_UNMEASURED, _STRUCTURED)
        if measured["agreement_vs_rest"] is None:
            reason = _ALONE if len(agreement.pairs) else agreement.pairs.reason
            reasons |= dict.fromkeys(measured, reason)
        if not timed[rater]:
            reasons["seconds_median"] = NO_SECONDS
        people[name] = {
            "votes": int(votes[rater]),
            "items_shared": int(shared[rater]),
            **measured,
            **dict.fromkeys(_UNMEASURED),
            "seconds_median": plain(seconds[rater]),
            "seconds_n": int(timed[rater]),
            "labels": {},
            "flags": [],
            "reasons": reasons,
        }
    return people


def _matrix(ratings: Ratings, agreement: Agreement) -> dict[str, Any]:
    pairs, measure = agreement.pairs, agreement.form.ranks
    reason = why_no_matrix(ratings) or structures.too_many_pairs(ratings, len(pairs.names))
    if reason is not None:
        return absent(reason)
    share, items = structures.agreement_matrix(pairs, measure, len(ratings.raters))
    return matrix_record(ratings, Matrix(measure, share, None, items))
