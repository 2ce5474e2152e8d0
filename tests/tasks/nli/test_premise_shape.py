"""What a premise must not look like."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.tasks.nli.candidates import SHAPES, is_balanced


def _objects(rule: str, text: str) -> bool:
    return any(objects(text) for name, objects, _ in SHAPES if name == f"nli.{rule}@1")


@pytest.mark.parametrize(
    "text",
    [
        "넓이는 a + b 로 셈한다",
        "E=mc 로 유명하다",
        "x^2 의 값은 9 이다",
        "값은 \\frac 으로 적는다",
        "오차는 ±3 이다",
    ],
)
def test_formulas(text: str) -> None:
    assert _objects("formula", text)


@pytest.mark.parametrize(
    "text", ["도수는 35~55% 정도이다.", "경기는 8:0 으로 끝났다.", "무어=길버트는 반대했다."]
)
def test_no_formulas(text: str) -> None:
    assert not _objects("formula", text)


@pytest.mark.parametrize(
    "text",
    [
        "- 첫째 항목은 이것이다.",
        "• 둘째 항목은 이것이다.",
        "3. 가까운 곳에 가게가 있습니다",
        "가. 신청한 사람은 서류를 낸다.",
        "③ 다른 주자를 방해하면 실격이다.",
        "이름 | 나이 | 직업을 적는다",
        "도움닫기→발구르기→착지의 순서이다.",
        "사과는 하나; 배는 둘; 감은 셋이다",
    ],
)
def test_lists(text: str) -> None:
    assert _objects("list", text)


@pytest.mark.parametrize(
    "text",
    [
        "6.25 때 부모를 잃었다.",
        "사과, 배, 감, 귤, 포도, 딸기를 판다.",
        "서울·인천 같은 도시가 있다.",
        "2019년 여름은 더웠다.",
        "영하 5도까지 내려갔다.",
    ],
)
def test_no_lists(text: str) -> None:
    assert not _objects("list", text)


@pytest.mark.parametrize(
    ("text", "balanced"),
    [
        ('그는 "좋다"고 말했다.', True),
        ('그는 "좋다고 말했다.', False),
        ("이른바 ‘작은 집’(초가)이다.", True),
        ("이른바 ‘작은 집(초가’)이다.", False),
        ("넓이가 (약 3평이다.", False),
        ("『책』을 펴냈다》", False),
        ("Kim's house 에 갔다.", True),
        ("'90s 음악을 들었다.", True),
    ],
)
def test_balance(text: str, balanced: bool) -> None:
    assert is_balanced(text) == balanced


@given(
    st.recursive(st.just("가"), lambda inner: inner.map("({})".format) | inner.map("「{}」".format))
)
def test_nested_brackets_are_balanced_and_a_lost_one_is_not(text: str) -> None:
    assert is_balanced(text)
    if text != "가":
        assert not is_balanced(text[1:])
        assert not is_balanced(text[:-1])


def test_chat_questions_and_second_sentences() -> None:
    assert _objects("chat", "진짜 ㅋㅋ 웃긴다")
    assert _objects("chat", "처음엔.. 별로였다")
    assert not _objects("chat", "초ㆍ중학교가 있다")
    assert not _objects("chat", "10~20분이 걸린다")
    assert _objects("declarative", "왜 그럴까? 모르겠다")
    assert not _objects("declarative", "그는 “왜?”라고 물었다.")
    assert _objects("several", "방은 좁습니다. 위치는 좋아요")
    assert _objects("several", "재밌다!또 보고 싶다")
    assert not _objects("several", '그는 "간다. 곧 간다."라고 말했다.')
    assert not _objects("several", "그는 1.5배를 받았다.")
