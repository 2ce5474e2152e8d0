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


def personal_part(screenings: Sequence[Personal]) -> Section:
    """Return the pieces of personal data by source and type, and the units they cost."""
    title = "Personal data"
    if not screenings:
        lead = "No personal data was found in the units."
        return Section("corpus-personal", title, lead)
    sources, types = (
        sorted({screening.source for screening in screenings}),
        sorted({screening.type for screening in screenings}),
    )
    pieces = {(screening.source, screening.type): screening.pieces for screening in screenings}
    counts = {source: [pieces.get((source, name), 0) for name in types] for source in sources}
    by_source = Table(
        id="corpus-personal-sources",
        title="Pieces of personal data, by source and type",
        columns=[Column("source", "text"), *map(Column, types), Column("all")],
        rows=[[source, *numbers, sum(numbers)] for source, numbers in counts.items()],
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
                    sum(
                        getattr(screening, count)
                        for screening in screenings
                        if screening.type == name
                    )
                    for count in ("pieces", "units", "dropped")
                ),
            ]
            for name in types
        ],
        note="Units that are not dropped go on to the tasks; annotators can report what they hold.",
    )
    undropped = sorted(
        set(types) - {screening.type for screening in screenings if screening.dropped}
    )
    lead = f"No unit was dropped for: {', '.join(undropped)}." if undropped else ""
    return Section("corpus-personal", title, lead, [by_type, by_source])


def too_many(dropped: int, units: int) -> bool:
    """Return whether a source lost more of its units to the detectors than one would expect."""
    return dropped > TOO_MANY * units


def toxicity_part(screenings: Sequence[Toxicity]) -> Section:
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
                screening.source,
                name,
                screening.threshold,
                screening.scored,
                screening.unscored,
                screening.dropped,
                (round(screening.dropped / screening.scored, 6) if screening.scored else None),
            ]
            for screening in screenings
            for name in [screening.score.replace("_", " ")]
        ],
        note="A unit over both thresholds counts for the rule that dropped it.",
        long=True,
    )
    scores = sorted({screening.score for screening in screenings if screening.histogram})
    charts = [
        _histogram(score, [screening for screening in screenings if screening.score == score])
        for score in scores
    ]
    lost: Counter[str] = Counter()
    for screening in screenings:
        lost[screening.source] += screening.dropped
    units = {screening.source: screening.scored + screening.unscored for screening in screenings}
    shares = [f"{s} {n / units[s]:.1%}" for s, n in lost.items() if too_many(n, units[s])]
    lead = "" if screenings else "No source was screened for toxic language."
    if shares:
        lead = f"More than {TOO_MANY:.0%} left, so look whether it was toxic: {', '.join(shares)}."
    return Section("corpus-toxicity", "Toxic language", lead, [table] if screenings else [], charts)


def _histogram(score: str, screenings: Sequence[Toxicity]) -> Chart:
    scored = [screening for screening in screenings if screening.histogram and screening.scored]
    bins = max((len(screening.histogram) for screening in scored), default=1)
    places = [round((i + 0.5) / bins, 6) for i in range(bins)]
    limits = sorted(
        {screening.threshold for screening in scored if screening.threshold is not None}
    )
    return Chart(
        id=f"corpus-toxicity-{score.replace('_', '-')}",
        title=f"Scores for {score.replace('_', ' ')}",
        kind="histogram",
        x="score",
        y="share of the source's units",
        series=[
            Series(
                screening.source,
                places,
                [round(n / screening.scored, 6) for n in screening.histogram],
            )
            for screening in scored
        ],
        width=round(1 / bins, 6),
        form="share",
        note=f"Dropped from {' or '.join(f'{limit:g}' for limit in limits)}." * bool(limits),
    )
