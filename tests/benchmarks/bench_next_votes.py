"""Votes that `klue next` saves: asking where the gain is highest, at random, and in turn.

    python tests/benchmarks/bench_next_votes.py [--json] [--runs N] [--nli KLUE-NLI.json]

Simulated pools of 400 items, 20 annotators whose skill differs, two votes an item to begin with (of
scores three) and 40 more a round; N runs (20) of seeds of their own. With official KLUE-NLI files
also their five votes an item, which come in one by one. A row says how many votes it takes until
gold is as good as it is after twice the first votes in turn, and the factors by which the
others take more. Exit code 1 where asking by gain is not the cheapest.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from asking import STRATEGIES, LabelPool, Plan, RealPool, ScorePool, simulate, votes_until
from results import Figure, parser_of, show

SEED = 77_000


def _labels(labels: int, low: float, high: float) -> Callable[[Any, int], Any]:
    return lambda rng, items: LabelPool(rng, items, labels=labels, skill=(low, high))


def _scores(rng: Any, items: int) -> Any:
    return ScorePool(rng, items, spread=(0.2, 1.6))


POOLS: dict[str, tuple[Callable[[Any, int], Any], Plan]] = {
    "2 labels, skill 0.55 to 0.90": (_labels(2, 0.55, 0.9), Plan()),
    "3 labels, skill 0.55 to 0.90": (_labels(3, 0.55, 0.9), Plan()),
    "7 labels, skill 0.55 to 0.90": (_labels(7, 0.55, 0.9), Plan()),
    "3 labels, skill 0.70 to 0.95": (_labels(3, 0.7, 0.95), Plan()),
    "scores, spread 0.2 to 1.6": (_scores, Plan(start=3)),
}


def _nli(path: Path) -> tuple[Callable[[Any, int], Any], Plan]:
    """Return the pool of an official file: five votes an item, and the published label."""
    rows = json.loads(path.read_text("utf-8"))
    names = ("entailment", "neutral", "contradiction")
    keys = ("author", "label2", "label3", "label4", "label5")
    votes = np.array([[names.index(row[key]) for key in keys] for row in rows])
    gold = np.array([names.index(row["gold_label"]) for row in rows])
    plan = Plan(items=len(rows), batch=len(rows) // 20, rounds=60)
    return lambda rng, _items: RealPool(rng, votes, gold), plan


def _compare(make: Callable[[Any, int], Any], plan: Plan, runs: int) -> Mapping[str, int | None]:
    curves, votes = {}, []
    for strategy in STRATEGIES:
        results = [simulate(make, plan, strategy, SEED + run) for run in range(runs)]
        votes = results[0][0]
        curves[strategy] = np.mean([quality for _, quality in results], axis=0)
    doubled = next(i for i, n in enumerate(votes) if n >= 2 * votes[0])
    target = float(curves["turn"][doubled])
    return {name: votes_until(votes, curve, target) for name, curve in curves.items()}


def main() -> int:
    """Print what each pool needs."""
    parser = parser_of(__doc__)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--nli", type=Path)
    options = parser.parse_args()
    pools = dict(POOLS)
    if options.nli:
        pools[options.nli.name] = _nli(options.nli)
    rows, figures = {}, list[Figure]()
    for name, (make, plan) in pools.items():
        rows[name] = needed = _compare(make, plan, options.runs if name in POOLS else 3)
        gain = needed["gain"] or 0
        figures.append(Figure(f"{name}: asked by gain", gain, "votes", least=None if gain else 1))
        for other, least in (("turn", 1), ("random", None)):
            if gain and (votes := needed[other]):
                what = f"{name}: asked {'in turn' if other == 'turn' else 'at random'}"
                figures.append(Figure(what, votes / gain, "times the votes", least=least))
    return show(__doc__, figures, as_json=options.json, pools=rows)


if __name__ == "__main__":
    sys.exit(main())
