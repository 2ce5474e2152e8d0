"""Words, arcs and turns: what Label Studio holds about the regions of a tree or dialogue."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from pipeline.annotation.exchange.answer_parts import Part, refused
from pipeline.annotation.exchange.encoding import utf16_length
from pipeline.annotation.exchange.studio.layout import (
    DIALOGUE,
    STATE,
    STATE_TEXT,
    TURN,
    TURN_TEXT,
    WORD,
    WORDS,
    Layout,
    Result,
    Results,
    at,
    one,
    region,
    whole,
)


def word_regions(layout: Layout, *, root: bool) -> list[Result]:
    """Return one region a word, and one for the mark of the root where arcs need it."""
    places = layout.places if root else layout.places[:-1]
    return [
        region(f"w{number}", WORD, WORDS, "labels", at(place) | {"labels": [WORD]})
        for number, place in enumerate(places, 1)
    ]


def _word_of(results: Results, layout: Layout) -> dict[str, int]:
    """Return the place (from 0) of the word that each region's id stands for; the root is last."""
    places = {place: number for number, place in enumerate(layout.places)}
    found: dict[str, int] = {}
    for result in results.by_name.get(WORD, []):
        place = whole(result["value"], "start"), whole(result["value"], "end")
        if place not in places:
            raise refused("offset", "a region of `word` is not one whole word")
        found[str(result.get("id"))] = places[place]
    return found


def put_words(part: Part, value: Any, layout: Layout) -> list[Result]:
    """Return the texts of words as texts of their regions."""
    return [
        region(f"w{number}", part.name, WORDS, "textarea", at(place) | {"text": [text]})
        for number, (place, text) in enumerate(zip(layout.places, value, strict=False), 1)
    ]


def get_words(part: Part, results: Results, layout: Layout) -> list[str] | None:
    """Return one text a word; raises RecordError where a word has none or two."""
    held = results.by_name.get(part.name, [])
    if not held:
        return None
    words = _word_of(results, layout)
    found: dict[int, str] = {}
    for result in held:
        number = words.get(str(result.get("id")), -1)
        if number in found or not 0 <= number < len(layout.words):
            raise refused("form", f"{part.name!r} is given twice for a word, or for no word")
        found[number] = one(result, "text", part.name) or ""
    if len(found) < len(layout.words):
        missing = min(set(range(len(layout.words))) - set(found)) + 1
        raise refused("unanswered", f"there is no {part.name!r} for word {missing}")
    return [found[number] for number in range(len(layout.words))]


def put_arcs(_part: Part, value: Any, layout: Layout) -> list[Result]:
    """Return arcs as relations from a word to its head, the root's to the mark."""
    root = len(layout.words) + 1
    return [
        {
            "type": "relation",
            "from_id": f"w{number}",
            "to_id": f"w{arc['head'] or root}",
            "direction": "right",
            "labels": [arc["deprel"]],
        }
        for number, arc in enumerate(value, 1)
    ]


def get_arcs(_part: Part, results: Results, layout: Layout) -> list[dict[str, Any]] | None:
    """Return the head and relation of each word; raises RecordError unless each has one."""
    if not results.relations:
        return None
    words = _word_of(results, layout)
    found: dict[int, dict[str, Any]] = {}
    for relation in results.relations:
        child, head, deprel = _arc(relation, words)
        if child in found or child == len(layout.words):
            raise refused("tree", "a word has two heads, or the root mark has one")
        found[child] = {"head": (head + 1) % (len(layout.words) + 1), "deprel": deprel}
    if len(found) < len(layout.words):
        missing = min(set(range(len(layout.words))) - set(found)) + 1
        raise refused("unanswered", f"no arc leads from word {missing} to its head")
    return [found[number] for number in range(len(layout.words))]


def _arc(relation: Mapping[str, Any], words: Mapping[str, int]) -> tuple[int, int, str]:
    ends = [words.get(str(relation.get(key))) for key in ("from_id", "to_id")]
    if relation.get("direction") == "left":
        ends.reverse()
    child, head = ends
    if child is None or head is None or relation.get("direction") not in ("left", "right"):
        raise refused("tree", "an arc leads from one word to one other, in one direction")
    labels = relation.get("labels") or []
    if not isinstance(labels, list) or len(labels) != 1 or not isinstance(labels[0], str):
        raise refused("tree", f"the arc of word {child + 1} needs one relation")
    return child, head, labels[0]


