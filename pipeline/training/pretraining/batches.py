"""Batches of sequences: a keyed order an epoch, masks, and the part of each process and device."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import torch

from pipeline.training.batches import Feed, Rows
from pipeline.training.pretraining.keyed import order
from pipeline.training.pretraining.masking import Masking
from pipeline.training.pretraining.packing import NO_LABEL
from pipeline.training.pretraining.sequences import Batch, Sequences
from pipeline.training.training import number

Tensors = dict[str, torch.Tensor]


@dataclass(frozen=True)
class Batching:
    """How a batch is divided and filled up.

    Each of `processes` takes its share of a batch, in parts of at most `most` sequences of similar
    length (None: in one part). Parts are as wide as their longest sequence, filled up to a multiple
    of `multiple` tokens.
    `pairs` says whether the network tells next sentences.
    """

    most: int | None = None
    process: int = 0
    processes: int = 1
    multiple: int = 1
    pairs: bool = False


@dataclass(frozen=True)
class TextBatches:
    """The batches of a training: `size` sequences each; the rest of an epoch is left out."""

    sequences: Sequences
    masking: Masking
    size: int
    seed: int
    batching: Batching

    @property
    def per_epoch(self) -> int:
        return max(1, len(self.sequences) // self.size)

    def feed(self, epoch: int, begin: int, device: Any) -> Feed:
        """Return the batches of an epoch from the one with this number on."""
        key = number(self.seed, "order", epoch)
        batches = _Batches(len(self.sequences), self.size, key, range(begin, self.per_epoch))
        return Feed(partial(self.parts, epoch=epoch), batches, device=device)

    def parts(self, rows: Rows, *, epoch: int) -> list[Tensors]:
        """Return what this process takes of a batch."""
        how = self.batching
        by_length = rows[np.argsort(self.sequences.lengths[rows], kind="stable")]
        mine = by_length[how.process :: how.processes]
        most = how.most or len(mine)
        return [
            tensors(self.sequences, self.masking, mine[at : at + most], epoch=epoch, batching=how)
            for at in range(0, len(mine), most)
        ]


@dataclass(frozen=True)
class _Batches(Sequence[Rows]):
    """Some batches of an epoch, drawn when they are asked for."""

    inputs: int
    size: int
    key: int
    numbers: range

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, place: Any) -> Any:
        begin = self.numbers[place] * self.size
        places = np.arange(begin, min(begin + self.size, self.inputs))
        return order(self.key, places, self.inputs)

    def __iter__(self) -> Iterator[Rows]:
        return (self[place] for place in range(len(self)))


def tensors(
    sequences: Sequences, masking: Masking, rows: Rows, *, epoch: int, batching: Batching
) -> Tensors:
    """Return the masked tensors of some sequences; see PretrainingNetwork."""
    batch = sequences.batch(rows, multiple=batching.multiple)
    ids, chosen = masking.apply(batch.ids, batch.words, batch.free, rows=rows, epoch=epoch)
    places = np.flatnonzero(chosen)
    found = {
        "input_ids": torch.from_numpy(ids),
        "places": torch.from_numpy(places),
        "target": torch.from_numpy(batch.ids.reshape(-1)[places]),
        "tokens": torch.tensor(float(len(places))),
        **_attention(batch),
    }
    if batching.pairs:
        labels = torch.from_numpy(batch.labels.copy())
        found |= {
            "token_type_ids": torch.from_numpy(batch.types),
            "next_sentence": labels,
        }
        found["pairs"] = (labels != NO_LABEL).sum().float()
    else:
        found["pairs"] = torch.tensor(0.0)
    return found


def _attention(batch: Batch) -> Tensors:
    if batch.blocks is not None and batch.positions is not None:
        return {
            "blocks": torch.from_numpy(batch.blocks),
            "positions": torch.from_numpy(batch.positions),
        }
    width = batch.ids.shape[1]
    if (batch.lengths == width).all():
        return {}
    mask = np.arange(width) < batch.lengths[:, None]
    return {"attention_mask": torch.from_numpy(mask.astype(np.int64))}
