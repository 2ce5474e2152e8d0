"""Sentences about the search for a hotel, a restaurant or an attraction."""

from __future__ import annotations

from pipeline.tasks.dst.goals.goal import Part
from pipeline.tasks.dst.ground.names import ANY, AREA, PRICE, TYPE, word_of
from pipeline.tasks.dst.wording.words import Words


def place_sentences(part: Part, words: Words) -> list[str]:
    """Return what is searched for, with its features, and what to do if nothing is found."""
    called = words.phrases.domains[part.domain]
    if part.named:
        return [words.pick("named", called.named).format(name=part.matches[0].name)]
    search = words.pick("search", words.phrases.search).format(
        where=_where(part, words),
        quality=_quality(part, words),
        noun=words.pick("noun", called.noun[_first(part, TYPE)]),
    )
    return [search, *_features(part, words), *_otherwise(part, words)]


def _first(part: Part, word: str) -> str:
    """Return the value of a slot that is asked for first, or `dontcare`."""
    want = part.want(word)
    return (want.first or want.value) if want else ANY


def _quality(part: Part, words: Words) -> str:
    price = _first(part, PRICE)
    return "" if price == ANY else words.pick("quality", words.phrases.quality[price])


def _where(part: Part, words: Words) -> str:
    area = part.want(AREA)
    if area is None or area.value == ANY:
        return ""
    form = words.either("where", words.phrases.area, area)
    return form.format(
        area=area.first or area.value, other=words.called(area.same_as or part.domain)
    )


def _features(part: Part, words: Words) -> list[str]:
    """Return one sentence for the features that must be or must not be."""
    wanted = []
    for want in part.wants:
        forms = words.phrases.features.get(word_of(want.slot))
        if forms is not None and want.value != ANY:
            wanted.append(words.pick(want.slot, forms[want.value]))  # type: ignore[index]
    if not wanted:
        return []
    ends = words.phrases.features_end
    return [words.pick("and", ends.and_).join(wanted) + words.pick("end", ends.end)]


def _otherwise(part: Part, words: Words) -> list[str]:
    changed = next((want for want in part.wants if want.first), None)
    if changed is None:
        return []
    word = word_of(changed.slot)
    value = words.phrases.prices[changed.value] if word == PRICE else changed.value
    form = words.pick("otherwise", words.phrases.otherwise)
    return [form.format(slot=words.phrases.slots[word], value=value)]
