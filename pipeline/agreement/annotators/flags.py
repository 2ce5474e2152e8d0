"""Odd annotators: who answers at random, always the same, off by a step, drifting or too fast.

Every test says how sure it is and is corrected for the number of annotators (Bonferroni), and asks
for an effect that matters besides: with many votes the best annotator differs from the next one
significantly. Nobody is judged with fewer than `ENOUGH` shared items, nor in a pool of two.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri

from pipeline.agreement.annotators.measures import Measures, measures
from pipeline.agreement.annotators.skill import Skill
from pipeline.agreement.votes.labels import display
from pipeline.agreement.votes.ratings import Real
from pipeline.agreement.votes.selection import Selection

Code = Literal["random", "low_agreement", "reversed", "constant", "biased", "drift", "fast"]
#: Fewer shared items than this judge nobody.
ENOUGH: Final = 20
#: The chance of a false alarm somewhere in the pool, for each test.
LEVEL: Final = 0.02
#: Robust deviations beyond which an annotator stands apart from the pool.
OUTLIER: Final = 3.0
#: Agreement is low below this share of the median annotator's.
_LOW_SHARE: Final = 2 / 3
#: Flags of those whose answers say nothing, or something else, about the items.
_APART: Final = ("random", "low_agreement", "reversed", "constant")
_SAME_SHARE: Final = 0.9
_FALL: Final = 0.1
_FAST: Final = 0.4


@dataclass(frozen=True)
class Flag:
    """One suspicion: its code, a sentence for a reader, and the number it rests on."""

    code: Code
    text: str
    value: float


def flags(selection: Selection, stats: Measures) -> dict[str, list[Flag]]:
    """Return the flags of every annotator who has one, by name.

    Annotators who disagree with all blur the measures of the others: once they are known, the
    others are measured again without their votes.
    """
    judged = int((stats.shared >= ENOUGH).sum())
    if judged < 3:
        return {}
    flagged = _Pool(selection, stats, judged).flags()
    apart = {
        who: marks for who, marks in flagged.items() if any(flag.code in _APART for flag in marks)
    }
    if apart:
        keep = ~np.isin(selection.ratings.rater, list(apart))
        rest = replace(selection, ratings=selection.ratings.only(keep), rows=selection.rows[keep])
        measured = measures(rest)
        if (measured.shared >= ENOUGH).sum() >= 3:
            ending = f"; {len(apart)} who disagree with all left out"
            flagged = _Pool(rest, measured, judged, ending).flags() | apart
    for rater, flag in _fast(stats).items():
        flagged.setdefault(rater, []).append(flag)
    return {selection.ratings.raters[rater]: flagged[rater] for rater in sorted(flagged)}


class _Pool:
    """The annotators who can be judged, and what is usual among them."""

    def __init__(self, selection: Selection, stats: Measures, many: int, ending: str = "") -> None:
        self.selection, self.stats, self.many, self.ending = selection, stats, many, ending
        self.judged = stats.shared >= ENOUGH
        self.skill = Skill(selection, stats)
        usual = self.skill.value[self.judged & ~np.isnan(self.skill.value)]
        self.usual = float(np.median(usual)) if len(usual) else float("nan")
        self.step = _step(selection) if selection.kind == "number" else 1.0
        steady = np.array([bool(ok) and self._steady(who) for who, ok in enumerate(self.judged)])
        self.severity_z, self.middle = _apart(stats.fields["severity_points"], steady)

    def flags(self) -> dict[int, list[Flag]]:
        """Return the flags of everybody who has one, by rater; `ending` ends their sentences."""
        flagged: dict[int, list[Flag]] = {}
        for rater in np.flatnonzero(self.judged).tolist():
            for flag in (self.drift(rater), self.agreement(rater), self.bias(rater)):
                if flag is not None:
                    text = f"{flag.text.removesuffix('.')}{self.ending}."
                    flagged.setdefault(rater, []).append(replace(flag, text=text))
        return flagged

    def agreement(self, rater: int) -> Flag | None:
        """Judge how far the annotator agrees with the others beyond chance."""
        if not self._low(rater):
            return None
        constant = self._constant(rater)
        skill, error = float(self.skill.value[rater]), float(self.skill.error[rater])
        if constant is not None or np.isnan(skill):
            return constant
        what = "correlation" if self.selection.kind == "number" else "agreement beyond chance"
        text = f"{what} with the others is {skill:.2f}; the median annotator has {self.usual:.2f}"
        value = round(skill, 6)
        if skill + 3.5 * error < 0:
            return Flag("reversed", f"Answers against the others: {text}.", value)
        if not self.skill.heedless(rater):
            return Flag("low_agreement", f"Agrees far less than the others do: {text}.", value)
        swapped = self.skill.habit(rater)
        if swapped is None:
            return Flag("random", f"Answers like chance: {text}.", value)
        answer, others = (display(label) for label in swapped)
        habit = f"mostly {answer!s} where they say {others!s}"
        text = f"Answers other than the others, but not by chance ({habit}): {text}."
        return Flag("low_agreement", text, value)

    def _constant(self, rater: int) -> Flag | None:
        """Judge whether somebody gives one label nearly always, where the others do not."""
        skill = self.skill
        if not skill.labels.shape[1]:
            return None
        label = int(skill.labels[rater].argmax())
        n = int(self.stats.shared[rater])
        share, usual = skill.labels[rater, label] / n, skill.rest[rater, label] / n
        error = np.sqrt(max(usual * (1 - usual), 1 / n) / n)
        if share < _SAME_SHARE or not ndtr(-(share - usual) / error) * self.many < LEVEL:
            return None
        return Flag(
            "constant",
            f"Gives {display(self.selection.ratings.values[label])!s} in {share:.0%} of the votes;"
            f" the others do in {usual:.0%} on the same items.",
            round(float(share), 6),
        )

    def _low(self, rater: int) -> bool:
        if np.isnan(self.usual) or self.usual <= 0:
            return False
        is_unknown = bool(np.isnan(self.skill.value[rater]))
        return is_unknown or self.skill.below(rater, _LOW_SHARE * self.usual) * self.many < LEVEL

    def bias(self, rater: int) -> Flag | None:
        """Judge a constant distance to the others on a scale: half a step or more."""
        if self.selection.kind != "number":
            return None
        effect = float(self.stats.fields["severity_points"][rater]) - self.middle
        error = float(self.stats.bias_deviation[rater]) / np.sqrt(self.stats.shared[rater])
        z = abs(float(self.severity_z[rater]))
        if not abs(effect) >= 0.5 * self.step or not z > OUTLIER or self._heedless(rater):
            return None
        if not 2 * ndtr(-abs(effect) / max(error, 1e-12)) * self.many < LEVEL:
            return None
        where = "above" if effect > 0 else "below"
        return Flag(
            "biased",
            f"Scores {abs(effect):.2f} {where} the median annotator once the items are accounted"
            f" for ({z:.1f} robust deviations).",
            round(effect, 6),
        )

    def _heedless(self, rater: int) -> bool:
        """Tell whether answers have so little to do with the items that a bias means nothing."""
        is_unknown = bool(np.isnan(self.skill.value[rater]))
        return is_unknown or (self._low(rater) and self.skill.heedless(rater))

    def _steady(self, rater: int) -> bool:
        """Tell whether the annotator has a level of their own that others can be put against.

        Drift counts where votes have times: no other flag may rest on the order of the rows.
        """
        moves = self.stats.drift.order[rater] == "time" and self.drift(rater) is not None
        return not self._heedless(rater) and not moves

    def drift(self, rater: int) -> Flag | None:
        """Judge whether agreement falls, or bias moves, over the annotator's own votes."""
        change = self.stats.drift
        order = "time" if change.order[rater] == "time" else "the order of the file"
        agree, tests = change.agreement, self.many * (1 if change.bias is None else 2)
        is_sure = agree.p[rater] / 2 * tests < LEVEL  # one side of the test: a fall
        fall = -float(agree.slope[rater]) if is_sure else 0.0
        if fall >= _FALL:
            return Flag(
                "drift",
                f"Agreement falls over {order}: {agree.early[rater]:.2f} in the first third,"
                f" {agree.late[rater]:.2f} in the last (p = {agree.p[rater]:.1g}).",
                round(-fall, 6),
            )
        bias = change.bias
        moves = bias is not None and abs(float(bias.slope[rater])) >= 0.5 * self.step
        if bias is None or not moves or not bias.p[rater] * tests < LEVEL:
            return None
        return Flag(
            "drift",
            f"Scores move over {order}: {bias.early[rater]:+.2f} from the others in the first"
            f" third, {bias.late[rater]:+.2f} in the last (p = {bias.p[rater]:.1g}).",
            round(float(bias.slope[rater]), 6),
        )


