"""Tables that a user could have, and the commands to compare with."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from typer.testing import CliRunner

from flows.cli import app
from pipeline.release.writing import write

sys.path.append(str(Path(__file__).parents[1] / "release"))

import small_release

#: Fictional texts: two that stay, one with a phone number, one empty, one absent, one repeated.
TEXTS = [
    "오늘 배송이 정말 빨라서 좋았습니다. 다음에도 주문하겠습니다.",
    "연락처는 010-2345-6789 입니다. 전화 주세요.",
    "",
    None,
    "오늘 배송이 정말 빨라서 좋았습니다. 다음에도 주문하겠습니다.",
    "hello world only english text here",
    "품질이 아주 마음에 들어요 ㅋㅋㅋㅋㅋㅋㅋㅋ",
]
LABELS = ("entailment", "contradiction", "neutral")
Klue = Callable[..., dict[str, Any]]


@pytest.fixture
def klue() -> Klue:
    """Return what runs a command and returns its one JSON object."""

    def run(*arguments: object) -> dict[str, Any]:
        result = CliRunner().invoke(app, [*map(str, arguments), "--json"])
        assert result.exit_code == 0, result.output
        record: dict[str, Any] = json.loads(result.stdout)
        return record

    return run


@pytest.fixture
def reviews() -> pd.DataFrame:
    """Return a frame of texts under an index of letters, with a column that has no one type."""
    other = [1, "x", None, [3], 4.0, {"a": 5}, True]
    return pd.DataFrame({"stars": range(7), "review": TEXTS, "other": other}, index=[*"abcdefg"])


@pytest.fixture
def votes() -> pd.DataFrame:
    """Return forty items, each judged by three annotators, who err on every seventh vote."""
    rows = [
        {"item": f"i{item:02}", "annotator": who, "label": ("yes", "no")[(item + (n == 0)) % 2]}
        for item in range(40)
        for who, n in zip(
            ("kim", "lee", "han"), ((item * 3 + k) % 7 for k in range(3)), strict=True
        )
    ]
    return pd.DataFrame(rows)


@pytest.fixture
def pairs() -> pd.DataFrame:
    """Return premises of two styles with a hypothesis for each label."""
    rows = [
        {
            "item": f"p{n:02}-{label}",
            "premise": f"{n}번 가게는 {n % 7 + 1}층에 문을 열었다.",
            "hypothesis": f"{n}번 가게는 {n % 7 + 1 + k}층에 {'있다' if k < 2 else '없다'}.",
            "gold": label,
            "source": ("wikinews", "airbnb")[n % 2],
        }
        for n in range(100)
        for k, label in enumerate(LABELS)
    ]
    return pd.DataFrame(rows)


@pytest.fixture(scope="session")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a release of all eight tasks, with its private folder."""
    folder = tmp_path_factory.mktemp("interface")
    return write(small_release.material(folder), folder / "mini" / "1.0.0").folder
