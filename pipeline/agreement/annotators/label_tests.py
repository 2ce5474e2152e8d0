"""Tests of labels: agreement, one label always, one label for another, a label never."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from scipy.special import betainc

from pipeline.agreement.annotators.finding import EVIDENCE, Code, Finding
from pipeline.agreement.annotators.norms import Norm, norm_of, share_above, share_below
from pipeline.agreement.annotators.portraits import (
    Block,
    Gallery,
    Numbers,
    Portrait,
    item_sums,
)
from pipeline.agreement.votes.ratings import Real
from pipeline.core.wording import verb

#: Agreement matters below this share of the usual annotator's, both beyond chance.
LOW_SHARE: Final = 2 / 3
#: Deviations beyond which skill is surely above nothing (one-sided, 1 %), and beyond which one of
#: many differences is sure (0.02 %).
SURE: Final = 2.33
_SURE_OF_MANY: Final = 3.5
#: Standard deviation between people of agreement, before their votes are seen.
_PRIOR: Final = 0.04
#: How far shares of labels vary between people, as a part of share x (1 - share).
_PRIOR_SHARE: Final = 0.02
_PRIOR_HABIT: Final = 0.03
_CONSTANT, _MORE_OFTEN = 0.75, 0.2
_HABIT, _BEYOND_OWN = 0.25, 0.2
#: A label is missed where it was expected so often; its count varies by this much beyond chance.
_EXPECTED, _RARELY = 10, 0.05
_OVERDISPERSION: Final = 0.05
#: Fewer units of one label than this show no habit.
_FEWEST: Final = 5
_LIKELY: Final = 0.05
_LESS: Final = "Agrees far less than the others do"

Bools = npt.NDArray[np.bool_]
#: How much each judgement of a portrait shows, (judgements,).
Weigh = Callable[[Portrait], Real]


@dataclass(frozen=True)
class Sums:
    """Sums over the judgements of each annotator, (raters,), (raters, labels) or with two labels.

    `n` counts judgements, `seen`, `expected` and `variance` add up what each comes to (`Numbers`).
    `given` counts the labels given, `usual` what the usual annotator would have given and `spread`
    how that varies. `right` is how many units of each label the annotator judged, `cells` how often
    they gave a label (last axis) there, `usual_cells` how often the usual annotator would have.
    `inflation` is how far judgements of one item vary more than apart.
    """

    n: Real
    seen: Real
    expected: Real
    variance: Real
    given: Real
    usual: Real
    spread: Real
    right: Real
    cells: Real
    usual_cells: Real
    inflation: float

    @property
    def agreement(self) -> Real:
        """Return how far each is from the usual annotator: mean posterior less its expectation."""
        return np.asarray((self.seen - self.expected) / np.maximum(self.n, 1))

    @property
    def sampling(self) -> Real:
        """Return the variance of `agreement` by the draw of the votes."""
        return np.asarray(self.inflation * self.variance / np.maximum(self.n, 1) ** 2)

    @property
    def chance(self) -> Real:
        """Return what the agreement of labels like these would be, given without heed to units."""
        n = np.maximum(self.n, 1)
        return np.asarray((self.given * self.right).sum(axis=1) / n**2)


def sum_up(gallery: Gallery, labels: int, reference: Bools) -> Sums:
    """Sum up all portraits; `reference` says who counts as usual."""
    rows = [_row(portrait, labels) for portrait in gallery]
    sums = {name: np.array([row[name] for row in rows], np.float64) for name in rows[0]}
    clustered, variance = (float(sums[name][reference].sum()) for name in ("clustered", "variance"))
    del sums["clustered"]
    return Sums(**sums, inflation=max(clustered / variance, 1.0) if variance > 0 else 1.0)


def _row(portrait: Portrait, labels: int) -> dict[str, Any]:
    sums: dict[str, Any] = {}
    parts = []
    for block in portrait.blocks():
        for name, number in _sums_of(block, labels).items():
            sums[name] = sums.get(name, 0) + number
        parts.append(block.numbers())
    numbers = Numbers.join(parts)
    _, residual = item_sums(portrait.item, numbers.seen - numbers.expected)
    return {
        "n": len(portrait),
        "seen": numbers.seen.sum(),
        "expected": numbers.expected.sum(),
        "variance": numbers.variance.sum(),
        "clustered": (residual**2).sum(),
        **sums,
    }


def _sums_of(block: Block, labels: int) -> dict[str, Real]:
    value, truth, usual = block
    cells = [np.bincount(value, truth[:, label], labels) for label in range(labels)]
    return {
        "given": np.bincount(value, minlength=labels).astype(np.float64),
        "usual": usual.sum(axis=0),
        "spread": (usual * (1 - usual)).sum(axis=0),
        "right": truth.sum(axis=0),
        "cells": np.array(cells),
        "usual_cells": truth.T @ usual,
    }


@dataclass(frozen=True)
class LabelTests:
    """The tests of labels in one pool: `tested` raters are judged, `reference` ones are usual."""

    gallery: Gallery
    sums: Sums
    labels: tuple[str, ...]
    tested: Bools
    reference: Bools
    nothing: int | None = None

    def findings(self, *, agreement: bool = True) -> Iterator[Finding]:
        """Yield what each test says of each annotator tested."""
        if agreement:
            yield from self.agreement()
        if len(self.labels) > 1:
            yield from self.constant()
            yield from self.habit()
            yield from self.unused()

    @property
    def _noun(self) -> str:
        return "items" if self.nothing is None else "places"

    def skill(self) -> tuple[Real, Real]:
        """Return agreement beyond chance as a share of the usual one's, and its standard error."""
        sums, n = self.sums, np.maximum(self.sums.n, 1)
        middle = self._norm().middle
        room = sums.expected / n + middle - sums.chance
        able = room > 0.02
        room = np.where(able, room, 1.0)
        skill = np.where(able, (sums.seen / n - sums.chance) / room, np.nan)
        return skill, np.sqrt(np.maximum(sums.sampling, 0.25 / n**2)) / room

    def agreement(self) -> Iterator[Finding]:
        """Test whether the labels given are as likely right as those of the usual annotator."""
        sums, norm, n = self.sums, self._norm(), np.maximum(self.sums.n, 1)
        usual = sums.expected / n + norm.middle
        p = share_below(sums.seen / n, usual, sums.sampling + norm.variance)
        skill, error = self.skill()
        p_habit, _, _, lasting = self._habits
        habitual = (lasting & (p_habit * p_habit[0].size <= _LIKELY)).any(axis=(1, 2))
        for rater in np.flatnonzero(self.tested & ~np.isnan(skill)).tolist():
            code, start = self._name_of_skill(float(skill[rater]), float(error[rater]))
            if code == "random" and habitual[rater]:  # wrong, but not by chance
                code, start = "low_agreement", _LESS
            share = float(sums.seen[rater] / n[rater])
            yield Finding(
                rater,
                code,
                float(p[rater]),
                share,
                share - float(usual[rater]),
                bool(skill[rater] < LOW_SHARE),
                f"{start}: gives the label that the other votes suggest on {share:.0%} of the"
                f" {self._noun}; the usual annotator would on {usual[rater]:.0%}.",
                self._items(rater, float(p[rater]), _missing),
            )

    def constant(self) -> Iterator[Finding]:
        """Test whether one label is given more often than the units call for, and nearly always."""
        sums, n = self.sums, np.maximum(self.sums.n, 1)
        top = sums.given.argmax(axis=1)
        rows = np.arange(len(n))
        share, usual = sums.given[rows, top] / n, sums.usual[rows, top] / n
        sampling = sums.inflation * sums.spread[rows, top] / n**2
        p = share_above(share - 0.5 / n, usual, sampling + _PRIOR_SHARE * usual * (1 - usual))
        p = np.minimum(p * len(self.labels), 1.0)
        for rater in np.flatnonzero(self.tested).tolist():
            label, much, less = int(top[rater]), float(share[rater]), float(usual[rater])
            yield Finding(
                rater,
                "constant",
                float(p[rater]),
                much,
                much - less,
                much >= _CONSTANT and much - less >= _MORE_OFTEN,
                f"Gives {self.labels[label]} on {much:.0%} of the {self._noun}; the usual annotator"
                f" would on {less:.0%}.",
                self._items(rater, float(p[rater]), _where(label, _unlikely(label))),
            )

    def habit(self) -> Iterator[Finding]:
        """Test whether one label is given in place of another more often than usual.

        It is a habit only where the label is given there more often than on units of other labels,
        too: otherwise it is given without heed to the units.
        """
        p, rate, usual, lasting = self._habits
        many = p.shape[1] * (p.shape[1] - 1)
        for rater in np.flatnonzero(self.tested).tolist():
            ranked = np.where(lasting[rater], p[rater] - 1, p[rater])
            right, given = np.unravel_index(int(ranked.argmin()), ranked.shape)
            cell = rater, int(right), int(given)
            chance = min(float(p[cell]) * many, 1.0)
            yield Finding(
                rater,
                "habit",
                chance,
                float(rate[cell]),
                float(rate[cell] - usual[cell]),
                bool(lasting[cell]),
                f"Gives {self.labels[given]} on {rate[cell]:.0%} of the {self._noun} where the"
                f" other votes suggest {self.labels[right]}; the usual annotator would on"
                f" {usual[cell]:.0%}.",
                self._items(rater, chance, _where(int(given), _likely(int(right)))),
            )

    def unused(self) -> Iterator[Finding]:
        """Test whether a label that was due often was given never, or hardly ever."""
        sums, shape = self.sums, 1 / _OVERDISPERSION
        p = betainc(shape, sums.given + 1, shape / (shape + sums.usual))
        due = (sums.usual >= _EXPECTED) & (sums.given <= _RARELY * sums.usual)
        if self.nothing is not None:
            p[:, self.nothing], due[:, self.nothing] = 1.0, False
        for rater in np.flatnonzero(self.tested).tolist():
            label = int(np.where(due[rater], p[rater] - 1, p[rater]).argmin())
            chance = min(float(p[rater, label]) * len(self.labels), 1.0)
            given, usual = int(sums.given[rater, label]), float(sums.usual[rater, label])
            yield Finding(
                rater,
                "unused_label",
                chance,
                float(given),
                given - usual,
                bool(due[rater, label]),
                f"Gives {self.labels[label]} {given or 'no'} {verb(given, 'time', 'times')}; the"
                " usual"
                f" annotator would about {usual:.0f} times on the same {self._noun}.",
                self._items(rater, chance, _likely(label)),
            )

    def _norm(self) -> Norm:
        known = self.reference & self.tested
        return norm_of(self.sums.agreement[known], self.sums.sampling[known], prior=_PRIOR)

    @cached_property
    def _habits(self) -> tuple[Real, Real, Real, Bools]:
        """Return p, the rate, the usual one, and whether it is a habit: (raters, right, given)."""
        sums = self.sums
        units = np.maximum(sums.right, 1e-9)[:, :, None]
        rate, usual = sums.cells / units, sums.usual_cells / units
        room = usual * (1 - usual)
        variance = room * sums.inflation / units + _PRIOR_HABIT * room
        p = share_above(rate - 0.5 / units, usual, variance)
        own = self._own_rates()
        error = np.sqrt(np.maximum(own * (1 - own), 0.02) / units)
        beyond = rate - own
        is_habit = (
            (rate - usual >= _HABIT) & (beyond >= _BEYOND_OWN) & (beyond >= _SURE_OF_MANY * error)
        )
        off = ~np.eye(len(self.labels), dtype=bool) & (sums.right >= _FEWEST)[:, :, None]
        return np.where(off, p, 1.0), rate, usual, is_habit & off

    def _own_rates(self) -> Real:
        # how often a label (last axis) is given on units that are neither it nor the other
        sums = self.sums
        both = np.einsum("rvv->rv", sums.cells)
        rest = sums.n[:, None, None] - sums.right[:, :, None] - sums.right[:, None, :]
        times = sums.given[:, None, :] - sums.cells - both[:, None, :]
        where_right = (both / np.maximum(sums.right, 1e-9))[:, None, :]
        rate = times / np.maximum(rest, 1e-9)
        return np.asarray(np.where(rest >= _FEWEST, rate, where_right))

    def _name_of_skill(self, skill: float, error: float) -> tuple[Code, str]:
        # a place is one that somebody labels: who labels by chance seems to be against the others
        if skill + _SURE_OF_MANY * error < 0 and self.nothing is None:
            return "reversed", "Answers against the others"
        if skill - SURE * error <= 0:
            return "random", "Answers like chance"
        return "low_agreement", _LESS

    def _items(self, rater: int, p: float, weigh: Weigh) -> tuple[int, ...]:
        if p > _LIKELY:
            return ()
        portrait = self.gallery[rater]
        return portrait.items_by(weigh(portrait), EVIDENCE)


def _missing(one: Portrait) -> Real:
    return one.numbers.expected - one.numbers.seen


def _likely(label: int) -> Weigh:
    return lambda one: one.likely(label)


def _unlikely(label: int) -> Weigh:
    return lambda one: 1 - one.likely(label)


def _where(label: int, weigh: Weigh) -> Weigh:
    return lambda one: np.where(one.value == label, weigh(one), 0.0)
