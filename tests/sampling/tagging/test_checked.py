"""Mentions of any tagger: what is kept is well formed, and nothing is left out in silence."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.errors import InputError
from pipeline.sampling.tagging.registry import REASONS, TYPES, Mention, resolve, tag_checked

mentions = st.lists(
    st.builds(
        Mention,
        st.integers(-2, 12),
        st.integers(-2, 12),
        st.sampled_from((*TYPES, "XX")),
        st.sampled_from((0.25, 0.5, 1.0)),
    ),
    max_size=8,
)


@given(mentions, st.randoms())
def test_what_is_kept_is_well_formed_and_the_rest_is_told(given_: list[Mention], chance) -> None:  # type: ignore[no-untyped-def]
    found = resolve(given_, 10, TYPES)
    ends = [0, *(place for m in found.mentions for place in (m.start, m.end)), 10]
    assert ends == sorted(ends)
    assert all(m.start < m.end and m.label in TYPES for m in found.mentions)
    assert sorted([*found.mentions, *(m for m, _ in found.left_out)]) == sorted(given_)
    assert {why for _, why in found.left_out} <= set(REASONS)
    chance.shuffle(given_)
    assert resolve(given_, 10, TYPES) == found
    assert resolve(found.mentions, 10, TYPES) == (found.mentions, ())


@given(mentions)
def test_every_overlap_was_with_a_better_one(given_: list[Mention]) -> None:
    found = resolve(given_, 10, TYPES)
    for one, why in found.left_out:
        if why == "overlap":
            rivals = [m for m in found.mentions if m.start < one.end and one.start < m.end]
            assert any(
                (m.score, m.end - m.start) >= (one.score, one.end - one.start) for m in rivals
            )


def test_score_then_length_then_place_decide() -> None:
    sure, long = Mention(0, 2, "PS", 0.9), Mention(1, 5, "OG", 0.8)
    assert resolve([long, sure], 9, TYPES).mentions == (sure,)
    short = Mention(4, 6, "LC", 0.8)
    assert resolve([short, long], 9, TYPES).mentions == (long,)
    left, right = Mention(0, 3, "LC", 0.5), Mention(2, 5, "LC", 0.5)
    assert resolve([right, left], 9, TYPES) == ((left,), ((right, "overlap"),))


@pytest.mark.parametrize(
    ("one", "why"),
    [
        (Mention(3, 3, "PS", 1.0), "empty"),
        (Mention(4, 2, "PS", 1.0), "empty"),
        (Mention(-1, 2, "PS", 1.0), "outside"),
        (Mention(8, 11, "PS", 1.0), "outside"),
        (Mention(0, 2, "POH", 1.0), "label"),
    ],
)
def test_each_fault_has_its_reason(one: Mention, why: str) -> None:
    assert resolve([one], 10, TYPES) == ((), ((one, why),))


class Silent:
    """A tagger that forgets a text."""

    name = "silent"
    digest = "0" * 64
    labels = TYPES

    def tag(self, texts: Sequence[str]) -> list[list[Mention]]:
        return [[] for _ in texts[1:]]


def test_a_list_too_few_is_an_error() -> None:
    with pytest.raises(InputError, match="1 lists of mentions for 2 texts"):
        tag_checked(Silent(), ["가", "나"], labels=TYPES)
