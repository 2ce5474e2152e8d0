"""How spans, trees, dialogue states and sets of labels of two people are compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from pipeline.agreement.coefficients.alpha import krippendorff_alpha
from pipeline.agreement.coefficients.distances import jaccard, masi
from pipeline.agreement.coefficients.estimates import Estimate, undefined
from pipeline.agreement.coefficients.unitised import Unitised, alpha_u, continua
from pipeline.agreement.structured.pairs import (
    Compare,
    Pairs,
    compare_answers,
    estimates,
    too_many_pairs,
)
from pipeline.agreement.votes.ratings import Ratings
from pipeline.contracts.task import f1

ALPHA_U: Final = "krippendorff_alpha_u"
#: (start, end, label): offsets in code points, the end exclusive.
Span = tuple[int, int, str]
#: (head, relation), one a word; head 0 is the root.
Arc = tuple[int, str]
#: The state after one user turn: DOMAIN-SLOT-VALUE texts.
State = frozenset[str]


@dataclass(frozen=True)
class Form:
    """A kind of structured answer.

    `compare` counts what two answers have in common: by the measures, and by label under
    `prefix.LABEL`. `measures` maps coefficients to these measures; the first is the one that people
    and items are judged by where `ranks` names no other. `labels` yields the labels in an answer,
    `show` writes an answer without text of the item. `key`, `parts` and `unit` are the names in the
    record of this kind, of its labels, and of what is counted of a label.
    """

    compare: Compare
    labels: Callable[[Any], Iterable[str]]
    show: Callable[[Any], str]
    measures: Mapping[str, str]
    ranks: str
    prefix: str
    key: str
    parts: str
    unit: str


@dataclass(frozen=True)
class Agreement:
    """Agreement on structured answers, micro over pairs of people.

    `overall` holds the measures by name, `per_label` the F1 of each label, `counts` how often the
    labels occur in all answers. `alphas` are Krippendorff's, by coefficient: unitised for spans,
    with distances of sets for sets of labels, none for trees and states. `label_alphas` are those
    of each label; in sets of labels a label is given or not.
    """

    form: Form
    overall: dict[str, Estimate]
    per_label: dict[str, Estimate]
    counts: dict[str, int]
    pairs: Pairs
    alphas: dict[str, Estimate]
    label_alphas: dict[str, Estimate]

    def record(self) -> dict[str, Any]:
        """Return it as plain data."""
        parts = {
            label: {self.form.unit: self.counts[label], "f1": value.record()}
            for label, value in self.per_label.items()
        }
        record: dict[str, Any] = {name: value.record() for name, value in self.overall.items()}
        names = {name: name.removeprefix("krippendorff_") for name in self.alphas}
        record |= {names[name]: value.record() for name, value in self.alphas.items()}
        for label, value in self.label_alphas.items():
            parts[label]["alpha_u" if "alpha_u" in record else "alpha"] = value.record()
        return record | {self.form.parts: parts, "pairs": len(self.pairs)}


def structured_agreement(
    kind: str,
    ratings: Ratings,
    *,
    lengths: Mapping[str, int] | None = None,
    bootstrap: int = 0,
    seed: int = 0,
) -> Agreement:
    """Compare the spans, trees, states or labels that people gave to the same items.

    `ratings.values` are views of the kind (see `Kind` in contracts/task.py). Nobody has to be the
    gold: what agrees is summed over pairs of people. `lengths` is how many code points the text of
    each item has (else the last span ends the continuum of unitised alpha).
    """
    form = FORMS[kind]
    counts = Counter(
        label for code in ratings.value.tolist() for label in form.labels(ratings.values[code])
    )
    labels = {f"{form.prefix}.{label}": label for label in sorted(counts)}
    names = (*form.measures.values(), *labels)
    pairs = compare_answers(ratings, form.compare, names)
    values = estimates(pairs, bootstrap=bootstrap, seed=seed)
    alphas: dict[str, Estimate] = {}
    label_alphas: dict[str, Estimate] = {}
    if kind == "spans":
        unitised = Unitised(undefined(pairs.reason), dict.fromkeys(counts, undefined(pairs.reason)))
        if too_many_pairs(ratings, len(names)) is None:
            unitised = alpha_u(continua(ratings, lengths or {}))
        alphas, label_alphas = {ALPHA_U: unitised.overall}, unitised.per_category
    elif kind == "labels":
        alphas = set_alphas(ratings, bootstrap=bootstrap, seed=seed)
        label_alphas = _yes_no_alphas(ratings, sorted(counts), bootstrap, seed)
    return Agreement(
        form,
        {name: values[name] for name in form.measures.values()},
        {label: values[name] for name, label in labels.items()},
        dict(sorted(counts.items())),
        pairs,
        alphas,
        label_alphas,
    )


def _label_f1(prefix: str, same: Counter[str], all_: Counter[str]) -> dict[str, Any]:
    return {f"{prefix}.{label}": (2.0 * same[label], float(n)) for label, n in all_.items()}


def compare_spans(left: Sequence[Span], right: Sequence[Span]) -> dict[str, tuple[float, float]]:
    """Count the spans that two answers share, over all spans, without types, and by type.

    A span agrees where start, end and type are equal. F1 is twice the agreeing spans over all spans
    of both; two people who both mark nothing add nothing.
    """
    ours, theirs = set(left), set(right)
    edges = {s[:2] for s in ours}, {s[:2] for s in theirs}
    total = Counter(label for _, _, label in (*ours, *theirs))
    same = Counter(label for _, _, label in ours & theirs)
    return {
        "entity_f1": (2.0 * len(ours & theirs), float(len(ours) + len(theirs))),
        "boundary_f1": (2.0 * len(edges[0] & edges[1]), float(len(edges[0]) + len(edges[1]))),
        **_label_f1("type", same, total),
    }


def compare_trees(left: Sequence[Arc], right: Sequence[Arc]) -> dict[str, tuple[float, float]]:
    """Count the words on which two trees agree, all in all and by relation.

    UAS is the share of words with the same head, LAS of those with the same relation as well. A
    relation agrees on a word where both give it and the same head. Words that only one of two trees
    has agree with nothing.
    """
    both = list(zip(left, right, strict=False))
    total = float(max(len(left), len(right)))
    named = Counter(name for _, name in (*left, *right))
    same = Counter(a[1] for a, b in both if a == b)
    return {
        "las": (float(same.total()), total),
        "uas": (float(sum(a[0] == b[0] for a, b in both)), total),
        **_label_f1("deprel", same, named),
    }


def compare_states(left: Sequence[State], right: Sequence[State]) -> dict[str, tuple[float, float]]:
    """Count the turns on which two people agree, and the slot-values by slot.

    `joint` is the share of turns with equal states, `slot_f1` the mean over turns of the F1 of
    slot-values (two empty states count 1), as in the paper's Section 3.8.2; the F1 of a slot pools
    its values over turns. Turns that only one of two dialogues has agree with nothing.
    """
    both = list(zip(left, right, strict=False))
    total = float(max(len(left), len(right)))
    named = Counter(_slots((*left, *right)))
    same = Counter(_slots([a & b for a, b in both]))
    return {
        "joint": (float(sum(a == b for a, b in both)), total),
        "slot_f1": (float(sum(f1(set(a), set(b)) for a, b in both)), total),
        **_label_f1("slot", same, named),
    }


def compare_labels(left: frozenset[str], right: frozenset[str]) -> dict[str, tuple[float, float]]:
    """Count the likeness of two sets of labels, and the labels they share, over all and by label.

    `masi` and `jaccard` are 1 minus the distances, means over pairs of people; `label_f1` is twice
    the shared labels over all of both.
    """
    return {
        "masi": (1 - masi(left, right), 1.0),
        "jaccard": (1 - jaccard(left, right), 1.0),
        "label_f1": (2.0 * len(left & right), float(len(left) + len(right))),
        **_label_f1("label", Counter(left & right), Counter([*left, *right])),
    }


def set_alphas(ratings: Ratings, *, bootstrap: int, seed: int) -> dict[str, Estimate]:
    """Return Krippendorff's alpha of sets of labels, with MASI and with Jaccard distance."""
    distances = {"krippendorff_alpha_masi": masi, "krippendorff_alpha_jaccard": jaccard}
    return {
        name: krippendorff_alpha(ratings, distance=distance, bootstrap=bootstrap, seed=seed)
        for name, distance in distances.items()
    }


