"""Odd annotators: who answers at random, always the same, off by a step, drifting or too fast.

Every test says how sure it is and is corrected for the number of annotators (Bonferroni), and asks
for an effect that matters besides: with many votes the best annotator differs from the next one
significantly. Nobody is judged with fewer than `ENOUGH` shared items, nor in a pool of two.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri

from pipeline.agreement.annotators import display
from pipeline.agreement.drift import Trend
from pipeline.agreement.pairs import Floats
from pipeline.agreement.ratings import Ratings
from pipeline.agreement.standings import Standings
from pipeline.agreement.views import Selection

Code = Literal["random", "low_agreement", "reversed", "constant", "biased", "drift", "fast"]
#: Fewer shared items than this judge nobody.
ENOUGH: Final = 20
#: The chance of a false alarm somewhere in the pool, for each test.
LEVEL: Final = 0.02
#: Robust deviations beyond which an annotator stands apart from the pool.
OUTLIER: Final = 3.0
_SAME_SHARE: Final = 0.9
_FALL: Final = 0.1
_FAST: Final = 0.4


@dataclass(frozen=True)
class Flag:
    """One suspicion: its code, a sentence for a reader, and the number it rests on."""

    code: Code
    text: str
    value: float

    def record(self) -> dict[str, Any]:
        """Return it as plain data."""
        return asdict(self)


def flags(selection: Selection, found: Standings) -> dict[str, list[Flag]]:
    """Return the flags of every annotator who has one, by name."""
    judged = found.shared >= ENOUGH
    if judged.sum() < 3:
        return {}
    pool = _Pool(selection, found, judged)
    made: dict[str, list[Flag]] = {}
    for rater in np.flatnonzero(judged).tolist():
        tests = pool.agreement(rater), pool.bias(rater), pool.drift(rater)
        own = [flag for flag in tests if flag is not None]
        if own:
            made[selection.ratings.raters[rater]] = own
    for rater, flag in _fast(found).items():
        made.setdefault(selection.ratings.raters[rater], []).append(flag)
    return made


class _Pool:
    """The annotators who can be judged, and what is usual among them."""

    def __init__(
        self, selection: Selection, found: Standings, judged: npt.NDArray[np.bool_]
    ) -> None:
        self.selection, self.found = selection, found
        self.many = int(judged.sum())
        margins = _margins(selection.ratings, found)
        self.skill, self.error = _skill(selection, found, margins)
        usual = self.skill[judged & ~np.isnan(self.skill)]
        self.usual = float(np.median(usual)) if len(usual) else float("nan")
        self.step = _step(selection) if selection.kind == "number" else 1.0
        self.same = _Same(selection.ratings, found, margins)
        steady = np.array([bool(ok) and self._steady(who) for who, ok in enumerate(judged)])
        self.severity_z, self.middle = _apart(found.severity, steady)

    def agreement(self, rater: int) -> Flag | None:
        """Judge how far the annotator agrees with the others beyond chance."""
        skill, error = float(self.skill[rater]), float(self.error[rater])
        constant = self.same.flag(rater, self.many)
        if not self._low(skill, error):
            return None
        if constant is not None:
            return constant
        if np.isnan(skill):
            return None
        what = (
            "correlation with"
            if self.selection.kind == "number"
            else "agreement beyond chance with"
        )
        told = f"{what} the others is {skill:.2f}; the median annotator has {self.usual:.2f}"
        if skill + 3.5 * error < 0:
            return Flag("reversed", f"Answers against the others: {told}.", round(skill, 6))
        if skill - 2.33 * error <= 0:
            return Flag("random", f"Answers like chance: {told}.", round(skill, 6))
        return Flag(
            "low_agreement", f"Agrees far less than the others do: {told}.", round(skill, 6)
        )

    def _low(self, skill: float, error: float) -> bool:
        """Tell whether skill is surely below half of what is usual."""
        if np.isnan(self.usual) or self.usual <= 0:
            return False
        if np.isnan(skill):
            return True
        return bool(ndtr((skill - self.usual / 2) / error) * self.many < LEVEL)

    def bias(self, rater: int) -> Flag | None:
        """Judge a constant distance to the others on a scale: half a step or more."""
        if self.selection.kind != "number":
            return None
        effect = float(self.found.severity[rater]) - self.middle
        error = float(self.found.bias_deviation[rater]) / np.sqrt(self.found.shared[rater])
        z = abs(float(self.severity_z[rater]))
        if not abs(effect) >= 0.5 * self.step or not z > OUTLIER:
            return None
        if self._heedless(rater):
            return None
        if not 2 * ndtr(-abs(effect) / max(error, 1e-12)) * self.many < LEVEL:
            return None
        where = "above" if effect > 0 else "below"
        text = (
            f"Scores {abs(effect):.2f} {where} the median annotator once the items are accounted"
            f" for ({z:.1f} robust deviations)."
        )
        return Flag("biased", text, round(effect, 6))

    def _heedless(self, rater: int) -> bool:
        """Tell whether answers have so little to do with the items that a bias means nothing."""
        skill, error = float(self.skill[rater]), float(self.error[rater])
        return np.isnan(skill) or (self._low(skill, error) and skill - 2.33 * error <= 0)

    def _steady(self, rater: int) -> bool:
        """Tell whether the annotator has a level of their own that others can be put against.

        Drift counts where votes have times: no other flag may rest on the order of the rows.
        """
        moves = self.found.drift.order[rater] == "time" and self.drift(rater) is not None
        return not self._heedless(rater) and not moves

    def drift(self, rater: int) -> Flag | None:
        """Judge whether agreement falls, or bias moves, over the annotator's own votes."""
        found = self.found.drift
        order = "time" if found.order[rater] == "time" else "the order of the file"
        agree, tests = found.agreement, self.many * (1 if found.bias is None else 2)
        fall = -float(agree.slope[rater]) if _sure(agree, rater, tests, sides=1) else 0.0
        if fall >= _FALL:
            text = (
                f"Agreement falls over {order}: {agree.early[rater]:.2f} in the first third,"
                f" {agree.late[rater]:.2f} in the last (p = {agree.p[rater]:.1g})."
            )
            return Flag("drift", text, round(-fall, 6))
        bias = found.bias
        if bias is None or not _sure(bias, rater, tests, sides=2):
            return None
        if abs(float(bias.slope[rater])) < 0.5 * self.step:
            return None
        text = (
            f"Scores move over {order}: {bias.early[rater]:+.2f} from the others in the first"
            f" third, {bias.late[rater]:+.2f} in the last (p = {bias.p[rater]:.1g})."
        )
        return Flag("drift", text, round(float(bias.slope[rater]), 6))


