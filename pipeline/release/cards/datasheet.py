"""datasheet.md: the questions of a datasheet and the fields of a data statement, from the facts.

Section 2 of the paper asks for both: Gebru et al., Datasheets for Datasets; Bender and Friedman,
Data Statements for Natural Language Processing. What the facts cannot tell is said to be not
recorded.
"""

from __future__ import annotations

from pipeline.release.cards import collection, composition, data_statement, distribution
from pipeline.release.cards.answers import Section, unrecorded
from pipeline.release.cards.markdown import page, plain
from pipeline.release.facts import Facts


def datasheet(facts: Facts) -> str:
    """Return datasheet.md.

    Raises InputError as `pipeline.release.licence.licence_of` does.
    """
    parts = (*composition.SECTIONS, *collection.SECTIONS, *distribution.SECTIONS)
    return page(
        f"# Datasheet of {plain(facts.name)} {plain(facts.version)}",
        "Answers come from the catalogue, the ledger and the votes of this build. What a build"
        f" cannot know is marked ({unrecorded('what is missing')}); whoever publishes the release"
        " should add it.",
        *(_section(part, facts) for part in (*parts, data_statement.SECTION)),
    )


def _section(section: Section, facts: Facts) -> str:
    title, questions = section
    entries = (f"**{question}**\n\n{answer(facts)}" for question, answer in questions)
    return page(f"## {title}", *entries)
