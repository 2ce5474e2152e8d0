"""Label Studio's labelling config (XML) of a round: what is shown, and a control a part."""

from __future__ import annotations

import xml.etree.ElementTree as ET  # written here, never read
from collections.abc import Mapping, Sequence
from typing import Any, Final

from pipeline.annotation.exchange.answer_parts import Option, Part
from pipeline.annotation.exchange.formats import REPORT
from pipeline.annotation.exchange.label_studio_regions import (
    DIALOGUE,
    STATE,
    STATE_TEXT,
    TURN,
    TURN_TEXT,
    WORD,
    WORDS,
)
from pipeline.annotation.exchange.offers import KNOWLEDGE, Offer, slot_values
from pipeline.annotation.exchange.rendering import titles_of
from pipeline.contracts.spec import Round, TaskSpec
from pipeline.core import schemas

#: The data keys of options that differ from task to task: of a label, of the tree of slots.
OFFERED: Final = "offered"
SLOTS: Final = "slots"
#: The tags of the options of controls.
_OPTIONS: Final = {"Choices": "Choice", "Labels": "Label", "ParagraphLabels": "Label"}
_PER_TURN: Final = {"perRegion": "true", "whenTagName": TURN}


def config(
    spec: TaskSpec,
    round_: Round,
    parts: Sequence[Part],
    *,
    texts: Sequence[str],
    target: str,
    with_options: frozenset[str] = frozenset(),
) -> str:
    """Return the config of a round: `texts` are the keys of what tasks show, the first the main.

    `target` is the text that spans point into. The options of those of OFFERED and SLOTS that are
    in `with_options` lie in each task.
    """
    view, titles = ET.Element("View"), titles_of(spec.task)
    # texts keep their blanks and lines, or offsets would be of another text
    ET.SubElement(view, "Style").text = ".htx-text, .lsf-richtext { white-space: pre-wrap; }"
    _header(view, spec.title.ko, "3")
    _header(view, round_.question.ko, "4")
    for label in spec.labels:  # the paper shows annotators the key terms of each topic (3.1.1)
        if label.terms:
            _header(view, f"{label.title.ko}: {', '.join(label.terms)}", "6")
    for name in texts:
        _header(view, titles[name], "6")
        tag = "HyperText" if name == KNOWLEDGE else "Text"  # tables are HTML
        ET.SubElement(view, tag, name=name, value=f"${name}", granularity="symbol")
    if any(part.kind == "turns" for part in parts):
        show = {"name": DIALOGUE, "value": f"${DIALOGUE}", "layout": "dialogue"}
        # what is written of a turn stands below all turns, and so stays on the screen
        room = ET.SubElement(view, "View", style="max-height: 40vh; overflow-y: auto;")
        ET.SubElement(room, "Paragraphs", show, nameKey="role", textKey="text")
    for part in parts:
        _header(view, part.title, "5")
        _add_control(view, part, target if part.kind == "spans" else texts[0])
    _add_scaffold(view, parts, spec)
    if OFFERED in with_options:
        _take_options(view, "Choices", "label", OFFERED)
    if SLOTS in with_options:
        _take_options(view, "Taxonomy", STATE, SLOTS)
    _header(view, "신고", "5")
    reasons = [(report.id, report.title.ko) for report in spec.reports]
    _add(view, "Choices", REPORT, texts[0], {"choice": "single-radio"}, reasons)
    ET.indent(view)
    return ET.tostring(view, encoding="unicode") + "\n"


def _header(view: ET.Element, text: str, size: str) -> None:
    ET.SubElement(view, "Header", value=text, size=size)


def _add(
    view: ET.Element,
    tag: str,
    name: str,
    to: str,
    attributes: Mapping[str, str],
    options: Sequence[Option] = (),
) -> None:
    control = ET.SubElement(view, tag, {"name": name, "toName": to, **attributes})
    for id_, title in distinct(options):
        element = ET.SubElement(control, _OPTIONS[tag], value=title)
        if title != id_:
            element.set("alias", id_)