def _sure(trend: Trend, rater: int, tests: int, *, sides: int) -> bool:
    return bool(trend.p[rater] * sides / 2 * tests < LEVEL)


def _apart(severity: Floats, steady: npt.NDArray[np.bool_]) -> tuple[Floats, float]:
    """Return how far everybody stands from the steady annotators' median, and that median.

    In deviations of the steady ones without those beyond 2.5 robust deviations: the reweighted
    scale of Rousseeuw and Leroy, Robust Regression and Outlier Detection, 1987, which among few
    annotators is steadier than the median absolute deviation itself.
    """
    known = steady & ~np.isnan(severity)
    if known.sum() < 3:
        return np.full(len(severity), np.nan), 0.0
    middle = float(np.median(severity[known]))
    away = np.abs(severity[known] - middle)
    near = away[away <= 2.5 * 1.4826 * np.median(away)]
    scale = float(np.sqrt(np.square(near).sum() / max(len(near) - 1, 1)))
    return (severity - middle) / max(scale, 1e-12), middle


def _skill(
    selection: Selection, found: Standings, margins: tuple[Floats, Floats]
) -> tuple[Floats, Floats]:
    """Return agreement beyond chance and its standard error; NaN where it cannot be told.

    Numbers: Pearson's r with the mean of the others. Categories: (agreement - chance) / (1 -
    chance), chance from the annotator's own labels and those of the others on the same items, so
    that it is 0 for whoever pays no heed to the items, however they spread their labels.
    """
    n = np.maximum(found.shared, 1).astype(np.float64)
    if selection.kind == "number":
        r = found.pearson
        return r, np.maximum(1 - np.nan_to_num(r) ** 2, 0.05) / np.sqrt(np.maximum(n - 3, 1))
    own, rest = margins
    if not own.shape[1]:
        return np.full(len(n), np.nan), np.full(len(n), np.nan)
    chance = (own * rest).sum(axis=1) / n**2
    agree = found.agreement
    each = found.others
    apart = (each.agree - agree[each.rater]) ** 2
    spread = np.bincount(each.rater, weights=apart, minlength=len(n)) / n
    smooth = (np.nan_to_num(agree) * n + 1) / (n + 2)
    error = np.sqrt(np.maximum(spread, smooth * (1 - smooth) / 2) / n)
    able = chance < 1 - 1e-9
    room = np.where(able, 1 - chance, 1.0)
    return np.where(able, (agree - chance) / room, np.nan), error / room


