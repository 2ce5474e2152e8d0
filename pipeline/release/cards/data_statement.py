"""The fields of a data statement (Bender and Friedman, 2018), from the facts."""

from __future__ import annotations

from typing import Final

from pipeline.release.cards.answers import Section, configs_of, gap, unrecorded
from pipeline.release.cards.collection import acquired, timeframe, who
from pipeline.release.cards.markdown import code, codes, page, plain, table
from pipeline.release.facts import Facts


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


SECTION: Final[Section] = (
    "Data statement",
    (
        ("Curation rationale", _rationale),
        ("Language variety", _variety),
        ("Speaker demographic", gap("age, gender, origin and status of the writers of sources")),
        ("Annotator demographic", _annotators),
        ("Speech situation", _situation),
        ("Text characteristics", _characteristics),
        ("Recording quality", lambda _: "There are no recordings: all texts were written."),
        ("Other", lambda facts: f"The seed of all draws is {facts.seed}."),
        ("Provenance appendix", _provenance),
    ),
)