def _add_control(view: ET.Element, part: Part, to: str) -> None:
    area, once = {"editable": "true"}, {"maxSubmissions": "1"}
    match part.kind:
        case "choice":
            look = {"choice": "single-radio", "showInline": "true"}
            _add(view, "Choices", part.name, to, look, part.options)
        case "number":
            low, high = (title for _, title in part.options)
            _add(view, "Number", part.name, to, {"min": low, "max": high, "step": "1"})
        case "text":
            _add(view, "TextArea", part.name, to, area | once | {"rows": "3"})
        case "spans":
            _add(view, "Labels", part.name, to, {"granularity": "symbol"}, part.options)
        case "words":
            per_word = {"perRegion": "true", "whenTagName": WORD}
            _add(view, "TextArea", part.name, WORDS, area | per_word | once)
        case "arcs":
            relations = ET.SubElement(view, "Relations", choice="single")
            for id_, _title in part.options:
                ET.SubElement(relations, "Relation", value=id_)
        case "turns":
            _add(view, "ParagraphLabels", TURN, DIALOGUE, {}, [(TURN, TURN)])
            _add(view, "TextArea", TURN_TEXT, DIALOGUE, area | once | _PER_TURN)
            _add(view, "TextArea", STATE_TEXT, DIALOGUE, area | _PER_TURN)


def _add_scaffold(view: ET.Element, parts: Sequence[Part], spec: TaskSpec) -> None:
    kinds = {part.kind for part in parts}
    if kinds & {"words", "arcs"}:
        _add(view, "Labels", WORD, WORDS, {}, [(WORD, WORD)])
    if "turns" in kinds:
        look = {"name": STATE, "toName": DIALOGUE, "leafsOnly": "true", "showFullPath": "true"}
        taxonomy = ET.SubElement(view, "Taxonomy", {**look, **_PER_TURN})
        _add_branches(taxonomy, branches(slot_values(spec, Offer())))


def _add_branches(parent: ET.Element, tree: Sequence[Branch]) -> None:
    for branch in tree:
        element = ET.SubElement(parent, "Choice", value=branch["value"])
        _add_branches(element, branch.get("children", ()))


def _take_options(view: ET.Element, tag: str, name: str, key: str) -> None:
    """Take the options of a control from the data of the task instead.

    All of them: the editor shows options of the config and of the task one after the other, and of
    two branches of one name only the first.
    """
    control = next(element for element in view.iter(tag) if element.get("name") == name)
    control[:] = []
    control.set("value", f"${key}")


def distinct(options: Sequence[Option]) -> tuple[Option, ...]:
    """Return options whose titles differ: one that another has too is shown with its id."""
    titles = [title for _, title in options]
    return tuple(
        (id_, title if titles.count(title) == 1 else f"{title} ({id_})") for id_, title in options
    )


#: {"value": NAME, "children": [BRANCH, ...]}, a value of a slot without children: the form in which
#: the editor takes options from a task.
Branch = dict[str, Any]


def branches(values: Mapping[str, Sequence[str]]) -> list[Branch]:
    """Return the tree of values by slot (DOMAIN-SLOT)."""
    domains = schemas.group(
        (domain, {"value": name, "children": [{"value": value} for value in children]})
        for (domain, _, name), children in (
            (slot.partition("-"), children) for slot, children in values.items()
        )
    )
    return [{"value": domain, "children": slots} for domain, slots in domains.items()]


def leaves(tree: object, path: tuple[str, ...] = ()) -> set[str]:
    """Return the slot-values (DOMAIN-SLOT-VALUE) of a tree; what is no branch has none."""
    values: set[str] = set()
    for branch in tree if isinstance(tree, list) and len(path) < 3 else ():
        if isinstance(branch, dict) and isinstance(branch.get("value"), str):
            below = (*path, branch["value"])
            is_leaf = "children" not in branch
            values |= {"-".join(below)} if is_leaf else leaves(branch["children"], below)
    return values
