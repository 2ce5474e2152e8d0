"""Remembered verdicts against kss, asked about every place of a linked list of syllables."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

# What decides about an end: endings, marks, particles, blanks, jamo, numbers, letters.
TOKENS = [
    ("했다", "VV+EP+EC"), ("한다", "VV+EC"), ("어요", "EF"), ("음", "ETN"), ("기", "ETN"),
    ("던", "ETM"), ("다", "EC"), ("능", "ETM"), ("니", "EC"), ("만", "EC"), ("데", "NNB"),
    ("듯", "NNB"), ("이다", "VCP+EC"), ("라고", "JKQ"), ("에서", "JKB"), ("봤", "VX+EP"),
    ("그리고", "MAJ"), ("나", "NP"), ("꽃", "NNG"), (" ", "SP"), (".", "SF"), ("?", "SF"),
    (",", "SC"), ("…", "SE"), ("-", "SY"), ("(", "SSO"), (")", "SSC"), ("ㅋㅋ", "IC"),
    ("ㄱ", "IC"), ("3", "SN"), ("vol", "SL"), ("no", "SL"), ("제2조", "NNG"),
]  # fmt: skip
drawn = st.lists(st.sampled_from(TOKENS), min_size=1, max_size=14)


def verdicts_of_kss(tokens: list[tuple[str, str]]) -> list[tuple[Any, Any]]:
    """Ask kss about every place but the blank before the text, without a memory."""
    from pipeline.corpus.kss.chain import Chain, token_of
    from pipeline.corpus.kss.walk import Linked

    chain = Chain([token_of(*token) for token in tokens])
    linked = Linked(chain.syllables)
    return [(linked.may_end(at), linked.ends(at)) for at in range(1, len(chain.syllables))]


def remembered(tokens: list[tuple[str, str]]) -> list[tuple[Any, Any]]:
    """Return the same from the memory of this process."""
    from pipeline.corpus.kss.chain import SPACE, token_of
    from pipeline.corpus.kss.verdicts import MARGIN
    from pipeline.corpus.kss.walk import Remembered

    traits = [t for token in tokens for t in token_of(*token).traits]
    places = Remembered([*MARGIN, SPACE, *traits, *MARGIN])
    return [(places.may_end(at), places.ends(at)) for at in places.span[1:]]


@given(tokens=drawn)
def test_verdicts_are_those_of_kss(tokens: list[tuple[str, str]]) -> None:
    assert remembered(tokens) == verdicts_of_kss(tokens)


@given(texts=st.lists(drawn, min_size=2, max_size=4))
def test_a_full_memory_starts_again(texts: list[list[tuple[str, str]]]) -> None:
    from pipeline.corpus.kss import verdicts
    from pipeline.corpus.kss.syllables import Splitter
    from pipeline.corpus.kss.walk import Remembered

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verdicts, "NODES", 200)
        patch.setattr(Remembered, "_ends", verdicts.Verdicts(Splitter.check_split_end))
        for tokens in texts:
            assert remembered(tokens) == verdicts_of_kss(tokens)
        assert Remembered._ends.size <= 200


def test_what_was_read_once_is_not_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    from pipeline.corpus.kss.chain import SPACE, token_of
    from pipeline.corpus.kss.verdicts import MARGIN, REACH, Verdicts
    from pipeline.corpus.kss.walk import Remembered

    def at_the_mark(first: str, last: str) -> bool:
        tokens = [
            (first, "NNG"),
            ("이", "VCP"),
            ("다", "EF"),
            (".", "SF"),
            (" ", "SP"),
            (last, "NNG"),
        ]
        traits = [t for token in tokens for t in token_of(*token).traits]
        return Remembered([*MARGIN, SPACE, *traits, *MARGIN]).may_end(REACH + 4)

    assert at_the_mark("꽃", "끝")
    monkeypatch.setattr(Verdicts, "_ask", None)  # raises when it is called
    assert at_the_mark("봄", "새")


def test_a_long_run_reaches_beyond_the_margin() -> None:
    tokens = [("꽃", "NNG"), ("이다", "VCP+EF"), *[(".", "SF")] * 60, (" ", "SP"), ("끝", "NNG")]
    assert remembered(tokens) == verdicts_of_kss(tokens)
