"""Samples that are kept: whole or absent, a bounded number of them, the same when read."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from flows.leaderboard.draws import DrawCache, Sampled

SAMPLED = Sampled(
    3,
    {"micro_f1": 50.0, "auprc": None},
    {"auprc": "needs `probabilities`"},
    {"micro_f1": np.array([1.5, np.nan, 99.0])},
)


def _same(left: Sampled | None, right: Sampled) -> bool:
    assert left is not None
    draws = {name: numbers.tolist() for name, numbers in left.draws.items()}
    np.testing.assert_equal(draws, {name: n.tolist() for name, n in right.draws.items()})
    return (left.examples, left.scores, left.reasons) == (
        right.examples,
        right.scores,
        right.reasons,
    )


def test_a_sample_is_read_as_it_was_kept(tmp_path: Path) -> None:
    cache = DrawCache(tmp_path)
    assert cache.load("a") is None
    empty = Sampled(0, {"accuracy": None}, {"accuracy": "no test example"}, {})
    cache.keep("a", SAMPLED)
    cache.keep("b", empty)
    assert _same(cache.load("a"), SAMPLED) and _same(cache.load("b"), empty)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.npz", "b.npz"]


def test_a_damaged_sample_counts_as_absent_and_is_made_again(tmp_path: Path) -> None:
    cache = DrawCache(tmp_path)
    cache.keep("a", SAMPLED)
    whole = (tmp_path / "a.npz").read_bytes()
    for cut in (0, 1, len(whole) // 2, len(whole) - 1):
        (tmp_path / "a.npz").write_bytes(whole[:cut])
        assert cache.load("a") is None
        cache.keep("a", SAMPLED)
        assert _same(cache.load("a"), SAMPLED)


def test_no_object_of_python_is_read_from_a_sample(tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return (Path.touch, (tmp_path / "sprung",))  # type: ignore[return-value]

    np.savez(tmp_path / "a.npz", head=np.array([Trap()], object), draws=np.zeros((0, 0)))
    assert DrawCache(tmp_path).load("a") is None
    assert not (tmp_path / "sprung").exists()


def test_of_many_samples_some_go(tmp_path: Path) -> None:
    cache = DrawCache(tmp_path, most=10)
    for place in range(40):
        cache.keep(f"{place}", SAMPLED)
        assert len(list(tmp_path.iterdir())) <= 10
