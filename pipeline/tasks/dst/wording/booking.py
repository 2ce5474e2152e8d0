"""The sentence about a booking: from when, at what time, for how long, and for how many people."""

from __future__ import annotations

from pipeline.tasks.dst.goals.goal import Part, Want
from pipeline.tasks.dst.ground.names import ANY, DAY, PEOPLE, STAY, TIME, domain_of
from pipeline.tasks.dst.ground.times import in_words
from pipeline.tasks.dst.wording.words import Words


def booking_sentences(part: Part, words: Words) -> list[str]:
    """Return what to book, or that a place is to be chosen; nothing of a journey."""
    if part.domain not in words.phrases.domains:
        return []
    if not part.booked:
        return [] if part.named else [words.pick("choose", words.phrases.choose)]
    book = words.phrases.book
    start = "" if part.named else words.pick("start", book.start)
    pieces = [_day(part, words), _time(part, words), _stay(part, words), _people(part, words)]
    end = words.pick("book/end", book.end)
    return [start + " ".join([*filter(None, pieces), end])]


def _day(part: Part, words: Words) -> str:
    want = _told(part, DAY)
    if want is None:
        return ""
    form = words.either("day", words.phrases.book.day[part.domain], want)
    return form.format(value=want.value, other=words.called(want.same_as or part.domain))


def _time(part: Part, words: Words) -> str:
    want = _told(part, TIME)
    if want is None:
        return ""
    return words.pick("time", words.phrases.book.time).format(
        value=words.pick("clock", in_words(want.value))
    )


def _stay(part: Part, words: Words) -> str:
    want = _told(part, STAY)
    return "" if want is None else words.pick("stay", words.phrases.counts["stay"][want.value])


def _people(part: Part, words: Words) -> str:
    want, day = _told(part, PEOPLE), part.want(DAY)
    if want is None:
        return ""
    forms = words.phrases.book.people
    if not want.same_as:
        count = words.pick("count", words.phrases.counts["people"][want.value])
        return words.pick("people", forms.value).format(value=count)
    other = words.called(want.same_as)
    told = day is not None and domain_of(day.same_as or day.slot) == domain_of(want.same_as)
    return words.pick("people", forms.same if told else forms.same_as).format(other=other)


def _told(part: Part, word: str) -> Want | None:
    want = part.want(word)
    return None if want is None or want.value == ANY else want
