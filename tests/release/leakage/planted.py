"""Examples with invented texts, for tests that plant leaks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pyarrow as pa

from pipeline.core import schemas
from pipeline.core.jsontext import canonical

TITLES = (
    "가람포 등대 백 년 만에 새 단장 마치고 시민에게 열린다",
    "도담시 도서관 어린이 열람실과 작은 정원 함께 문 열어",
    "한빛 야구단 연장 접전 끝에 다온을 꺾고 선두로 올라서",
    "새봄전자 접는 화면 특허 두 건 등록하고 시제품 공개",
    "푸른섬 감귤 수확 늦어져 산지 가격 지난해보다 올라",
    "나래 극단 탈춤과 현대 무용 엮은 신작 가을에 선보여",
)


def example(
    task: str, name: str, split: str, fields: Any, label: Any, **more: Any
) -> dict[str, Any]:
    """Return a row of EXAMPLES."""
    row = {
        "id": f"{task}-{name}",
        "task": task,
        "split": split,
        "source": "made",
        "group": f"{task}-{name}",
        "fields": canonical(fields),
        "label": canonical(label),
        "documents": [f"document-{name}"],
        "simulated": False,
        "kept": False,
    }
    return row | more


def title(name: str, split: str, text: str, **more: Any) -> dict[str, Any]:
    """Return a headline."""
    return example("tc", name, split, {"title": text}, ["사회"], **more)


def table(rows: Iterable[dict[str, Any]]) -> pa.Table:
    """Return rows as EXAMPLES."""
    return schemas.build("examples", list(rows))
