"""What a datasheet says of the data: why and of what it was made, and how it was collected."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from pipeline.contracts.splits import FILES, SPLITS
from pipeline.release.cards.front_matter import total
from pipeline.release.cards.markdown import Cells, bullets, code, codes, page, plain, table
from pipeline.release.cards.task_card import COMMON, card_of
from pipeline.release.licence import WRITTEN
from pipeline.release.material import Facts, SourceFacts
from pipeline.release.settings import portable

#: An answer, as Markdown, or what makes it of the facts.
Answer = str | Callable[[Facts], str]
#: A heading, and its questions with their answers, in order.
Section = tuple[str, tuple[tuple[str, Answer], ...]]
_GAP: Final = "not recorded by this build"


def unrecorded(what: str) -> str:
    """Return the answer to what no fact tells."""
    return f"*{_GAP}: {what}*"


def configs_of(facts: Facts, source: SourceFacts) -> str:
    """Return the configs that have examples from a source."""
    return codes(task.config for task in facts.tasks if source.id in task.sources) or "none"


def people(facts: Facts) -> str:
    """Return a table of the rounds of annotation and of how many people took part."""
    rows: list[Cells] = [
        (
            code(task.config),
            "; ".join(f"{one['role']}: {one['per_item']} an item" for one in task.rounds),
            task.annotators,
            task.votes,
        )
        for task in facts.tasks
    ]
    return table(("config", "rounds", "annotators", "votes"), rows)


def purpose(facts: Facts) -> str:
    """Return what the release is for."""
    tasks = ", ".join(plain(task.title.get("en", task.id)).lower() for task in facts.tasks)
    end = " Its annotation is simulated: it only tries out the way there." * facts.simulated
    return f"To measure how well models understand Korean, in the manner of KLUE: {tasks}.{end}"


def _makers(facts: Facts) -> str:
    tool = f"{plain(facts.tool)} {plain(facts.tool_version)}".strip()
    if facts.maintainer is None:
        return f"The tool was {tool}. {unrecorded('who made this release, and for whom')}"
    return f"{plain(facts.maintainer)}, with {tool}."


def _instances(facts: Facts) -> str:
    kinds = [
        f"{code(task.config)}: {plain(task.title.get('en', task.id)).lower()}"
        for task in facts.tasks
    ]
    return page("Korean texts with labels, one kind of example a config:", bullets(kinds)).strip()


def _counts(facts: Facts) -> str:
    rows: list[Cells] = [
        (code(task.config), *(task.splits.get(split, 0) for split in SPLITS), total(task))
        for task in facts.tasks
    ]
    return table(("config", *(FILES[split] for split in SPLITS), "all"), rows)


def _sample(facts: Facts) -> str:
    rows: list[Cells] = [
        (
            code(one.id),
            *(one.counts.get(key, 0) for key in ("records", "documents", "units", "kept")),
            configs_of(facts, one),
        )
        for one in facts.sources
    ]
    titles = ("source", "records read", "documents", "units cut", "units kept", "configs")
    return page(
        "A sample of the sources, drawn by the rules of each task's spec, not at random from Korean"
        " at large:",
        table(titles, rows),
    ).strip()


def _labels(facts: Facts) -> str:
    rows = [(code(task.config), codes(task.labels) or "as the spec says") for task in facts.tasks]
    return page(
        "Yes, by name; those of the test splits are withheld.", table(("config", "labels"), rows)
    ).strip()


def _missing(facts: Facts) -> str:
    rows = [
        (code(task.config), task.gold, task.unresolved, task.removed, task.left_out)
        for task in facts.tasks
    ]
    titles = ("config", "gold", "unresolved", "removed", "in no split")
    return page(
        "Items that annotators did not settle, or took out, are no examples. Labels of the test"
        " splits are withheld.",
        table(titles, rows),
    ).strip()


def _splits(facts: Facts) -> str:
    lines = [f"{code(task.config)}: {card_of(task.id).split}" for task in facts.tasks]
    return page("Those of the release:", bullets([*lines, *COMMON])).strip()


def _noise(facts: Facts) -> str:
    lines = [
        f"{code(task.config)}: {plain(task.coefficient)} "
        + ("too few votes" if task.agreement is None else f"{task.agreement:.3f}")
        for task in facts.tasks
    ]
    return page("Annotators do not agree on everything:", bullets(lines)).strip()


def _risky(facts: Facts) -> str:
    risks = [
        f"{plain(one.name)}: {plain(one.ethical_risk)} risk"
        for one in facts.sources
        if one.ethical_risk != "low"
    ]
    return page(
        f"Detectors took out {facts.toxic:,} units as biased or hateful, and annotators may report"
        " others; neither finds all.",
        bullets(risks),
    ).strip()


def personal(facts: Facts) -> str:
    """Return what personal data was found, and what became of it."""
    found = [f"{code(kind)}: {many:,}" for kind, many in sorted(facts.personal.items())]
    if not found:
        return (
            "No unit left because of personal data. Detectors go by form: names that texts mention"
            " are not among what they look for."
        )
    return page(
        "Units that left because of personal data, by its type; detectors go by form, and names"
        " that texts mention are not among what they look for:",
        bullets(found),
    ).strip()


_COMPOSITION: Final[tuple[Section, ...]] = (
    (
        "Motivation",
        (
            ("What is it for?", purpose),
            ("Who made it?", _makers),
            ("Who paid for it?", unrecorded("who funded the work")),
        ),
    ),
    (
        "Composition",
        (
            ("What is an example?", _instances),
            ("How many are there?", _counts),
            ("Is it all there is, or a sample?", _sample),
            ("Are there labels?", _labels),
            ("Is anything missing?", _missing),
            ("Which splits should be used?", _splits),
            ("What errors and noise are known?", _noise),
            (
                "Does it depend on anything outside?",
                "No: texts and labels are in the files. Addresses are for attribution.",
            ),
            ("Does it hold what is confidential or personal?", personal),
            ("May it offend or frighten?", _risky),
            (
                "Does it tell groups of people apart?",
                unrecorded("age, gender, origin or belief of the people whom texts speak about"),
            ),
        ),
    ),
)


def acquired(facts: Facts) -> str:
    """Return where the texts are from."""
    lines = [
        f"{plain(one.name)}: {plain(one.description)}"
        + (f" ({plain(one.address)})" if one.address else "")
        for one in facts.sources
    ]
    written = [code(task.config) for task in facts.tasks if WRITTEN in task.sources]
    if written:
        who_wrote = "a program" if facts.simulated else "annotators"
        lines.append(f"{', '.join(written)}: {who_wrote} wrote the texts for the task.")
    return bullets(lines)


def _inputs(facts: Facts) -> str:
    rows = [
        (code(source.id), code(portable(one.file)), code(one.sha256[:16]))
        for source in facts.sources
        for one in source.inputs
    ]
    return page(
        f"These files were read; {code('manifest.json')} has their digests in full. How their"
        " publishers collected them is for them to tell.",
        table(("source", "file", "SHA-256 begins"), rows),
    ).strip()


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
    return unrecorded("how annotators were recruited and paid")


def timeframe(facts: Facts) -> str:
    """Return the days of publication that were asked of each source."""
    return bullets(f"{plain(one.name)}: {_days(one)}" for one in facts.sources)


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


_COLLECTION: Final[tuple[Section, ...]] = (
    (
        "Collection",
        (
            ("Where is the data from?", acquired),
            ("By which means was it collected?", _inputs),
            ("Who took part?", who),
            ("How were they paid?", _paid),
            ("From when is it?", timeframe),
            ("Was there an ethical review?", unrecorded("whether a board reviewed the work")),
            (
                "Do the people concerned know, and did they agree?",
                unrecorded(
                    "whether authors of the sources were told or asked, beyond their licences"
                ),
            ),
            ("Can they take it back?", "Yes, by a report: see Maintenance."),
        ),
    ),
    (
        "Preprocessing and labelling",
        (
            ("What was done to the texts?", _steps),
            (
                "Is the raw data kept?",
                (
                    "Not in the release. The manifest names every raw file by its digest, and"
                    f" {code('klue explain GUID')} walks from an example back to it."
                ),
            ),
            ("Is the software available?", _software),
        ),
    ),
)
#: The sections in their order.
SECTIONS: Final = (*_COMPOSITION, *_COLLECTION)
