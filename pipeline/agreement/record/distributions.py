"""How labels, votes and mean scores are distributed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from pipeline.agreement.people.annotators import display, plain
from pipeline.agreement.record.items import means
from pipeline.agreement.votes.views import Selection

_BINS: Final = 51


def distributions(selection: Selection, shown: Sequence[Any] | None = None) -> dict[str, Any]:
    """Return votes by label, items by number of votes, and for numbers items by mean score.

    Mean scores are counted at 51 points from one end of the scale to the other, the nearest one,
    halves upwards, as the paper does in steps of 0.1 (Section 3.2.1).
    """
    ratings = selection.ratings
    names = [display(v) for v in ratings.values] if shown is None else shown
    votes = np.bincount(ratings.unit, minlength=len(ratings.units))
    many, items = np.unique(votes, return_counts=True)
    made: dict[str, Any] = {
        "labels": {
            str(name): int(n)
            for name, n in zip(names, np.bincount(ratings.value, minlength=len(names)), strict=True)
        },
        "votes_per_item": {str(m): int(n) for m, n in zip(many, items, strict=True)},
    }
    if selection.kind == "number" and len(ratings.values):
        low, high = selection.scale or (ratings.values[0], ratings.values[-1])
        step = (high - low) / (_BINS - 1) or 1.0
        place = np.floor((means(ratings) - low) / step + 0.5 + 1e-9).astype(np.int64)
        bins = np.bincount(np.clip(place, 0, _BINS - 1), minlength=_BINS)
        made["mean_scores"] = [
            {"score": plain(low + i * step), "items": int(n)} for i, n in enumerate(bins)
        ]
    return made
