"""Similarity: a number is learnt, and told as it is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="the optional part `train` is not installed")
pytest.importorskip("transformers", reason="the optional part `train` is not installed")

import torch
from training import tiny
from training.heads.made_inputs import examples, head_of, made
from training.heads.made_tokens import bert

from pipeline.core.errors import InputError

FIELDS = {"sentence1": "불을 켜 줘", "sentence2": "불 좀 켜 줄래?"}


def test_numbers_are_rounded_and_not_clipped() -> None:
    head, tokens = head_of("sts"), bert()
    features = head.encode(examples("sts"), tokens, labels=False)
    decoder = head.decoder(features, examples("sts"), tokens)
    said = np.array([[-0.7, 5.6, 1 / 3, 0, 3, 2.5, 4.9999999, 1e-9]], dtype=np.float32).T
    decoder.take(np.arange(8), {"logits": said})
    found = [one.label for one in decoder.predictions()]
    assert found == [-0.7, 5.6, 0.333333, 0.0, 3.0, 2.5, 5.0, 0.0]
    assert {type(one) for one in found} == {float}


def test_the_loss_is_the_mean_of_the_squares() -> None:
    head, tokens = head_of("sts"), bert()
    network = head.network(tiny.body(head.auto, tokens, head.labels)).eval()
    ids = torch.tensor([[2, 9, 3], [2, 8, 3]])
    batch = {"input_ids": ids, "attention_mask": torch.ones_like(ids)}
    said = network(batch)["logits"][:, 0].tolist()
    loss = network({**batch, "target": torch.tensor([5.0, 0.5])})["loss"].item()
    assert loss == pytest.approx(((said[0] - 5) ** 2 + (said[1] - 0.5) ** 2) / 2, rel=1e-5)


@pytest.mark.parametrize("score", [0, 5, 0.0, 5.0, 3.4, 2.8571428571428568])
def test_scores_of_the_scale_are_learnt(score: float) -> None:
    head_of("sts").check([made("sts", 0, FIELDS, {"real-label": score})], labels=True)


@pytest.mark.parametrize(
    ("score", "shown"),
    [
        (5.01, "5.01"),
        (-0.1, "-0.1"),
        (float("nan"), "NaN"),
        (float("inf"), "an infinite number"),
        ("3", "a text of 1 character"),
        (True, "true"),
        (None, "null"),
        ([3], "a list of 1 value"),
    ],
)
def test_other_scores_are_refused(score: Any, shown: str) -> None:
    given = [made("sts", i, FIELDS, {"real-label": 1}) for i in range(3)]
    given += [made("sts", 3, FIELDS, {"label": 1, "real-label": score})]
    head_of("sts").check(given, labels=False)
    with pytest.raises(InputError, match=r"1 of 4 examples have no `real-label` from 0 to 5") as e:
        head_of("sts").check(given, labels=True)
    assert f"the first is sts-003 ({shown});" in str(e.value)


@pytest.mark.parametrize(
    ("label", "message"),
    [(None, "have no label"), (3.4, "have no `real-label`"), ({"label": 3}, "no `real-label`")],
)
def test_labels_of_another_form_are_refused(label: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        head_of("sts").check([made("sts", 0, FIELDS, label)], labels=True)
