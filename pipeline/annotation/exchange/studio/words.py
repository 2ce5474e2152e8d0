"""Words and arcs: what Label Studio holds about the words of a tree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pipeline.annotation.exchange.parts import Part, refused
from pipeline.annotation.exchange.studio.layout import (
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


def scaffold(layout: Layout, *, root: bool) -> list[Result]:
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
