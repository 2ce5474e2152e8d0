"""Answers of the datasheet on how texts and labels came to be."""

from __future__ import annotations

from pathlib import PurePosixPath, PureWindowsPath
from typing import Final

from pipeline.release.cards.answers import Section, always, gap, people
from pipeline.release.cards.markdown import Cells, bullets, code, page, plain, table
from pipeline.release.facts import Facts, SourceFacts
from pipeline.release.licence import WRITTEN


def acquired(facts: Facts) -> str:
    """Return where the texts are from."""
    lines = [f"{plain(one.name)}: {plain(one.description)}{_address(one)}" for one in facts.sources]
    written = [code(task.config) for task in facts.tasks if WRITTEN in task.sources]
    if written:
        lines.append(f"{', '.join(written)}: {_writers(facts)} wrote the texts for the task.")
    return bullets(lines)


def _address(source: SourceFacts) -> str:
    return f" ({plain(source.address)})" if source.address else ""


def _writers(facts: Facts) -> str:
    return "a program" if facts.simulated else "annotators"


def _inputs(facts: Facts) -> str:
    rows = [
        (code(source.id), code(_portable(one.file)), code(one.sha256[:16]))
        for source in facts.sources
        for one in source.inputs
    ]
    return page(
        f"These files were read; {code('manifest.json')} has their digests in full. How their"
        " publishers collected them is for them to tell.",
        table(("source", "file", "SHA-256 begins"), rows),
    ).strip()


def _portable(path: str) -> str:
    """Return a path as the build file has it; of one that begins at a root only its name."""
    absolute = PurePosixPath(path).is_absolute() or PureWindowsPath(path).is_absolute()
    return PureWindowsPath(path).name if absolute else path


def who(facts: Facts) -> str:
    """Return who annotated, in which rounds."""
    if facts.simulated:
        lead = "Nobody: a program drew votes in place of people, in these rounds."
    else:
        lead = "Annotators under the names of the votes, in these rounds."
    return page(lead, people(facts)).strip()


def _paid(facts: Facts) -> str:
    if facts.simulated:
        return "Nobody worked on the annotation."
    return gap("how annotators were recruited and paid")(facts)


def timeframe(facts: Facts) -> str:
    """Return the days of publication that were asked of each source."""
    lines = [f"{plain(one.name)}: {_days(one)}" for one in facts.sources]
    return bullets(lines)


def _days(source: SourceFacts) -> str:
    told = [
        f"published {plain(source.timeframe)}" if source.timeframe else "",
        f"state of {plain(source.snapshot)}" if source.snapshot else "",
    ]
    return ", ".join(one for one in told if one) or "no days were asked for"


def _steps(facts: Facts) -> str:
    rows: list[Cells] = [
        (
            code(one.id),
            *(one.counts.get(key, 0) for key in ("units", "dropped_units", "quarantined", "kept")),
        )
        for one in facts.sources
    ]
    return page(
        "Texts were cut into units, cleaned, searched for personal data and toxic text, and"
        " near-duplicates were left out. Every unit that left has a row in the ledger.",
        table(("source", "units", "left", "quarantined", "kept"), rows),
    ).strip()


def _software(facts: Facts) -> str:
    return f"{plain(facts.tool)} {plain(facts.tool_version)}, with the seed {facts.seed}."


SECTIONS: Final[tuple[Section, ...]] = (
    (
        "Collection",
        (
            ("Where is the data from?", acquired),
            ("By which means was it collected?", _inputs),
            ("Who took part?", who),
            ("How were they paid?", _paid),
            ("From when is it?", timeframe),
            ("Was there an ethical review?", gap("whether a board reviewed the work")),
            (
                "Do the people concerned know, and did they agree?",
                gap("whether authors of the sources were told or asked, beyond their licences"),
            ),
            ("Can they take it back?", always("Yes, by a report: see Maintenance.")),
        ),
    ),
    (
        "Preprocessing and labelling",
        (
            ("What was done to the texts?", _steps),
            (
                "Is the raw data kept?",
                always(
                    "Not in the release. The manifest names every raw file by its digest, and"
                    f" {code('klue explain GUID')} walks from an example back to it."
                ),
            ),
            ("Is the software available?", _software),
        ),
    ),
)
