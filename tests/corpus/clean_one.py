"""The cleaning of one text, rule by rule: what the stage, which cleans columns, must equal."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.corpus.cleaning import MAX_ROUNDS, Event, Journal
from pipeline.corpus.rules.table import Action, Limits, select


def clean_text(
    text: str, rule_ids: Sequence[str], *, limits: Limits | None = None
) -> tuple[str | None, dict[str, Event]]:
    """Clean one text: what is left of it (None: dropped), and the decision of each rule by id."""
    rules, limits, journal = select(rule_ids), limits or Limits(), Journal()
    rest: str | None = text

    def apply_all(action: Action) -> None:
        nonlocal rest
        for order, rule in enumerate(rules):
            if rule.action == action and rest is not None:
                rest = journal.note(0, order, rest, rule.apply(rest, limits))

    for _ in range(MAX_ROUNDS):
        before = rest
        apply_all("edit")
        if rest is None or rest == before or 0 in journal.settled:
            break
    apply_all("drop")
    return rest, {rules[order].id: event for _, order, event in journal.events()}
