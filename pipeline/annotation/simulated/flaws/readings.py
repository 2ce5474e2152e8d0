"""Slips in writing questions: the wrong type, one answer badly cut, a bare question."""

from __future__ import annotations

from typing import Any, Final

from pipeline.annotation.simulated.chance import Chance
from pipeline.contracts.task import Fields

Reading = dict[str, Any]

_KINDS: Final = (("span", 5.0), ("type", 3.0), ("question", 2.0))
_BARE: Final = "이 글에 대하여 맞는 것은 무엇인가?"


def flawed(answer: Reading, fields: Fields, vote: Chance) -> Reading:
    """Return the question with one slip; its answers still stand in the passage."""
    made = {**answer, "answers": [dict(one) for one in answer["answers"]]}
    made["plausible_answers"] = [dict(one) for one in answer.get("plausible_answers", [])]
    kind = vote.weigh("slip", _KINDS)
    if kind == "type" and made["type"] in (1, 2):
        made["type"] = 3 - made["type"]
    elif kind == "span" and (made["answers"] or made["plausible_answers"]):
        marked = made["answers"] or made["plausible_answers"]
        first = marked[0]
        marked[:] = [{**first, "text": _cut(first, str(fields["context"]), vote)}]
    else:
        made["question"] = _BARE
    return made


def _cut(span: dict[str, Any], context: str, vote: Chance) -> str:
    """Return the answer with the letter behind it, or without its last one."""
    start, text = int(span["start"]), str(span["text"])
    longer = context[start : start + len(text) + 1]
    shorter = text[:-1]
    if longer != text and (not shorter.strip() or vote.at("longer") < 0.6):
        return longer
    return shorter if shorter.strip() else text
