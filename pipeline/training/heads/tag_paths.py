"""The best sequence of tags in which every entity has a beginning.

Tags are numbered O, B-x, I-x, B-y, I-y, ...; I-x may stand only behind B-x or I-x. Without this
rule a model that knows the type of a token better than where the entity begins says I- after O, and
what it says is lost: the metric gives no entity for it. Source: Viterbi 1967.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.int64]
Scores = npt.NDArray[np.float32]


def best_tags(scores: Scores, starts: Numbers) -> Numbers:
    """Return the tag of each token in the sequence with the largest sum of scores.

    `scores` are logits, tokens x tags; row i is a sequence of its own and has the tokens from
    `starts[i]` to `starts[i + 1]`. Of equal sequences the one whose last tags are lower counts.
    """
    lengths = np.diff(starts)
    order = np.argsort(-lengths, kind="stable")[: np.count_nonzero(lengths)]
    begins, lengths = starts[order], lengths[order]
    longest = int(lengths.max(initial=0))
    # Rows stand from long to short: so many of them have a token at each place.
    running = [int(np.searchsorted(-lengths, -place)) for place in range(longest)]
    behind = np.zeros(scores.shape, dtype=np.int8)
    total = scores[begins]
    total[:, 2::2] = -np.inf
    for place in range(1, longest):
        at = begins[: running[place]] + place
        behind[at], best = _behind(total[: running[place]])
        total[: running[place]] = best + scores[at]
    tags = np.zeros(len(scores), dtype=np.int64)
    tags[begins + lengths - 1] = total.argmax(axis=1)
    for place in reversed(range(1, longest)):
        at = begins[: running[place]] + place
        tags[at - 1] = behind[at, tags[at]]
    return tags


def _behind(total: Scores) -> tuple[npt.NDArray[np.int8], Scores]:
    """Return for each tag the best tag that it may stand behind, and that one's sum."""
    top = total.argmax(axis=1)
    tags = np.repeat(top[:, None], total.shape[1], axis=1)
    inside = np.arange(2, total.shape[1], 2)
    tags[:, inside] = inside - (total[:, inside - 1] >= total[:, inside])
    return tags.astype(np.int8), np.take_along_axis(total, tags, axis=1)
