"""What the goal of a dialogue (DST) lets it be used for, as its candidate tells."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal

from pipeline.release.splits.member import Group, Member

#: The last part of the slots that name an instance of the knowledge base.
_NAME: Final = "이름"

#: `counterfactual`: a combination that train goals hardly have; `held_out`: about instances that no
#: train goal names; `train`: any other; `unknown`: nothing is told of the goal (official files).
Kind = Literal["counterfactual", "held_out", "train", "unknown"]
EVALUATION: Final[tuple[Kind, ...]] = ("counterfactual", "held_out")


def kind_of(dialogue: Member) -> Kind:
    """Return the kind of the goal of a dialogue: what `counterfactual` and `pool` of `meta` say."""
    if dialogue.meta.get("counterfactual"):
        return "counterfactual"
    if "pool" not in dialogue.meta:
        return "unknown"
    return "held_out" if dialogue.meta["pool"] == "held_out" else "train"


def group_kind(group: Group) -> Kind:
    """Return the kind of a group: the first, in the order of `Kind`, that a member has."""
    kinds = {kind_of(one) for one in group.members}
    order: tuple[Kind, ...] = (*EVALUATION, "train", "unknown")
    return next(one for one in order if one in kinds)


def instances(dialogues: Iterable[Member]) -> set[str]:
    """Return the instances that states of these dialogues name, such as `식당-이름-달빛식당`."""
    return {
        state
        for one in dialogues
        for turn in one.label["turns"]
        for state in turn["state"] or ()
        if state.split("-", 2)[1] == _NAME
    }


def domains(dialogue: Member) -> list[str]:
    """Return whether a dialogue is on a single domain or on multiple ones."""
    return ["single" if len(set(dialogue.fields["domains"])) == 1 else "multi"]