def _apart(severity: Real, steady: npt.NDArray[np.bool_]) -> tuple[Real, float]:
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


def _step(selection: Selection) -> float:
    numbers = np.asarray(selection.ratings.values, np.float64)
    if len(numbers) < 2:
        return 1.0
    return float(np.diff(numbers).min()) if len(numbers) <= 20 else float(np.ptp(numbers)) / 10


def _fast(stats: Measures) -> dict[int, Flag]:
    """Find those whose median time lies far below the others': robust z of the logarithm."""
    seconds = stats.fields["seconds_median"]
    known = (stats.timed >= ENOUGH) & (seconds > 0)
    if known.sum() < 5:
        return {}
    logs = np.where(known, np.log(np.where(known, seconds, 1.0)), np.nan)
    usual = float(np.exp(np.median(logs[known])))
    away = logs - np.log(usual)
    scale = max(1.4826 * float(np.median(np.abs(away[known]))), 0.1)
    limit = max(OUTLIER, -float(ndtri(LEVEL / int(known.sum()))))
    is_fast = known & (away / scale < -limit) & (seconds < _FAST * usual)
    usually = f"the median annotator takes {usual:.1f}"
    return {
        rater: Flag("fast", f"Takes {median:.1f} seconds a vote; {usually}.", round(median, 6))
        for rater, median in enumerate(seconds.tolist())
        if is_fast[rater]
    }
