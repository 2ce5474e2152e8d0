"""The parts of the audit that differ for whole answers: spans, trees and dialogue states."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pyarrow as pa

from pipeline.agreement.coefficients.estimate import Estimate
from pipeline.agreement.people.annotators import plain
from pipeline.agreement.people.matrix import Matrix, absent, crowded, matrix_record
from pipeline.agreement.people.standings import timings
from pipeline.agreement.record.distributions import distributions
from pipeline.agreement.record.groups import grouped, unanimous
from pipeline.agreement.record.items import per_item
from pipeline.agreement.votes.views import Selection
from pipeline.agreement.whole import answers
from pipeline.agreement.whole.answers import Pairs
from pipeline.agreement.whole.spans import span_agreement
from pipeline.agreement.whole.states import state_agreement
from pipeline.agreement.whole.trees import tree_agreement
from pipeline.contracts.spec import TaskSpec
from pipeline.core.jsontext import parsed

_WHOLE: Final = "answers are whole structures, neither categories nor numbers"
_ALONE: Final = "shares no item with anything to agree on"
_FIELDS: Final = (
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


@dataclass(frozen=True)
class _Found:
    """One kind of structure measured: its part of the record, and what the rest is made of.

    `parts` are the labels (types, relations, slots) with how often they occur and their F1;
    `measure` the name in `pairs` that people and items are judged by; `measures` the coefficients
    that rest on pairs, and their names there.
    """

    key: str
    record: dict[str, Any]
    coefficients: dict[str, Estimate]
    parts: dict[str, tuple[int, Estimate]]
    pairs: Pairs
    measure: str
    measures: dict[str, str]


def record(
    selection: Selection,
    spec: TaskSpec | None,
    sources: Mapping[str, str | None],
    reported: dict[str, Counter[str]],
    items: pa.Table | None,
    *,
    bootstrap: int,
    seed: int,
) -> dict[str, Any]:
    """Return what `audit` says of spans, trees or states, in the shape of the other kinds."""
    found = _measured(selection, items, bootstrap, seed)
    lead = next(iter(found.coefficients))
    if spec is not None and spec.agreement.coefficient in found.coefficients:
        lead = spec.agreement.coefficient
    ratings = selection.ratings
    shown = [_shown(selection.kind, value) for value in ratings.values]
    apart = answers.per_unit(found.pairs, found.measure, len(ratings.units))
    share = unanimous(ratings)
    made: dict[str, Any] = {
        "lead": lead,
        "coefficients": {name: e.record() for name, e in found.coefficients.items()},
        found.key: found.record,
        "per_annotator": _annotators(selection, found),
        "pairs": _matrix(selection, found),
        "per_item": per_item(selection, dict(sources), reported, apart, shown),
        "confusion": {"labels": [], "counts": [], "top": [], "reason": _WHOLE},
        "per_source": _per_source(selection, sources, found, bootstrap, seed),
        "per_label": _per_label(found),
        "distributions": _distributions(selection, found),
        "facts": {"unanimous": share},
        "facts_about": {"unanimous": "items with at least two answers whose answers are all equal"},
    }
    if share is None:
        made["facts_reason"] = answers.NO_PAIR
    return made


def _measured(selection: Selection, items: pa.Table | None, bootstrap: int, seed: int) -> _Found:
    ratings = selection.ratings
    if selection.kind == "spans":
        spans = span_agreement(ratings, lengths=_lengths(items), bootstrap=bootstrap, seed=seed)
        coefficients = {
            "entity_f1": spans.entity_f1,
            "boundary_f1": spans.boundary_f1,
            "krippendorff_alpha_u": spans.alpha_u.overall,
        }
        parts = {name: (spans.spans[name], e) for name, e in spans.per_type.items()}
        measures = {name: name for name in ("entity_f1", "boundary_f1")}
        whole = spans.record()
        return _Found("spans", whole, coefficients, parts, spans.pairs, "entity_f1", measures)
    if selection.kind == "tree":
        trees = tree_agreement(ratings, bootstrap=bootstrap, seed=seed)
        coefficients = {"las": trees.las, "uas": trees.uas}
        parts = {name: (trees.words[name], e) for name, e in trees.per_deprel.items()}
        measures = {name: name for name in coefficients}
        return _Found("trees", trees.record(), coefficients, parts, trees.pairs, "las", measures)
    states = state_agreement(ratings, bootstrap=bootstrap, seed=seed)
    coefficients = {"joint_goal": states.joint, "slot_f1": states.slot_f1}
    parts = {name: (states.turns[name], e) for name, e in states.per_slot.items()}
    measures = {"joint_goal": "joint", "slot_f1": "slot_f1"}
    whole = states.record()
    return _Found("states", whole, coefficients, parts, states.pairs, "slot_f1", measures)


def _lengths(items: pa.Table | None) -> dict[str, int]:
    """Return how many code points the text of each item has, that its spans point into."""
    if items is None:
        return {}
    fields = zip(items.column("item").to_pylist(), items.column("fields").to_pylist(), strict=True)
    made = {}
    for item, text in fields:
        given = parsed(text)
        whole = given.get("text") or given.get("context") or given.get("sentence")
        if isinstance(whole, str):
            made[item] = len(whole)
    return made


def _shown(kind: str, value: Any) -> str:
    """Return a short form of an answer that holds no text of the item."""
    if kind == "spans":
        return ", ".join(f"{start}-{end} {label}" for start, end, label in value) or "no span"
    if kind == "tree":
        return ", ".join(f"{head} {name}" for head, name in value)
    return f"{len(value)} turns, {sum(map(len, value))} slot-values"


def _annotators(selection: Selection, found: _Found) -> dict[str, Any]:
    ratings = selection.ratings
    many = len(ratings.raters)
    share, shared = answers.per_rater(found.pairs, found.measure, many)
    votes = np.bincount(ratings.rater[ratings.rater >= 0], minlength=many)
    seconds, timed = timings(selection)
    made = {}
    for rater, name in enumerate(ratings.raters):
        person: dict[str, Any] = {
            "votes": int(votes[rater]),
            "items_shared": int(shared[rater]),
            "agreement_vs_rest": plain(share[rater]),
            f"{found.measure}_vs_rest": plain(share[rater]),
            **dict.fromkeys(_FIELDS),
            "seconds_median": plain(seconds[rater]),
            "seconds_n": int(timed[rater]),
            "labels": {},
            "flags": [],
        }
        person["reasons"] = dict.fromkeys(_FIELDS, _WHOLE)
        if person["agreement_vs_rest"] is None:
            alone = _ALONE if len(found.pairs) else found.pairs.reason
            person["reasons"] |= {"agreement_vs_rest": alone, f"{found.measure}_vs_rest": alone}
        if person["seconds_median"] is None:
            person["reasons"]["seconds_median"] = "no vote says how long it took"
        made[name] = person
    return made


def _matrix(selection: Selection, found: _Found) -> dict[str, Any]:
    ratings = selection.ratings
    if len(ratings.raters) < 2:
        return absent("fewer than two annotators are named")
    reason = crowded(ratings) or answers.crowded(ratings, len(found.pairs.agree))
    if reason is not None:
        return absent(reason)
    share, items = answers.matrix(found.pairs, found.measure, len(ratings.raters))
    return matrix_record(ratings, Matrix(found.measure, share, None, items))


def _per_source(
    selection: Selection,
    sources: Mapping[str, str | None],
    found: _Found,
    bootstrap: int,
    seed: int,
) -> dict[str, Any]:
    ratings = selection.ratings
    of, groups = grouped(ratings.units, sources)
    made = {}
    for code, (name, more) in enumerate(groups.items()):
        mine = of == code
        pairs = found.pairs.only(mine[found.pairs.unit], tuple(found.measures.values()))
        rates = answers.estimates(pairs, bootstrap=bootstrap, seed=seed)
        share = unanimous(ratings.only(mine[ratings.unit]))
        made[name] = {
            "items": int(mine.sum()),
            "votes": int(mine[ratings.unit].sum()),
            "coefficients": {name: rates[key].record() for name, key in found.measures.items()},
            "unanimous": share,
            **({"reason": answers.NO_PAIR} if share is None else {}),
            **more,
        }
    return made


def _per_label(found: _Found) -> dict[str, Any]:
    total = sum(n for n, _ in found.parts.values())
    return {
        name: {"votes": n, "share": round(n / total, 6), "agreement": estimate.record()}
        for name, (n, estimate) in found.parts.items()
    }


def _distributions(selection: Selection, found: _Found) -> dict[str, Any]:
    made = distributions(selection, [""] * len(selection.ratings.values))
    return made | {"labels": {name: n for name, (n, _) in found.parts.items()}}
