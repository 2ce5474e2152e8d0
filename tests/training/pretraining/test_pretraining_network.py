"""The network: transformers' own loss, and documents that do not see each other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from small_text import job
from torch.utils.flop_counter import FlopCounterMode

from pipeline.training.pretraining.architectures import new_body
from pipeline.training.pretraining.batches import Batching, tensors
from pipeline.training.pretraining.corpus import prepare, read_corpus
from pipeline.training.pretraining.flops import Load, peak_flops, training_flops
from pipeline.training.pretraining.masking import Masking
from pipeline.training.pretraining.network import PretrainingNetwork
from pipeline.training.pretraining.sequences import attended

ROWS = np.arange(12)


def material(folder: Path, **changed: Any) -> tuple[Any, Any, Any]:
    """Return a corpus, a network without dropout and the tensors of a batch."""
    made = job(folder / "run", **changed)
    prepare(made, folder / "data", "x", documents=True, stop=lambda: False)
    corpus = read_corpus(made, folder / "data")
    torch.manual_seed(0)
    body = new_body(made.config, made.architecture, pairs=corpus.pairs)
    network = PretrainingNetwork(body, made.architecture, dropout=0.0)
    tokenizer = made.tokens.tokenizer
    masking = Masking(0.3, tokenizer.mask_token_id, np.arange(5, len(tokenizer)), 0, dynamic=True)
    batch = tensors(corpus.train, masking, ROWS, epoch=0, batching=Batching(pairs=corpus.pairs))
    return corpus, network, batch


def labels(batch: Any) -> torch.Tensor:
    made = torch.full_like(batch["input_ids"], -100)
    made.view(-1)[batch["places"]] = batch["target"]
    return made


@pytest.mark.parametrize("architecture", ["bert", "roberta"])
def test_the_loss_is_that_of_transformers(tmp_path: Path, architecture: str) -> None:
    _, network, batch = material(
        tmp_path, architecture=architecture, next_sentence=architecture == "bert"
    )
    others = {"labels": labels(batch)}
    if architecture == "bert":
        others["next_sentence_label"] = batch["next_sentence"]
        others["token_type_ids"] = batch["token_type_ids"]
        assert (batch["next_sentence"] >= 0).any() and (batch["next_sentence"] < 0).any()
    reference = network.body(
        input_ids=batch["input_ids"], attention_mask=batch["attention_mask"], **others
    )
    loss = network(batch)["loss"]
    assert loss.item() == pytest.approx(reference.loss.item(), rel=1e-5)
    loss.backward()
    ours = network.body.get_input_embeddings().weight.grad.clone()
    network.zero_grad()
    reference.loss.backward()
    assert torch.allclose(ours, network.body.get_input_embeddings().weight.grad, atol=1e-6)


@pytest.mark.parametrize("architecture", ["bert", "roberta"])
def test_documents_in_blocks_are_as_if_they_were_alone(tmp_path: Path, architecture: str) -> None:
    """Each block gives the hidden states that the plain encoder gives its document alone."""
    _corpus, network, batch = material(tmp_path, architecture=architecture, packing="blocks")
    assert batch["blocks"].max() > 1
    seen: list[Any] = []
    network.body.base_model.register_forward_hook(lambda *given: seen.append(given[-1][0]))
    network.eval()
    with torch.no_grad():
        network(batch)
        whole = seen[0]
        for row in range(4):
            for block in range(1, int(batch["blocks"][row].max()) + 1):
                inside = batch["blocks"][row] == block
                alone = network.body.base_model(input_ids=batch["input_ids"][row, inside][None])
                assert torch.allclose(whole[row, inside], alone[0][0], atol=1e-5)


def test_a_neighbour_changes_nothing_in_blocks_and_something_in_sentences(tmp_path: Path) -> None:
    for packing, same in (("blocks", True), ("sentences", False)):
        corpus, network, _ = material(tmp_path / packing, packing=packing)
        network.eval()
        batch = corpus.train.batch(ROWS)
        row = int(np.argmax((batch.ids == corpus.train.special.end).sum(1)))
        first = int(np.flatnonzero(batch.ids[row] == corpus.train.special.end)[0]) + 1
        ids = torch.from_numpy(batch.ids[row : row + 1])
        other = ids.clone()
        other[0, first:] += torch.from_numpy(batch.free[row, first:])
        assert not torch.equal(ids, other)
        inputs = {"places": torch.arange(first), "target": torch.zeros(first, dtype=torch.long)}
        inputs |= {"tokens": torch.tensor(1.0), "pairs": torch.tensor(0.0)}
        if batch.blocks is not None and batch.positions is not None:
            inputs["blocks"] = torch.from_numpy(batch.blocks[row : row + 1])
            inputs["positions"] = torch.from_numpy(batch.positions[row : row + 1])
        sums = [
            network({**inputs, "input_ids": some})["masked_sum"].item() for some in (ids, other)
        ]
        assert (sums[0] == pytest.approx(sums[1], abs=1e-5)) == same


@pytest.mark.parametrize("kind", ["roberta", "bert"])
def test_the_operations_are_those_that_torch_counts(tmp_path: Path, kind: str) -> None:
    changed = {"architecture": kind, "next_sentence": kind == "bert"}
    corpus, network, batch = material(tmp_path, **changed)
    network.body.base_model.set_attn_implementation("eager")  # torch counts no fused one on a CPU
    batch.pop("attention_mask")  # so that padding is computed like all the rest
    size, wide = batch["input_ids"].shape
    with FlopCounterMode(display=False) as counter:
        network(batch)["loss"].backward()
    load = Load(
        tokens=wide,
        attended=wide**2,
        masked=len(batch["places"]) / size,
        pairs=float(corpus.pairs),
    )
    ours = training_flops(network.body.config, load) * size
    if corpus.pairs:  # the pooler reads one token, and gives no gradient to what is below it twice
        assert ours == pytest.approx(counter.get_total_flops(), rel=1e-3)
    else:
        assert ours == counter.get_total_flops()


def test_attention_between_documents_is_no_work_of_the_model(tmp_path: Path) -> None:
    corpus, *_ = material(tmp_path, packing="blocks")
    batch = corpus.train.batch(ROWS)
    assert (attended(batch) < batch.lengths**2).any()
    assert attended(replace_blocks(batch)).tolist() == (batch.lengths**2).tolist()


def replace_blocks(batch: Any) -> Any:
    return batch._replace(blocks=None)


def test_a_peak_is_known_by_name_or_not_told() -> None:
    assert peak_flops("NVIDIA H100 80GB HBM3", "bf16") == (989.5e12, "")
    assert peak_flops("cpu", "float32")[0] is None
    assert "float32" in peak_flops("NVIDIA H100 80GB HBM3", "float32")[1]
    assert peak_flops("Some Card", "bf16")[1]
