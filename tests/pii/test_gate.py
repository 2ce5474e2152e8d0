"""The gate never loses a hit, and no text makes detection take more than linear time."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from labelled_set import rows

from pipeline.pii.detect import RULES, detect, detect_text, mask
from pipeline.pii.normal import fold
from pipeline.pii.rules.rule import Rule


def _words(listed: str) -> list[str]:
    return re.split(r"[ \n]+", listed.strip(" \n"))  # a full-width blank is part of a word


_PARTS = _words("""
    010 02 031 070 1588 +82 82 0082 900101 1234567 5234567 201001 3 4111 1111 3782 822463 10005
    123 45 67891 11 17 174133 01 85 123456 78 1 2345678901 12 가 나 허 3456 M M12345678
    M123A4567 user naver com at dot 골뱅이 점 닷 네이버 컴 @ ＠ @길동이네 @gildong http://
    https://www. www. .co.kr .com / ? :8080 8.8.8.8 192 2001:db8:: fe80 :: aa:bb:cc:dd:ee:0f
    00-1a AA ff 0a1b.2c3d.4e5f 서울 경기도 성남시 강남구 분당구 역삼동 테헤란로 판교로 255번길
    152 736-1 산 번지 101동 1203호 3층 (역삼동) 국민은행 계좌 면허 여권 사업자 건강보험 카드
    차량 맥주소 주소: 으로 에서 입니다 주문번호 공일공 일이삼사 오육칠팔 영일영 ( ) [ ] , . - –
    － ㅡ · ０１０ １２３４
""")
_NEAR = st.lists(st.sampled_from([*_PARTS, *"-- .–)/:_ ", " - "]), max_size=14).map("".join)
_NOISE = st.text(
    st.sampled_from("0123456789０５-–. ()@:/abcdefMＡ가나로길동 시구산번지서울점at골뱅이=?#_＿\n"),
    max_size=60,
)

Span = tuple[str, int, int, str, float]


def _ungated(text: str) -> list[Span]:
    return [tuple(hit)[:5] for hit in detect_text(text, minimum=0.0)]  # type: ignore[misc]


def _gated(texts: list[str]) -> list[list[Span]]:
    found: list[list[Span]] = [[] for _ in texts]
    for hit in detect(pa.array(texts, pa.string()), minimum=0.0).to_pylist():
        place = (hit["type"], hit["start"], hit["end"], hit["rule"], hit["confidence"])
        found[hit["row"]].append(place)
    return found


@given(st.lists(_NEAR | _NOISE, min_size=1, max_size=6))
def test_the_gate_loses_no_hit_on_random_text(texts: list[str]) -> None:
    assert _gated(texts) == [_ungated(text) for text in texts]


def test_the_gate_loses_no_hit_of_the_labelled_set() -> None:
    texts = [row["text"] for row in rows()]
    assert _gated(texts) == [_ungated(text) for text in texts]


# ----- texts made from the patterns themselves, in every spelling that folds to what they ask for


@cache
def _spellings() -> dict[str, list[str]]:
    """Return all characters that fold to another, by what they fold to."""
    found: dict[str, list[str]] = {}
    for char in map(chr, (*range(0xD800), *range(0xE000, 0x110000))):
        if (folded := fold(char)) != char:
            found.setdefault(folded, []).append(char)
    return found


_FRONTS = _words("""
    _ 연락처_ 계좌_국민은행_ 서울_강남구_ 주소:_ 살던_곳:_ 살던　곳:_ 면허_ 여권_ 차량_ 카드_
    사업자_ 건보_ 서버_
