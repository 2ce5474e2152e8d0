"""The optimizer of a training: AdamW, without decay of biases and normalisation.

Source: Loshchilov & Hutter 2019.
"""

from __future__ import annotations

from typing import Final

import torch

from pipeline.training.head import Network
from pipeline.training.recipe import Schedule

#: Parameters of fewer dimensions do not decay: biases, and the scales of normalisation.
_DECAYING: Final = 2


def optimizer_of(network: Network, recipe: Schedule) -> torch.optim.AdamW:
    """Return the optimizer of the parameters of a network that are learnt; fused on a GPU."""
    learnt = [parameter for parameter in network.parameters() if parameter.requires_grad]
    groups = [
        {
            "params": [parameter for parameter in learnt if parameter.dim() >= _DECAYING],
            "weight_decay": recipe.decay,
        },
        {
            "params": [parameter for parameter in learnt if parameter.dim() < _DECAYING],
            "weight_decay": 0.0,
        },
    ]
    fused = {"fused": True} if torch.cuda.is_available() else {}
    return torch.optim.AdamW(groups, lr=recipe.learning_rate, **{**fused, **recipe.adam})
