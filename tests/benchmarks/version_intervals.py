"""How often the intervals of `klue compare-versions` hold the truth, on simulated systems.

    python tests/benchmarks/version_intervals.py [--runs 400] [--seed 1]

Over systems: scores of n systems on two versions, with a known correlation; the truth is that of
the population (for the weighted tau, which depends on n, the mean over other draws of n). Over
examples: systems that stay, right or wrong on examples of differing difficulty; the truth is the
mean over other examples.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator

import numpy as np

from pipeline.scoring.measure import Floats
from pipeline.scoring.resampling import Plan
from pipeline.scoring.versions.rank_correlation import CORRELATIONS, interval_over_systems
from pipeline.scoring.versions.sampling_error import (
    ceiling,
    intervals_over_examples,
    reliability,
)
from pipeline.scoring.versions.scores import Examples

Pair = tuple[Floats, Floats]
POPULATION = 4_000


def normal(chance: np.random.Generator, n: int, r: float) -> Pair:
    first = chance.standard_normal(n)
    return first, r * first + np.sqrt(1 - r * r) * chance.standard_normal(n)


def heavy(chance: np.random.Generator, n: int, r: float) -> Pair:
    scale = np.sqrt(3 / chance.chisquare(3, n))
    first, second = normal(chance, n, r)
    return first * scale, second * scale


def two_groups(chance: np.random.Generator, n: int, r: float) -> Pair:
    group = 3.0 * (chance.random(n) < 0.3)
    first, second = normal(chance, n, r)
    return first + group, second + group


KINDS: dict[str, Callable[[np.random.Generator, int, float], Pair]] = {
    "normal": normal,
    "t with 3 degrees": heavy,
    "two groups": two_groups,
}


def over_systems(runs: int, chance: np.random.Generator) -> Iterator[str]:
    for kind, draw in KINDS.items():
        for n in (10, 20, 50):
            for r in (0.3, 0.6, 0.9):
                pairs = [draw(chance, n, r) for _ in range(runs)]
                whole = draw(chance, POPULATION, r)
                cells = []
                for name, correlation in CORRELATIONS.items():
                    values = [correlation.statistic(*pair) for pair in pairs]
                    truth = correlation.statistic(*whole)
                    if name == "weighted_tau":
                        others = [correlation.statistic(*draw(chance, n, r)) for _ in range(1_000)]
                        truth = float(np.mean(others))
                    cells.append(_held(name, pairs, values, truth))
                yield f"| {kind} | {n} | {r} | " + " | ".join(cells) + " |"


def _held(name: str, pairs: list[Pair], values: list[float], truth: float) -> str:
    held = 0
    for pair, value in zip(pairs, values, strict=True):
        ends = interval_over_systems(name, *pair, value, 0.95)
        held += ends is not None and ends[0] <= truth <= ends[1]
    return f"{held / len(pairs):.3f}"


def answers(chance: np.random.Generator, skill: Floats, count: int) -> Examples:
    difficulty = chance.standard_normal(count)
    right = chance.random((len(skill), count)) < 1 / (1 + np.exp(difficulty - skill[:, None]))
    tag = int(chance.integers(1 << 60))
    return Examples(tuple(f"{tag}-{i}" for i in range(count)), right.astype(np.float64))


def over_examples(runs: int, chance: np.random.Generator) -> Iterator[str]:
    for n, count, r, spread in ((8, 500, 0.6, 0.25), (20, 300, 0.9, 0.15), (20, 2_000, 0.8, 0.25)):
        held = dict.fromkeys(CORRELATIONS, 0)
        reached, allowed = [], []
        for _ in range(runs):
            skills = [1 + spread * scores for scores in normal(chance, n, r)]
            old, new = (answers(chance, skill, count) for skill in skills)
            truth = _expected(skills[0], skills[1], count, chance)
            means = old.cells.mean(axis=1), new.cells.mean(axis=1)
            values = {name: of.statistic(*means) for name, of in CORRELATIONS.items()}
            ends = intervals_over_examples(old, new, values, Plan(draws=300))
            for name in CORRELATIONS:
                held[name] += ends[name][0] <= truth[name] <= ends[name][1]
            again = answers(chance, skills[0], count).cells.mean(axis=1)
            reached.append(CORRELATIONS["kendall_tau_b"].statistic(means[0], again))
            whole = reliability(old, 0)
            allowed.append(ceiling("kendall_tau_b", whole, whole) or 0.0)
        shares = " | ".join(f"{of / runs:.3f}" for of in held.values())
        taus = f"{np.mean(allowed):.3f} | {np.mean(reached):.3f}"
        yield f"| {n} | {count:,} | {r} | {shares} | {taus} |"


def _expected(
    first: Floats, second: Floats, count: int, chance: np.random.Generator
) -> dict[str, float]:
    means = [
        (
            answers(chance, first, count).cells.mean(axis=1),
            answers(chance, second, count).cells.mean(axis=1),
        )
        for _ in range(100)
    ]
    return {
        name: float(np.nanmean([of.statistic(*pair) for pair in means]))
        for name, of in CORRELATIONS.items()
    }


def write(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = np.random.default_rng(options.seed)
    write("| systems are | n | correlation | tau-b | Spearman | weighted tau |")
    for line in over_systems(options.runs, chance):
        write(line)
    write("| systems | examples | correlation | tau-b | Spearman | weighted | ceiling | reached |")
    for line in over_examples(options.runs // 2, chance):
        write(line)


if __name__ == "__main__":
    main()
