"""What the screens found in the units: personal data and toxic language, by source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pipeline.report.record import Chart, Column, Section, Series, Table

#: A source that loses a larger share of its units to the detectors is worth a look.
TOO_MANY: Final = 0.01


@dataclass(frozen=True)
class Personal:
    """Personal data of a type in a source: pieces, units with them, units dropped for them."""

    source: str
    type: str
    pieces: int
    units: int
    dropped: int


@dataclass(frozen=True)
class Toxicity:
    """One score of a source's units: the threshold, and how many reached it and were dropped.

    Without a threshold none is dropped; units that are not Korean have no score.
    `histogram` counts the units in bins of equal width from 0 to 1.
    """

    source: str
    score: str
    threshold: float | None
    scored: int
    unscored: int
    dropped: int
    histogram: Sequence[int] = ()


def personal_part(found: Sequence[Personal]) -> Section:
    """Return the pieces of personal data by source and type, and the units they cost."""
    title = "Personal data"
    if not found:
        lead = "No personal data was found in the units."
        return Section("corpus-personal", title, lead)
    sources, types = sorted({one.source for one in found}), sorted({one.type for one in found})
    pieces = {(one.source, one.type): one.pieces for one in found}
    counts = {source: [pieces.get((source, name), 0) for name in types] for source in sources}
    by_source = Table(
        id="corpus-personal-sources",
        title="Pieces of personal data, by source and type",
        columns=[Column("source", "text"), *map(Column, types), Column("all")],
        rows=[[source, *own, sum(own)] for source, own in counts.items()],
    )
    by_type = Table(
        id="corpus-personal-types",
        title="By type",
        columns=[
            Column("type", "text"),
            Column("pieces"),
            Column("units"),
            Column("units dropped"),
        ],
        rows=[
            [
                name,
                *(
                    sum(getattr(one, count) for one in found if one.type == name)
                    for count in ("pieces", "units", "dropped")
                ),
            ]
            for name in types
        ],
        note="Units that are not dropped go on to the tasks; annotators can report what they hold.",
    )
    kept = sorted(set(types) - {one.type for one in found if one.dropped})
    lead = f"No unit was dropped for: {', '.join(kept)}." if kept else ""
    return Section("corpus-personal", title, lead, [by_type, by_source])


def too_many(dropped: int, units: int) -> bool:
    """Return whether a source lost more of its units to the detectors than one would expect."""
    return dropped > TOO_MANY * units


def toxicity_part(found: Sequence[Toxicity]) -> Section:
    """Return thresholds, scored and dropped units by source, and a histogram a score."""
    table = Table(
        id="corpus-toxicity-sources",
        title="Scores at or above the threshold, by source",
        columns=[
            *(Column("source", "text"), Column("score", "text"), Column("threshold", "two")),
            *(Column("units scored"), Column("not Korean"), Column("units dropped")),
            Column("dropped", "share"),
        ],
        rows=[
            [
                one.source,
                name,
                one.threshold,
                one.scored,
                one.unscored,
                one.dropped,
                (round(one.dropped / one.scored, 6) if one.scored else None),
            ]
            for one in found
            for name in [one.score.replace("_", " ")]
        ],
        note="A unit over both thresholds counts for the rule that dropped it.",
        long=True,
    )
    scores = sorted({one.score for one in found if one.histogram})
    charts = [_histogram(score, [one for one in found if one.score == score]) for score in scores]
    lost: Counter[str] = Counter()
    for one in found:
        lost[one.source] += one.dropped
    units = {one.source: one.scored + one.unscored for one in found}
    shares = [f"{s} {n / units[s]:.1%}" for s, n in lost.items() if too_many(n, units[s])]
    lead = "" if found else "No source was screened for toxic language."
    if shares:
        lead = f"More than {TOO_MANY:.0%} left, so look whether it was toxic: {', '.join(shares)}."
    return Section("corpus-toxicity", "Toxic language", lead, [table] if found else [], charts)


def _histogram(score: str, found: Sequence[Toxicity]) -> Chart:
    shown = [one for one in found if one.histogram and one.scored]
    bins = max((len(one.histogram) for one in shown), default=1)
    places = [round((i + 0.5) / bins, 6) for i in range(bins)]
    limits = sorted({one.threshold for one in shown if one.threshold is not None})
    return Chart(
        id=f"corpus-toxicity-{score.replace('_', '-')}",
        title=f"Scores for {score.replace('_', ' ')}",
        kind="histogram",
        x="score",
        y="share of the source's units",
        series=[
            Series(one.source, places, [round(n / one.scored, 6) for n in one.histogram])
            for one in shown
        ],
        width=round(1 / bins, 6),
        form="share",
        note=f"Dropped from {' or '.join(f'{limit:g}' for limit in limits)}." * bool(limits),
    )
