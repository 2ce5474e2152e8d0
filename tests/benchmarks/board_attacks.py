"""Attacks on a board by submissions that depend on what was shown before.

Each attack sends at most `budget` submissions; what counts is the greatest score that the board
shows in the end. An attack is told all that the board tells, and the sizes of errors.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from attacked_boards import Answers, Board, Chance, World

Attack = Callable[[Board, int, Chance], None]


class Tally:
    """Evidence for each option of each example: sums of what scores say of submissions."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.sums = np.zeros(world.options.shape)

    def add(self, answers: Answers, weight: float) -> None:
        """Count a submission; more is better for a weight above 0."""
        self.sums += weight * (self.world.options == answers[:, None])

    def answers(self, chance: Chance) -> Answers:
        """Return the option with the most evidence; ties are drawn."""
        world = self.world
        choice = (self.sums + 1e-9 * chance.random(self.sums.shape)).argmax(axis=1)
        return np.where(world.known, world.gold, world.options[np.arange(world.n), choice])


def boosting(board: Board, budget: int, chance: Chance) -> None:
    """Submit guesses; weigh each by its score above the mean; submit the weighted vote."""
    world = board.world
    if world.gold.dtype != np.int64:
        _regression(board, budget, chance)
        return
    tally, scores = Tally(world), []
    guesses = [world.guess(chance) for _ in range(budget - 1)]
    for guess in guesses:
        scores.append(board.submit(guess))
    shown = [score for score in scores if score is not None]
    for guess, score in zip(guesses, scores, strict=True):
        if score is not None:
            tally.add(guess, score - (np.mean(shown) if len(shown) > 1 else score - 1))
    board.submit(tally.answers(chance))


def _regression(board: Board, budget: int, chance: Chance) -> None:
    """Submit standard normal numbers, and then what fits the correlations that were shown."""
    world = board.world
    base = world.guess(chance)
    rows, shown = [], []
    for _ in range(budget - 1):
        guess = chance.standard_normal(world.n)
        guess[world.known] = 0
        if (score := board.submit(guess)) is not None:
            rows.append((guess - guess.mean()) / guess.std())
            shown.append(score / 100)
    solution = np.linalg.lstsq(np.array(rows), world.n * np.array(shown), rcond=None)[0]
    board.submit(np.where(world.known, base - 2.5, solution))


def probing(board: Board, budget: int, chance: Chance) -> None:
    """Change one answer at a time: a score that rises, falls or stays says what is right."""
    world = board.world
    current = world.guess(chance)
    learned = current.copy()
    best = board.submit(current)
    for place in world.pool[: budget - 2]:
        options = world.options[place]
        others = options[options != current[place]]
        trial = current.copy()
        trial[place] = chance.choice(others)
        score = board.submit(trial)
        if score is None or best is None:
            continue
        if score > best:
            current, best = trial, score
            learned[place] = trial[place]
        elif score == best and len(others) == 2:  # neither is right: the third one is
            learned[place] = others[others != trial[place]][0]
    board.submit(learned)


