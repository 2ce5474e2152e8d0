"""Sentences about a taxi and about the metro."""

from __future__ import annotations

from pipeline.tasks.dst.goals.goal import Part, Want
from pipeline.tasks.dst.ground.names import ANY, ARRIVE, FROM, LEAVE, TO, TYPE
from pipeline.tasks.dst.ground.times import in_words
from pipeline.tasks.dst.wording.words import Words


def taxi_sentences(part: Part, words: Words) -> list[str]:
    """Return what is told of a taxi: its ends and type, when to leave and to arrive."""
    forms = words.phrases.taxi
    kind = part.want(TYPE)
    search = words.pick("taxi", forms.search).format(
        departure=_end(part.want(FROM), words),
        destination=_end(part.want(TO), words),
        type=forms.type[kind.value if kind else ANY],
    )
    told = [search, *_clock(part.want(LEAVE), forms.leave, words)]
    arrive = part.want(ARRIVE)
    if arrive and arrive.same_as:
        return [*told, words.pick("in time", forms.arrive_same)]
    return told + _clock(arrive, forms.arrive, words)


def metro_sentences(part: Part, words: Words) -> list[str]:
    """Return what is told of the metro: stations at both ends, and when to leave."""
    forms = words.phrases.metro
    search = words.pick("metro", forms.search).format(
        departure=_end(part.want(FROM), words, forms.near),
        destination=_end(part.want(TO), words, forms.near),
    )
    return [search, *_clock(part.want(LEAVE), forms.leave, words)]


def _end(want: Want | None, words: Words, near: str = "{called}") -> str:
    if want is None:
        raise ValueError("a journey has two ends")
    return near.format(called=words.called(want.same_as)) if want.same_as else want.value


def _clock(want: Want | None, forms: list[str], words: Words) -> list[str]:
    if want is None or want.value == ANY:
        return []
    value = words.pick(f"{want.slot}/clock", in_words(want.value))
    return [words.pick(want.slot, forms).format(value=value)]
