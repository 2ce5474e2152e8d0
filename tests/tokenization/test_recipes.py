"""How training text is cut: nothing is lost, and morphemes are cut where mecab cuts them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sentences import sentences

from pipeline.core.wordpiece import INNER, is_inner
from pipeline.tokenization.recipes import LONGEST, RECIPES, aligned, klue, plain

TEXT = "한가람은 바닷가 도서관에서 AI를 읽었다."


def test_a_worked_example() -> None:
    assert list(plain(TEXT)) == ["한가람은", "바닷가", "도서관에서", "AI를", "읽었다", "."]
    assert list(klue(TEXT)) == [
        *("한가람", "은", "바닷가", "도서관", "에서", "AI", "를", "읽", "었", "다", "."),
    ]
    assert list(aligned(TEXT)) == [
        *("한가람", "##은", "바닷가", "도서관", "##에서", "AI", "##를", "읽", "##었", "##다", "."),
    ]


@pytest.mark.parametrize("recipe", sorted(RECIPES))
def test_nothing_is_lost(recipe: str) -> None:
    for text in sentences(50):
        parts = [p[len(INNER) :] if is_inner(p) else p for p in RECIPES[recipe](text)]
        assert "".join(parts) == "".join(text.split())


@given(st.text(st.sampled_from("가는은 .#▁ㅋ한a1😀\u1161國\n\t")))
def test_aligned_is_klue_with_continuations_marked(text: str) -> None:
    assert [p[len(INNER) :] if is_inner(p) else p for p in aligned(text)] == list(klue(text))
    joined = "".join(
        f" {part}" if not is_inner(part) else part[len(INNER) :] for part in aligned(text)
    )
    assert joined.split() == list(plain(text))


@pytest.mark.parametrize("recipe", sorted(RECIPES))
def test_giant_words_teach_nothing(recipe: str) -> None:
    assert list(RECIPES[recipe]("가" * (LONGEST + 1))) == []
