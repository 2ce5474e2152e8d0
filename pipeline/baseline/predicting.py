"""What a network says of encoded examples."""

from __future__ import annotations

from typing import Any

import torch

from pipeline.baseline.approach import Decoder, Network
from pipeline.baseline.batches import Feed, by_length
from pipeline.baseline.features import Features
from pipeline.tasks.example import Prediction


def predict(
    network: Network, features: Features, decoder: Decoder, *, pad: int, size: int, device: Any
) -> list[Prediction]:
    """Return one prediction an example; `size` inputs are with the network at a time."""
    learning = network.training
    network.eval()
    with torch.inference_mode():
        for rows, batch in Feed(features, by_length(features, size=size), pad=pad, device=device):
            outputs = network(batch)
            kept = {name: one for name, one in outputs.items() if name != "loss"}
            decoder.take(
                rows,
                {
                    name: one.float().cpu().numpy()
                    if one.is_floating_point()
                    else one.cpu().numpy()
                    for name, one in kept.items()
                },
            )
    network.train(learning)
    return decoder.predictions()
