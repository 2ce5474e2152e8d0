"""Prompts of a task without the part `prompts`, by its kind of answer.

    category   one of the labels, by its title        accuracy, macro F1
    labels     titles of labels, with commas between  (generated only)
    number     a number on the scale                  (generated only)
    spans      lines of type and words                (generated only)

A span is a line such as `PS: 홍길동`. It is the first place after the span before at which the
words stand, or else the first free one; `#2` behind the words names their second place. A text that
cannot be read counts as no span, or where there is none as one over the whole text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from pipeline.scoring.harness.prompts import (
    NOTHING,
    Doc,
    Payloads,
    Prompt,
    Prompts,
    answer_lines,
    class_scores,
    classes,
    read_word,
)

_SPAN = re.compile(r"([^:]+?)\s*: ?(.+?)(?: #(\d{1,4}))?")
_NUMERAL = re.compile(r"(-?\d{1,6}(?:\.\d{1,12})?)\s*점?\.?")


def prompts(task: Any) -> Prompts | None:
    """Return the prompts of a task; None for a kind of answer without a default."""
    names = {name: task.titles.get(name, name) for name in task.fields}
    return prompts_of_kind(task.kind, names) if task.kind in KINDS else None


def prompts_of_kind(kind: str, names: Mapping[str, str]) -> Prompts:
    """Return the prompts of a kind of answer about fields with these titles."""
    return KINDS[kind](names)


def _texts(names: Mapping[str, str], doc: Doc) -> str:
    return "\n".join(f"{title}: {doc.fields[name]}" for name, title in names.items())


def _title_ids(labels: Mapping[str, str]) -> dict[str, str]:
    return {title: name for name, title in labels.items()}


def _category(names: Mapping[str, str]) -> Prompts:
    def ask(doc: Doc) -> str:
        choices = ", ".join(doc.labels.values())
        return f"다음 가운데 하나로 답하세요: {choices}\n{_texts(names, doc)}\n답:"

    def write(gold: str, doc: Doc) -> str:
        return doc.labels[gold]

    def read(text: str, doc: Doc) -> Any:
        return read_word(text, _title_ids(doc.labels))

    return Prompts(
        prompts=(
            Prompt("plain", "mc", ask, write, choices=_title_ids),
            Prompt("plain", "gen", ask, write, read),
        ),
        payloads=lambda gold, answer, _doc: {
            "accuracy": [float(gold == answer), 1.0],
            "macro_f1": classes(gold, answer),
        },
        aggregations={"accuracy": "ratio", "macro_f1": "macro_f1"},
    )


def _label_set(names: Mapping[str, str]) -> Prompts:
    def ask(doc: Doc) -> str:
        choices = ", ".join(doc.labels.values())
        return (
            f"다음 가운데 맞는 것을 모두 쉼표로 나누어 쓰고, 없으면 '{NOTHING}'이라고 쓰세요:"
            f" {choices}\n"
            f"{_texts(names, doc)}\n답:"
        )

    def write(gold: list[str], doc: Doc) -> str:
        return ", ".join(doc.labels[name] for name in gold) or NOTHING

    return Prompts(
        prompts=(Prompt("plain", "gen", ask, write, _read_labels, tokens=64),),
        payloads=_count_labels,
        aggregations={"micro_f1": "ratio", "macro_f1": "macro_f1", "exact_match": "ratio"},
        wrong=lambda gold, doc: [] if gold else list(doc.labels),
    )


def _read_labels(text: str, doc: Doc) -> list[str] | None:
    lines, ids = answer_lines(text), _title_ids(doc.labels)
    if not lines or lines[0] == NOTHING:
        return [] if lines else None
    titles = [title.strip(" .") for title in lines[0].split(",")]
    is_known = len(set(titles)) == len(titles) and ids.keys() >= set(titles)
    return [name for name, title in doc.labels.items() if title in titles] if is_known else None


def _count_labels(gold: list[str], answer: list[str], _doc: Doc) -> Payloads:
    both = sorted(set(gold) & set(answer))
    return {
        "micro_f1": [2.0 * len(both), float(len(gold) + len(answer))],
        "macro_f1": [list(gold), list(answer), both],
        "exact_match": [float(set(gold) == set(answer)), 1.0],
    }


def _number(names: Mapping[str, str]) -> Prompts:
    def ask(doc: Doc) -> str:
        low, high = _ends(doc)
        return f"{low:g}에서 {high:g} 사이의 수로 답하세요.\n{_texts(names, doc)}\n답:"

    def read(text: str, doc: Doc) -> float | None:
        lines, (low, high) = answer_lines(text), _ends(doc)
        number = _NUMERAL.fullmatch(lines[0]) if lines else None
        value = float(number[1]) if number else None
        return value if value is not None and low <= value <= high else None

    return Prompts(
        prompts=(Prompt("plain", "gen", ask, lambda gold, _doc: f"{gold:.12g}", read),),
        payloads=lambda gold, answer, _doc: {"pearson": [gold, answer]},
        aggregations={"pearson": "pearson"},
        wrong=lambda gold, doc: max(_ends(doc), key=lambda end: abs(end - gold)),
        labels=lambda spec: dict.fromkeys((str(spec.scale.low), str(spec.scale.high)), ""),
    )


def _ends(doc: Doc) -> tuple[float, float]:
    low, high = map(float, doc.labels)
    return low, high


def span_prompts(field: str) -> Prompts:
    """Return the prompts of typed spans of the text in a field."""
    return Prompts(
        prompts=(
            Prompt(
                "plain",
                "gen",
                partial(_ask_spans, field),
                partial(_write_spans, field),
                partial(_read_spans, field),
                until=("\n\n",),
                tokens=256,
            ),
        ),
        payloads=partial(_count_spans, field),
        aggregations={"entity_f1": "macro_f1", "char_f1": "char_f1"},
        wrong=partial(_wrong_spans, field),
    )


def _ask_spans(field: str, doc: Doc) -> str:
    kinds = ", ".join(f"{name}({title})" for name, title in doc.labels.items())
    return (
        f"글에 나온 개체를 차례대로 '종류: 말'로 한 줄씩 쓰고, 없으면 '{NOTHING}'이라고 쓰세요.\n"
        f"종류: {kinds}\n"
        f"글: {doc.fields[field]}\n개체:"
    )


def _write_spans(field: str, gold: list[dict[str, Any]], doc: Doc) -> str:
    text, free, lines = doc.fields[field], 0, []
    for span in gold:
        words = text[span["start"] : span["end"]]
        places = _places(text, words)
        is_next = next((p for p in places if p >= free), None) == span["start"]
        number = "" if is_next else f" #{places.index(span['start']) + 1}"
        lines.append(f"{span['label']}: {words}{number}")
        free = span["end"]
    return "\n".join(lines) or NOTHING


def _read_spans(field: str, text: str, doc: Doc) -> list[dict[str, Any]] | None:
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines or [line.strip() for line in lines] == [NOTHING]:
        return [] if lines else None
    spans: list[dict[str, Any]] = []
    for line in lines:
        span = _read_span(line.lstrip(), doc.fields[field], doc.labels, spans)
        if span is None:
            return None
        spans.append(span)
    spans.sort(key=lambda span: span["start"])
    return spans


def _read_span(
    line: str, text: str, labels: Mapping[str, str], before: list[dict[str, Any]]
) -> dict[str, Any] | None:
    match = _SPAN.fullmatch(line) or _SPAN.fullmatch(line.rstrip())
    if match is None or match[1] not in labels:
        return None
    words = match[2] if match[2] in text else match[2].strip()
    places = _places(text, words) if words else []
    if match[3]:
        places = places[int(match[3]) - 1 : int(match[3])] if int(match[3]) else []
    free = [
        place
        for place in places
        if all(place + len(words) <= s["start"] or place >= s["end"] for s in before)
    ]
    last = before[-1]["end"] if before else 0
    start = next((place for place in free if place >= last), free[0] if free else None)
    return (
        start if start is None else {"start": start, "end": start + len(words), "label": match[1]}
    )


def _places(text: str, words: str) -> list[int]:
    return [place for place in range(len(text)) if text.startswith(words, place)]


def _wrong_spans(field: str, gold: list[dict[str, Any]], doc: Doc) -> list[dict[str, Any]]:
    whole = {"start": 0, "end": len(doc.fields[field]), "label": next(iter(doc.labels))}
    return [] if gold else [whole]


def _count_spans(
    field: str, gold: list[dict[str, Any]], answer: list[dict[str, Any]], doc: Doc
) -> Payloads:
    text = doc.fields[field]
    ours, theirs = _tags(text, gold), _tags(text, answer)
    found, given = _entities(ours), _entities(theirs)
    same = [tag for tag, other in zip(ours, theirs, strict=True) if tag == other]
    return {
        "entity_f1": [
            [name for *_, name in found],
            [name for *_, name in given],
            [entity[-1] for entity in found if entity in given],
        ],
        "char_f1": [ours, theirs, same, [str(1 + 2 * len(doc.labels))]],
    }


def _tags(text: str, spans: list[dict[str, Any]]) -> list[str]:
    """Return the tags of all characters but blanks, with the O of [CLS] and [SEP]."""
    tags = ["O"] * len(text)
    for span in spans:
        inside = [f"I-{span['label']}"] * (span["end"] - span["start"] - 1)
        tags[span["start"] : span["end"]] = [f"B-{span['label']}", *inside]
    return ["O", *(tag for char, tag in zip(text, tags, strict=True) if char != " "), "O"]


def _entities(tags: list[str]) -> list[tuple[int, int, str]]:
    """Return start, end and type of what begins with B- and goes on with I- of its type."""
    entities = []
    for start, tag in enumerate(tags):
        if tag.startswith("B-"):
            end = start + 1
            while tags[end] == f"I-{tag[2:]}":
                end += 1
            entities.append((start, end, tag[2:]))
    return entities


def char_f1(payloads: list[Any]) -> float:
    """Return the mean F1 of all tags, x100; a tag that occurs nowhere counts as right."""
    scores, count = class_scores(payloads), int(payloads[0][3][0])
    return 100 * (sum(scores.values()) + count - len(scores)) / count


#: What makes the prompts of each kind of answer.
KINDS: dict[str, Callable[[Mapping[str, str]], Prompts]] = {
    "category": _category,
    "labels": _label_set,
    "number": _number,
    "spans": lambda names: span_prompts(next(iter(names))),
}
