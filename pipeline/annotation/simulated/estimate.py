"""Answers to items that nobody judged: rough, always the same, and marked as estimated.

tc    the topic of the known headline that shares most pairs of letters, else a keyed draw
sts   5 times the share of common letter pairs, to the power of 0.7; nearer to 5 for a round trip
      and for two requests of one intent; spread by a keyed draw, since people see more than letters
nli   a negation on one side only: contradiction; most letter pairs found in the premise:
      entailment; else neutral
ner   the spans that the item carries already (`spans`, or a tagger's suggestion), else none
re    the relation that a knowledge base names, else no_relation
dp    the morphemes that are suggested, else nouns; every word depends on the next
mrc   a question of the assigned type about a number or name of the passage (question.py)
dst   of a goal that was drawn a dialogue that reaches it (conversation.py), else a greeting
      without a state
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

from pipeline.annotation.simulated import conversation, question
from pipeline.contracts.task import Fields
from pipeline.core.ids import draw
from pipeline.core.jsontext import canonical

LABELS: Final = ("entailment", "contradiction", "neutral")
_TOPICS: Final = ("정치", "경제", "사회", "생활문화", "세계", "IT과학", "스포츠")
_NOT: Final = re.compile(r"(?:^|\s)(?:안|못)\s|않|없|아니")
_NEAR: Final = 0.2
#: The least that sentences of one meaning score, and how far a score may lie from the letters'.
_ALIKE: Final = 2.5
_SPREAD: Final = 1.2

#: The known answers of a task, by the key of their texts.
Known = Mapping[str, Any]


def answer(task: str, fields: Fields, known: Known, meta: Fields | None = None) -> Any:
    """Return an estimate in the form of the task's gold; the same for the same item.

    `meta` is the evidence of an item: what a drawn goal comes to, what a tagger suggests.
    """
    if task == "tc":
        return _topic(fields, known)
    return _ESTIMATES[task](fields, meta or {})


def hypotheses(premise: str) -> dict[str, str]:
    """Return three hypotheses that say little but fit their labels."""
    return {
        "entailment": f"다음은 사실이다. {premise}",
        "contradiction": f"다음은 사실이 아니다. {premise}",
        "neutral": "이 이야기는 신문에 실린 적이 있다.",
    }


def overlap(left: str, right: str) -> float:
    """Return the Dice coefficient of the letter pairs of two texts, blanks left out."""
    ours, theirs = _pairs(left), _pairs(right)
    total = len(ours) + len(theirs)
    return 2 * len(ours & theirs) / total if total else float(left == right)


@lru_cache(maxsize=8192)
def _pairs(text: str) -> frozenset[str]:
    letters = "".join(ch for ch in text if ch.isalnum())
    return frozenset(letters[i : i + 2] for i in range(len(letters) - 1))


def _topic(fields: Fields, known: Known) -> list[str]:
    title = str(fields["title"])
    likest = max(((overlap(title, key), key) for key in known), default=(0.0, ""))
    if likest[0] >= _NEAR:
        return list(known[likest[1]])[:1]
    return [_TOPICS[int(draw(0, "sim.estimate", title) * len(_TOPICS))]]


def _score(fields: Fields, meta: Fields) -> float:
    first, second = str(fields["sentence1"]), str(fields["sentence2"])
    found = 5 * math.pow(overlap(first, second), 0.7)
    if "back" in meta or len(set(meta.get("intents", ()))) == 1:
        found = _ALIKE + found * (5 - _ALIKE) / 5
    found += _SPREAD * (2 * draw(0, "sim.score", f"{first}\x1f{second}") - 1)
    return round(min(5.0, max(0.0, found)), 1)


def _label(fields: Fields, _meta: Fields) -> str:
    premise, hypothesis = str(fields["premise"]), str(fields.get("hypothesis", ""))
    if bool(_NOT.search(premise)) != bool(_NOT.search(hypothesis)):
        return "contradiction"
    found = _pairs(hypothesis)
    inside = len(found & _pairs(premise)) / len(found) if found else 0.0
    return "entailment" if inside >= 0.5 else "neutral"


def _spans(fields: Fields, meta: Fields) -> list[Any]:
    return list(fields.get("spans") or meta.get("suggestion") or [])


def _relation(_fields: Fields, meta: Fields) -> str:
    return next(iter(meta.get("relations") or ()), "no_relation")


def _tree(fields: Fields, meta: Fields) -> dict[str, list[Any]]:
    words = [str(word) for word in fields["words"]]
    last = len(words)
    morphemes = meta.get("suggestion") or {"lemmas": words, "pos": ["NNG"] * last}
    return {
        "lemmas": list(morphemes["lemmas"]),
        "pos": list(morphemes["pos"]),
        "heads": [*range(2, last + 1), 0][:last],
        "deprels": ["NP"] * last,
    }


def _reading(fields: Fields, _meta: Fields) -> dict[str, Any]:
    return question.question(fields)


def _dialogue(fields: Fields, meta: Fields) -> dict[str, Any]:
    return conversation.dialogue(fields, meta) or _greeting()


def _greeting() -> dict[str, Any]:
    asked = "안녕하세요. 서울 여행을 준비하고 있는데 도움을 받을 수 있을까요?"
    told = "네, 무엇이든 말씀해 주세요."
    return {
        "turns": [
            {"role": "user", "text": asked, "state": []},
            {"role": "sys", "text": told, "state": []},
        ]
    }


_ESTIMATES: Final[Mapping[str, Callable[[Fields, Known], Any]]] = {
    "sts": _score,
    "nli": _label,
    "ner": _spans,
    "re": _relation,
    "dp": _tree,
    "mrc": _reading,
    "dst": _dialogue,
}


def same(left: Any, right: Any) -> bool:
    """Tell whether two answers are equal whatever the order of their keys."""
    return canonical(left) == canonical(right)
