"""How spans, trees, dialogue states and sets of labels of two people are compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pipeline.agreement.coefficients.distances import jaccard, masi
from pipeline.contracts.task import f1

#: (start, end, label): offsets in code points, the end exclusive.
Span = tuple[int, int, str]
#: (head, relation), one a word; head 0 is the root.
Arc = tuple[int, str]
#: The state after one user turn: DOMAIN-SLOT-VALUE texts.
State = frozenset[str]
#: What two answers have in common: names to (agreeing, out of), such as {"las": (5, 8)}.
Compare = Callable[[Any, Any], dict[str, tuple[float, float]]]


@dataclass(frozen=True)
class Form:
    """A kind of structured answer.

    `compare` counts what two answers have in common: by the measures, and by label under
    `prefix.LABEL`. `measures` maps coefficients to these measures; `ranks` is the measure that
    people and items are judged by. `labels` yields the labels in an answer, `show` writes an answer
    without text of the item. `key` and `unit` are the names in the record of this kind, and of what
    is counted of a label.
    """

    compare: Compare
    labels: Callable[[Any], Iterable[str]]
    show: Callable[[Any], str]
    measures: Mapping[str, str]
    ranks: str
    prefix: str
    key: str
    unit: str


def _label_f1(prefix: str, same: Counter[str], labels: Counter[str]) -> dict[str, Any]:
    return {f"{prefix}.{label}": (2.0 * same[label], float(n)) for label, n in labels.items()}


def compare_spans(left: Sequence[Span], right: Sequence[Span]) -> dict[str, tuple[float, float]]:
    """Count the spans that two answers share, over all spans, without types, and by type.

    A span agrees where start, end and type are equal, without types where both ends are, and by
    overlap where one of its type shares a character with it. F1 is twice the agreeing spans over
    all spans of both; two people who both mark nothing add nothing.
    """
    ours, theirs = set(left), set(right)
    edges = {s[:2] for s in ours}, {s[:2] for s in theirs}
    labels = Counter(label for _, _, label in (*ours, *theirs))
    same = Counter(label for _, _, label in ours & theirs)
    return {
        "entity_f1": (2.0 * len(ours & theirs), float(len(ours) + len(theirs))),
        "boundary_f1": (2.0 * len(edges[0] & edges[1]), float(len(edges[0]) + len(edges[1]))),
        "overlap_f1": (_overlaps(ours, theirs), float(len(ours) + len(theirs))),
        **_label_f1("type", same, labels),
    }


def _overlaps(left: set[Span], right: set[Span]) -> float:
    """Return how many spans of both overlap one of the other that has their type."""
    return float(
        sum(
            any(s[2] == o[2] and s[0] < o[1] and o[0] < s[1] for o in other)
            for own, other in ((left, right), (right, left))
            for s in own
        )
    )


def compare_trees(left: Sequence[Arc], right: Sequence[Arc]) -> dict[str, tuple[float, float]]:
    """Count the words on which two trees agree, all in all and by relation.

    UAS is the share of words with the same head, LAS of those with the same relation as well. A
    relation agrees on a word where both give it and the same head. Words that only one of two trees
    has agree with nothing.
    """
    both = list(zip(left, right, strict=False))
    total = float(max(len(left), len(right)))
    labels = Counter(name for _, name in (*left, *right))
    same = Counter(a[1] for a, b in both if a == b)
    return {
        "las": (float(same.total()), total),
        "uas": (float(sum(a[0] == b[0] for a, b in both)), total),
        **_label_f1("deprel", same, labels),
    }


def compare_states(left: Sequence[State], right: Sequence[State]) -> dict[str, tuple[float, float]]:
    """Count the turns on which two people agree, and the slot-values by slot.

    `joint` is the share of turns with equal states, `slot_f1` the mean over turns of the F1 of
    slot-values (two empty states count 1), as in the paper's Section 3.8.2; the F1 of a slot pools
    its values over turns. Turns that only one of two dialogues has agree with nothing.
    """
    both = list(zip(left, right, strict=False))
    total = float(max(len(left), len(right)))
    labels = Counter(_slots((*left, *right)))
    same = Counter(_slots([a & b for a, b in both]))
    return {
        "joint": (float(sum(a == b for a, b in both)), total),
        "slot_f1": (float(sum(f1(set(a), set(b)) for a, b in both)), total),
        **_label_f1("slot", same, labels),
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


def _slots(states: Sequence[State]) -> Iterator[str]:
    """Yield DOMAIN-SLOT of each slot-value: all before the second hyphen."""
    for state in states:
        yield from ("-".join(value.split("-", 2)[:2]) for value in state)


FORMS: Final = {
    "spans": Form(
        compare=compare_spans,
        labels=lambda answer: (label for _, _, label in answer),
        show=lambda answer: ", ".join(f"{s}-{e} {label}" for s, e, label in answer) or "no span",
        measures={name: name for name in ("entity_f1", "boundary_f1", "overlap_f1")},
        ranks="entity_f1",
        prefix="type",
        key="spans",
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
        unit="votes",
    ),
}