_ROLES: Final = ("user", "sys")


def turn_regions(layout: Layout) -> list[Result]:
    """Return one region a turn."""
    return [
        region(f"t{number + 1}", TURN, DIALOGUE, "paragraphlabels", value)
        for number in range(len(layout.turns))
        for value in [_inside(number, layout) | {"paragraphlabels": [TURN]}]
    ]


def _inside(number: int, layout: Layout) -> dict[str, Any]:
    """Return the whole of a paragraph as a region; its offsets are UTF-16 code units."""
    end = utf16_length(layout.turns[number][1])
    return {"start": str(number), "end": str(number), "startOffset": 0, "endOffset": end}


def put_turns(_part: Part, value: Any, layout: Layout) -> list[Result]:
    """Return the texts and states of turns as results of their paragraphs' regions."""
    found = []
    for number, turn in enumerate(value):
        id_, place = f"t{number + 1}", _inside(number, layout)
        state = turn.get("state", [])
        paths = [each.split("-", 2) for each in state if each in layout.closed]
        others = [each for each in state if each not in layout.closed]
        for name, type_, key, held in (
            (TURN_TEXT, "textarea", "text", [turn["text"]]),
            (STATE, "taxonomy", "taxonomy", paths),
            (STATE_TEXT, "textarea", "text", others),
        ):
            if held:
                found.append(region(id_, name, DIALOGUE, type_, place | {key: held}))
    return found


def get_turns(_part: Part, results: Results, layout: Layout) -> list[dict[str, Any]] | None:
    """Return the turns up to the last one with a text.

    Raises RecordError for a turn without a text before that, or with two.
    """
    texts = {n: text for n, text in _held(results, TURN_TEXT, _text) if text}
    if not texts:
        return None
    states: dict[int, list[str]] = {}
    for name, read in ((STATE, _paths), (STATE_TEXT, _lines)):
        for number, found in _held(results, name, read):
            states.setdefault(number, []).extend(found)
    if sorted(texts) != list(range(len(texts))) or set(states) - set(texts):
        raise refused("form", "a turn before the last has no text, or a state stands without one")
    return [
        {"role": _ROLES[n % 2], "text": texts[n], "state": _sorted(states.get(n, []), layout)}
        for n in range(len(texts))
    ]


def _held(results: Results, name: str, read: Callable[[Result], Any]) -> list[tuple[int, Any]]:
    """Return what one control holds, with the number of the turn; each turn at most once."""
    found = []
    for result in results.by_name.get(name, []):
        number = whole(result["value"], "start")
        if number != whole(result["value"], "end"):
            raise refused("form", "a region is over two turns; one turn a region")
        found.append((number, read(result)))
    if len({number for number, _ in found}) < len(found):
        raise refused("form", f"{name!r} is given twice for one turn")
    return found


def _text(result: Result) -> str:
    text = one(result, "text", TURN_TEXT) or ""
    return text if text.strip() else ""


def _paths(result: Result) -> list[str]:
    held = result["value"].get("taxonomy")
    paths = held if isinstance(held, list) else [held]
    if not all(isinstance(p, list) and len(p) == 3 and all(map(_is_text, p)) for p in paths):
        raise refused("form", "a path of the Taxonomy is a domain, a slot and a value")
    return ["-".join(path) for path in paths]


def _lines(result: Result) -> list[str]:
    held = result["value"].get("text")
    lines = held if isinstance(held, list) else [held]
    if not all(map(_is_text, lines)):
        raise refused("form", "a state in words is a list of texts")
    return [line for line in lines if line.strip()]


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _sorted(state: list[str], layout: Layout) -> list[str]:
    """Return a state in the order of the spec's slots: its own order has no meaning."""
    order = {slot: place for place, slot in enumerate(layout.slots)}
    return sorted(state, key=lambda each: order.get("-".join(each.split("-", 2)[:2]), len(order)))
