"""Prompts of MRC: an answer in the words of the passage, or that there is none.

Every text is an answer. A blank one counts as wrong, also where the passage has no answer.
"""

from __future__ import annotations

import string
from collections.abc import Mapping
from difflib import SequenceMatcher
from typing import Any

from pipeline.scoring.harness.prompts import Doc, Prompt, Prompts, answer_lines

_NO_ANSWER = "답 없음"
_NO_ANSWER_POLYGLOT = "대답 불가"
#: The answer of a blank text: a character that no answer has.
_BLANK = "\ufffd"
_PUNCTUATION = str.maketrans("", "", string.punctuation)
#: From this length of an answer on, `difflib` leaves out characters that are frequent in it.
_LONG = 200


def _ask(doc: Doc) -> str:
    return (
        "글을 읽고 질문의 답을 글에 나온 그대로 쓰세요."
        f" 글에 답이 없으면 '{_NO_ANSWER}'이라고 쓰세요.\n"
        f"제목: {doc.fields['title']}\n글: {doc.fields['context']}\n"
        f"질문: {doc.fields['question']}\n답:"
    )


def _ask_polyglot(doc: Doc) -> str:
    fields = doc.fields
    return (
        f"제목: {fields['title']}\n\n본문: {fields['context']}\n\n질문: {fields['question']}\n\n답:"
    )


def _items(fields: Mapping[str, Any], label: Any) -> list[tuple[dict[str, Any], Any]]:
    answers = label.get("answers")
    gold = None if answers is None else [answer["text"] for answer in answers]
    return [({**fields, "question": label["question"]}, gold)]


def _read(text: str, no_answer: str) -> str | None:
    lines = answer_lines(text)
    if not lines:
        return None
    return "" if lines[0].strip("'\".") == no_answer else lines[0]


def _write(gold: list[str], no_answer: str) -> str:
    return " ".join(gold[0].split()) if gold else no_answer


def _normalise(text: str) -> str:
    return " ".join(text.lower().translate(_PUNCTUATION).split())


def _common_run(left: str, right: str) -> int:
    short, long = sorted((left, right), key=len)
    length = 0
    for start in range(len(short)):
        while start + length < len(short) and short[start : start + length + 1] in long:
            length += 1
    return length


def _rouge_w(prediction: str, answer: str) -> float:
    if len(answer) >= _LONG:
        run = SequenceMatcher(None, prediction, answer).find_longest_match().size
    elif prediction == answer:
        return 1.0
    else:
        run = _common_run(prediction, answer)
    return 2 * run / (len(prediction) + len(answer))


def _count(gold: list[str], answer: str, _doc: Doc) -> dict[str, Any]:
    prediction, answers = _normalise(answer), [_normalise(text) for text in gold or [""]]
    return {
        "em": [float(prediction in answers), 1.0],
        "rouge_w": [max(_rouge_w(prediction, text) for text in answers), 1.0],
    }


PROMPTS = Prompts(
    prompts=(
        Prompt(
            "plain",
            "gen",
            _ask,
            lambda gold, _doc: _write(gold, _NO_ANSWER),
            lambda text, _doc: _read(text, _NO_ANSWER),
            tokens=128,
        ),
        Prompt(
            "polyglot",
            "gen",
            _ask_polyglot,
            lambda gold, _doc: _write(gold, _NO_ANSWER_POLYGLOT),
            lambda text, _doc: _read(text, _NO_ANSWER_POLYGLOT),
            tokens=128,
        ),
    ),
    payloads=_count,
    aggregations={"em": "ratio", "rouge_w": "ratio"},
    wrong=lambda _gold, _doc: _BLANK,
    items=_items,
    labels=lambda _spec: {},
    shots=1,
)
