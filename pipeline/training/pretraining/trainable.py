"""A pretraining that is ready to begin: text, network and devices."""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd
from typing import Any, Final

import numpy as np
import torch

from pipeline.training.pretraining.architectures import load_body, new_body
from pipeline.training.pretraining.batches import Batching
from pipeline.training.pretraining.corpus import Corpus
from pipeline.training.pretraining.job import PretrainingJob
from pipeline.training.pretraining.masking import Masking
from pipeline.training.pretraining.network import PretrainingNetwork
from pipeline.training.training import number

#: Widths of batches on a GPU are multiples of this, or of what it shares with the longest.
_WIDTHS: Final = 64


@dataclass(frozen=True)
class Trainable:
    """A job with what it learns from, its network, and the accelerator of this process."""

    job: PretrainingJob
    corpus: Corpus
    network: PretrainingNetwork
    accelerator: Any

    @property
    def batching(self) -> Batching:
        """Return how batches are divided; widths are few on a GPU, and one if compiled."""
        return Batching(
            most=self.job.recipe.device_batch,
            process=self.accelerator.process_index,
            processes=self.accelerator.num_processes,
            multiple=self._multiple,
            pairs=self.corpus.pairs,
        )

    @property
    def _multiple(self) -> int:
        """Return what widths are multiples of, never above the longest sequence.

        The kernels of attention are planned anew for every width, which takes a millisecond a call.
        """
        longest = self.job.recipe.max_length
        if self.job.compiled:
            return longest
        return gcd(_WIDTHS, longest) if self.accelerator.device.type == "cuda" else 1

    @property
    def masking(self) -> Masking:
        """Return the masks of the text that is learnt from."""
        return self._masking(self.job.seed, dynamic=self.job.recipe.masking == "dynamic")

    @property
    def held_out_masking(self) -> Masking:
        """Return the masks of the held-out text, which are the same for every seed and epoch."""
        return self._masking(0, dynamic=False)

    def _masking(self, seed: int, *, dynamic: bool) -> Masking:
        tokenizer = self.job.tokens.tokenizer
        ordinary = np.setdiff1d(np.arange(len(tokenizer)), tokenizer.all_special_ids)
        rate = self.job.recipe.masked
        return Masking(rate, tokenizer.mask_token_id, ordinary, seed, dynamic)


def trainable(job: PretrainingJob, corpus: Corpus, accelerator: Any) -> Trainable:
    """Return a job with its network: that of the checkpoint, or one drawn by the seed."""
    torch.manual_seed(number(job.seed, "weights"))
    if job.checkpoint is not None:
        body = load_body(job.checkpoint, job.architecture, pairs=corpus.pairs)
    else:
        body = new_body(job.config, job.architecture, pairs=corpus.pairs)
    network = PretrainingNetwork(body, job.architecture, dropout=job.recipe.dropout)
    if job.compiled:
        body.base_model.compile()
    return Trainable(job, corpus, network, accelerator)