def _yes_no_alphas(
    ratings: Ratings, labels: Sequence[str], bootstrap: int, seed: int
) -> dict[str, Estimate]:
    """Return nominal alpha of each label, given or not given by each vote."""
    alphas = {}
    for label in labels:
        given = np.array([label in value for value in ratings.values], np.int32)
        votes = replace(ratings, value=given[ratings.value], values=(False, True))
        alphas[label] = krippendorff_alpha(votes, bootstrap=bootstrap, seed=seed)
    return alphas


def _slots(states: Sequence[State]) -> Iterator[str]:
    """Yield DOMAIN-SLOT of each slot-value: all before the second hyphen."""
    for state in states:
        yield from ("-".join(value.split("-", 2)[:2]) for value in state)


FORMS: Final = {
    "spans": Form(
        compare=compare_spans,
        labels=lambda answer: (label for _, _, label in answer),
        show=lambda answer: ", ".join(f"{s}-{e} {label}" for s, e, label in answer) or "no span",
        measures={"entity_f1": "entity_f1", "boundary_f1": "boundary_f1"},
        ranks="entity_f1",
        prefix="type",
        key="spans",
        parts="per_type",
        unit="spans",
    ),
    "tree": Form(
        compare=compare_trees,
        labels=lambda answer: (name for _, name in answer),
        show=lambda answer: ", ".join(f"{head} {name}" for head, name in answer),
        measures={"las": "las", "uas": "uas"},
        ranks="las",
        prefix="deprel",
        key="trees",
        parts="per_deprel",
        unit="words",
    ),
    "states": Form(
        compare=compare_states,
        labels=_slots,
        show=lambda answer: f"{len(answer)} turns, {sum(map(len, answer))} slot-values",
        measures={"joint_goal": "joint", "slot_f1": "slot_f1"},
        ranks="slot_f1",
        prefix="slot",
        key="states",
        parts="per_slot",
        unit="turns",
    ),
    "labels": Form(
        compare=compare_labels,
        labels=lambda answer: answer,
        show=lambda answer: " | ".join(sorted(answer)) or "no label",
        measures={"masi": "masi", "jaccard": "jaccard", "label_f1": "label_f1"},
        ranks="masi",
        prefix="label",
        key="labels",
        parts="per_label",
        unit="votes",
    ),
}
