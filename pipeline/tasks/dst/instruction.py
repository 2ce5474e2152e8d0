"""The instruction of a goal in Korean, from templates (Table 24)."""

from __future__ import annotations

from typing import Literal

from pipeline.tasks.dst.goals.goal import Goal, Part, Want
from pipeline.tasks.dst.schema import (
    ANY,
    AREA,
    ARRIVE,
    DAY,
    FROM,
    LEAVE,
    METRO,
    PEOPLE,
    PRICE,
    STAY,
    TAXI,
    TIME,
    TO,
    TYPE,
    Chance,
    Schema,
    domain_of,
    in_words,
    word_of,
)
from pipeline.tasks.dst.wording import Phrases, Words, list_names, resolve


def place_sentences(part: Part, words: Words) -> list[str]:
    """Return what is searched for, with its features, and what to do if nothing is found."""
    called = words.phrases.domains[part.domain]
    if part.named:
        return [words.pick("named", called.named).format(name=part.matches[0].name)]
    price = _first(part, PRICE)
    search = words.pick("search", words.phrases.search).format(
        where=_where(part, words),
        quality="" if price == ANY else words.pick("quality", words.phrases.quality[price]),
        noun=words.pick("noun", called.noun[_first(part, TYPE)]),
    )
    return [search, *_features(part, words), *_otherwise(part, words)]


def _first(part: Part, word: str) -> str:
    """Return the value of a slot that is asked for first, or `dontcare`."""
    want = part.want(word)
    return (want.first or want.value) if want else ANY


def _where(part: Part, words: Words) -> str:
    area = _definite(part, AREA)
    if area is None:
        return ""
    return words.either("where", words.phrases.area, area).format(
        area=area.first or area.value, other=words.noun_of(area.same_as or part.domain)
    )


def _features(part: Part, words: Words) -> list[str]:
    features = words.phrases.features
    wanted = [
        words.pick(want.slot, features[word_of(want.slot)][want.value])  # type: ignore[index]
        for want in part.wants
        if word_of(want.slot) in features and want.value != ANY
    ]
    if not wanted:
        return []
    joint = words.pick("and", words.phrases.features_and)
    return [joint.join(wanted) + words.pick("end", words.phrases.features_end)]


def _otherwise(part: Part, words: Words) -> list[str]:
    changed = next((want for want in part.wants if want.first), None)
    if changed is None:
        return []
    word = word_of(changed.slot)
    value = words.phrases.prices[changed.value] if word == PRICE else changed.value
    form = words.pick("otherwise", words.phrases.otherwise)
    return [form.format(slot=words.phrases.slots[word], value=value)]


def ride_sentences(part: Part, words: Words) -> list[str]:
    """Return what is told of a taxi or the metro: ends and type, when to leave and to arrive."""
    name: Literal["taxi", "metro"] = "taxi" if part.domain == TAXI else "metro"
    forms, kind, arrive = words.phrases.rides[name], part.want(TYPE), part.want(ARRIVE)
    search = words.pick(name, forms.search).format(
        departure=_end(part, FROM, words, forms.near),
        destination=_end(part, TO, words, forms.near),
        type=forms.type[kind.value if kind else ANY],
    )
    sentences = [search, *_clock(part, LEAVE, forms.leave, words)]
    if arrive and arrive.same_as:
        return [*sentences, words.pick("in time", forms.arrive_same)]
    return [*sentences, *_clock(part, ARRIVE, forms.arrive, words)]


def _end(part: Part, word: str, words: Words, near: str) -> str:
    want = next(want for want in part.wants if word_of(want.slot) == word)
    return near.format(called=words.noun_of(want.same_as)) if want.same_as else want.value


def _clock(part: Part, word: str, forms: list[str], words: Words) -> list[str]:
    want = _definite(part, word)
    if want is None:
        return []
    value = words.pick(f"{want.slot}/clock", in_words(want.value))
    return [words.pick(want.slot, forms).format(value=value)]


