"""NER: sources in their shares, entities in test that train does not have (paper 3.4.1, Table 9).

How test comes to unseen entities is chosen by this project, for the paper only says that it has
them. Dev is a keyed draw. Of what it leaves, a group of sentences has one lot for test and, a
sentence, `LOTS` more for each entity (type and surface form) that occurs in this group alone: such
an entity is unseen in train for certain. Every sentence can be drawn, so that test is not made of
rare entities only. By Tables 8 and 9 a test sentence has 1.33 times the entities of a train one;
with three lots it has 1.30 times as many when the official dev file is split.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Final

from pipeline.contracts.splits import Split
from pipeline.release.splits.assignment import Assignment, Constraint, similarity_constraints
from pipeline.release.splits.member import Group, Member, entity_form
from pipeline.tasks.kinds.split import draw_stratified
from pipeline.tasks.ner.spec import EntityNumbers

#: The lots of a sentence for an entity of its own, beside the one that every sentence has.
LOTS: Final = 3


def split(groups: Sequence[Group], numbers: EntityNumbers, *, seed: int) -> Assignment:
    """Draw dev and test from each source in its share; test prefers unseen entities.

    Without `unseen_entities_in_test` test is a keyed draw as dev is.

    Constraints: those of `size_constraints`, `source_share` for each split and source,
    `entity_types` for each split (see `similarity_constraints`) and `unseen_entities`: the share of
    the different entities of test that train does not have, in percent, is above that of dev.
    """
    ordered = sorted(groups, key=attrgetter("id"))
    assignment = draw_stratified(
        ordered,
        numbers,
        attrgetter("source"),
        share="source_share",
        seed=seed,
        purpose="split.ner",
        lots={"test": _lots(ordered)} if numbers.unseen_entities_in_test else None,
    )
    members = [member for group in ordered for member in group.members]
    assignment.constraints += similarity_constraints(
        "entity_types", assignment, members, lambda m: [span["label"] for span in m.label]
    )
    if numbers.unseen_entities_in_test:
        assignment.constraints.append(_unseen_constraint(assignment, members))
    return assignment


def _lots(groups: Sequence[Group]) -> Callable[[Group], int]:
    """Return how many lots a group has, by the entities that no other group has."""
    forms = {group.id: {form for m in group.members for form in _forms(m)} for group in groups}
    holders = Counter(form for group_forms in forms.values() for form in group_forms)

    def lots(group: Group) -> int:
        exclusive = sum(holders[form] == 1 for form in forms[group.id])
        return 1 + LOTS * exclusive // len(group)

    return lots


def _forms(sentence: Member) -> list[str]:
    """Return type and form of each entity of a sentence, such as `OG/경찰`, in its order."""
    text = sentence.fields["text"]
    return [
        f"{span['label']}/{entity_form(text[span['start'] : span['end']])}"
        for span in sentence.label
    ]


def _unseen_constraint(assignment: Assignment, members: Sequence[Member]) -> Constraint:
    forms: dict[Split, set[str]] = {"train": set(), "dev": set(), "test": set()}
    for member in members:
        forms[assignment.splits[member.id]].update(_forms(member))
    dev, test = (
        round(100 * len(forms[split] - forms["train"]) / max(1, len(forms[split])), 2)
        for split in ("dev", "test")
    )
    detail = "percent of the entities of test that train does not have; wanted: more than of dev"
    return Constraint("unseen_entities", dev, test, test > dev, "test", detail=detail)