def _margins(ratings: Ratings, found: Standings) -> tuple[Floats, Floats]:
    """Return the labels of everybody, and the mean labels of the others, on the items shared."""
    from scipy.sparse import csr_array

    shape = len(ratings.raters), len(ratings.values)
    if not found.labels.shape[1]:
        return np.zeros((shape[0], 0)), np.zeros((shape[0], 0))
    place, rater = found.others.place, found.others.rater
    units = ratings.patterns
    pattern = units.of_unit[ratings.unit[place]]
    share = 1 / (units.votes[pattern] - 1)
    into = csr_array((share, (rater, pattern)), shape=(shape[0], len(units)))
    cells = rater * shape[1] + ratings.value[place]
    size = shape[0] * shape[1]
    own = np.bincount(cells, minlength=size).astype(np.float64)
    itself = np.bincount(cells, weights=share, minlength=size)
    rest = (into @ units.table).toarray() - itself.reshape(shape)
    return own.reshape(shape), rest


class _Same:
    """Whether somebody gives one label nearly always, where the others do not."""

    def __init__(self, ratings: Ratings, found: Standings, margins: tuple[Floats, Floats]) -> None:
        self.values = ratings.values
        self.own, self.rest = margins
        self.shared = found.shared

    def flag(self, rater: int, many: int) -> Flag | None:
        if not self.own.shape[1]:
            return None
        label = int(self.own[rater].argmax())
        n = int(self.shared[rater])
        share, usual = self.own[rater, label] / n, self.rest[rater, label] / n
        error = np.sqrt(max(usual * (1 - usual), 1 / n) / n)
        if share < _SAME_SHARE or not ndtr(-(share - usual) / error) * many < LEVEL:
            return None
        text = (
            f"Gives {display(self.values[label])!s} in {share:.0%} of the votes; the others do in"
            f" {usual:.0%} on the same items."
        )
        return Flag("constant", text, round(float(share), 6))


def _step(selection: Selection) -> float:
    """Return what one step on the scale is: its smallest gap, or a tenth of a fine scale."""
    numbers = np.asarray(selection.ratings.values, np.float64)
    if len(numbers) < 2:
        return 1.0
    return float(np.diff(numbers).min()) if len(numbers) <= 20 else float(np.ptp(numbers)) / 10


def _fast(found: Standings) -> dict[int, Flag]:
    """Find those whose median time lies far below the others': robust z of the logarithm."""
    known = (found.timed >= ENOUGH) & (found.seconds > 0)
    if known.sum() < 5:
        return {}
    logs = np.where(known, np.log(np.where(known, found.seconds, 1.0)), np.nan)
    usual = float(np.exp(np.median(logs[known])))
    away = logs - np.log(usual)
    scale = max(1.4826 * float(np.median(np.abs(away[known]))), 0.1)
    limit = max(OUTLIER, -float(ndtri(LEVEL / int(known.sum()))))
    made = {}
    for rater in np.flatnonzero(known).tolist():
        seconds = float(found.seconds[rater])
        if away[rater] / scale < -limit and seconds < _FAST * usual:
            text = f"Takes {seconds:.1f} seconds a vote; the median annotator takes {usual:.1f}."
            made[rater] = Flag("fast", text, round(seconds, 6))
    return made
