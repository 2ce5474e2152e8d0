"""Masks over whole words: which tokens are to be told, and what stands in their place.

Each word is chosen by itself, with the same chance whatever its length. Of the chosen tokens 80 %
become the mask, 10 % another token, and 10 % stay. All draws are keyed by sequence and place, and
where masks are dynamic by epoch: so nothing is kept, and a static mask is the same in every epoch.

Source: Devlin et al. 2019, Section 3.1 and Appendix A.1; Liu et al. 2019, Section 4.1 (dynamic).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from pipeline.training.pretraining.keyed import uniform
from pipeline.training.pretraining.whole_words import Flags
from pipeline.training.training import number

Ids = npt.NDArray[np.int64]
#: Of the chosen tokens, the share that becomes the mask, and that share with the random tokens.
MASKED: Final = 0.8
CHANGED: Final = 0.9
#: No sequence has so many tokens.
_PLACES: Final = 1 << 16


@dataclass(frozen=True)
class Masking:
    """How tokens are masked: `ordinary` are the ids of which random ones are drawn."""

    rate: float
    mask: int
    ordinary: Ids
    seed: int
    dynamic: bool

    def apply(
        self, ids: Ids, words: Flags, free: Flags, *, rows: Ids, epoch: int
    ) -> tuple[Ids, Flags]:
        """Return the masked ids of some sequences, and which tokens are to be told.

        `ids` has a row a sequence, `words` marks where words begin, and `free` the tokens that may
        be masked: a word goes on over free tokens until the next one begins. `rows` number the
        sequences.
        """
        epoch = epoch if self.dynamic else 0
        places = np.arange(ids.shape[1])
        first = np.maximum.accumulate(np.where(words | ~free, places, 0), axis=1)
        begin = rows[:, None] * _PLACES
        chosen = free & (uniform(self._key("words", epoch), begin + first) < self.rate)
        where = np.nonzero(chosen)
        numbers = np.broadcast_to(begin + places, ids.shape)[where]
        fate = uniform(self._key("fate", epoch), numbers)
        other = uniform(self._key("token", epoch), numbers) * len(self.ordinary)
        masked = ids.copy()
        masked[where] = np.where(
            fate < MASKED,
            self.mask,
            np.where(fate < CHANGED, self.ordinary[other.astype(np.int64)], ids[where]),
        )
        return masked, chosen

    def _key(self, purpose: str, epoch: int) -> int:
        return number(self.seed, "mask", purpose, epoch)
