"""Ranks in words, and the groups that a paired bootstrap can tell apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from pipeline.leaderboard.records import Entry, Standing
from pipeline.leaderboard.web.views import words


@dataclass(frozen=True)
class RankWords:
    """The ranks of a system in a form that fits a cell, and as sentences.

    `short`: "1–3". `text`: "rank 1 to 3 of 7". `better`: how many systems are surely better.
    `tied`: from how many others the system cannot be told apart. `leads`: no system is surely
    better.
    """

    short: str
    text: str
    better: str
    tied: str
    leads: bool

    @property
    def sentence(self) -> str:
        """Return all of it: "rank 1 to 3 of 7; no system is surely better"."""
        return "; ".join(filter(None, (self.text, self.better, self.tied)))


def rank_words(standing: Standing, of: int) -> RankWords:
    """Return the ranks of one of `of` systems in words."""
    low, high = standing.rank_low, standing.rank_high
    span = f"{low}" if low == high else f"{low}–{high}"
    text = f"rank {low}" if low == high else f"rank {low} to {high}"
    alone = of == 1
    return RankWords(
        short=span,
        text="the only system so far" if alone else f"{text} of {of:,}",
        better="" if alone else _better(low - 1),
        tied=f"cannot be told apart from {_others(high - low)}" if high > low else "",
        leads=low == 1,
    )


def _better(count: int) -> str:
    verb = "is" if count in (0, 1) else "are"
    return (
        f"{words.number(count)} {'system' if count in (0, 1) else 'systems'} {verb} surely better"
    )


def _others(count: int) -> str:
    return f"{words.number(count)} other{'' if count == 1 else 's'}"


@dataclass(frozen=True)
class Group:
    """Systems at neighbouring places, from `first` to `last`, all told apart from the others.

    `tied`: none of them can be told apart from any other; otherwise only neighbours cannot.
    """

    first: int
    last: int
    tied: bool

    @property
    def title(self) -> str:
        """Return the places of the group."""
        if self.first == self.last:
            return f"Place {self.first}"
        return f"Places {self.first} to {self.last}"

    @property
    def text(self) -> str:
        """Return what the paired bootstrap says of the group."""
        count = self.last - self.first + 1
        if count == 1:
            return "told apart from every other system"
        if self.tied:
            return f"the paired bootstrap cannot tell these {words.number(count)} apart"
        return (
            f"{words.number(count)} systems, neighbours of which the paired bootstrap cannot tell"
            " apart; each row says which ranks are open"
        )


def groups(standings: Sequence[Standing]) -> list[Group]:
    """Return the groups of systems that stand in the order of their scores, best first.

    A group ends where every system above is surely better than every system below.
    """
    highest = list(accumulate((one.rank_high for one in standings), max))
    lowest = list(accumulate((one.rank_low for one in reversed(standings)), min))[::-1]
    ends = [
        place
        for place in range(1, len(standings) + 1)
        if place == len(standings) or (highest[place - 1] <= place < lowest[place])
    ]
    starts = [1 + end for end in [0, *ends][: len(ends)]]
    return [
        Group(start, end, _all_tied(standings[start - 1 : end]))
        for start, end in zip(starts, ends, strict=True)
    ]


def _all_tied(standings: Sequence[Standing]) -> bool:
    return len({(one.rank_low, one.rank_high) for one in standings}) == 1


def groups_by_submission(entries: Sequence[Entry], metric: str) -> dict[int, Group]:
    """Return the group of each ranked entry of a task by a metric, by the submission's id."""
    ranked = sorted(
        (entry for entry in entries if metric in entry.standings),
        key=lambda entry: (-(entry.scores.get(metric) or 0.0), entry.submission.id),
    )
    found = groups([entry.standings[metric] for entry in ranked])
    return {
        entry.submission.id: group
        for group in found
        for entry in ranked[group.first - 1 : group.last]
    }