@dataclass(frozen=True)
class Flips:
    """Change `count` of the unknown answers of the best shown so far, and keep what is shown.

    With `memory`, a change is drawn by the evidence of earlier ones, what was not shown counting
    against it. With several `ladders` (size classes) each climbs on its own, and sends what all
    have learned as its last submission.
    """

    count: int
    memory: float = 0.0
    ladders: int = 1

    def __call__(self, board: Board, budget: int, chance: Chance) -> None:
        world = board.world
        bests = [world.guess(chance) for _ in range(self.ladders)]
        starts = [best.copy() for best in bests]
        tally = Tally(world)
        scores = [board.submit(best, place) for place, best in enumerate(bests)]
        for turn in range(budget - 2 * self.ladders):
            place = turn % self.ladders
            trial = self._changed(world, bests[place], tally, turn // self.ladders, chance)
            score, shown = board.submit(trial, place), scores[place]
            if score is not None and shown is not None and score > shown:
                tally.add(trial, self.memory)
                bests[place], scores[place] = trial, score
            elif self.memory:
                tally.add(trial, -self.memory / 50)
        for place in range(self.ladders):
            board.submit(_merged(bests, starts, place), place)

    def _changed(
        self, world: World, best: Answers, tally: Tally, turn: int, chance: Chance
    ) -> Answers:
        pool = world.pool
        if self.count == 1:
            places = pool[[turn % len(pool)]]
        else:
            places = chance.choice(pool, size=min(self.count, len(pool)), replace=False)
        trial = best.copy()
        if world.gold.dtype != np.int64:
            trial[places] = chance.uniform(0, 5, len(places))
            return trial
        options = world.options[places]
        weights = np.exp(np.clip(tally.sums[places], -3, 3)) * (options != best[places, None])
        drawn = (weights / weights.sum(axis=1, keepdims=True)).cumsum(axis=1)
        choice = (chance.random(len(places))[:, None] > drawn[:, :-1]).sum(axis=1)
        trial[places] = options[np.arange(len(places)), choice]
        return trial


def _merged(bests: list[Answers], starts: list[Answers], place: int) -> Answers:
    """Return the best of one ladder with the changes that the others have kept."""
    merged = bests[place].copy()
    for best, start in zip(bests, starts, strict=True):
        changed = best != start
        merged[changed] = best[changed]
    return merged


@dataclass(frozen=True)
class Stairs:
    """Hold known answers back, and add so many to a trial that chance decides whether it is shown.

    A trial draws a share of the unknown answers anew. It is shown if they are better by `tail`
    standard deviations than is expected; known answers, which start all wrong, make up for the
    rest of the gain that is needed. In the end all known answers, and the vote over what was shown,
    are submitted.
    """

    tail: float
    share: float = 1.0
    ladders: int = 1

    def __call__(self, board: Board, budget: int, chance: Chance) -> None:
        stairs = [_Stair(board, place, self, chance) for place in range(self.ladders)]
        tally = Tally(board.world)
        for turn in range(budget - self.ladders - 1):
            stair = stairs[turn % self.ladders]
            if board.left(stair.place) > 1:
                stair.step(tally, chance)
        board.submit(tally.answers(chance))


class _Stair:
    """One ladder of the attack; sizes are in known answers, as the attacker estimates them."""

    def __init__(self, board: Board, place: int, plan: Stairs, chance: Chance) -> None:
        self.board, self.place, self.plan = board, place, plan
        self.world = board.world
        self.count = round(plan.share * len(self.world.pool))
        self.known = int(self.world.known.sum())
        self.right, self.excess = 0, 0.0
        self.best = self.world.guess(chance)
        self.unit, self.spread, self.error = self._sizes(chance)
        board.submit(self.world.spoilt(self.best, 0), place)

    def step(self, tally: Tally, chance: Chance) -> None:
        """Send one trial, with as many known answers as bring it near what is shown."""
        world = self.world
        places = chance.choice(world.pool, size=self.count, replace=False)
        trial = self.best.copy()
        trial[places] = world.guess(chance)[places]
        square = self.board.multiple(self.place) ** 2
        needed = (square + math.sqrt(square**2 + 4 * square * self.error**2)) / 2
        lost = self.excess * self.count / len(world.pool)
        gain = max(0, round(needed - self.plan.tail * self.spread + lost))
        right = min(self.right + gain, self.known)
        score = self.board.submit(world.spoilt(trial, right), self.place)
        if score is None:
            tally.add(trial, -0.02)
            return
        expected = self._score(world.spoilt(world.guess(chance), right), chance)
        self.excess = (score - expected) / self.unit
        tally.add(trial, max(0.2, self.excess / self.spread))
        self.best, self.right = trial, right

    def _sizes(self, chance: Chance) -> tuple[float, float, float]:
        """Return what a known answer is worth in points; in answers, what trials differ by.

        The last is the standard error of a trial's difference to the best, as the board takes it.
        """
        world = self.world
        ends = [self._score(world.spoilt(self.best, right), chance) for right in (0, self.known)]
        unit = (ends[1] - ends[0]) / self.known
        gold, middle = world.guess(chance), world.spoilt(self.best, self.known // 2)
        score, influence = world.metric(gold, middle)
        differences, errors = [], []
        for _ in range(30):
            trial = middle.copy()
            places = chance.choice(world.pool, size=self.count, replace=False)
            trial[places] = world.guess(chance)[places]
            other, others = world.metric(gold, trial)
            differences.append(other - score)
            errors.append((others - influence).std() / math.sqrt(world.n))
        return unit, float(np.std(differences)) / unit, float(np.mean(errors)) / unit

    def _score(self, answers: Answers, chance: Chance) -> float:
        """Return what answers score on average if unknown labels are as likely as guesses."""
        golds = [self.world.guess(chance) for _ in range(10)]
        return float(np.mean([self.world.metric(gold, answers)[0] for gold in golds]))


FLIPS: dict[str, Attack] = {
    **{f"flips of {count}": Flips(count) for count in (10, 50, 200)},
    "guided flips of 50": Flips(50, memory=0.5),
    **{f"flips of {count}, 5 ladders": Flips(count, ladders=5) for count in (50, 200)},
}
STAIRS: dict[str, Attack] = {
    f"stairs {tail}, {share:.0%}, {ladders} ladders": Stairs(tail, share, ladders)
    for tail, share, ladders in (
        (2.0, 1.0, 1),
        (2.5, 1.0, 1),
        (2.8, 1.0, 1),
        (2.0, 0.3, 1),
        (2.5, 0.3, 1),
        (2.5, 1.0, 5),
    )
}
ATTACKS: dict[str, Attack] = {"boosting": boosting, "probing": probing, **FLIPS, **STAIRS}
