"""Which inputs go together, and how they become tensors."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from pipeline.training.batches import batch_of, by_length, draw_batches, feed, input_keys
from pipeline.training.features import IGNORED, Features, ragged


def features(lengths: list[int]) -> Features:
    rows = [list(range(1, length + 1)) for length in lengths]
    many = len(lengths)
    return Features(
        owners=np.arange(many, dtype=np.int32),
        tokens=ragged(rows),
        segments=ragged([[1] * length for length in lengths]),
        columns={
            "target": np.arange(many, dtype=np.int64),
            "share": np.linspace(0, 1, many),
            "tags": ragged(rows),
            "words": ragged([row[:1] for row in rows]),
        },
        fills={"words": 7},
    )


@given(st.lists(st.integers(1, 40), min_size=1, max_size=60), st.integers(1, 9), st.integers(0, 3))
def test_an_epoch_takes_every_input_once(lengths: list[int], size: int, epoch: int) -> None:
    made = features(lengths)
    keys = [f"e{i}#0" for i in range(len(lengths))]
    batches = draw_batches(made, keys, size=size, seed=1, epoch=epoch)
    assert sorted(np.concatenate(batches).tolist()) == list(range(len(lengths)))
    assert max(map(len, batches)) <= size
    assert len(batches) == -(-len(lengths) // size)


def test_the_order_of_inputs_does_not_show() -> None:
    lengths = [3, 9, 4, 7, 5, 6, 8, 2, 11, 10]
    keys = [f"e{i}#0" for i in range(len(lengths))]
    there = draw_batches(features(lengths), keys, size=3, seed=5, epoch=1)
    back = draw_batches(features(lengths[::-1]), keys[::-1], size=3, seed=5, epoch=1)
    names = [[keys[i] for i in rows] for rows in there]
    assert names == [[keys[::-1][i] for i in rows] for rows in back]


def test_epochs_and_seeds_differ() -> None:
    made, keys = features([4] * 40), [f"e{i}#0" for i in range(40)]
    orders = {
        tuple(np.concatenate(draw_batches(made, keys, size=8, seed=seed, epoch=epoch)).tolist())
        for seed in (0, 1)
        for epoch in (0, 1)
    }
    assert len(orders) == 4


def test_inputs_of_similar_length_go_together() -> None:
    lengths = [1 + 7 * i % 64 for i in range(256)]
    keys = [f"e{i}#0" for i in range(256)]
    batches = draw_batches(features(lengths), keys, size=16, seed=0, epoch=0)
    spans = [max(lengths[i] for i in rows) - min(lengths[i] for i in rows) for rows in batches]
    assert max(spans) <= 6


def test_inputs_have_names_of_their_own() -> None:
    made = Features(np.array([0, 0, 2, 2, 2], dtype=np.int32), ragged([[1]] * 5))
    assert input_keys(made, ["a", "b", "c"]) == ["a#0", "a#1", "c#0", "c#1", "c#2"]


def test_the_longest_come_first() -> None:
    batches = by_length(features([2, 9, 4, 9]), size=2)
    assert [rows.tolist() for rows in batches] == [[1, 3], [2, 0]]


def test_a_batch_is_padded() -> None:
    batch = batch_of(features([2, 4]), np.array([1, 0]), pad=99)
    assert batch["input_ids"].tolist() == [[1, 2, 3, 4], [1, 2, 99, 99]]
    assert batch["attention_mask"].tolist() == [[1, 1, 1, 1], [1, 1, 0, 0]]
    assert batch["token_type_ids"].tolist() == [[1, 1, 1, 1], [1, 1, 0, 0]]
    assert batch["tags"].tolist() == [[1, 2, 3, 4], [1, 2, IGNORED, IGNORED]]
    assert batch["words"].tolist() == [[1], [1]]
    assert batch["target"].tolist() == [1, 0]
    assert batch["share"].dtype == torch.float32
    assert batch["input_ids"].dtype == torch.int64


def test_lengths_are_filled_up_to_a_multiple() -> None:
    batch = batch_of(features([2, 9]), np.array([0, 1]), pad=0, multiple=8)
    assert batch["input_ids"].shape == batch["attention_mask"].shape == (2, 16)


def test_a_feed_gives_all_batches_in_order() -> None:
    made = features(list(range(1, 30)))
    batches = by_length(made, size=4)
    found = list(feed(made, batches, pad=0, device="cpu"))
    assert [rows.tolist() for rows, _ in found] == [rows.tolist() for rows in batches]
    assert all(batch["input_ids"].shape[0] == len(rows) for rows, (batch,) in found)


def test_a_fault_of_the_maker_reaches_the_taker() -> None:
    made = features([1, 2])
    with pytest.raises(IndexError):
        list(feed(made, [np.array([0]), np.array([5])], pad=0, device="cpu"))


def test_a_feed_that_is_left_ends_its_thread() -> None:
    import threading

    before = threading.active_count()
    made = features([3] * 200)
    for _ in feed(made, by_length(made, size=1), pad=0, device="cpu"):
        break
    assert threading.active_count() == before
