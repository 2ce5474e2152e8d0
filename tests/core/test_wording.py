"""Numbers with what they count."""

from __future__ import annotations

import pytest

from pipeline.core.wording import count, verb


@pytest.mark.parametrize(
    ("n", "words", "text"),
    [
        (0, ("item",), "0 items"),
        (1, ("item",), "1 item"),
        (1_500, ("item",), "1,500 items"),
        (1, ("entry", "entries"), "1 entry"),
        (2, ("entry", "entries"), "2 entries"),
    ],
)
def test_a_noun_agrees_with_its_number(n: int, words: tuple[str, ...], text: str) -> None:
    assert count(n, *words) == text


@pytest.mark.parametrize(("n", "text"), [(0, "are"), (1, "is"), (2, "are")])
def test_a_verb_agrees_with_a_number(n: int, text: str) -> None:
    assert verb(n, "is", "are") == text
