"""Answers of the datasheet on why a release was made and what it is composed of."""

from __future__ import annotations

from typing import Final

from pipeline.contracts.splits import FILES, SPLITS
from pipeline.release.cards.answers import Section, configs_of, gap, unrecorded
from pipeline.release.cards.front_matter import total
from pipeline.release.cards.markdown import Cells, bullets, code, codes, page, plain, table
from pipeline.release.cards.promises import COMMON, PROMISES
from pipeline.release.facts import Facts


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
    lines = [f"{code(task.config)}: {PROMISES[task.split_rule][0]}" for task in facts.tasks]
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


SECTIONS: Final[tuple[Section, ...]] = (
    (
        "Motivation",
        (
            ("What is it for?", purpose),
            ("Who made it?", _makers),
            ("Who paid for it?", gap("who funded the work")),
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
                lambda _: "No: texts and labels are in the files. Addresses are for attribution.",
            ),
            ("Does it hold what is confidential or personal?", personal),
            ("May it offend or frighten?", _risky),
            (
                "Does it tell groups of people apart?",
                gap("age, gender, origin or belief of the people whom texts speak about"),
            ),
        ),
    ),
)
