"""What a network says of encoded examples."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from pipeline.contracts.example import Prediction
from pipeline.training.batches import Feed, by_length
from pipeline.training.features import Features
from pipeline.training.head import Decoder, Network


def predict(
    network: Network,
    features: Features,
    decoder: Decoder,
    *,
    pad: int,
    size: int,
    device: Any,
    stop: Callable[[], bool] = lambda: False,
) -> list[Prediction]:
    """Return one prediction an example; `size` inputs are with the network at a time.

    Raises KeyboardInterrupt when `stop`, asked before every batch, says so.
    """
    learning = network.training
    network.eval()
    with torch.inference_mode():
        for rows, batch in Feed(features, by_length(features, size=size), pad=pad, device=device):
            heed(stop)
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


def heed(stop: Callable[[], bool]) -> None:
    """Raise KeyboardInterrupt if it was asked to stop."""
    if stop():
        raise KeyboardInterrupt