""")


class _Sampler:
    """Draws texts that a pattern may match, by its parsed form; lookarounds are not obeyed."""

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed)

    def text(self, rule: Rule) -> str:
        parsed = re._parser.parse(rule.pattern.pattern, rule.pattern.flags)  # type: ignore[attr-defined]
        front = self._random.choice(_FRONTS).replace("_", " ")
        made = front + self._of(parsed, {}) + self._random.choice(["", " ", "입니다", "으로", "."])
        return "".join(map(self._spelt, made)) if self._random.random() < 0.7 else made

    def _spelt(self, char: str) -> str:
        choices = _spellings().get(char)
        return self._random.choice(choices) if choices and self._random.random() < 0.3 else char

    def _of(self, parsed: Any, groups: dict[int, str]) -> str:
        return "".join(self._item(str(name), value, groups) for name, value in parsed)

    def _item(self, name: str, value: Any, groups: dict[int, str]) -> str:
        made = ""
        if name == "LITERAL":
            made = chr(value)
        elif name == "IN":
            made = self._char(value)
        elif name == "BRANCH":
            made = self._of(self._random.choice(value[1]), groups)
        elif name == "SUBPATTERN":
            made = groups[value[0]] = self._of(value[3], groups)
        elif name == "GROUPREF":
            made = groups.get(value, "")
        elif "REPEAT" in name:
            times = self._random.randint(value[0], min(int(value[1]), value[0] + 3))
            made = "".join(self._of(value[2], groups) for _ in range(times))
        return made

    def _char(self, items: Any) -> str:
        name, value = self._random.choice(items)
        if str(name) == "RANGE":
            return chr(self._random.randint(*value))
        if str(name) == "LITERAL":
            return chr(value)
        return self._random.choice("0123456789") if "DIGIT" in str(value) else "가"


@pytest.mark.parametrize("count", [60, pytest.param(400, marks=pytest.mark.full)])
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_the_gate_loses_no_hit_in_any_spelling(rule: Rule, count: int) -> None:
    """In so many texts, and more until the rule has a hit: one in 170 is of the rarest."""
    sampler, is_hit = _Sampler(rule.id), False
    texts, ungated = list[str](), list[list[Span]]()
    while len(texts) < count or not is_hit:
        assert len(texts) < 400, "the sampler is too wild"
        texts.append(sampler.text(rule))
        ungated.append(_ungated(texts[-1]))
        is_hit = is_hit or rule.id in [hit[3] for hit in ungated[-1]]
    assert _gated(texts) == ungated


# ----- time


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
_RUNS = _words("""
    a a. a- a@ @a 1 1- 1. 12- 0: a: :: www.a http://a http://a/ 가 가로 가로1 서울 강남구 가동1
    길1 로1 1가 010 공일공 일 골뱅이 a골뱅이 a점 M1 aa: A1B2. /가 /가_ (((( a.a@a. 국민1-
    서울시강남구가동 종로1길 user@a.b.c.d. 1111- (02) %+a user@naver.com, 010-1234-5678,
    @gildong,
""")


def _seconds(work: Callable[[str], object], text: str) -> float:
    begin = time.process_time()
    work(text)
    return time.process_time() - begin


def _is_linear(work: Callable[[str], object], unit: str) -> bool:
    """Eight times the text may take at most 24 times the CPU time, side by side (linear: 8)."""
    long = unit * (24_000 // len(unit))
    for _ in range(5):  # a machine may hiccup; a pattern that walks back does so every time
        short = min(_seconds(work, long[: len(long) // 8]) for _ in range(2))
        if _seconds(work, long) <= 24 * short + 0.02:
            return True
    return False


_PAIRS = [
    pytest.param(pair, marks=() if place % 4 == 0 else pytest.mark.full)
    for place, pair in enumerate(map("".join, product(_RUNS[::9], _RUNS[::7])))
]


@pytest.mark.thin(5)
@pytest.mark.parametrize("unit", [*_RUNS, *_PAIRS])
def test_time_grows_with_the_length_of_built_text_and_no_faster(unit: str) -> None:
    assert _is_linear(lambda text: detect_text(text, minimum=0.0), unit)


@pytest.mark.full
@given(st.lists(st.sampled_from([*_PARTS, *_RUNS, " "]), min_size=1, max_size=4).map("".join))
def test_time_grows_with_the_length_of_random_text_and_no_faster(unit: str) -> None:
    assert _is_linear(lambda text: detect_text(text, minimum=0.0), unit)


@pytest.mark.parametrize("unit", ["user@naver.com,", "010-1234-5678,", "1 ", "@a ", "가@"])
def test_masking_takes_linear_time(unit: str) -> None:
    assert _is_linear(mask, unit)
