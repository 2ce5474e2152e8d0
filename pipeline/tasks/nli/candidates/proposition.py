"""Whether a text is a premise: a proposition with a predicate, of the right length (Section 3.3.1).

Three conditions of the paper: a declarative sentence with a truth value, no formula and no list; at
least one predicate; 20 to 90 characters with blanks. Rules speak in this order: length, those of
`_SHAPES`, ending, predicate; the first that objects is the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from pipeline.core.morphology import morphemes
from pipeline.sampling.filling import Refusal
from pipeline.tasks.nli.candidates import shape
from pipeline.tasks.nli.candidates.ending import Kind, Part, bare, ending, parts_of

LENGTH: Final = "nli.length@1"
MOOD: Final = "nli.declarative@1"
FRAGMENT: Final = "nli.fragment@1"
PREDICATE: Final = "nli.predicate@1"
_MOODS: Final = ("question", "imperative", "propositive", "exclamation")

_SHAPES: Final[tuple[tuple[str, Callable[[str], bool], str], ...]] = (
    ("nli.list@1", shape.is_list, "an item of a list, or a row of a table"),
    ("nli.formula@1", shape.is_formula, "holds a formula"),
    ("nli.unbalanced@1", lambda text: not shape.is_balanced(text), "a quote or bracket is torn"),
    (MOOD, shape.asks, "question: a question mark"),
    ("nli.chat@1", shape.is_chat, "laughter, dots or emoji inside"),
    ("nli.several@1", shape.is_several, "more than one sentence"),
)
#: What mecab-ko calls a predicate, and what it is (Section 3.3.1: states, activities ...).
_PREDICATES: Final = {
    "VV": "verb",
    "XSV": "verb",
    "VA": "adjective",
    "XSA": "adjective",
    "VCP": "copula",
    "VCN": "copula",
}


def judge(text: str, sampling: Mapping[str, Any], style: str) -> Refusal | Mapping[str, Any]:
    """Return why a text is no premise, or what speaks for it.

    `sampling` is the spec's section (NliSampling) as plain data. The evidence is `ending` (a
    Kind), `form` (its last morpheme) and `predicates` (how many verbs, adjectives, copulas).
    """
    low, high = sampling["shortest"], sampling["longest"]
    if not low <= len(text) <= high:
        return Refusal(LENGTH, f"{len(text)} characters; allowed: {low} to {high}", len(text))
    core = bare(text)
    for rule, speaks, reason in _SHAPES:
        if speaks(text if rule == MOOD else core):
            return Refusal(rule, reason)
    parts = parts_of(morphemes(core))
    found = ending(core, parts)
    if found.kind not in sampling["endings"][style]:
        return Refusal(_rule_of(found.kind), f"{found.kind}: ends in {found.tag or 'nothing'}")
    predicates = counted(core, parts, found.kind)
    if not predicates:
        return Refusal(PREDICATE, "no verb, adjective or copula")
    return {"ending": found.kind, "form": found.form, "predicates": predicates}


def counted(text: str, parts: Sequence[Part], kind: Kind) -> dict[str, int]:
    """Return how many predicates of each sort a text has; auxiliary verbs count beside none."""
    tags = [tag for _, tag in parts]
    sorts = [_PREDICATES[tag] for tag in tags if tag in _PREDICATES]
    sorts += ["verb"] if not sorts and "VX" in tags else []
    if kind == "copula_less" or (not sorts and text.endswith(("에요", "예요", "야", "이다"))):
        sorts.append("copula")  # not said, or read as a particle
    return {sort: sorts.count(sort) for sort in sorted(set(sorts))}


def _rule_of(kind: Kind) -> str:
    return MOOD if kind in _MOODS else FRAGMENT