def booking_sentences(part: Part, words: Words) -> list[str]:
    """Return what to book, or that a place is to be chosen; nothing of a journey."""
    if part.domain not in words.phrases.domains:
        return []
    if not part.booked:
        return [] if part.named else [words.pick("choose", words.phrases.choose)]
    phrases = words.phrases
    start = "" if part.named else words.pick("start", phrases.book_start)
    time, stay = _definite(part, TIME), _definite(part, STAY)
    clock = words.pick("clock", in_words(time.value)) if time else ""
    pieces = [
        _day(part, words),
        words.pick("time", phrases.book_time).format(value=clock) if time else "",
        words.pick("stay", phrases.counts["stay"][stay.value]) if stay else "",
        _people(part, words),
    ]
    return [start + " ".join([*filter(None, pieces), words.pick("book/end", phrases.book_end)])]


def _day(part: Part, words: Words) -> str:
    want = _definite(part, DAY)
    if want is None:
        return ""
    return words.either("day", words.phrases.book_day[part.domain], want).format(
        value=want.value, other=words.noun_of(want.same_as or part.domain)
    )


def _people(part: Part, words: Words) -> str:
    want, day = _definite(part, PEOPLE), part.want(DAY)
    if want is None:
        return ""
    forms = words.phrases.book_people
    if not want.same_as:
        count = words.pick("count", words.phrases.counts["people"][want.value])
        return words.pick("people", forms.value).format(value=count)
    other = words.noun_of(want.same_as)
    as_day = day is not None and domain_of(day.same_as or day.slot) == domain_of(want.same_as)
    return words.pick("people", forms.same if as_day else forms.same_as).format(other=other)


def _definite(part: Part, word: str) -> Want | None:
    """Return what is wanted of a slot, unless it does not matter."""
    want = part.want(word)
    return None if want is None or want.value == ANY else want


def instruction(goal: Goal, *, schema: Schema, phrases: Phrases, seed: int) -> str:
    """Return the text of a goal; variants are drawn by the goal's name."""
    chance = Chance(seed, "text", goal.name)
    sentences = [chance.pick("opening", phrases.openings)]
    for place, part in enumerate(goal.parts):
        words = Words(phrases, schema, chance, place)
        if place:
            final = place == len(goal.parts) - 1 > 1
            sentences.append(words.pick("then", phrases.last if final else phrases.next))
        wanted = ride_sentences if part.domain in (TAXI, METRO) else place_sentences
        for tell in (wanted, _free, booking_sentences, _asks):
            sentences += tell(part, words)
    return resolve(" ".join(sentences))


def _free(part: Part, words: Words) -> list[str]:
    free = {word_of(want.slot): want.slot for want in part.wants if want.value == ANY}
    features = [word for word in free if word in words.phrases.features]
    called = words.phrases.slots
    names = [called.get(free[word], called[word]) for word in free if word not in features]
    names += [words.pick(word, words.phrases.features[word][ANY]) for word in features]
    if not names:
        return []
    forms = words.phrases.free_features if features else words.phrases.free
    return [words.pick("free", forms).format(slots=list_names(names))]


def _asks(part: Part, words: Words) -> list[str]:
    """Return what to ask for: first what is known of a place, then what a booking brings."""
    later = [slot for slot in part.asks if words.schema.slots[slot].after_booking]
    known = [slot for slot in part.asks if slot not in later]
    starts = (words.phrases.found, words.phrases.booked)
    sentences = []
    for turn, slots in enumerate((known, later)):
        if slots:
            names = [words.phrases.slots[word_of(slot)] for slot in slots]
            start = words.pick(f"found/{turn}", starts[turn]) if part.matches else ""
            form = words.pick("ask", words.phrases.ask, 2 * words.place + turn)
            sentences.append(form.format(found=start, asked=list_names(names)))
    return sentences
