"""The keyed walk: each unit once, in an order that depends on seed, purpose and id alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core import schemas, store
from pipeline.core.ids import draw
from pipeline.core.stage import Call
from pipeline.sampling import inputs
from pipeline.sampling.inputs import keyed_walk


def _call(tmp_path: Path, ids: list[str], *, files: int) -> Call:
    folder = tmp_path / "all" / f"dedup-{files}"
    folder.mkdir(parents=True)
    for n in range(files):
        rows = [
            {
                "id": name,
                "source": "nsmc",
                "document": "d",
                "kind": "sentence",
                "ordinal": 0,
                "start": 0,
                "end": 1,
                "text": f"글 {name}",
                "cluster": name,
            }
            for name in ids[n::files]
        ]
        store.write_table(folder, "kept", f"nsmc-{n:04}", schemas.build("kept", rows))
    params = {"seed": 7, "sources": {"nsmc": {"kind": "sentence"}, "other": {"kind": "sentence"}}}
    return Call("candidates", "x", "nli", tmp_path / "out", "f", inputs=(folder,), params=params)


@pytest.mark.parametrize("files", [1, 3])
@pytest.mark.parametrize("first", [1, 50, 10_000])
def test_order_is_that_of_the_draws(tmp_path: Path, files: int, first: int) -> None:
    ids = [f"nsmc-s{n:03}" for n in range(300)]
    call = _call(tmp_path, ids, files=files)
    walked = [row["id"] for row in keyed_walk(call, "nsmc", purpose="p", first=first)]
    assert walked == sorted(ids, key=lambda name: (draw(7, "p", name), name))


@given(st.lists(st.floats(0, 1, exclude_max=True), max_size=60), st.integers(1, 9))
def test_pools_hold_every_key_once_in_order(keys: list[float], first: int) -> None:
    found = list(inputs.pools(np.array(keys), first=first))
    inside = [sorted(k for k in keys if low <= k < high) for low, high in found]
    assert [key for pool in inside for key in pool] == sorted(keys)


def test_pools_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inputs, "MOST", 16)
    keys = np.linspace(0, 1, 500, endpoint=False)
    sizes = [
        int(((keys >= low) & (keys < high)).sum()) for low, high in inputs.pools(keys, first=4)
    ]
    assert sizes[:4] == [4, 8, 16, 16]
    assert sum(sizes) == 500 and max(sizes) == 16


def test_another_purpose_walks_in_another_order(tmp_path: Path) -> None:
    call = _call(tmp_path, [f"nsmc-s{n:03}" for n in range(50)], files=1)
    one, two = ([r["id"] for r in keyed_walk(call, "nsmc", purpose=p)] for p in ("p", "q"))
    assert one != two
    assert sorted(one) == sorted(two)


def test_a_source_without_units_gives_none(tmp_path: Path) -> None:
    call = _call(tmp_path, ["nsmc-s1"], files=1)
    assert list(keyed_walk(call, "other", purpose="p")) == []
