"""The instruction of a goal in Korean, from templates (Table 24).

Every value that the goal wants is told, or the place before that it is to be like. Particles fit
the word before them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pipeline.sampling.dialogue.chance import Chance
from pipeline.sampling.dialogue.entry import METRO, TAXI
from pipeline.sampling.dialogue.goal import Goal, Part, Want
from pipeline.sampling.dialogue.material import Either, Phrases
from pipeline.sampling.dialogue.particles import resolve
from pipeline.sampling.dialogue.rides import metro_sentences, taxi_sentences
from pipeline.sampling.dialogue.schema import ANY, Schema, domain_of, word_of
from pipeline.sampling.dialogue.times import in_words
from pipeline.sampling.dialogue.venues import AREA, DAY, PEOPLE, TIME

TYPE: Final = "종류"
PRICE: Final = "가격대"
STAY: Final = "예약 기간"


def instruction(goal: Goal, *, schema: Schema, phrases: Phrases, seed: int) -> str:
    """Return the text of a goal; variants are drawn by the goal's name."""
    sentences = [Chance(seed, "text", goal.name).pick("opening", phrases.openings)]
    for place, part in enumerate(goal.parts):
        chance = Chance(seed, "text", f"{goal.name}/{place}")
        told = _part(part, _Words(phrases, schema, chance))
        if place:
            final = place == len(goal.parts) - 1
            told[0] = f"{chance.pick('then', phrases.last if final else phrases.next)} {told[0]}"
        sentences += told
    return resolve(" ".join(sentences))


@dataclass(frozen=True)
class _Words:
    """What sentences of a part are made with."""

    phrases: Phrases
    schema: Schema
    chance: Chance

    def pick(self, what: str, options: Sequence[str]) -> str:
        return self.chance.pick(what, options)

    def called(self, slot: str) -> str:
        """Return what the place of another domain's slot is called."""
        return self.phrases.domains[domain_of(slot)].called

    def either(self, what: str, forms: Either, want: Want) -> str:
        """Return the template for a value, or for one that is as before."""
        return self.pick(what, forms.same if want.same_as else forms.value)


def _part(part: Part, words: _Words) -> list[str]:
    if part.domain == TAXI:
        told = taxi_sentences(part, words.phrases, words.chance)
    elif part.domain == METRO:
        told = metro_sentences(part, words.phrases, words.chance)
    else:
        told = _place(part, words)
    return [*told, *_free(part, words), *_booking(part, words), *_asks(part, words)]


def _place(part: Part, words: _Words) -> list[str]:
    called = words.phrases.domains[part.domain]
    if part.named:
        return [words.pick("named", called.named).format(name=part.matches[0].name)]
    kind, price = part.want(TYPE), part.want(PRICE)
    noun = called.noun[(kind.first or kind.value) if kind else ANY]
    told = (price.first or price.value) if price else ANY
    search = words.pick("search", words.phrases.search).format(
        where=_where(part, words),
        quality="" if told == ANY else words.pick("quality", words.phrases.quality[told]),
        noun=words.pick("noun", noun),
    )
    return [search, *_features(part, words), *_otherwise(part, words)]


def _where(part: Part, words: _Words) -> str:
    area = part.want(AREA)
    if area is None or area.value == ANY:
        return ""
    form = words.either("where", words.phrases.area, area)
    return form.format(
        area=area.first or area.value, other=words.called(area.same_as or part.domain)
    )


def _features(part: Part, words: _Words) -> list[str]:
    """Return one sentence for the features that must be or not be, one for what does not matter."""
    wanted: list[str] = []
    free: list[str] = []
    for want in part.wants:
        forms = words.phrases.features.get(word_of(want.slot))
        if forms is not None:
            form = words.pick(want.slot, forms[want.value])  # type: ignore[index]
            (free if want.value == ANY else wanted).append(form)
    ends = words.phrases.features_end
    told = [ends.and_.join(wanted) + ends.end] if wanted else []
    return told + [f"{form}{ends.free}" for form in free]


def _otherwise(part: Part, words: _Words) -> list[str]:
    changed = next((want for want in part.wants if want.first), None)
    if changed is None:
        return []
    word = word_of(changed.slot)
    value = words.phrases.prices[changed.value] if word == PRICE else changed.value
    form = words.pick("otherwise", words.phrases.otherwise)
    return [form.format(slot=words.phrases.slots[word], value=value)]


def _free(part: Part, words: _Words) -> list[str]:
    """Return the sentence that names the slots that do not matter."""
    features = words.phrases.features
    free = [w for w in part.wants if w.value == ANY and word_of(w.slot) not in features]
    if not free:
        return []
    names = [_named(part, word_of(want.slot), words.phrases) for want in free]
    return [words.pick("free", words.phrases.free).format(slots=_listed(names))]


def _named(part: Part, word: str, phrases: Phrases) -> str:
    special = phrases.taxi.free if part.domain == TAXI else {}
    return special.get(word, phrases.slots[word])


def _booking(part: Part, words: _Words) -> list[str]:
    if part.domain not in words.phrases.domains:
        return []
    if not part.booked:
        return [] if part.named else [words.pick("choose", words.phrases.choose)]
    book = words.phrases.book
    start = "" if part.named else words.pick("start", book.start)
    pieces = [_day(part, words), _time(part, words), _stay(part, words), _people(part, words)]
    told = " ".join(piece for piece in pieces if piece)
    return [f"{start}{told} {words.pick('end', book.end)}"]


def _day(part: Part, words: _Words) -> str:
    want = _told(part, DAY)
    if want is None:
        return ""
    form = words.either("day", words.phrases.book.day[part.domain], want)
    return form.format(value=want.value, other=words.called(want.same_as or part.domain))


def _time(part: Part, words: _Words) -> str:
    want = _told(part, TIME)
    if want is None:
        return ""
    return words.pick("time", words.phrases.book.time).format(
        value=words.pick("clock", in_words(want.value))
    )


def _stay(part: Part, words: _Words) -> str:
    want = _told(part, STAY)
    if want is None:
        return ""
    days = words.pick("days", words.phrases.counts["stay"][want.value])
    return words.pick("stay", words.phrases.book.stay).format(value=days)


def _people(part: Part, words: _Words) -> str:
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


def _asks(part: Part, words: _Words) -> list[str]:
    """Return what to ask for: first what is known of a place, then what a booking brings."""
    if not part.asks:
        return []
    later = [slot for slot in part.asks if words.schema.slots[slot].after_booking]
    sentences = []
    for what, slots in (("ask", [s for s in part.asks if s not in later]), ("later", later)):
        if slots:
            names = [words.phrases.slots[word_of(slot)] for slot in slots]
            starts = words.phrases.booked if what == "later" else words.phrases.found
            start = words.pick(f"{what}/start", starts) if part.matches else ""
            form = words.pick(what, words.phrases.ask)
            sentences.append(form.format(found=start, asked=_listed(names)))
    return sentences


def _listed(names: Sequence[str]) -> str:
    """Return names in a row: 주소, 평점과 요금."""
    if len(names) == 1:
        return names[0]
    return f"{', '.join(names[:-1])}(과/와) {names[-1]}"
