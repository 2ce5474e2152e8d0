"""Slips in parsing: a tag taken for a similar one, a wrong head, a wrong function."""

from __future__ import annotations

from typing import Any, Final

from pipeline.annotation.simulated.chance import Chance
from pipeline.contracts.spec import TaskSpec

Columns = dict[str, list[Any]]

_SIMILAR: Final = {
    "NNG": "NNP",
    "NNP": "NNG",
    "NNB": "NNG",
    "JKS": "JX",
    "JX": "JKS",
    "JKB": "JKC",
    "EC": "EF",
    "VV": "VA",
    "VA": "VV",
    "MAG": "NNG",
    "MM": "NNG",
    "XSV": "VV",
    "ETM": "EC",
}
_FUNCTIONS: Final = ("SBJ", "OBJ", "AJT", "MOD", "CNJ")


def morphemes(answer: Columns, spec: TaskSpec, vote: Chance) -> Columns:
    """Return the morphemes with one tag mistaken."""
    tags = [str(word).split("+") for word in answer["pos"]]
    known = set(spec.ids("pos"))
    places = [
        (i, j)
        for i, word in enumerate(tags)
        for j, tag in enumerate(word)
        if _SIMILAR.get(tag) in known
    ]
    if places:
        word, place = vote.pick("tag", places)
        tags[word][place] = _SIMILAR[tags[word][place]]
    return {"lemmas": list(answer["lemmas"]), "pos": ["+".join(word) for word in tags]}


def tree(answer: Columns, spec: TaskSpec, vote: Chance) -> Columns:
    """Return the tree with one wrong head or function; it stays a head-final tree."""
    heads, deprels = list(answer["heads"]), list(answer["deprels"])
    movable = range(max(0, len(heads) - 2))  # these words have two words or more to their right
    if movable and vote.at("kind") < 0.6:
        place = vote.pick("word", movable)
        others = [head for head in range(place + 2, len(heads) + 1) if head != heads[place]]
        near = others[0]
        heads[place] = near if vote.at("near") < 0.6 else vote.pick("head", others)
    else:
        place = int(vote.at("word") * len(deprels))
        deprels[place] = _function(str(deprels[place]), spec, vote)
    return {"heads": heads, "deprels": deprels}


def _function(deprel: str, spec: TaskSpec, vote: Chance) -> str:
    """Return a relation with another function, or with one that it should not have."""
    tag, _, mark = deprel.partition("_")
    known = [one for one in _FUNCTIONS if one in spec.ids("function") and one != mark]
    return f"{tag}_{vote.pick('function', known)}" if known else deprel
