"""Items and answers of all eight tasks for the tests of the exchange; all of it is invented."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from pipeline.contracts.spec import Round, TaskSpec, load_spec
from pipeline.contracts.task import answer_form
from pipeline.core import schemas
from pipeline.core.jsontext import canonical

TASK_IDS = ("tc", "sts", "nli", "ner", "re", "dp", "mrc", "dst")
SPECS: dict[str, TaskSpec] = {task: load_spec(task) for task in TASK_IDS}
#: Every round of the eight specs.
ROUNDS: list[tuple[str, str]] = [(t, r.id) for t in TASK_IDS for r in SPECS[t].rounds]

#: An emoji outside the first plane, a joined one, conjoining jamo, markup, a line end.
ODD = "🍜가나 <script>alert(1)</script>\n👩‍🌾다라 각 𠮷마"

FIELDS: dict[str, dict[str, Any]] = {
    "tc": {"title": "달빛시 시의회, 새 도서관 예산 통과 <script>🎉"},
    "sts": {"sentence1": "비가 와서 경기가 밀렸다.", "sentence2": "비 때문에 경기를 미뤘다. 🌧️"},
    "nli": {"premise": "모든 참가자가 제시간에 왔다.", "hypothesis": "늦은 참가자는 없다."},
    "ner": {"text": "🍜 김도담은 3월 2일 별빛시에서\n한울전자를 찾았다."},
    "re": {
        "sentence": "😀 한울전자의 창업자 김도담은 별빛시에서 태어났다.",
        "subject": {"start": 12, "end": 15, "word": "김도담", "type": "PER"},
        "object": {"start": 17, "end": 20, "word": "별빛시", "type": "LOC"},
    },
    "dp": {"text": "그는 🍜 노래를 불렀다.", "words": ["그는", "🍜", "노래를", "불렀다."]},
    "mrc": {
        "title": "한울전자",
        "context": "🍜 한울전자는 1991년 별빛시에 섰다.\n<b>창업자</b>는 김도담. 1991년 일이다.",
        "question_type": 1,
    },
    "dst": {"goal": "서울 중앙의 호텔을 찾고 3일 묵을 방을 예약한다."},
}


def items(task: str, fields: dict[str, Any] | None = None, count: int = 1, **more: str) -> pa.Table:
    """Return a table of items of a task; `more` are other columns, the same for all."""
    rows: list[dict[str, object]] = [
        {"item": f"{task}-{n}", "task": task, "fields": canonical(fields or FIELDS[task]), **more}
        for n in range(1, count + 1)
    ]
    return schemas.build("items", rows)


_CONTEXT = FIELDS["mrc"]["context"]
ANSWERS: dict[str, Any] = {
    "topics": ["사회", "정치"],
    "score": 4,
    "hypotheses": {
        "entailment": "늦은 사람이 없다. " + ODD,
        "contradiction": "한 명이 늦었다.",
        "neutral": "모두 기뻐했다.",
    },
    "spans": [
        {"start": 2, "end": 5, "label": "PS"},
        {"start": 7, "end": 12, "label": "DT"},
        {"start": 19, "end": 23, "label": "OG"},
    ],
    "morphemes": {
        "lemmas": ["그 는", "🍜", "노래 를", "부르 었 다 ."],
        "pos": ["NP+JX", "SW", "NNG+JKO", "VV+EP+EF+SF"],
    },
    "tree": {"heads": [4, 3, 4, 0], "deprels": ["NP_SBJ", "NP", "NP_OBJ", "VP"]},
    "reading": {
        "question": "한울전자는 언제 세워졌는가?\n<script>🍜",
        "type": 2,
        "answers": [
            {"start": _CONTEXT.rindex("1991년"), "text": "1991년"},
            {"start": _CONTEXT.index("1991년"), "text": "1991년"},
        ],
        "plausible_answers": [],
    },
    "dialogue": {
        "turns": [
            {"role": "user", "text": "서울 중앙에 호텔 있나요? 🍜\n싸면 좋겠어요.", "state": [
                "숙소-종류-호텔", "숙소-지역-서울 중앙", "숙소-가격대-저렴"]},
            {"role": "sys", "text": "달무리 호텔이 있습니다.", "state": []},
            {"role": "user", "text": "거기로 할게요.", "state": [
                "숙소-이름-달무리 호텔-별관", "숙소-종류-호텔", "숙소-지역-서울 중앙",
                "숙소-가격대-저렴", "숙소-인터넷 가능-dontcare"]},
        ]
    },
}  # fmt: skip
LABELS = {"nli": "neutral", "re": "per:place_of_birth"}


def answer(task: str, round_: Round) -> Any:
    """Return a good answer of the form that a round is about."""
    form = answer_form(SPECS[task], round_)
    return LABELS[task] if form == "label" else ANSWERS[form]


def full(task: str, round_: Round) -> Any:
    """Return a good answer of a round, a revising verdict where it asks for one."""
    made = answer(task, round_)
    if round_.answer != "verdict":
        return made
    return {"verdict": "revise", "answer": made, "feedback": "두 곳을 고쳤어요.\n" + ODD}


def round_of(task: str, name: str) -> Round:
    """Return a round of a spec."""
    found = SPECS[task].round(name)
    assert found is not None
    return found
