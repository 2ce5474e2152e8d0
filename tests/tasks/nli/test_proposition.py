"""Premises: the three conditions of Section 3.3.1, held against the official ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from pipeline.contracts.official.files import read_official
from pipeline.contracts.spec import load_spec
from pipeline.core.jsontext import parsed
from pipeline.sampling.draft import Refusal
from pipeline.tasks.nli.candidates import count_predicates, judge
from pipeline.tasks.nli.spec import NliSampling

_SAMPLING = load_spec("nli").sampling
assert _SAMPLING is not None
PLAIN: dict[str, Any] = _SAMPLING.model_dump(mode="json")
COLLOQUIAL = ("nsmc", "airbnb")


def _rule(text: str, style: str = "colloquial") -> str | None:
    found = judge(text, PLAIN, style)
    return found.rule if isinstance(found, Refusal) else None


@pytest.mark.parametrize(("length", "fits"), [(19, False), (20, True), (90, True), (91, False)])
def test_length_counts_blanks_and_both_ends(length: int, fits: bool) -> None:
    text = ("그 " * 60)[: length - 10] + " 집이 정말 넓다."
    assert len(text) == length
    assert (_rule(text) is None) == fits
    assert fits or _rule(text) == "nli.length@1"


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("시청은 지난 화요일에 새 도서관을 열었다.", None),
        ("숙소는 역에서 걸어서 오 분이면 갈 수 있어요", None),
        ("배우들 연기도 좋고 음악도 정말 훌륭했다 ㅋㅋㅋ", None),
        ("배우들 연기도 좋고 음악도 정말 훌륭했음 ㅋㅋㅋ", "nli.fragment@1"),
        ("배우들 연기도 좋고음악도 정말 훌륭했어요", "nli.spacing@1"),
        ("- 시청은 지난 화요일에 새 도서관을 열었다.", "nli.list@1"),
        ("이 식에서 값은 y = 3x 로 간단히 정해진다.", "nli.formula@1"),
        ('시장은 "도서관을 열겠다고 시민들에게 말했다.', "nli.unbalanced@1"),
        ("시청은 왜 도서관을 지난 화요일에 열었을까요", "nli.declarative@1"),
        ("시청은 왜 열었을까? 아무도 이유를 모른다.", "nli.declarative@1"),
        ("다음 주 화요일에는 도서관에 꼭 가 보세요", "nli.declarative@1"),
        ("다음 주 화요일에는 도서관에 함께 갑시다.", "nli.declarative@1"),
        ("방은 조금 좁습니다. 그래도 위치는 좋아요", "nli.several@1"),
        ("처음에는 별로였는데.. 뒤로 가면 재미있다", "nli.chat@1"),
        ("오랜 시간이 지나도 오래오래 기억에 남는 영화", "nli.fragment@1"),
        ("배우들의 연기도 음악도 모두 아주 훌륭했고", "nli.fragment@1"),
    ],
)
def test_rules(text: str, rule: str | None) -> None:
    assert _rule(text) == rule


def test_each_style_has_its_endings() -> None:
    text = "이 도서관은 시민이 아주 많이 찾는 곳임"
    sampling = {**PLAIN, "endings": {"formal": ["final"], "colloquial": ["nominalised"]}}
    assert not isinstance(judge(text, sampling, "colloquial"), Refusal)
    assert isinstance(judge(text, sampling, "formal"), Refusal)


def test_only_colloquial_sources_are_held_to_their_blanks() -> None:
    text = "가고시마 현과 더불어민주당은 이번 사업에 뜻을 같이했다."
    assert _rule(text, "formal") is None
    assert _rule(text, "colloquial") == "nli.spacing@1"


def test_evidence_names_ending_and_predicates() -> None:
    found = judge("그는 가난한 학생이었으나 매일 책을 읽었다.", PLAIN, "formal")
    assert found == {
        "ending": "final",
        "form": "다",
        "predicates": {"adjective": 1, "copula": 1, "verb": 1},
    }


def test_a_noun_without_its_copula_counts_as_one() -> None:
    assert count_predicates("연령은 다섯 살", [("연령", "NNG"), ("은", "JX")], "copula_less") == {
        "copula": 1
    }
    assert count_predicates("책", [("책", "NNG")], "final") == {}


def test_no_reason_holds_text() -> None:
    for text in ("시청은 왜 도서관을 지난 화요일에 열었을까요", "도서관"):
        found = judge(text, PLAIN, "formal")
        assert isinstance(found, Refusal)
        assert "도서관" not in found.reason


@pytest.mark.full
def test_official_premises_are_accepted(data_dir: Path) -> None:
    premises: dict[str, set[str]] = {}
    for part in ("train", "dev"):
        path = data_dir / "klue" / f"klue-nli-v1.1_{part}.json"
        items = read_official("nli", path).items
        pairs = zip(items["source"].to_pylist(), items["fields"].to_pylist(), strict=True)
        for source, fields in pairs:
            premises.setdefault(source, set()).add(parsed(fields)["premise"])
    assert sum(map(len, premises.values())) == 9_387
    accepted = {
        source: sum(
            not isinstance(
                judge(text, PLAIN, "colloquial" if source in COLLOQUIAL else "formal"), Refusal
            )
            for text in sorted(texts)
        )
        / len(texts)
        for source, texts in premises.items()
    }
    formal = [share for source, share in accepted.items() if source not in COLLOQUIAL]
    assert min(formal) > 0.99
    assert accepted["airbnb"] > 0.87  # a tenth lack blanks
    assert 0.50 < accepted["nsmc"] < 0.65  # a quarter are nouns with what modifies them


def test_questions_and_commands_are_refused(data_dir: Path) -> None:
    lines = (data_dir / "raw" / "paraKQC_v1.txt").read_text("utf-8").splitlines()
    texts = [line.split("\t")[-1].strip() for line in lines]
    fitting = [text for text in texts if 20 <= len(text) <= 90]
    assert len(fitting) > 5_000
    refused = sum(isinstance(judge(text, PLAIN, "colloquial"), Refusal) for text in fitting)
    assert refused / len(fitting) > 0.87  # of the rest most say what one wants to know


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"shortest": 91}, "more than longest"),
        ({"endings": {"formal": ["question"], "colloquial": ["final"]}}, "final"),
        ({"endings": {"formal": [], "colloquial": ["final"]}}, "at least 1"),
    ],
)
def test_a_section_that_makes_no_sense_is_an_error(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        NliSampling.model_validate({**PLAIN, **change})
