"""Networks and decoders of the tasks with one answer for the whole input."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import softmax as scipy_softmax

pytest.importorskip("torch", reason="the optional part `train` is not installed")
pytest.importorskip("transformers", reason="the optional part `train` is not installed")

import torch
from training import tiny
from training.heads.made_inputs import TASKS, examples, head_of

from pipeline.contracts.spec import load_spec
from pipeline.core.errors import InputError
from pipeline.training.batches import batch_of, by_length
from pipeline.training.features import Features
from pipeline.training.head import Head, Network
from pipeline.training.heads.whole import Classes, LogitDecoder, softmax
from pipeline.training.tokens import Tokens

every_task = pytest.mark.parametrize("task", TASKS)


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def prepared(task: str) -> tuple[Head, Tokens, Features, Network]:
    """Return a head, and its eight examples with a network for them."""
    head, given_ = head_of(task), examples(task)
    texts = [text for one in given_ for text in one.fields.values() if isinstance(text, str)]
    tokens = tiny.tokens(texts)
    tokens.add(head.markers)
    head.check(given_, labels=True)
    features = head.encode(given_, tokens, labels=True)
    body = tiny.body(head.auto, tokens, head.labels)
    return head, tokens, features, head.network(body)


def batch(features: Features, rows: Any, tokens: Tokens) -> dict[str, Any]:
    return batch_of(features, np.array(rows), pad=tokens.pad)


def _class_decoder(ids: list[str], labels: list[str]) -> LogitDecoder:
    head = Classes("t", tuple(labels), ("text",), 8, probabilities=True)
    return LogitDecoder(ids, len(labels), head.answers)


@every_task
def test_a_few_steps_lower_the_loss_and_reach_the_body(task: str) -> None:
    _, tokens, features, network = prepared(task)
    given_ = batch(features, range(8), tokens)
    optimizer = torch.optim.AdamW(network.parameters(), lr=0.02)
    network.eval()  # no dropout: the loss is a function of the weights
    losses = []
    for _ in range(30):
        loss = network(given_)["loss"]
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < 0.75 * losses[0]
    words = network.body.get_input_embeddings().weight.grad
    assert set(words.abs().sum(dim=1).nonzero().ravel().tolist()) >= {
        int(number) for number in features.tokens.values
    } - {tokens.pad}


@every_task
def test_the_loss_is_that_of_transformers(task: str) -> None:
    """Given labels, the model computes the same: cross entropy, or squares for one output."""
    _, tokens, features, network = prepared(task)
    network.eval()
    given_ = batch(features, range(8), tokens)
    names = ("input_ids", "attention_mask", "token_type_ids")
    with torch.inference_mode():
        theirs = network.body(**{n: given_[n] for n in names}, labels=given_["target"])
        ours = network(given_)
    assert torch.allclose(ours["loss"], theirs.loss)
    assert torch.equal(ours["logits"], theirs.logits)
    assert ours["logits"].shape == (8, len(head_of(task).labels))


@every_task
def test_without_targets_there_is_no_loss(task: str) -> None:
    head, tokens, _, network = prepared(task)
    features = head.encode(examples(task), tokens, labels=False)
    assert set(network(batch(features, [0, 1], tokens))) == {"logits"}


@every_task
def test_outputs_are_float32_whatever_the_body_computes_in(task: str) -> None:
    _, tokens, features, network = prepared(task)
    network.to(torch.bfloat16)
    given_ = batch(features, range(8), tokens)
    outputs = network(given_)
    assert {one.dtype for one in outputs.values()} == {torch.float32}
    assert given_["target"].dtype == (torch.float32 if task == "sts" else torch.int64)


@every_task
def test_targets_are_the_labels(task: str) -> None:
    head, _, features, _ = prepared(task)
    found = features.columns["target"]
    given_ = [one.label for one in examples(task)]
    if task == "sts":
        assert found.tolist() == pytest.approx([label["real-label"] for label in given_])
        assert head.labels == ("similarity",)
    else:
        named = [label[0] if task == "tc" else label for label in given_]
        assert [head.labels[number] for number in found] == named
        assert head.labels == load_spec(task).ids()


@every_task
def test_predictions_do_not_depend_on_the_order_of_batches(task: str) -> None:
    head, tokens, features, network = prepared(task)
    network.eval()
    found = []
    for orders in (by_length(features, size=3), [[7, 0], [3, 1, 2], [6, 5, 4]], [range(8)]):
        decoder = head.decoder(features, examples(task), tokens)
        for rows in orders:
            with torch.inference_mode():
                logits = network(batch(features, rows, tokens))["logits"].numpy()
            decoder.take(np.array(rows), {"logits": logits.round(4)})  # padding moves the last bits
        found.append(decoder.predictions())
    assert found[0] == found[1] == found[2]
    assert [one.id for one in found[0]] == [one.id for one in examples(task)]


def test_equal_logits_give_the_first_class() -> None:
    decoder = _class_decoder(["a", "b"], ["x", "y", "z"])
    decoder.take(np.array([1, 0]), {"logits": np.array([[1.0, 2, 2], [3, 3, 3]])})
    first, second = decoder.predictions()
    assert (first.label, second.label) == ("x", "y")
    assert first.probabilities == (0.333333,) * 3
    assert second.probabilities == (0.155362, 0.422319, 0.422319)  # e / (e + 2 e^2) = 0.155362


def test_only_relations_tell_probabilities() -> None:
    told = {}
    for task in TASKS:
        head, tokens, features, _ = prepared(task)
        decoder = head.decoder(features, examples(task), tokens)
        decoder.take(np.arange(8), {"logits": np.zeros((8, len(head.labels)))})
        told[task] = {one.probabilities is not None for one in decoder.predictions()}
    assert told == {"tc": {False}, "sts": {False}, "nli": {False}, "re": {True}}


@given(st.lists(st.lists(st.floats(-900, 900, width=32), min_size=30, max_size=30), max_size=4))
def test_probabilities_are_those_of_scipy_and_sum_to_one(rows: list[list[float]]) -> None:
    logits = np.array(rows).reshape(-1, 30)
    assert softmax(logits) == pytest.approx(scipy_softmax(logits, axis=1))
    decoder = _class_decoder([str(i) for i in range(len(rows))], ["x"] * 30)
    decoder.take(np.arange(len(rows)), {"logits": logits})
    for one in decoder.predictions():
        assert one.probabilities is not None
        assert abs(sum(one.probabilities) - 1) < 1e-4
        assert all(0 <= share <= 1 and share == round(share, 6) for share in one.probabilities)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@every_task
def test_a_network_that_says_no_number_is_told(task: str, value: float) -> None:
    head, tokens, features, _ = prepared(task)
    decoder = head.decoder(features, examples(task), tokens)
    logits = np.zeros((8, len(head.labels)), dtype=np.float32)
    logits[5, 0] = value
    decoder.take(np.arange(8), {"logits": logits})
    with pytest.raises(InputError, match=rf"1 of 8 examples, the first is {task}-005"):
        decoder.predictions()


@pytest.mark.parametrize("task", ["tc", "nli", "re"])
def test_labels_that_cannot_be_learnt_are_refused(task: str) -> None:
    given_ = examples(task)
    for label, message in (
        ("아무 라벨", r"2 of 8 examples have a label that the spec does not know, the first is"),
        (None, r"2 of 8 examples have no label, the first is"),
    ):
        wrong: Any = [label] if task == "tc" and label else label
        bad = [one if i not in (3, 6) else with_label(one, wrong) for i, one in enumerate(given_)]
        head_of(task).check(bad, labels=False)
        with pytest.raises(InputError, match=f"{task}: {message} {task}-003") as error:
            head_of(task).check(bad, labels=True)
        assert "아무" not in str(error.value)


def with_label(example: Any, label: Any) -> Any:
    return type(example)(example.id, example.source, example.fields, label)


@pytest.mark.parametrize("label", [{"label": "entailment"}, ["entailment"], 1, True])
def test_a_label_of_another_form_is_refused(label: Any) -> None:
    with pytest.raises(InputError, match="the spec does not know"):
        head_of("nli").check([with_label(examples("nli")[0], label)], labels=True)
