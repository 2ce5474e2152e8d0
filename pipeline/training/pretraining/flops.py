"""Floating point operations of a model, and how much of what a device can do that is.

Counted are the products of matrices, two operations for each multiplication, that the model needs:
not those of padding, of attention between documents that do not see each other, or of anything
computed twice. The way back costs twice the way forth.

Source: Chowdhery et al. 2022, Appendix B (model FLOPs utilisation).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

_MULTIPLY_ADD: Final = 2
_FORTH_AND_BACK: Final = 3
#: Dense operations a second in bfloat16, by what the name of the device contains, as its maker
#: states them.
_PEAKS: Final = {"H200": 989.5e12, "H100 PCIe": 756e12, "H100": 989.5e12, "A100": 312e12}


@dataclass(frozen=True)
class Load:
    """What a sequence has on average: tokens, pairs of tokens that attend to each other, masked
    tokens, and whether it is told if two texts follow each other (0 to 1).
    """

    tokens: float
    attended: float
    masked: float
    pairs: float = 0.0


def training_flops(config: Any, load: Load) -> float:
    """Return the operations of one step of training for one sequence."""
    hidden, inner = config.hidden_size, config.intermediate_size
    layer = load.tokens * (4 * hidden**2 + 2 * hidden * inner) + 2 * load.attended * hidden
    heads = load.masked * (hidden**2 + hidden * config.vocab_size)
    heads += load.pairs * (hidden**2 + 2 * hidden)
    products = config.num_hidden_layers * layer + heads
    return float(_FORTH_AND_BACK * _MULTIPLY_ADD * products)


def peak_flops(device: str, precision: str) -> tuple[float | None, str]:
    """Return the operations a second that a device is made for, or None and the reason."""
    if device == "cpu":
        return None, "a CPU has no stated peak"
    if precision != "bf16":
        return None, f"peaks are stated for bf16, and this run computed in {precision}"
    peak = next((peak for name, peak in _PEAKS.items() if name in device), None)
    return peak, "" if peak else f"the peak of {device} is not known here"
