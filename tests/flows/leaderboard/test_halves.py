"""The hidden half: half of the guids, the same ones for ever, unknown without the key."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flows.leaderboard.halves import is_public, read_key
from pipeline.core.errors import InputError, StoreError

KEY = b"0123456789abcdef" * 2


def test_about_half_are_public_and_another_key_parts_them_otherwise() -> None:
    guids = [f"ynat-v1_test_{place:05}" for place in range(4_000)]
    first, second = ({g for g in guids if is_public(key, g)} for key in (KEY, KEY[::-1]))
    for half in (first, second):
        assert abs(len(half) - 2_000) < 4 * 4_000**0.5 / 2
    assert abs(len(first & second) - 1_000) < 4 * (4_000 * 3 / 16) ** 0.5


@given(st.lists(st.text(min_size=1), min_size=1, unique=True), st.randoms())
def test_the_half_of_a_guid_depends_on_no_other(guids: list[str], random: object) -> None:
    before = {guid: is_public(KEY, guid) for guid in guids}
    kept = [guid for guid in guids if random.random() < 0.5]  # type: ignore[attr-defined]
    assert {guid: is_public(KEY, guid) for guid in kept} == {g: before[g] for g in kept}


def test_a_key_that_is_short_or_gone_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "half.key"
    with pytest.raises(InputError, match="cannot be read"):
        read_key(path)
    path.write_bytes(b"short\n")
    with pytest.raises(StoreError, match="has 5 bytes, not 32"):
        read_key(path)
    path.write_bytes(KEY + b"\n")
    assert read_key(path) == KEY
