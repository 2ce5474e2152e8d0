"""Numbers to numbers that look random: the finaliser of MurmurHash3, a bijection of 64 bits."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def mix(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the numbers with every bit spread over all 64; different ones stay different."""
    for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
        numbers = (numbers ^ (numbers >> np.uint64(33))) * np.uint64(factor)
    return numbers ^ (numbers >> np.uint64(33))
