"""What several tests of annotation share: items, raw votes, and the specs that come along."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from pipeline.annotation.intake.intake import Taken, intake
from pipeline.annotation.intake.vote import RawVote, Within
from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import load_spec
from pipeline.core import schemas
from pipeline.core.jsontext import canonical

FIELDS: dict[str, dict[str, Any]] = {
    "tc": {"title": "새 도서관 개관"},
    "sts": {"sentence1": "문을 열어 줘", "sentence2": "문 좀 열어 줄래"},
    "nli": {"premise": "비가 온다", "hypothesis": "날이 맑다"},
    "ner": {"text": "김가상은 서울에 산다."},
    "re": {"sentence": "", "subject": {}, "object": {}},
    "dp": {"text": "나는 밥을 먹는다", "words": ["나는", "밥을", "먹는다"]},
    "mrc": {"title": "섬", "context": "그 섬은 1919년에 처음 지도에 올랐다."},
    "dst": {"goal": "조용한 숙소를 찾는다"},
}
#: A vote that the first item takes, and a span of its text in ner.
GOOD: dict[str, Any] = {"item": "a", "annotator": "07", "label": ["사회"]}
SPAN = {"start": 0, "end": 3, "label": "PS"}


def make_items(names: list[str], task: str = "tc", **more: Any) -> pa.Table:
    """Return items with these ids; `more` columns are the same for all."""
    fields = canonical(FIELDS[task])
    return schemas.build(
        "items", [{"item": n, "task": task, "fields": fields, **more} for n in names]
    )


def raws(*values: dict[str, Any], file: str = "votes.jsonl") -> list[RawVote]:
    """Return records, one a line."""
    return [RawVote(file, line, value) for line, value in enumerate(values, start=1)]


def take(
    *values: dict[str, Any], task: str = "tc", within: Within | None = None, **options: Any
) -> Taken:
    """Take records in for a task whose items are a, b and c."""
    options.setdefault("items", make_items(["a", "b", "c"], task))
    records = raws(*values, file=options.pop("file", "votes.jsonl"))
    return intake(records, task=TASKS[task], spec=load_spec(task), within=within, **options)
