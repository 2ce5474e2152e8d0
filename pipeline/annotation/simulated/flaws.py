"""Flaws of written answers, one slip each: the right answer comes in, a wrong one goes out.

What a label or an entity type is mistaken for is the task's (confusions of profile.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any, Final

from pipeline.annotation.simulated.profile import Chance, confusions
from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import AnswerKind, TaskSpec
from pipeline.contracts.task import Fields

Span = dict[str, Any]
#: Takes the right answer, the item's fields, the spec and the draws of the answer.
Flaw = Callable[[Any, Fields, TaskSpec, Chance], Any]

_SPAN_SLIPS: Final = (("boundary", 5.0), ("type", 3.0), ("missing", 2.0), ("extra", 1.0))
_QUESTION_SLIPS: Final = (("span", 5.0), ("type", 3.0), ("question", 2.0))
_STATE_SLIPS: Final = (("late", 5.0), ("early", 3.0), ("never", 2.0))
_BARE_QUESTION: Final = "이 글에 대하여 맞는 것은 무엇인가?"
#: Tags of morphemes (Sejong) that are taken for each other.
_SIMILAR_TAGS: Final = {
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


def flawed(kind: AnswerKind, answer: Any, fields: Fields, spec: TaskSpec, chance: Chance) -> Any:
    """Return an answer of a form with one slip."""
    return _FLAWS[kind](answer, fields, spec, chance)


def _hypotheses(
    answer: dict[str, str], _fields: Fields, _spec: TaskSpec, chance: Chance
) -> dict[str, str]:
    """Return hypotheses of which two are written for each other's label."""
    names = sorted(answer)
    first, second = names[max(0, len(names) - 2)], names[-1]
    if chance.at("pair") < 0.3:
        first = names[0]
    return {**answer, first: answer[second], second: answer[first]}


def _spans(answer: list[Span], fields: Fields, spec: TaskSpec, chance: Chance) -> list[Span]:
    """Return the spans with one slip; without spans, one too many."""
    text = _text_of(fields, spec)
    kind = chance.weigh("slip", _SPAN_SLIPS) if answer else "extra"
    if kind == "extra":
        return _with_extra_span(answer, text, spec, chance)
    place = int(chance.at("span") * len(answer))
    spans = [dict(span) for span in answer]
    if kind == "missing":
        del spans[place]
    elif kind == "type":
        spans[place]["label"] = confusions(spec, spans[place]["label"], fields)[0][0]
    else:
        after = spans[place + 1]["start"] if place + 1 < len(spans) else len(text)
        spans[place]["end"] = _other_end(spans[place], text, after, chance)
    return spans


def _other_end(span: Span, text: str, after: int, chance: Chance) -> int:
    """Return another end: with the particle behind the name, or a letter short."""
    end = int(span["end"])
    longer = end < after and not text[end].isspace()
    shorter = end - int(span["start"]) > 1
    if longer and (not shorter or chance.at("longer") < 0.6):
        return end + 1
    return end - 1 if shorter else end


def _with_extra_span(answer: list[Span], text: str, spec: TaskSpec, chance: Chance) -> list[Span]:
    """Mark a word of two letters or more that is no entity."""
    free = [
        (m.start(), m.end())
        for m in re.finditer(r"\w{2,}", text)
        if all(m.end() <= span["start"] or m.start() >= span["end"] for span in answer)
    ]
    if not free:
        return list(answer)
    start, end = chance.pick("word", free)
    extra = {"start": start, "end": end, "label": chance.pick("kind", spec.ids())}
    return sorted([*answer, extra], key=lambda span: int(span["start"]))


def _morphemes(
    answer: dict[str, list[Any]], _fields: Fields, spec: TaskSpec, chance: Chance
) -> dict[str, list[Any]]:
    """Return the morphemes with one tag mistaken."""
    tags = [str(word).split("+") for word in answer["pos"]]
    known = set(spec.ids("pos"))
    places = [
        (i, j)
        for i, word in enumerate(tags)
        for j, tag in enumerate(word)
        if _SIMILAR_TAGS.get(tag) in known
    ]
    if places:
        word, place = chance.pick("tag", places)
        tags[word][place] = _SIMILAR_TAGS[tags[word][place]]
    return {"lemmas": list(answer["lemmas"]), "pos": ["+".join(word) for word in tags]}


