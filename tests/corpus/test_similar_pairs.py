"""Candidates are the pairs that share a band, by the rule for crowds; similarity by hand."""

from __future__ import annotations

from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from plain_similarity import similarity
from signed_units import write_signed

from pipeline.core import partitions
from pipeline.core.numbered import NumberSet
from pipeline.corpus.candidate_pairs import CROWD, Candidates
from pipeline.corpus.signatures import BANDS, compared, normalise
from pipeline.corpus.similar_pairs import similarities


def _bands(seed: int, units: int) -> NDArray[np.uint64]:
    """Return bands of which few values are shared by many units, and some by two or three."""
    random = np.random.default_rng(seed)
    bands = random.integers(0, 2**63, (units, BANDS)).astype(np.uint64)
    bands[:, 0] = random.integers(0, units // 3, units)
    bands[:, 1] = random.integers(0, 3, units)
    bands[: units // 2, 2] = 1
    return bands


def _expected(
    bands: NDArray[np.uint64], left_out: set[int], kinds: list[str]
) -> set[tuple[int, int]]:
    """Return all pairs in the plainest way: a crowd's with its first and with two neighbours."""
    pairs: set[tuple[int, int]] = set()
    for band in range(BANDS):
        groups: dict[tuple[int, str], list[int]] = {}
        for unit in range(len(bands)):
            if unit not in left_out:
                groups.setdefault((int(bands[unit, band]), kinds[unit]), []).append(unit)
        for group in groups.values():
            if len(group) <= CROWD:
                pairs.update(combinations(group, 2))
            else:
                pairs.update((group[0], other) for other in group[1:])
                pairs.update(pairwise(group))
                pairs.update(zip(group, group[2:], strict=False))
    return pairs


@pytest.mark.thin("share", "at_a_time")
@pytest.mark.parametrize("share", [None, 2**11, 3_000])
@pytest.mark.parametrize("at_a_time", [7, 300])
def test_candidates_are_those_of_brute_force_in_any_memory(
    share: int | None, at_a_time: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if share is not None:  # parts of 32 or 21 rows: crowds come in pieces
        monkeypatch.setattr(partitions, "_SHARE", share)
    bands = _bands(3, 150)
    kinds = np.array(["sentence", "whole"])[np.arange(150) % 5 // 4]
    files = write_signed(
        tmp_path / "s", bands, np.arange(150).astype(np.uint64), at_a_time=at_a_time, kinds=kinds
    )
    left_out = NumberSet(150)
    left_out.add(np.array([0, 77, 149]))
    candidates = Candidates(files, left_out, tmp_path, 1)
    found = [tuple(pair) for batch in candidates.batches() for pair in batch.tolist()]
    expected = _expected(bands, {0, 77, 149}, kinds.tolist())
    assert len(found) == len(set(found))  # each pair once
    assert set(found) == expected
    members = {unit for pair in expected for unit in pair}
    assert candidates.units.sorted().tolist() == sorted(members)


def _similarities(texts: list[str], pairs: list[tuple[int, int]]) -> list[float]:
    forms = compared(texts, list(map(normalise, texts)))
    return similarities(forms, np.array(pairs, np.int64).reshape(-1, 2)).tolist()


def test_similarity_of_a_worked_example() -> None:
    # trigrams of 가나다라 and 가나다마: {가나다, 나다라}, {가나다, 나다마}
    assert _similarities(["가나다라", "가나다마"], [(0, 1)]) == [1 / 3]
    assert _similarities(["가나다라", "가나 다라!"], [(0, 1)]) == [1]
    texts = ["굿!", "굿", "굿굿", "!!!", "!!!!", "!!!"]
    assert _similarities(texts, [(0, 1), (0, 2), (3, 4), (3, 5), (0, 3)]) == [1, 0, 0, 1, 0]


@given(st.lists(st.text("가나다라ab1 !\0", max_size=9), min_size=2, max_size=12))
def test_similarities_are_those_of_sets(texts: list[str]) -> None:
    pairs = list(combinations(range(len(texts)), 2))
    expected = [similarity(texts[a], texts[b]) for a, b in pairs]
    assert _similarities(texts, pairs) == expected
