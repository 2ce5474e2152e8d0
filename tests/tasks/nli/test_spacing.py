"""Blanks that are missing, and words that only look as if one were."""

from __future__ import annotations

import pytest

from pipeline.core.morphology import morphemes
from pipeline.tasks.nli.spacing import lacks_blank


@pytest.mark.parametrize(
    ("text", "is_missing"),
    [
        ("배우가 정말 멋지고 음악도 좋았다", False),
        ("배우가 정말 멋지고음악도 좋았다", True),
        ("밤에 혼자 보는동안 내내 무서웠다", True),
        ("이건 영화가아니라 한 편의 시였다", True),
        ("결말이 너무재미있어서 또 봤다", True),
        ("초반은 느리다,그래도 끝은 좋다", True),
        ("감독들아새색시연기봤느냐 또 보고 싶다", True),
        ("무대가 무너져내렸다고 한다", False),  # two verbs that are one
        ("정말 잘만든 영화였다", False),  # once what is often written so
        ("이영화 정말 잘만든 것이었다", True),  # twice
        ("볼만한 것이 한두 가지가 아니다", False),
        ("알파고가 바둑을 이겼다", False),  # a name that is cut behind its first syllable
        ("", False),
    ],
)
def test_missing_blanks(text: str, is_missing: bool) -> None:
    assert lacks_blank(text, morphemes(text)) == is_missing
