"""datasheet.md: the questions of a datasheet and the fields of a data statement, from the facts.

Section 2 of the paper asks for both: Gebru et al., Datasheets for Datasets; Bender and Friedman,
Data Statements for Natural Language Processing. What the facts cannot tell is said to be not
recorded.
"""

from __future__ import annotations

from typing import Final

from pipeline.release.cards.datasheet_data import (
    SECTIONS,
    Answer,
    Section,
    acquired,
    configs_of,
    timeframe,
    unrecorded,
    who,
)
from pipeline.release.cards.markdown import bullets, code, codes, link, page, plain, table
from pipeline.release.cards.readme import pseudonyms, reporting, withdrawn
from pipeline.release.cards.task_card import card_of
from pipeline.release.licence import licence_of
from pipeline.release.material import Facts


def _never(facts: Facts) -> str:
    lines = [
        "To learn about, find or judge single people.",
        "To train on the test splits, or to publish their labels.",
    ]
    simulated = ["For any result: the annotation is simulated."] * facts.simulated
    return bullets([*simulated, *lines])


def _harms(facts: Facts) -> str:
    cards = {task.config: card_of(task.id) for task in facts.tasks}
    again = [f"{card.redrawn} ({code(name)})" for name, card in cards.items() if card.redrawn]
    redrawn = (
        "The test splits are only as secret as what they were made from: whoever holds the raw"
        " corpora and the build file can draw the candidates again, and with them"
        f" {' and '.join(again)}."
    )
    return bullets(
        [
            "Sources have their own views and gaps, which labels repeat; the report shows how"
            " labels, lengths, sources and dates are distributed.",
            *([redrawn] if again else []),
            pseudonyms(facts),
        ]
    )


def _licence(facts: Facts) -> str:
    verdict = licence_of(facts)
    limits = " Commercial use is not granted." * verdict.restricted
    return (
        f"{link(verdict.name, verdict.url)}.{limits} {code('LICENSE.md')} says why, and"
        f" {code('ATTRIBUTION.md')} whom to name."
    )


def _others(facts: Facts) -> str:
    contracts = [
        f"{plain(one.name)}: {plain(str(one.basis.get('note') or 'by a contract'))}"
        for one in facts.sources
        if one.basis.get("kind") == "contract"
    ]
    lead = "Yes: sources under a licence stay under it."
    return page(lead, bullets(contracts)).strip()


def _maintainer(facts: Facts) -> str:
    return plain(facts.maintainer) if facts.maintainer else unrecorded("who maintains it")


def _contact(facts: Facts) -> str:
    return plain(facts.contact) if facts.contact else unrecorded("an address to write to")


def _errata(facts: Facts) -> str:
    if not facts.withdrawn:
        return f"There are none so far; {code('CHANGELOG.md')} would list them."
    return f"{withdrawn(facts)}, see {code('CHANGELOG.md')}."


def _older(facts: Facts) -> str:
    if facts.previous is None:
        return "There are none."
    return (
        f"The one before is {plain(facts.previous)}. A version never changes; which examples it"
        f" shares with another, {code('klue diff')} tells."
    )


_USE: Final[tuple[Section, ...]] = (
    (
        "Uses",
        (
            ("Has it been used already?", unrecorded("where it is used")),
            (
                "What else might it be used for?",
                (
                    "To study how annotators agree: their votes on train and validation examples"
                    f" are in {code('votes/')}."
                ),
            ),
            (
                "What about it could harm a use?",
                _harms,
            ),
            ("What should it not be used for?", _never),
        ),
    ),
    (
        "Distribution",
        (
            ("Who gets it, how and when?", unrecorded("where and when it is published")),
            ("Under which licence?", _licence),
            ("Do others have rights in it?", _others),
            ("Do export rules apply?", unrecorded("whether any export rule applies")),
        ),
    ),
    (
        "Maintenance",
        (
            ("Who maintains it?", _maintainer),
            ("How can they be reached?", _contact),
            ("Are there errata?", _errata),
            ("How is an example reported and taken out?", reporting),
            (
                "Will it be updated?",
                (
                    "By new versions. An example keeps its split from version to version, and no"
                    " test example moves to train."
                ),
            ),
            ("What becomes of older versions?", _older),
            (
                "How can others add to it?",
                "By building their own release with the same tool, under the licence.",
            ),
        ),
    ),
)


def _rationale(facts: Facts) -> str:
    return page(
        "Sources may be changed, passed on and used as their licences say; they cover formal and"
        " colloquial Korean. Each task takes those that suit it:",
        table(
            ("config", "split rule", "sources"),
            [
                (code(task.config), code(task.split_rule), codes(task.sources))
                for task in facts.tasks
            ],
        ),
    ).strip()


def _variety(facts: Facts) -> str:
    styles = sorted({one.style for one in facts.sources})
    past = [plain(one.name) for one in facts.sources if not one.contemporary]
    older = f" Not contemporary: {', '.join(past)}." if past else ""
    return f"Korean (ko), as written in the sources: {', '.join(styles)}.{older} " + unrecorded(
        "regional varieties, and how many writers have another first language"
    )


def _annotators(facts: Facts) -> str:
    if facts.simulated:
        return "There are none: a program drew the votes."
    return page(who(facts), unrecorded("age, gender, origin and training of annotators")).strip()


def _situation(facts: Facts) -> str:
    return page(
        "Written, and not in reply to each other, except the turns of dialogues. Days of"
        " publication that were asked for:",
        timeframe(facts),
    ).strip()


def _characteristics(facts: Facts) -> str:
    rows = [
        (
            code(one.id),
            plain(one.domain),
            plain(one.style),
            plain(one.ethical_risk),
            plain(one.volume),
            configs_of(facts, one),
        )
        for one in facts.sources
    ]
    return table(("source", "domain", "style", "ethical risk", "volume", "configs"), rows)


def _provenance(facts: Facts) -> str:
    return page(acquired(facts), f"{code('ATTRIBUTION.md')} has their licences.").strip()


_STATEMENT: Final[Section] = (
    "Data statement",
    (
        ("Curation rationale", _rationale),
        ("Language variety", _variety),
        (
            "Speaker demographic",
            unrecorded("age, gender, origin and status of the writers of sources"),
        ),
        ("Annotator demographic", _annotators),
        ("Speech situation", _situation),
        ("Text characteristics", _characteristics),
        ("Recording quality", "There are no recordings: all texts were written."),
        ("Other", lambda facts: f"The seed of all draws is {facts.seed}."),
        ("Provenance appendix", _provenance),
    ),
)


def datasheet(facts: Facts) -> str:
    """Return datasheet.md.

    Raises InputError as `pipeline.release.licence.licence_of` does.
    """
    parts = (*SECTIONS, *_USE, _STATEMENT)
    return page(
        f"# Datasheet of {plain(facts.name)} {plain(facts.version)}",
        "Answers come from the catalogue, the ledger and the votes of this build. What a build"
        f" cannot know is marked ({unrecorded('what is missing')}); whoever publishes the release"
        " should add it.",
        *(_section(part, facts) for part in parts),
    )


def _section(section: Section, facts: Facts) -> str:
    title, questions = section
    entries = (f"**{question}**\n\n{_text(answer, facts)}" for question, answer in questions)
    return page(f"## {title}", *entries)


def _text(answer: Answer, facts: Facts) -> str:
    return answer if isinstance(answer, str) else answer(facts)
