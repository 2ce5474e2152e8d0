"""The network that is pretrained: an encoder, its head for masked tokens and that for pairs.

The head for masked tokens is computed where there is one, and nowhere else: with a small encoder
and a large vocabulary it is most of the work.
"""

from __future__ import annotations

from typing import Any, Final

import torch
from torch.nn.functional import cross_entropy

from pipeline.training.head import INPUTS, Batch, Network, Outputs
from pipeline.training.pretraining.architectures import Architecture
from pipeline.training.pretraining.packing import NO_LABEL

#: The numbers of masked tokens and of pairs of a batch.
COUNTS: Final = ("tokens", "pairs")


class PretrainingNetwork(Network):
    """A model of transformers for masked tokens, and for next sentences where it has such a head.

    A batch has the inputs of the encoder; `places`, the masked tokens as numbers in the flattened
    batch, and their `target`; where there are pairs their `next_sentence`; and `tokens` and
    `pairs`, what the two losses are divided by. With `blocks` (a number for each token), tokens
    attend to those of the same number, and `positions` count within them.
    """

    counts = COUNTS

    def __init__(self, body: Any, architecture: Architecture, *, dropout: float) -> None:
        """Take a model of `architecture`; its dropout is this while it is pretrained."""
        super().__init__(body)
        self.shifted = architecture.shifted
        for module in body.modules():
            if isinstance(module, torch.nn.Dropout):
                module.p = dropout

    def forward(self, batch: Batch) -> Outputs:
        """Return the `loss`, the sums of both losses, and when not training what is right."""
        encoded = self.body.base_model(**self._inputs(batch))
        hidden = encoded.last_hidden_state.flatten(0, 1)[batch["places"]]
        head = self.body.lm_head if self.shifted else self.body.cls.predictions
        logits = head(hidden).float()
        outputs = {"masked_sum": cross_entropy(logits, batch["target"], reduction="sum")}
        loss = outputs["masked_sum"] / batch["tokens"].clamp(min=1)
        if not self.training:
            outputs["masked_right"] = (logits.argmax(-1) == batch["target"]).sum()
        if "next_sentence" in batch:
            target = batch["next_sentence"]
            logits = self.body.cls.seq_relationship(encoded.pooler_output).float()
            outputs["pair_sum"] = cross_entropy(
                logits, target, ignore_index=NO_LABEL, reduction="sum"
            )
            loss = loss + outputs["pair_sum"] / batch["pairs"].clamp(min=1)
            if not self.training:
                outputs["pair_right"] = (logits.argmax(-1) == target).sum()
        return {"loss": loss, **outputs}

    def _inputs(self, batch: Batch) -> dict[str, torch.Tensor]:
        inputs = {name: batch[name] for name in INPUTS if name in batch}
        if "blocks" in batch:
            blocks = batch["blocks"]
            inputs["attention_mask"] = (blocks[:, :, None] == blocks[:, None, :])[:, None]
            shift = self.body.config.pad_token_id + 1 if self.shifted else 0
            inputs["position_ids"] = batch["positions"] + shift
        return inputs
