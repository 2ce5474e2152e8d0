"""Sentences about a taxi and about the metro."""

from __future__ import annotations

from pipeline.sampling.dialogue.chance import Chance
from pipeline.sampling.dialogue.goal import Part, Want
from pipeline.sampling.dialogue.material import Phrases
from pipeline.sampling.dialogue.schema import ANY, domain_of
from pipeline.sampling.dialogue.times import in_words


def taxi_sentences(part: Part, phrases: Phrases, chance: Chance) -> list[str]:
    """Return what is told of a taxi: its ends and type, when to leave and to arrive."""
    forms = phrases.taxi
    kind = part.want("종류")
    told = [
        chance.pick("search", forms.search).format(
            departure=_end(part.want("출발지"), phrases),
            destination=_end(part.want("도착지"), phrases),
            type=forms.type[kind.value if kind else ANY],
        )
    ]
    told += _clock(part.want("출발 시간"), forms.leave, chance)
    arrive = part.want("도착 시간")
    if arrive and arrive.same_as:
        return [*told, chance.pick("in time", forms.arrive_same)]
    return told + _clock(arrive, forms.arrive, chance)


def metro_sentences(part: Part, phrases: Phrases, chance: Chance) -> list[str]:
    """Return what is told of the metro: stations at both ends, and when to leave."""
    forms = phrases.metro
    search = chance.pick("search", forms.search).format(
        departure=_end(part.want("출발지"), phrases, forms.near),
        destination=_end(part.want("도착지"), phrases, forms.near),
    )
    return [search, *_clock(part.want("출발 시간"), forms.leave, chance)]


def _end(want: Want | None, phrases: Phrases, near: str = "{called}") -> str:
    if want is None:
        raise ValueError("a journey has two ends")
    if not want.same_as:
        return want.value
    return near.format(called=phrases.domains[domain_of(want.same_as)].called)


def _clock(want: Want | None, forms: list[str], chance: Chance) -> list[str]:
    if want is None or want.value == ANY:
        return []
    value = chance.pick(f"{want.slot}/clock", in_words(want.value))
    return [chance.pick(want.slot, forms).format(value=value)]
