"""What users of a dialogue ask for and the system never answers; booking numbers told too early.

Slots that are only requested (Table 23) stand in no state, so the words of the turns tell. An
answer is what the next system turn says in whatever words, or a later one under the same topic.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Final

from pipeline.core.specs import Spec, Text, load
from pipeline.tasks.dst.schema import DATA

#: So many letters may stand between what is asked for and the words that ask.
_NEAR: Final = 15
#: How the slots begin that are filled when something is booked.
_BOOKING: Final = "예약 "


class Request(Spec):
    """How something is asked for (`topic`), and told: at once (`answer`) or `later`."""

    topic: Text
    later: Text
    answer: Text


class Requests(Spec):
    """`data/dialogue/asked.yaml`."""

    requests: dict[str, Request]
    asks: Text
    declines: Text
    code: Text


@cache
def _requests() -> Requests:
    return load(DATA / "asked.yaml", Requests)


@cache
def _patterns() -> dict[str, tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]]:
    """Return by slot what asks for it, what answers it at once, and what answers it later."""
    words = _requests()
    gap = rf"(?:(?!{words.declines})[^.?!]){{0,{_NEAR}}}?"
    return {
        slot: (
            re.compile(rf"(?:{request.topic}){gap}(?:{words.asks})"),
            re.compile(f"{request.later}|{request.answer}"),
            re.compile(request.later),
        )
        for slot, request in words.requests.items()
    }


def unanswered(roles: Sequence[str], texts: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield the turns (from 0) in which a user asks for a slot that no system turn then tells.

    `texts` are without blanks; the slot is without its domain, which the words seldom say.
    """
    for turn, (role, text) in enumerate(zip(roles, texts, strict=True)):
        if role != "user":
            continue
        replies = [texts[n] for n in range(turn + 1, len(roles)) if roles[n] == "sys"]
        for slot, (asks, at_once, later) in _patterns().items():
            if asks.search(text) and not (
                any(map(at_once.search, replies[:1])) or any(map(later.search, replies[1:]))
            ):
                yield turn, slot


def early_booking_turns(
    roles: Sequence[str], texts: Sequence[str], slots: Sequence[Iterable[str]]
) -> Iterator[int]:
    """Yield the system turns that tell a booking number before anything is booked.

    `slots` are those of the states by turn. The number may be told after booking only (Table 23).
    """
    code = re.compile(_requests().code)
    for turn in range(1, len(roles)):
        booked = any(slot.partition("-")[2].startswith(_BOOKING) for slot in slots[turn - 1])
        if roles[turn] == "sys" and not booked and code.search(texts[turn]):
            yield turn
