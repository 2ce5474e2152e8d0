"""Label Studio's results and the parts of an answer: one table, both ways.

    part      control                                        result type
    choice    Choices NAME                                   choices
    number    Number NAME                                    number
    text      TextArea NAME                                  textarea
    spans     Labels NAME, granularity symbol                labels
    words     TextArea NAME for each region of Labels word   textarea
    arcs      Relations between regions of Labels word       relation
    turns     for each region of ParagraphLabels turn:
              TextArea turn_text and state_text, Taxonomy state

Regions of a Text count code points (Label Studio 1.5 and later; an export counted in UTF-16 code
units is told apart by the region's own text). Regions of Paragraphs count UTF-16 code units within
a paragraph; only the number of the paragraph is read. Ids of regions change when an annotator
takes over what was filled in beforehand, so words and turns are known by their places.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pipeline.annotation.exchange.answer_parts import Part, PartKind, Parts, refused
from pipeline.annotation.exchange.encoding import from_utf16, utf16_length
from pipeline.annotation.exchange.studio import regions
from pipeline.annotation.exchange.studio.layout import (
    STATE,
    STATE_TEXT,
    TURN,
    TURN_TEXT,
    WORD,
    Layout,
    Result,
    Results,
    one,
    region,
    whole,
)

_BLANKS: Final = re.compile(r"\\n|\s")


@dataclass(frozen=True)
class _Both:
    names: Callable[[Part], tuple[str, ...]]
    encode: Callable[[Part, Any, Layout], list[Result]]
    decode: Callable[[Part, Results, Layout], Any]


def encode(parts: Sequence[Part], values: Parts, layout: Layout) -> list[Result]:
    """Return the results that hold these values, after the regions that they belong to."""
    found = scaffold(parts, layout)
    for part in parts:
        if values.get(part.name) not in (None, ""):
            found += _MAP[part.kind].encode(part, values[part.name], layout)
    return found


def scaffold(parts: Sequence[Part], layout: Layout) -> list[Result]:
    """Return the regions that are there before any answer: words, turns."""
    kinds = {part.kind for part in parts}
    found: list[Result] = []
    if kinds & {"words", "arcs"}:
        found += regions.word_regions(layout, root="arcs" in kinds)
    if "turns" in kinds:
        found += regions.turn_regions(layout)
    return found


def decode(parts: Sequence[Part], results: object, layout: Layout) -> Parts:
    """Return the values that an annotation's results hold, by part.

    Raises RecordError for a result of a control that the form has not, and for one of no use.
    """
    read = _read(parts, results)
    found = {part.name: _MAP[part.kind].decode(part, read, layout) for part in parts}
    return {name: value for name, value in found.items() if value is not None}


def _read(parts: Sequence[Part], results: object) -> Results:
    if not isinstance(results, list):
        raise refused("form", "the annotation has no list of results")
    names = sorted({name for part in parts for name in _MAP[part.kind].names(part)})
    read = Results()
    for result in results:
        if not isinstance(result, dict):
            raise refused("form", "a result is an object")
        if result.get("type") == "relation":
            read.relations.append(result)
            continue
        if not isinstance(result.get("value"), dict):
            raise refused("form", "a result is an object with a value")
        if result.get("from_name") not in names:
            raise refused("control", f"a result is of none of the controls {', '.join(names)}")
        read.by_name.setdefault(result["from_name"], []).append(result)
    return read


def _simple(type_: str, key: str, listed: bool) -> _Both:
    """Return the map of a part that is one value of one control."""

    def put(part: Part, value: Any, layout: Layout) -> list[Result]:
        held = {key: [value] if listed else value}
        return [region(part.name, part.name, layout.to, type_, held)]

    def get(part: Part, results: Results, _layout: Layout) -> Any:
        found = results.by_name.get(part.name, [])
        if len(found) > 1:
            raise refused("form", f"{part.name!r} is answered twice")
        if not found:
            return None
        return one(found[0], key, part.name) if listed else found[0]["value"].get(key)

    return _Both(lambda part: (part.name,), put, get)


def _put_spans(part: Part, value: Any, layout: Layout) -> list[Result]:
    found = []
    for number, span in enumerate(value, 1):
        text = layout.text[span["start"] : span["end"]]
        held = {"start": span["start"], "end": span["end"], "text": text, "labels": [span["label"]]}
        found.append(region(f"{part.name}-{number}", part.name, layout.target, "labels", held))
    return found


def _get_spans(part: Part, results: Results, layout: Layout) -> list[dict[str, Any]]:
    found = []
    for result in results.by_name.get(part.name, []):
        start, end = _place(result["value"], layout.text)
        found.append({"start": start, "end": end, "label": one(result, "labels", part.name)})
    return found


def _place(value: Mapping[str, Any], text: str) -> tuple[int, int]:
    """Return a region's place in code points, whichever way the export counted."""
    start, end = whole(value, "start"), whole(value, "end")
    said = value.get("text")
    if not isinstance(said, str) or _same(text[start:end], said):
        return start, end
    if utf16_length(text) != len(text) and 0 <= start <= end <= utf16_length(text):
        start, end = from_utf16(text, start), from_utf16(text, end)
        if _same(text[start:end], said):
            return start, end
    raise refused("offset", "a region's text does not stand at its offsets")


def _same(left: str, right: str) -> bool:
    """Tell whether two texts are equal but for blanks, which Label Studio writes in its own way."""
    return _BLANKS.sub("", left) == _BLANKS.sub("", right)


_MAP: Final[dict[PartKind, _Both]] = {
    "choice": _simple("choices", "choices", True),
    "number": _simple("number", "number", False),
    "text": _simple("textarea", "text", True),
    "spans": _Both(lambda part: (part.name,), _put_spans, _get_spans),
    "words": _Both(lambda part: (WORD, part.name), regions.put_words, regions.get_words),
    "arcs": _Both(lambda _part: (WORD,), regions.put_arcs, regions.get_arcs),
    "turns": _Both(
        lambda _part: (TURN, TURN_TEXT, STATE, STATE_TEXT),
        regions.put_turns,
        regions.get_turns,
    ),
}
