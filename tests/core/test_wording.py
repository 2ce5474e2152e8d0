"""Numbers with what they count."""

from __future__ import annotations

import pytest

from pipeline.core.wording import count


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
