"""Press sections: what real files call them, brought to the seven ids of the release."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from pipeline.contracts.spec import load_spec
from pipeline.tasks.tc.candidates import Sections
from pipeline.tasks.tc.spec import TcSampling

_SAMPLING = load_spec("tc").sampling
assert _SAMPLING is not None
PLAIN: dict[str, Any] = _SAMPLING.model_dump(mode="json")
SECTIONS = Sections(PLAIN)
PORTAL = "https://news.naver.com/main/read.nhn?mode=LS2D&mid=shm&sid1={}&sid2=260&oid=001&aid=1"


@pytest.mark.parametrize(
    ("name", "id_"),
    [
        ("생활/문화", "생활문화"),
        ("생활·문화", "생활문화"),
        ("IT/과학", "IT과학"),
        (" it과학 ", "IT과학"),
        ("Sports", "스포츠"),
        ("104", "세계"),
        ("정치", "정치"),
        ("연예", None),
        ("오피니언", None),
    ],
)
def test_names(name: str, id_: str | None) -> None:
    assert SECTIONS.of(name, PORTAL.format(100)) == id_


@pytest.mark.parametrize(
    ("url", "id_"),
    [
        (PORTAL.format(103), "생활문화"),
        (PORTAL.format(105), "IT과학"),
        (PORTAL.format(1059), None),
        ("https://sports.news.naver.com/news.nhn?oid=001&aid=0010244737", "스포츠"),
        ("https://news.example.org/1", None),
        (None, None),
    ],
)
def test_addresses_tell_where_no_section_is_named(url: str | None, id_: str | None) -> None:
    assert SECTIONS.of(None, url) == id_
    assert SECTIONS.of("  ", url) == id_


def test_every_official_headline_has_a_section(data_dir: Path) -> None:
    path = data_dir / "klue" / "ynat-v1.1_train36547_dev9107_titles.csv"
    rows = list(csv.DictReader(path.open(encoding="utf-8")))
    found = [SECTIONS.of(row["predefined_news_category"], row["url"]) for row in rows]
    assert len(rows) == 45_654
    assert None not in found
    dev = [row for row in rows if row["split"] == "dev"]
    told = [SECTIONS.of(None, row["url"]) == row["predefined_news_category"] for row in dev]
    assert sum(told) / len(dev) > 0.999  # address and category agree


def test_a_name_of_two_sections_is_an_error() -> None:
    given = {**PLAIN, "sections": {"정치": {"names": ["a"]}, "경제": {"names": ["A"]}}}
    with pytest.raises(ValidationError, match="given twice"):
        TcSampling.model_validate(given)


def test_a_section_without_a_quota_is_an_error() -> None:
    with pytest.raises(ValidationError, match="'연예' has no quota"):
        TcSampling.model_validate({**PLAIN, "sections": {"연예": {}}})
