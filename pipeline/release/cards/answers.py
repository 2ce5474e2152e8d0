"""What answers to the questions of a datasheet share: their form, and how a gap is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from pipeline.release.cards.markdown import Cells, code, codes, table
from pipeline.release.facts import Facts, SourceFacts

#: An answer, as Markdown, out of the facts.
Answer = Callable[[Facts], str]
#: A heading, and its questions with their answers, in order.
Section = tuple[str, tuple[tuple[str, Answer], ...]]
_GAP: Final = "not recorded by this build"


def unrecorded(what: str) -> str:
    """Return the answer to what no fact tells."""
    return f"*{_GAP}: {what}*"


def gap(what: str) -> Answer:
    """Return an answer that no build can give."""
    return lambda _facts: unrecorded(what)


def always(text: str) -> Answer:
    """Return an answer that holds for whatever this tool makes."""
    return lambda _facts: text


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