def _tree(
    answer: dict[str, list[Any]], _fields: Fields, spec: TaskSpec, chance: Chance
) -> dict[str, list[Any]]:
    """Return the tree with one wrong head or function; it stays a head-final tree."""
    heads, deprels = list(answer["heads"]), list(answer["deprels"])
    movable = range(max(0, len(heads) - 2))  # these words have two words or more to their right
    if movable and chance.at("kind") < 0.6:
        place = chance.pick("word", movable)
        others = [head for head in range(place + 2, len(heads) + 1) if head != heads[place]]
        heads[place] = others[0] if chance.at("near") < 0.6 else chance.pick("head", others)
    else:
        place = int(chance.at("word") * len(deprels))
        tag, _, mark = str(deprels[place]).partition("_")
        functions = [f for f in _FUNCTIONS if f in spec.ids("function") and f != mark]
        if functions:
            deprels[place] = f"{tag}_{chance.pick('function', functions)}"
    return {"heads": heads, "deprels": deprels}


def _reading(
    answer: dict[str, Any], fields: Fields, spec: TaskSpec, chance: Chance
) -> dict[str, Any]:
    """Return a question of the wrong type, with an answer badly cut, or with bare words.

    Its answers are still in the passage.
    """
    result = {**answer, "answers": [dict(mark) for mark in answer["answers"]]}
    result["plausible_answers"] = [dict(mark) for mark in answer.get("plausible_answers", [])]
    kind = chance.weigh("slip", _QUESTION_SLIPS)
    marks = result["answers"] or result["plausible_answers"]
    if kind == "type" and result["type"] in (1, 2):
        result["type"] = 3 - result["type"]
    elif kind == "span" and marks:
        marks[:] = [{**marks[0], "text": _cut(marks[0], _text_of(fields, spec), chance)}]
    else:
        result["question"] = _BARE_QUESTION
    return result


def _cut(mark: dict[str, Any], context: str, chance: Chance) -> str:
    """Return the answer with the letter behind it, or without its last one."""
    start, text = int(mark["start"]), str(mark["text"])
    longer = context[start : start + len(text) + 1]
    shorter = text[:-1]
    if longer != text and (not shorter.strip() or chance.at("longer") < 0.6):
        return longer
    return shorter if shorter.strip() else text


def _dialogue(
    answer: dict[str, list[dict[str, Any]]], _fields: Fields, _spec: TaskSpec, chance: Chance
) -> dict[str, list[dict[str, Any]]]:
    """Return the dialogue with a slot filled a turn too early, too late, or never."""
    turns = [{**turn, "state": list(turn.get("state", []))} for turn in answer["turns"]]
    user_turns = [i for i, turn in enumerate(turns) if turn["role"] == "user"]
    kind = chance.weigh("slip", _STATE_SLIPS)
    changes = [
        (before, now)
        for before, now in pairwise(user_turns)
        if set(turns[now]["state"]) - set(turns[before]["state"])
    ]
    if kind != "never" and changes:
        before, now = chance.pick("turn", changes)
        source, target = (before, now) if kind == "late" else (now, before)
        turns[target]["state"] = list(turns[source]["state"])
        return {"turns": turns}
    slots = sorted({_slot(state) for place in user_turns for state in turns[place]["state"]})
    if slots:
        lost = chance.pick("slot", slots)
        for place in user_turns:
            turns[place]["state"] = [s for s in turns[place]["state"] if _slot(s) != lost]
    return {"turns": turns}


def _slot(state: str) -> str:
    return "-".join(state.split("-", 2)[:2])


def _text_of(fields: Fields, spec: TaskSpec) -> str:
    """Return the text that spans point into."""
    return str(fields[TASKS[spec.task].fields[-1]])


_FLAWS: Final[dict[AnswerKind, Flaw]] = {
    "hypotheses": _hypotheses,
    "spans": _spans,
    "morphemes": _morphemes,
    "tree": _tree,
    "reading": _reading,
    "dialogue": _dialogue,
}
