"""Label Studio's labelling config (XML) of a round: what is shown, and a control a part."""

from __future__ import annotations

import xml.etree.ElementTree as ET  # written here, never read
from collections.abc import Callable, Sequence
from typing import Final

from pipeline.annotation.exchange.parts import Option, Part, PartKind, distinct
from pipeline.annotation.exchange.sheet import NAMES
from pipeline.annotation.exchange.studio.layout import (
    DIALOGUE,
    STATE,
    STATE_TEXT,
    TURN,
    TURN_TEXT,
    WORD,
    WORDS,
)
from pipeline.tasks.spec import Round, Slot, TaskSpec

#: The data key of the options of a label that differ from task to task.
OFFERED: Final = "offered"
#: The texts of tasks keep their blanks and lines, or offsets would be of another text.
_STYLE: Final = ".htx-text, .lsf-richtext { white-space: pre-wrap; }"
_PER_TURN: Final = {"perRegion": "true", "whenTagName": TURN}


def config(
    spec: TaskSpec,
    round_: Round,
    parts: Sequence[Part],
    *,
    texts: Sequence[str],
    target: str,
    offered: bool,
) -> str:
    """Return the config of a round: `texts` are the keys of what tasks show, the first the main.

    `target` is the text that spans point into; with `offered` the options of a label are each
    task's own.
    """
    view = ET.Element("View")
    ET.SubElement(view, "Style").text = _STYLE
    _header(view, spec.title.ko, "3")
    _header(view, round_.question.ko, "4")
    for label in spec.labels:  # the paper shows annotators the key terms of each topic (3.1.1)
        if label.terms:
            _header(view, f"{label.title.ko}: {', '.join(label.terms)}", "6")
    for name in texts:
        _header(view, NAMES[name], "6")
        ET.SubElement(view, "Text", name=name, value=f"${name}", granularity="symbol")
    if any(part.kind == "turns" for part in parts):
        show = {"name": DIALOGUE, "value": f"${DIALOGUE}", "layout": "dialogue"}
        ET.SubElement(view, "Paragraphs", show, nameKey="role", textKey="text")
    for part in parts:
        _header(view, part.title, "5")
        _CONTROLS[part.kind](view, part, target if part.kind == "spans" else texts[0])
        if offered and part.name == "label":
            _offer(view, part.name)
    _scaffold(view, parts, spec)
    _report(view, spec, texts[0])
    ET.indent(view)
    return ET.tostring(view, encoding="unicode") + "\n"


def closed(spec: TaskSpec) -> dict[str, tuple[str, ...]]:
    """Return the values that the Taxonomy offers, by slot; open slots have none."""
    return {slot.id: _values(slot) for slot in spec.slots if slot.informable and _values(slot)}


def _values(slot: Slot) -> tuple[str, ...]:
    return slot.values or (("yes", "no", "dontcare") if slot.boolean else ())


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


def _offer(view: ET.Element, name: str) -> None:
    """Take the options of a label from the task instead."""
    control = next(one for one in view.iter("Choices") if one.get("name") == name)
    control[:] = []
    control.set("value", f"${OFFERED}")


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
    domains: dict[str, ET.Element] = {}
    for slot, values in closed(spec).items():
        domain, _, name = slot.partition("-")
        if domain not in domains:
            domains[domain] = ET.SubElement(tree, "Choice", value=domain)
        branch = ET.SubElement(domains[domain], "Choice", value=name)
        for value in values:
            ET.SubElement(branch, "Choice", value=value)


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
