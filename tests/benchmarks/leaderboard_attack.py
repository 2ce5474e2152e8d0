"""What adaptive submissions win on a board that shows each score, and on ours.

    python tests/benchmarks/leaderboard_attack.py [--runs 8] [--seed 1] [--tasks nli,tc,re,sts]

Overfit is the score that the board shows in the end less what the attacker's knowledge scores on
fresh examples, in points. For each board the best attack is picked on two runs and measured on
fresh ones; intervals are of 95 %. The last table is the power of the rule: how likely a true gain
is shown at 1,500 examples.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator

import numpy as np
from attacked_boards import RULES, TASKS, Board, Rule, world
from board_attacks import ATTACKS, FLIPS, STAIRS, Attack, Stairs
from scipy import stats

from pipeline.scoring.measure import Floats

BUDGET = 1_000
#: What an attacker knows: the share of labels that is known, the candidates of each other example.
KNOWLEDGE: dict[str, tuple[float, int | None]] = {"nothing": (0.0, None), "80 %": (0.6, 2)}
_NAIVE = ("boosting", "probing", "flips of 10", "flips of 50")
_PICKED = 2


def overfits(
    task: str,
    knowledge: str,
    rule: Rule | None,
    attack: Attack,
    seeds: Iterable[int],
    *,
    budget: int = BUDGET,
    accounts: bool = False,
) -> Floats:
    """Return how much an attack overfits a board, in points, for each seed."""
    known, candidates = KNOWLEDGE[knowledge]
    found = []
    for seed in seeds:
        chance = np.random.default_rng([seed, TASKS[task][0]])
        truth = world(task, known=known, candidates=candidates, chance=chance)
        board = Board(truth, rule, accounts=accounts)
        attack(board, budget, chance)
        found.append(board.best - truth.fresh_score(chance))
    return np.array(found)


def best_attack(
    task: str, knowledge: str, rule: Rule | None, seed: int, names: Iterable[str]
) -> tuple[str, float]:
    """Return the attack that overfits a board most in the runs for picking."""
    seeds = [seed + place for place in range(_PICKED)]
    means = {
        name: float(overfits(task, knowledge, rule, ATTACKS[name], seeds).mean()) for name in names
    }
    top = max(means, key=lambda name: means[name])
    return top, means[top]


def names_for(rule: Rule | None, knowledge: str) -> list[str]:
    """Return the attacks that are tried: those that can work."""
    if rule is None:
        return list(_NAIVE)
    return ["boosting", *FLIPS, *(STAIRS if knowledge != "nothing" else ())]


def interval(numbers: Floats) -> str:
    error = stats.sem(numbers) * stats.t.isf(0.025, len(numbers) - 1)
    return f"{numbers.mean():.1f} ± {error:.1f}"


def ratio_interval(above: Floats, below: Floats) -> str:
    """Return the ratio of two means and its interval (Fieller's, to first order)."""
    ratio = above.mean() / below.mean()
    error = np.hypot(stats.sem(above), ratio * stats.sem(below)) / below.mean()
    return f"{100 * ratio:.0f} % ± {100 * error * stats.t.isf(0.025, len(above) - 1):.0f}"


def compared(task: str, knowledge: str, runs: int, seed: int) -> str:
    """Return a row: what the best attack on each board overfits, and the ratio."""
    cells, numbers = [], []
    for rule in (RULES["naive"], RULES["ours"]):
        name, _ = best_attack(task, knowledge, rule, seed, names_for(rule, knowledge))
        fresh = [seed + 100 + place for place in range(runs)]
        numbers.append(overfits(task, knowledge, rule, ATTACKS[name], fresh))
        cells.append(f"{interval(numbers[-1])} | {name}")
    n = f"{TASKS[task][0]:,}"
    ratio = ratio_interval(numbers[1], numbers[0])
    return f"| {task} | {n} | {knowledge} | {' | '.join(cells)} | {ratio} |"


def rules_compared(runs: int, seed: int) -> Iterator[str]:
    """Yield, for each rule, what the best attack overfits on NLI with knowledge of 80 %."""
    for label, rule in RULES.items():
        if rule is None:
            continue
        name, _ = best_attack("nli", "80 %", rule, seed, names_for(rule, "80 %"))
        fresh = [seed + 100 + place for place in range(runs)]
        found = overfits("nli", "80 %", rule, ATTACKS[name], fresh)
        yield f"| {label} | {interval(found)} | {name} |"


def accounts_together(runs: int, seed: int) -> Iterator[str]:
    """Yield what ten submitters overfit who send 100 submissions each and share what they learn."""
    for knowledge in ("80 %",):
        for tail in (1.0, 1.5):
            found = overfits(
                "nli",
                knowledge,
                RULES["ours"],
                Stairs(tail, 1.0, 10),
                [seed + 100 + place for place in range(runs)],
                accounts=True,
            )
            yield f"| ten submitters together, stairs {tail} | {interval(found)} |"


def power(disagreement: float, gain: float, submissions: int, rule: Rule, n: int = 1_500) -> float:
    """Return how likely a true gain is shown, if two systems disagree on such a share."""
    error = np.sqrt((disagreement - gain**2) / n)
    return float(stats.norm.sf(rule.multiple(submissions) - gain / error))


def power_rows() -> Iterator[str]:
    for label in ("1 error", "2 errors", "3 errors", "ours"):
        rule = RULES[label]
        for submissions in (1, 10, 100) if label == "ours" else (1,):
            name = f"{label}, submission {submissions + 1}" if label == "ours" else label
            cells = [
                f"{power(0.15, gain / 100, submissions, rule):.2f}" for gain in (0, 1, 2, 3, 4, 5)
            ]
            yield f"| {name} | {' | '.join(cells)} |"


def write(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tasks", default=",".join(TASKS))
    options = parser.parse_args()
    write("| task | examples | attacker knows | naive board | attack | ours | attack | ratio |")
    for task in options.tasks.split(","):
        for knowledge in KNOWLEDGE:
            write(compared(task, knowledge, options.runs, options.seed))
    write("| rule (nli, 80 %) | overfit | attack |")
    for line in rules_compared(options.runs, options.seed):
        write(line)
    for line in accounts_together(options.runs, options.seed):
        write(line)
    write("| shown with a true gain of | 0 | 1 | 2 | 3 | 4 | 5 points |")
    for line in power_rows():
        write(line)


if __name__ == "__main__":
    main()
