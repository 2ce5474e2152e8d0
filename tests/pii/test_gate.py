"""The gate never loses a hit, and no pattern takes more than linear time."""

from __future__ import annotations

import re
import time
from itertools import product
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from labelled_set import rows

from pipeline.pii.detect import RULES, detect, detect_text
from pipeline.pii.folding import spellings
from pipeline.pii.rules.rule import Rule

_PARTS = [
    "010",
    "02",
    "031",
    "070",
    "1588",
    "+82",
    "82",
    "0082",
    "900101",
    "1234567",
    "5234567",
    "201001",
    "3",
    "4111",
    "1111",
    "3782",
    "822463",
    "10005",
    "123",
    "45",
    "67891",
    "11",
    "17",
    "174133",
    "01",
    "85",
    "123456",
    "78",
    "1",
    "2345678901",
    "12",
    "123",
    "가",
    "나",
    "허",
    "3456",
    "M",
    "M12345678",
    "M123A4567",
    "user",
    "naver",
    "com",
    "at",
    "dot",
    "골뱅이",
    "점",
    "닷",
    "네이버",
    "컴",
    "@",
    "＠",
    "@길동이네",
    "@gildong",
    "http://",
    "https://www.",
    "www.",
    ".co.kr",
    ".com",
    "/",
    "?",
    ":8080",
    "8.8.8.8",
    "192",
    "2001:db8::",
    "fe80",
    "::",
    "aa:bb:cc:dd:ee:0f",
    "00-1a",
    "AA",
    "ff",
    "0a1b.2c3d.4e5f",
    "서울",
    "경기도",
    "성남시",
    "강남구",
    "분당구",
    "역삼동",
    "테헤란로",
    "판교로",
    "255번길",
    "152",
    "736-1",
    "산",
    "번지",
    "101동",
    "1203호",
    "3층",
    "(역삼동)",
    "국민은행",
    "계좌",
    "면허",
    "여권",
    "사업자",
    "건강보험",
    "카드",
    "차량",
    "맥주소",
    "주소:",
    "으로",
    "에서",
    "입니다",
    "주문번호",
    "공일공",
    "일이삼사",
    "오육칠팔",
    "영일영",
    "(",
    ")",
    "[",
    "]",
    ",",
    ".",
    "-",
    "–",
    "－",
    "ㅡ",
    "·",
    "０１０",
    "１２３４",
]
_SEPARATORS = ["", "", "-", " ", ".", "–", " - ", ")", "\u3000", "/", ":"]
_NEAR = st.lists(st.sampled_from([*_PARTS, *_SEPARATORS]), max_size=14).map("".join)
_NOISE = st.text(
    st.sampled_from("0123456789０５-–. ()@:/abcdefMＡ가나로길동 시구산번지서울점at골뱅이=?#_\n"),
    max_size=60,
)


def _spans(text: str) -> list[tuple[Any, ...]]:
    return [tuple(hit)[:5] for hit in detect_text(text, minimum=0.0)]


@settings(max_examples=1500)
@given(st.lists(_NEAR | _NOISE, min_size=1, max_size=6))
def test_the_gate_loses_no_hit_on_random_text(texts: list[str]) -> None:
    found = detect(pa.array(texts), minimum=0.0).to_pylist()
    gated = [
        [
            (hit["type"], hit["start"], hit["end"], hit["rule"], hit["confidence"])
            for hit in found
            if hit["row"] == row
        ]
        for row in range(len(texts))
    ]
    assert gated == [_spans(text) for text in texts]


def test_the_gate_loses_no_hit_of_the_labelled_set() -> None:
    texts = [row["text"] for row in rows()]
    found = detect(pa.chunked_array([texts[:100], texts[100:]]), minimum=0.0)
    counted = found.group_by("row").aggregate([("row", "count")]).to_pydict()
    gated = dict(zip(counted["row"], counted["row_count"], strict=True))
    assert gated == {n: len(hits) for n, text in enumerate(texts) if (hits := _spans(text))}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_every_repetition_of_a_pattern_is_bounded(rule: Rule) -> None:
    parsed = re._parser.parse(rule.pattern.pattern, rule.pattern.flags)  # type: ignore[attr-defined]
    assert all(most <= 2000 for most in _repeats(parsed))


def _repeats(parsed: Any) -> list[int]:
    found = []
    for name, argument in parsed:
        if "REPEAT" in str(name):
            found.append(int(argument[1]))
        stack = argument if isinstance(argument, tuple | list) else [argument]
        for item in stack:
            for part in item if isinstance(item, list) else [item]:
                if isinstance(part, re._parser.SubPattern):  # type: ignore[attr-defined]
                    found += _repeats(part)
    return found


#: Built to make patterns walk back: runs of what a repetition takes, without the end it wants.
HOSTILE = [
    "a",
    "a.",
    "a-",
    "a@",
    "@a",
    "1",
    "1-",
    "1.",
    "1 ",
    "12-",
    "0:",
    "a:",
    "::",
    "www.a",
    "http://a",
    "가",
    "가로",
    "가로1",
    "서울",
    "서울 강남구 ",
    "강남구",
    "가동1",
    "길1",
    "로 1",
    "1가",
    "010",
    "공일공",
    "일",
    "골뱅이",
    "a골뱅이",
    "a at ",
    "a 점 ",
    "M1",
    "aa:",
    "A1B2.",
    "/가",
    "/가_",
    "((((",
    "a.a@a.",
    "국민1-",
    "서울시강남구가동",
    "종로1길",
    "user@a.b.c.d.",
    "1111-",
    "주소: ",
    "(02)",
    "% +a",
    "은행1234567 ",
]


def _seconds(rule: Rule, text: str) -> float:
    best = float("inf")
    for _ in range(3):
        begin = time.process_time()
        for match in rule.pattern.finditer(text):
            match.end()
        best = min(best, time.process_time() - begin)
    return best


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_time_grows_with_the_length_and_no_faster(rule: Rule) -> None:
    """Eight times the text may take at most 24 times the CPU time, side by side (linear: 8)."""
    pairs = [a + b for a, b in product(HOSTILE, HOSTILE[:: len(HOSTILE) // 6])]
    for unit in [*HOSTILE, *pairs]:
        long = unit * (16_000 // len(unit))
        short = long[: len(long) // 8]
        assert _seconds(rule, long) <= 24 * _seconds(rule, short) + 0.02, unit


def test_gates_know_every_spelling_of_a_digit() -> None:
    assert "\\x{ff10}" in spellings("0123456789")
