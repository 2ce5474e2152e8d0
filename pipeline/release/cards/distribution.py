"""Answers of the datasheet on what a release is used for, how it is passed on and maintained."""

from __future__ import annotations

from typing import Final

from pipeline.release.cards.answers import Section, always, gap, unrecorded
from pipeline.release.cards.card import pseudonyms, reporting, withdrawn
from pipeline.release.cards.markdown import bullets, code, link, page, plain
from pipeline.release.facts import Facts
from pipeline.release.licence import licence_of

#: The tasks whose candidates hold what betrays labels: a type of question, a goal.
_DRAWN: Final = ("mrc", "dst")


def _never(facts: Facts) -> str:
    lines = [
        "To learn about, find or judge single people.",
        "To train on the test splits, or to publish their labels.",
    ]
    simulated = ["For any result: the annotation is simulated."] * facts.simulated
    return bullets([*simulated, *lines])


def _harms(facts: Facts) -> str:
    again = [code(task.config) for task in facts.tasks if task.id in _DRAWN]
    redrawn = (
        "The test splits are only as secret as what they were made from: whoever holds the raw"
        " corpora and the build file can draw the candidates again, and with them the type of"
        f" question that was asked for and the goal of each dialogue ({', '.join(again)})."
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


SECTIONS: Final[tuple[Section, ...]] = (
    (
        "Uses",
        (
            ("Has it been used already?", gap("where it is used")),
            (
                "What else might it be used for?",
                always(
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
            ("Who gets it, how and when?", gap("where and when it is published")),
            ("Under which licence?", _licence),
            ("Do others have rights in it?", _others),
            ("Do export rules apply?", gap("whether any export rule applies")),
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
                always(
                    "By new versions. An example keeps its split from version to version, and no"
                    " test example moves to train."
                ),
            ),
            ("What becomes of older versions?", _older),
            (
                "How can others add to it?",
                always("By building their own release with the same tool, under the licence."),
            ),
        ),
    ),
)
