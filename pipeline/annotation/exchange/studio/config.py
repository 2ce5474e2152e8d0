"""Label Studio's labelling config (XML) of a round: what is shown, and a control a part."""

from __future__ import annotations

import xml.etree.ElementTree as ET  # written here, never read
from collections.abc import Callable, Sequence
from typing import Final

from pipeline.annotation.exchange.answer_parts import Option, Part, PartKind, distinct
from pipeline.annotation.exchange.offers import KNOWLEDGE, Offer, slot_values
from pipeline.annotation.exchange.rendering import titles_of
from pipeline.annotation.exchange.studio.layout import (
    DIALOGUE,
    STATE,
    STATE_TEXT,
    TURN,
    TURN_TEXT,
    WORD,
    WORDS,
    Branch,
    branches,
)
from pipeline.contracts.spec import Round, TaskSpec

#: The data keys of options that differ from task to task: of a label, of the tree of slots.
OFFERED: Final = "offered"
SLOTS: Final = "slots"
#: The texts of tasks keep their blanks and lines, or offsets would be of another text.
_STYLE: Final = ".htx-text, .lsf-richtext { white-space: pre-wrap; }"
#: What is written of a turn stands below all turns, and so stays on the screen.
_SCROLLS: Final = "max-height: 40vh; overflow-y: auto;"
#: The texts that are tables, in HTML.
_TABLES: Final = {KNOWLEDGE}
_PER_TURN: Final = {"perRegion": "true", "whenTagName": TURN}


def config(
    spec: TaskSpec,
    round_: Round,
    parts: Sequence[Part],
    *,
    texts: Sequence[str],
    target: str,
    own: frozenset[str] = frozenset(),
) -> str:
    """Return the config of a round: `texts` are the keys of what tasks show, the first the main.

    `target` is the text that spans point into. The options of those of OFFERED and SLOTS that are
    in `own` lie in each task.
    """
    view, titles = ET.Element("View"), titles_of(spec.task)
    ET.SubElement(view, "Style").text = _STYLE
    _header(view, spec.title.ko, "3")
    _header(view, round_.question.ko, "4")
    for label in spec.labels:  # the paper shows annotators the key terms of each topic (3.1.1)
        if label.terms:
            _header(view, f"{label.title.ko}: {', '.join(label.terms)}", "6")
    for name in texts:
        _header(view, titles[name], "6")
        tag = "HyperText" if name in _TABLES else "Text"
        ET.SubElement(view, tag, name=name, value=f"${name}", granularity="symbol")
    if any(part.kind == "turns" for part in parts):
        show = {"name": DIALOGUE, "value": f"${DIALOGUE}", "layout": "dialogue"}
        room = ET.SubElement(view, "View", style=_SCROLLS)
        ET.SubElement(room, "Paragraphs", show, nameKey="role", textKey="text")
    for part in parts:
        _header(view, part.title, "5")
        _CONTROLS[part.kind](view, part, target if part.kind == "spans" else texts[0])
    _scaffold(view, parts, spec)
    if OFFERED in own:
        _take(view, "Choices", "label", OFFERED)
    if SLOTS in own:
        _take(view, "Taxonomy", STATE, SLOTS)
    _report(view, spec, texts[0])
    ET.indent(view)
    return ET.tostring(view, encoding="unicode") + "\n"


def _header(view: ET.Element, text: str, size: str) -> None:
    ET.SubElement(view, "Header", value=text, size=size)


def _add_options(control: ET.Element, tag: str, options: Sequence[Option]) -> None:
    for id_, title in options:
        element = ET.SubElement(control, tag, value=title)
        if title != id_:
            element.set("alias", id_)


def _choices(view: ET.Element, part: Part, to: str) -> None:
    control = ET.SubElement(
        view, "Choices", name=part.name, toName=to, choice="single-radio", showInline="true"
    )
    _add_options(control, "Choice", distinct(part.options))


def _take(view: ET.Element, tag: str, name: str, key: str) -> None:
    """Take the options of a control from the data of the task instead.

    All of them: the editor shows options of the config and of the task one after the other, and of
    two branches of one name only the first.
    """
    control = next(one for one in view.iter(tag) if one.get("name") == name)
    control[:] = []
    control.set("value", f"${key}")


def _number(view: ET.Element, part: Part, to: str) -> None:
    low, high = (title for _, title in part.options)
    ET.SubElement(view, "Number", name=part.name, toName=to, min=low, max=high, step="1")


def _area(view: ET.Element, name: str, to: str, **more: str) -> None:
    control = ET.SubElement(view, "TextArea", name=name, toName=to, editable="true")
    control.attrib.update(more)


def _text(view: ET.Element, part: Part, to: str) -> None:
    _area(view, part.name, to, maxSubmissions="1", rows="3")


def _labels(view: ET.Element, part: Part, to: str) -> None:
    control = ET.SubElement(view, "Labels", name=part.name, toName=to, granularity="symbol")
    _add_options(control, "Label", distinct(part.options))


def _words(view: ET.Element, part: Part, _to: str) -> None:
    per_word = {"perRegion": "true", "whenTagName": WORD, "maxSubmissions": "1"}
    _area(view, part.name, WORDS, **per_word)


def _arcs(view: ET.Element, part: Part, _to: str) -> None:
    control = ET.SubElement(view, "Relations", choice="single")
    for id_, _title in part.options:
        ET.SubElement(control, "Relation", value=id_)


def _turns(view: ET.Element, _part: Part, _to: str) -> None:
    control = ET.SubElement(view, "ParagraphLabels", name=TURN, toName=DIALOGUE)
    ET.SubElement(control, "Label", value=TURN)
    _area(view, TURN_TEXT, DIALOGUE, maxSubmissions="1", **_PER_TURN)
    _area(view, STATE_TEXT, DIALOGUE, **_PER_TURN)


def _scaffold(view: ET.Element, parts: Sequence[Part], spec: TaskSpec) -> None:
    """Add the label of the regions that words or turns are, and the tree of slots."""
    kinds = {part.kind for part in parts}
    if kinds & {"words", "arcs"}:
        control = ET.SubElement(view, "Labels", name=WORD, toName=WORDS)
        ET.SubElement(control, "Label", value=WORD)
    if "turns" in kinds:
        _taxonomy(view, spec)


def _taxonomy(view: ET.Element, spec: TaskSpec) -> None:
    tree = ET.SubElement(
        view, "Taxonomy", name=STATE, toName=DIALOGUE, leafsOnly="true", showFullPath="true"
    )
    tree.attrib.update(_PER_TURN)
    _branch(tree, branches(slot_values(spec, Offer())))


def _branch(under: ET.Element, found: Sequence[Branch]) -> None:
    for one in found:
        element = ET.SubElement(under, "Choice", value=one["value"])
        _branch(element, one.get("children", ()))


def _report(view: ET.Element, spec: TaskSpec, to: str) -> None:
    _header(view, "신고", "5")
    control = ET.SubElement(view, "Choices", name="report", toName=to, choice="single-radio")
    _add_options(control, "Choice", distinct([(r.id, r.title.ko) for r in spec.reports]))


_CONTROLS: Final[dict[PartKind, Callable[[ET.Element, Part, str], None]]] = {
    "choice": _choices,
    "number": _number,
    "text": _text,
    "spans": _labels,
    "words": _words,
    "arcs": _arcs,
    "turns": _turns,
}
