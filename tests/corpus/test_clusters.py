"""Clusters are what pairs connect, named by the smallest id."""

from __future__ import annotations

from contextlib import closing

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.numbered import Texts, TextWriter
from pipeline.corpus.clusters import Clusters

UNITS = 8
PAIRS = st.lists(st.tuples(st.integers(0, UNITS - 1), st.integers(0, UNITS - 1)), max_size=12)


@given(st.lists(PAIRS), st.permutations("abcdefgh"))
def test_a_cluster_has_the_name_of_the_smallest_reachable_id(
    tmp_path_factory: pytest.TempPathFactory, added: list[list[tuple[int, int]]], ids: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("clusters")
    with closing(TextWriter(folder, "ids")) as writer:
        writer.add(pa.chunked_array([ids]))
    clusters = Clusters(folder, UNITS)
    for pairs in added:
        clusters.add(np.array(pairs, np.int64).reshape(-1, 2))
    found = {
        unit: name
        for units, names in clusters.names(Texts(folder, "ids"))
        for unit, name in zip(units.tolist(), names.tolist(), strict=True)
    }
    reach = {unit: {unit} for pairs in added for pair in pairs for unit in pair}
    for _ in reach:
        for pairs in added:
            for a, b in pairs:
                reach[a] = reach[b] = reach[a] | reach[b]
    assert found == {unit: min(others, key=ids.__getitem__) for unit, others in reach.items()}
    assert list(found) == sorted(found)
