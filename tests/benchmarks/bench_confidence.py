"""How far confidence is from the share of labels that are right, beside the share of votes.

    python tests/benchmarks/bench_confidence.py [--json] [--runs N]

Pools of simulated annotators whose skill differs (0.55 to 0.9; asking.py), 100 or 1,000 items with
one to 2n - 1 votes each, N runs (5) of seeds of their own. The number is the expected calibration
error in ten bins: mean distance between what is said of leading labels and how many are right.
Exit code 1 where confidence is farther off than the share of votes is, with 1,000 items.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from asking import LabelPool
from results import Figure, parser_of, show

from pipeline.agreement.aggregation.pooled_model import fit_pooled

SEED = 91_000
#: How far off confidence may be, by items; few items say too little.
MOST = {100: None, 1000: 1.0}


def _errors(seed: int, items: int, labels: int, votes: int) -> tuple[float, float]:
    rng = np.random.default_rng(seed)
    pool = LabelPool(rng, items, labels=labels, skill=(0.55, 0.9))
    for item, many in enumerate(rng.integers(1, 2 * votes, items).tolist()):
        for _ in range(many):
            pool.ask(item)
    leading = pool.counts.argmax(axis=1)
    right, places = leading == pool.truth, np.arange(items)
    model = fit_pooled(pool.counts).posterior(pool.counts)[places, leading]
    return _calibration(model, right), _calibration(pool.counts.max(1) / pool.votes, right)


def _calibration(said: Any, right: Any) -> float:
    place = np.minimum((said * 10).astype(int), 9)
    bins = [place == b for b in range(10)]
    return float(sum(abs(said[b].mean() - right[b].mean()) * b.mean() for b in bins if b.any()))


def main() -> int:
    """Print how far off both are by size of the pools."""
    parser = parser_of(__doc__)
    parser.add_argument("--runs", type=int, default=5)
    given = parser.parse_args()
    pools, figures = [], list[Figure]()
    for items in (100, 1000):
        ratios = []
        for labels in (2, 3, 7, 30):
            for votes in (2, 3, 5):
                pairs = [_errors(SEED + run, items, labels, votes) for run in range(given.runs)]
                model, share = np.mean(pairs, axis=0).tolist()
                kind = {"items": items, "labels": labels, "votes": votes}
                pools.append(kind | {"confidence": round(model, 4), "share": round(share, 4)})
                ratios.append(model / share)
        name = f"{items:,} items: error of confidence by that of shares of votes"
        figures.append(Figure(f"{name}, worst of 12 pools", max(ratios), "", most=MOST[items]))
        figures.append(Figure(f"{name}, median", float(np.median(ratios)), ""))
    return show(__doc__, figures, as_json=given.json, pools=pools)


if __name__ == "__main__":
    sys.exit(main())
