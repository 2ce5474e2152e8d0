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

Regions of a Text count code points (Label Studio 1.5 and later). Regions of Paragraphs count UTF-16
code units within a paragraph; only the number of the paragraph is read. Ids of regions change when
an annotator takes over what was filled in beforehand, so words and turns are known by their places.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from pipeline.annotation.exchange import label_studio_regions as regions
from pipeline.annotation.exchange.answer_parts import (
    Part,
    PartKind,
    Parts,
    exchange_fault,
)
from pipeline.annotation.exchange.label_studio_regions import (
    RELATION,
    STATE,
    STATE_TEXT,
    TURN,
    TURN_TEXT,
    WORD,
    Layout,
    Result,
    Results,
    one_text,
    region,
    whole,
)

_BLANKS: Final = re.compile(r"\\n|\s")
#: The result type of a part that is one value.
_SIMPLE: Final[dict[PartKind, str]] = {"choice": "choices", "number": "number", "text": "textarea"}


def encode(parts: Sequence[Part], values: Parts, layout: Layout) -> list[Result]:
    """Return the results that hold these values, after the regions that they belong to.

    The regions of words and turns are there before any answer.
    """
    kinds = {part.kind for part in parts}
    results: list[Result] = []
    if kinds & {"words", "arcs"}:
        results += regions.word_regions(layout, root="arcs" in kinds)
    if "turns" in kinds:
        results += regions.turn_regions(layout)
    for part in parts:
        if values.get(part.name) not in (None, ""):
            results += _ENCODE.get(part.kind, _put_value)(part, values[part.name], layout)
    return results


def decode(parts: Sequence[Part], results: object, layout: Layout) -> Parts:
    """Return the values that an annotation's results hold, by part.

    Raises RecordError for a result of a control that the form has not, and for one of no use.
    """
    by_control = _by_control(parts, results)
    values = {p.name: _DECODE.get(p.kind, _get_value)(p, by_control, layout) for p in parts}
    return {name: value for name, value in values.items() if value is not None}


def _by_control(parts: Sequence[Part], results: object) -> Results:
    if not isinstance(results, list):
        raise exchange_fault("form", "the annotation has no list of results")
    names = sorted({name for part in parts for name in _controls(part)})
    by_control: Results = {}
    for result in results:
        if not isinstance(result, dict):
            raise exchange_fault("form", "a result is an object")
        name = result.get("from_name")
        if result.get("type") == RELATION:
            name = RELATION
        elif not isinstance(result.get("value"), dict):
            raise exchange_fault("form", "a result is an object with a value")
        elif name not in names:
            raise exchange_fault(
                "control", f"a result is of none of the controls {', '.join(names)}"
            )
        by_control.setdefault(name, []).append(result)
    return by_control


def _controls(part: Part) -> tuple[str, ...]:
    of_regions = {
        "words": (WORD, part.name),
        "arcs": (WORD,),
        "turns": (TURN, TURN_TEXT, STATE, STATE_TEXT),
    }
    return of_regions.get(part.kind, (part.name,))


def _put_value(part: Part, value: Any, layout: Layout) -> list[Result]:
    content = value if part.kind == "number" else [value]
    return [region(part.name, part.name, layout.to, _SIMPLE[part.kind], content)]


def _get_value(part: Part, results: Results, _layout: Layout) -> Any:
    of_part = results.get(part.name, [])
    if len(of_part) > 1:
        raise exchange_fault("form", f"{part.name!r} is answered twice")
    if not of_part:
        return None
    if part.kind == "number":
        return of_part[0]["value"].get("number")
    return one_text(of_part[0], "choices" if part.kind == "choice" else "text", part.name)


def _put_spans(part: Part, value: Any, layout: Layout) -> list[Result]:
    results = []
    for number, span in enumerate(value, 1):
        text = layout.text[span["start"] : span["end"]]
        place = {"start": span["start"], "end": span["end"], "text": text}
        name, labels = f"{part.name}-{number}", [span["label"]]
        results.append(region(name, part.name, layout.target, "labels", labels, **place))
    return results


def _get_spans(part: Part, results: Results, layout: Layout) -> list[dict[str, Any]]:
    spans = []
    for result in results.get(part.name, []):
        start, end = _place(result["value"], layout.text)
        spans.append({"start": start, "end": end, "label": one_text(result, "labels", part.name)})
    return spans


def _place(value: Mapping[str, Any], text: str) -> tuple[int, int]:
    """Return a region's place in code points; blanks are not compared, which the tool rewrites."""
    start, end = whole(value, "start"), whole(value, "end")
    marked = value.get("text")
    if isinstance(marked, str) and _BLANKS.sub("", text[start:end]) != _BLANKS.sub("", marked):
        raise exchange_fault("offset", "a region's text does not stand at its offsets")
    return start, end


_ENCODE: Final[dict[PartKind, Callable[[Part, Any, Layout], list[Result]]]] = {
    "spans": _put_spans,
    "words": regions.word_results,
    "arcs": regions.arc_results,
    "turns": regions.turn_results,
}
_DECODE: Final[dict[PartKind, Callable[[Part, Results, Layout], Any]]] = {
    "spans": _get_spans,
    "words": regions.get_words,
    "arcs": regions.get_arcs,
    "turns": regions.get_turns,
}
