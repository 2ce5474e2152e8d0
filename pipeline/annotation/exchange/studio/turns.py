"""Turns: what Label Studio holds about a dialogue, one region a paragraph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from pipeline.annotation.exchange import units
from pipeline.annotation.exchange.parts import Part, refused
from pipeline.annotation.exchange.studio.layout import (
    DIALOGUE,
    STATE,
    STATE_TEXT,
    TURN,
    TURN_TEXT,
    Layout,
    Result,
    Results,
    one,
    region,
    whole,
)

_ROLES: Final = ("user", "sys")


def scaffold(layout: Layout) -> list[Result]:
    """Return one region a turn."""
    return [
        region(f"t{number + 1}", TURN, DIALOGUE, "paragraphlabels", value)
        for number in range(len(layout.turns))
        for value in [_inside(number, layout) | {"paragraphlabels": [TURN]}]
    ]


def _inside(number: int, layout: Layout) -> dict[str, Any]:
    """Return the whole of a paragraph as a region; its offsets are UTF-16 code units."""
    end = units.length(layout.turns[number][1])
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
