"""The instruction of a goal in Korean, from templates (Table 24).

Every value that the goal wants is told, or the place before that it is to be like. Particles fit
the word before them.
"""

from __future__ import annotations

from pipeline.tasks.dst.goals.goal import Goal, Part
from pipeline.tasks.dst.ground.chance import Chance
from pipeline.tasks.dst.ground.names import ANY, METRO, TAXI, word_of
from pipeline.tasks.dst.ground.schema import Schema
from pipeline.tasks.dst.wording.booking import booking_sentences
from pipeline.tasks.dst.wording.particles import resolve
from pipeline.tasks.dst.wording.phrases import Phrases
from pipeline.tasks.dst.wording.places import place_sentences
from pipeline.tasks.dst.wording.rides import metro_sentences, taxi_sentences
from pipeline.tasks.dst.wording.words import Words, listed


def instruction(goal: Goal, *, schema: Schema, phrases: Phrases, seed: int) -> str:
    """Return the text of a goal; variants are drawn by the goal's name."""
    chance = Chance(seed, "text", goal.name)
    sentences = [chance.pick("opening", phrases.openings)]
    for place, part in enumerate(goal.parts):
        words = Words(phrases, schema, chance, place)
        told = _part(part, words)
        if place:
            final = place == len(goal.parts) - 1 > 1
            told[0] = f"{words.pick('then', phrases.last if final else phrases.next)} {told[0]}"
        sentences += told
    return resolve(" ".join(sentences))


def _part(part: Part, words: Words) -> list[str]:
    if part.domain == TAXI:
        told = taxi_sentences(part, words)
    elif part.domain == METRO:
        told = metro_sentences(part, words)
    else:
        told = place_sentences(part, words)
    return [*told, *_free(part, words), *booking_sentences(part, words), *_asks(part, words)]


def _free(part: Part, words: Words) -> list[str]:
    """Return the one sentence that names all that does not matter, features last."""
    free = [word_of(want.slot) for want in part.wants if want.value == ANY]
    features = [word for word in free if word in words.phrases.features]
    names = [_named(part, word, words) for word in free if word not in features]
    names += [words.pick(word, words.phrases.features[word][ANY]) for word in features]
    if not names:
        return []
    forms = words.phrases.free_features if features else words.phrases.free
    return [words.pick("free", forms).format(slots=listed(names))]


def _named(part: Part, word: str, words: Words) -> str:
    special = words.phrases.taxi.free if part.domain == TAXI else {}
    return special.get(word, words.phrases.slots[word])


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
            sentences.append(form.format(found=start, asked=listed(names)))
    return sentences
