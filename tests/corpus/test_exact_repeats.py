"""Repeats are those of the plainest search, in any memory."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from signed_units import write_signed

from pipeline.core import partitions
from pipeline.corpus.exact_repeats import find_repeats
from pipeline.corpus.signatures import BANDS


@pytest.mark.parametrize("share", [None, 2**14, 2**12])
@pytest.mark.parametrize("at_a_time", [7, 300])
def test_each_repeat_has_the_first_unit_of_its_digest_and_kind(
    share: int | None, at_a_time: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if share is not None:  # parts of a few rows: a frequent text comes in pieces
        monkeypatch.setattr(partitions, "_SHARE", share)
    exact = np.random.default_rng(5).integers(0, 40, 200).astype(np.uint64)
    exact[::3] = 7
    kinds = np.array(["sentence", "whole"])[np.arange(200) % 2]
    bands = np.zeros((200, BANDS), np.uint64)
    files = write_signed(tmp_path / "s", bands, exact, at_a_time=at_a_time, kinds=kinds)
    found = [
        pair
        for numbers, originals in find_repeats(files, tmp_path, 1)
        for pair in zip(numbers.tolist(), originals.tolist(), strict=True)
    ]
    keys = list(zip(exact.tolist(), kinds.tolist(), strict=True))
    first = [keys.index(key) for key in keys]
    assert found == [(n, original) for n, original in enumerate(first) if n != original]
