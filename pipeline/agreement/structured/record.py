"""The parts of an audit's record that differ for structured answers: spans, trees, sets ..."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import pyarrow as pa

from pipeline.agreement.annotators.matrix import (
    FEW_ANNOTATORS,
    Matrix,
    absent,
    matrix_record,
    too_large,
)
from pipeline.agreement.annotators.measures import NO_SECONDS, plain, timings
from pipeline.agreement.record.groups import grouped, unanimous
from pipeline.agreement.record.items import distributions, per_item
from pipeline.agreement.structured import pairs as of_pairs
from pipeline.agreement.structured.forms import Agreement, set_alphas, structured_agreement
from pipeline.agreement.votes.selection import Selection
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import Task
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
    sources: Mapping[str, str | None],
    reported: dict[str, Counter[str]],
    items: pa.Table | None,
    *,
    bootstrap: int,
    seed: int,
) -> dict[str, Any]:
    """Return what `audit` reports of structured answers, in the shape of the other kinds."""
    ratings = selection.ratings
    agreement = structured_agreement(
        selection.kind, ratings, lengths=_lengths(items, task), bootstrap=bootstrap, seed=seed
    )
    form = agreement.form
    coefficients = {name: agreement.overall[measure] for name, measure in form.measures.items()}
    coefficients |= agreement.alphas
    lead = next(iter(coefficients if selection.kind != "labels" else agreement.alphas))
    if spec is not None and spec.agreement.coefficient in coefficients:
        lead = spec.agreement.coefficient
    texts = [form.show(value) for value in ratings.values]
    apart = of_pairs.per_unit(agreement.pairs, form.ranks, len(ratings.units))
    share = unanimous(ratings)
    record: dict[str, Any] = {
        "lead": lead,
        "coefficients": {name: value.record() for name, value in coefficients.items()},
        form.key: agreement.record(),
        "per_annotator": _annotators(selection, agreement),
        "pairs": _matrix(selection, agreement),
        "per_item": per_item(selection, dict(sources), reported, apart, texts),
        "confusion": {"labels": [], "counts": [], "top": [], "reason": _STRUCTURED},
        "per_source": _per_source(selection, sources, agreement, bootstrap, seed),
        "per_label": _per_label(agreement),
        "distributions": distributions(selection, [""] * len(texts)) | {"labels": agreement.counts},
        "facts": {"unanimous": share},
        "facts_about": {"unanimous": "items with at least two answers whose answers are all equal"},
    }
    if share is None:
        record["facts_reason"] = of_pairs.NO_PAIR
    return record


def _lengths(items: pa.Table | None, task: Task | None) -> dict[str, int]:
    """Return how many code points the longest text of each item has: spans point into it."""
    if items is None or task is None:
        return {}
    lengths = {}
    columns = (items.column(name).to_pylist() for name in ("item", "fields"))
    for item, fields in zip(*columns, strict=True):
        values = parsed(fields)
        texts = [values[key] for key in task.fields if isinstance(values.get(key), str)]
        if texts:
            lengths[item] = max(map(len, texts))
    return lengths


def _annotators(selection: Selection, agreement: Agreement) -> dict[str, Any]:
    ratings, measure = selection.ratings, agreement.form.ranks
    count = len(ratings.raters)
    share, shared = of_pairs.per_rater(agreement.pairs, measure, count)
    votes = np.bincount(ratings.rater[ratings.rater >= 0], minlength=count)
    seconds, timed = timings(selection)
    people: dict[str, Any] = {}
    for rater, name in enumerate(ratings.raters):
        measured = {key: plain(share[rater]) for key in ("agreement_vs_rest", f"{measure}_vs_rest")}
        reasons = dict.fromkeys(_UNMEASURED, _STRUCTURED)
        if measured["agreement_vs_rest"] is None:
            alone = _ALONE if len(agreement.pairs) else agreement.pairs.reason
            reasons |= dict.fromkeys(measured, alone)
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


def _matrix(selection: Selection, agreement: Agreement) -> dict[str, Any]:
    ratings, pairs = selection.ratings, agreement.pairs
    if len(ratings.raters) < 2:
        return absent(FEW_ANNOTATORS)
    reason = too_large(ratings) or of_pairs.too_many_pairs(ratings, len(pairs.agree))
    if reason is not None:
        return absent(reason)
    share, items = of_pairs.agreement_matrix(pairs, agreement.form.ranks, len(ratings.raters))
    return matrix_record(ratings, Matrix(agreement.form.ranks, share, None, items))


def _per_source(
    selection: Selection,
    sources: Mapping[str, str | None],
    agreement: Agreement,
    bootstrap: int,
    seed: int,
) -> dict[str, Any]:
    ratings, measures = selection.ratings, agreement.form.measures
    of, groups = grouped(ratings.units, sources)
    records = {}
    for code, (source, more) in enumerate(groups.items()):
        mine = of == code
        pairs = agreement.pairs.only(mine[agreement.pairs.unit], tuple(measures.values()))
        values = of_pairs.estimates(pairs, bootstrap=bootstrap, seed=seed)
        part = ratings.only(mine[ratings.unit])
        share = unanimous(part)
        coefficients = {name: values[key] for name, key in measures.items()}
        if selection.kind == "labels":
            alphas = set_alphas(part, bootstrap=bootstrap, seed=seed)
            coefficients = {**alphas, **coefficients}
        records[source] = {
            "items": int(mine.sum()),
            "votes": int(mine[ratings.unit].sum()),
            "coefficients": {name: value.record() for name, value in coefficients.items()},
            "unanimous": share,
            **({"reason": of_pairs.NO_PAIR} if share is None else {}),
            **more,
        }
    return records


def _per_label(agreement: Agreement) -> dict[str, Any]:
    total = sum(agreement.counts.values())
    return {
        label: {
            "votes": count,
            "share": round(count / total, 6),
            "agreement": agreement.per_label[label].record(),
        }
        for label, count in agreement.counts.items()
    }
