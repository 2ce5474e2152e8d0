"""Simulated annotators: 60 of the paper's 80 workers (Section 3.7.1), and what they ask.

An estimated question has the type that was assigned. Its answer is a number with its unit, else a
quoted name, else what a sentence speaks of; the question takes one word of the passage beside it
and asks in words of its own. Of type 2 it takes a word of another sentence too; of type 3 it asks
what the passage does not tell, and the answer is the fake one. No person wrote it, and it need not
make sense.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple

from pipeline.annotation.simulated.profile import Plan, Simulated
from pipeline.contracts.task import Fields
from pipeline.core.ids import draw
from pipeline.tasks.mrc.task import UNANSWERABLE

_UNITS: Final = (
    "퍼센트 포인트 시간 개월 달러 유로 킬로미터 미터 가구 세대 마리 그루 ㎞ ㎡ ㎝ ㎏ ㎿ ㎾ km kg cm"
    " %p % ℃ 원 명 개 곳 건 번 회 년 월 일 주 분 초 시 도 배 대 층 점 위 권 편 톤 쪽 장 m t g"
)
_NUMBER: Final = re.compile(
    r"(?<![\w.,])[0-9]+(?:[.,][0-9]+)*(?:[천만억조][0-9]*)*\s?(?P<unit>"
    + "|".join(map(re.escape, _UNITS.split()))
    + r")(?![A-Za-z0-9])"
)
_QUOTED: Final = re.compile(r"['‘《〈「『](?P<name>[^'’》〉」』\n]{2,20})['’》〉」』]")
_SUBJECT: Final = re.compile(r"(?<!\S)(?P<name>[가-힣]{2,10})(?:이|가|를)(?=\s)")
_SENTENCE: Final = re.compile(r"[^\n]+?(?:[.?!](?=\s|$)|(?=\n)|$)")

_ASKED: Final = {
    1: "글쓴이가 {clue} 이야기에서 내놓은 {what}인가?",
    2: "{other} 소식까지 함께 읽을 때 {clue} 이야기의 답이 되는 {what}인가?",
    3: "{clue} 이야기가 나오기 백 년 전에 널리 쓰이던 {what}인가?",
}


class _Mark(NamedTuple):
    """Something to ask for: its place, and the words that ask for it."""

    start: int
    text: str
    what: str


def estimate(
    fields: Fields, _known: Mapping[str, Any] | None = None, _meta: Fields | None = None
) -> dict[str, Any]:
    """Return a question with its answer, the same for the same passage and type.

    `fields` are title and context and, where it was assigned, question_type; type 1 if not. A blank
    passage has only a question without answers, of type 3.
    """
    context, title = str(fields["context"]), str(fields.get("title") or "")
    kind = fields.get("question_type")
    kind = kind if kind in _ASKED else 1
    marks = _marks(context, title)
    if not marks:
        return _question("이 글은 무엇에 대하여 말하는가?", UNANSWERABLE, [])
    mark = marks[int(draw(0, "sim.question", f"{kind}{context}") * len(marks))]
    return _question(_ask(context, kind, mark), kind, [{"start": mark.start, "text": mark.text}])


def _question(text: str, kind: int, marks: list[dict[str, Any]]) -> dict[str, Any]:
    fake = kind == UNANSWERABLE
    return {
        "question": text,
        "type": kind,
        "answers": [] if fake else marks,
        "plausible_answers": marks if fake else [],
    }


def _marks(context: str, title: str) -> Sequence[_Mark]:
    numbers = [
        _Mark(match.start(), match.group(), f"수치는 몇 {match['unit']}")
        for match in _NUMBER.finditer(context)
    ]
    quoted, subjects = _names(_QUOTED, context, title), _names(_SUBJECT, context, title)
    words = (_Mark(m.start(), m.group(), "말은 무엇") for m in re.finditer(r"\S+", context))
    unique = [mark for mark in numbers if context.count(mark.text) == 1]
    return unique or list(quoted) or list(subjects) or list(islice(words, 1))


def _names(pattern: re.Pattern[str], context: str, title: str) -> Iterator[_Mark]:
    for match in pattern.finditer(context):
        name = match["name"]
        if name.strip() == name and name != title:
            yield _Mark(match.start("name"), name, "이름은 무엇")


def _ask(context: str, kind: int, mark: _Mark) -> str:
    """Return the words of a question: with a word near its answer, and one from elsewhere."""
    spans = [match.span() for match in _SENTENCE.finditer(context)]
    sentence = next((span for span in spans if span[0] <= mark.start < span[1]), (0, len(context)))
    near = context[slice(*sentence)]
    far = [name for name in _subjects(context, mark) if name not in near]
    before, all_ = _subjects(context[: mark.start], mark), _subjects(context, mark)
    clue = (_subjects(near, mark) or before or all_[:1] or ["이"])[-1]
    other = far[int(draw(0, "sim.other", context) * len(far))] if far else "다른"
    return _ASKED[kind].format(clue=clue, other=other, what=mark.what)


def _subjects(text: str, mark: _Mark) -> list[str]:
    names = [match["name"] for match in _SUBJECT.finditer(text)]
    return [name for name in names if name not in mark.text and mark.text not in name]


SIMULATED: Final = Simulated(
    plans={
        "write": Plan(60, 0.78, 0.1, load=5),
        "inspect": Plan(6, 0.95, 0.03, first=61),
        "final_review": Plan(2, 0.98, 0.01, first=67),
    },
    rates={"unusable_passage": 0.01, "bias": 0.003},
    key=lambda fields: [fields.get("context", "")],
    estimate=estimate,
)
