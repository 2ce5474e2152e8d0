"""Slips in marking dialogue states: a slot filled a turn too early, a turn too late, or never."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Final

from pipeline.annotation.simulated.chance import Chance

Dialogue = dict[str, list[dict[str, Any]]]

_KINDS: Final = (("late", 5.0), ("early", 3.0), ("never", 2.0))


def flawed(answer: Dialogue, vote: Chance) -> Dialogue:
    """Return the dialogue with one slip in its states; a dialogue without any stays as it is."""
    turns = [{**turn, "state": list(turn.get("state", []))} for turn in answer["turns"]]
    mine = [i for i, turn in enumerate(turns) if turn["role"] == "user"]
    kind = vote.weigh("slip", _KINDS)
    news = [
        (before, now)
        for before, now in pairwise(mine)
        if set(turns[now]["state"]) - set(turns[before]["state"])
    ]
    if kind == "never" or not news:
        _forget(turns, mine, vote)
    else:
        before, now = vote.pick("turn", news)
        source, target = (before, now) if kind == "late" else (now, before)
        turns[target]["state"] = list(turns[source]["state"])
    return {"turns": turns}


def _forget(turns: list[dict[str, Any]], mine: list[int], vote: Chance) -> None:
    """Take one slot out of every state."""
    slots = sorted({_slot(one) for place in mine for one in turns[place]["state"]})
    if not slots:
        return
    lost = vote.pick("slot", slots)
    for place in mine:
        turns[place]["state"] = [one for one in turns[place]["state"] if _slot(one) != lost]


def _slot(state: str) -> str:
    return "-".join(state.split("-", 2)[:2])
