"""Items of a user's file must be what their task shows and lets people point into."""

from __future__ import annotations

from typing import Any

import pytest

from pipeline.annotation.intake.items import require_fields
from pipeline.contracts.registry import TASKS
from pipeline.core import schemas
from pipeline.core.errors import InputError
from pipeline.core.jsontext import canonical

SENTENCE = "😀 한울전자의 창업자 김도담은 별빛시에서 태어났다."
GOOD: dict[str, dict[str, Any]] = {
    "tc": {"title": "새 도서관"},
    "sts": {"sentence1": "가", "sentence2": "나"},
    "nli": {"premise": "가", "hypothesis": "나"},
    "ner": {"text": "김가상은 서울에 산다."},
    "re": {
        "sentence": SENTENCE,
        "subject": {"start": 12, "end": 15, "word": "김도담", "type": "PER"},
        "object": {"start": 17, "end": 20, "word": "별빛시", "type": "LOC"},
    },
    "dp": {"text": "비가 온다", "words": ["비가", "온다"]},
    "mrc": {"title": "", "context": "그 섬은 1919년에 처음 지도에 올랐다."},
    "dst": {"goal": ["숙소를 찾는다", "예약한다"]},
}


def _check(task: str, fields: dict[str, Any]) -> None:
    row: dict[str, object] = {"item": "i", "task": task, "fields": canonical(fields)}
    require_fields(schemas.build("items", [row]), TASKS[task])


@pytest.mark.parametrize("task", GOOD)
def test_good_fields_pass(task: str) -> None:
    _check(task, GOOD[task] | {"more": {"anything": [1]}})


@pytest.mark.parametrize("task", GOOD)
@pytest.mark.parametrize("wrong", [None, 5, {}, [], [1], {"start": "x"}, "  "])
def test_each_field_is_checked(task: str, wrong: Any) -> None:
    for name in TASKS[task].fields:
        if (name, wrong) == ("title", "  ") and task == "mrc":
            continue
        with pytest.raises(InputError, match=rf"1 of 1 item .* i: .*`{name}`"):
            _check(task, GOOD[task] | {name: wrong})


@pytest.mark.parametrize(
    "change", [{"start": 13}, {"end": 16}, {"start": -1}, {"end": 10**9}, {"word": "김"}]
)
def test_entities_stand_where_they_say(change: dict[str, Any]) -> None:
    subject = GOOD["re"]["subject"] | change
    with pytest.raises(InputError, match="does not stand at its offsets"):
        _check("re", GOOD["re"] | {"subject": subject})
