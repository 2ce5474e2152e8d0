"""Dependency parsing (DP, Section 3.6): morphemes of each word, then the tree over the words.

A tree has one root, the last word, and every other head stands right of its word: Korean is
head-final, and KLUE-DP dev keeps to it in all 2,000 sentences.
"""

from __future__ import annotations

from typing import Any, Final

from pipeline.contracts.decisions import ADJUDICATE
from pipeline.contracts.spec import Round, TaskSpec
from pipeline.contracts.task import (
    Fields,
    Task,
    answer_form,
    mask,
    one_of,
    whole,
    with_verdicts,
    wrong,
)
from pipeline.core.wording import count

Tree = dict[str, list[Any]]
#: The keys of label and fields that give the answer away; the rest is input.
ANSWER_KEYS: Final = frozenset({"heads", "deprels"})


@with_verdicts
def parse(answer: Any, fields: Fields, spec: TaskSpec, round_: Round) -> Tree:
    """Return a tree, or in a round about morphemes those; experts may give both together."""
    words, is_about_all = len(fields["words"]), round_.final or round_.id == ADJUDICATE
    if is_about_all and isinstance(answer, dict) and len(answer) > 2:
        return _whole(answer, words, spec)
    if answer_form(spec, round_) == "morphemes":
        return _morphemes(answer, words, spec.ids("pos"))
    return _tree(answer, words, spec)


def _whole(answer: dict[str, Any], words: int, spec: TaskSpec) -> Tree:
    """Return morphemes and tree together, as gold has them and an expert may settle them."""
    tree = {key: value for key, value in answer.items() if key in ANSWER_KEYS}
    rest = {key: value for key, value in answer.items() if key not in tree}
    return _morphemes(rest, words, spec.ids("pos")) | _tree(tree, words, spec)


def _columns(answer: Any, names: tuple[str, str], words: int) -> tuple[list[Any], list[Any]]:
    if not isinstance(answer, dict) or set(answer) != set(names):
        raise wrong("form", f"an object with {' and '.join(names)} is wanted, not {mask(answer)}")
    for name in names:
        values = answer[name]
        if not isinstance(values, list) or len(values) != words:
            count = len(values) if isinstance(values, list) else mask(values)
            raise wrong("form", f"{name} needs one entry a word: {words}, given: {count}")
    return answer[names[0]], answer[names[1]]


def _morphemes(answer: Any, words: int, allowed: tuple[str, ...]) -> Tree:
    lemmas, pos = _columns(answer, ("lemmas", "pos"), words)
    checked: Tree = {"lemmas": [], "pos": []}
    for place, (lemma, tags) in enumerate(zip(lemmas, pos, strict=True), start=1):
        if not isinstance(lemma, str) or not isinstance(tags, str):
            raise wrong("form", f"lemma and tags of word {place} are texts")
        parts = lemma.split()
        names = [one_of(tag, allowed, f"tag of word {place}") for tag in tags.split("+")]
        if len(parts) != len(names):
            raise wrong(
                "form",
                f"word {place} has {count(len(parts), 'lemma')} and {count(len(names), 'tag')}",
            )
        checked["lemmas"].append(" ".join(parts))
        checked["pos"].append("+".join(names))
    return checked


def _tree(answer: Any, words: int, spec: TaskSpec) -> Tree:
    given, deprels = _columns(answer, ("heads", "deprels"), words)
    heads = [whole(head, f"head of word {i}") for i, head in enumerate(given, start=1)]
    for place, head in enumerate(heads, start=1):
        if not 0 <= head <= words:
            raise wrong(
                "range", f"head {mask(head)} of word {place} is not a word from 0 to {words}"
            )
    check_shape(heads)
    if left := turns_left(heads):
        raise wrong("tree", f"the head of word {left} stands left of it; Korean is head-final")
    return {
        "heads": heads,
        "deprels": [_deprel(name, spec, place) for place, name in enumerate(deprels, start=1)],
    }


def check_shape(heads: list[int]) -> None:
    """Raise RecordError unless heads (from 0 to the number of words) make a tree with one root."""
    roots = heads.count(0)
    if roots != 1:
        raise wrong("tree", f"{roots} words have the head 0; exactly one is the root")
    places = list(range(len(heads) + 1))
    for _ in heads:  # so many steps lead every word to the root
        places = [heads[place - 1] if place else 0 for place in places]
    if any(places):
        raise wrong("tree", "the heads go in a circle; every word must lead to the root")


def turns_left(heads: list[int]) -> int:
    """Return the first word whose head stands left of it, or 0; with none, the root is last."""
    return next((place for place, head in enumerate(heads, start=1) if 0 < head < place), 0)


def _deprel(deprel: Any, spec: TaskSpec, place: int) -> str:
    if not isinstance(deprel, str):
        raise wrong("form", f"the relation of word {place} is a text, not {mask(deprel)}")
    tag, mark, role = deprel.partition("_")
    tag = one_of(tag, spec.ids("syntax"), f"syntax tag of word {place}")
    if not mark:
        return tag
    return f"{tag}_{one_of(role, spec.ids('function'), f'function tag of word {place}')}"


def _view(answer: Tree) -> list[tuple[int, str]]:
    return list(zip(answer["heads"], answer["deprels"], strict=True))


def _compare(left: Tree, right: Tree) -> dict[str, float]:
    pairs = list(zip(_view(left), _view(right), strict=True))
    return {
        "las": sum(a == b for a, b in pairs) / len(pairs),
        "uas": sum(a[0] == b[0] for a, b in pairs) / len(pairs),
    }


TASK = Task(
    id="dp",
    config="dp",
    kind="tree",
    fields=("text", "words"),
    titles={"text": "문장", "words": "어절"},
    shapes={"words": "words"},
    parse=parse,
    view=_view,
    compare=_compare,
)
