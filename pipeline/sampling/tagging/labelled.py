"""Texts with the entities that people marked in them, and how well a tagger finds these.

Two forms are read: an official TSV of a task whose answers are spans, and this project's JSONL
of items, one object a line with ``fields.text`` and ``gold``, a list of ``{"start", "end",
"label"}`` (code points, end exclusive). Any types will do: a tagger of other types is trained the
same way.

A tagger is measured by entity F1, where an entity is right if type and both ends are (Section 3.4.2
of the KLUE paper).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pipeline.contracts.official.files import detect_task, read_official
from pipeline.core import steps
from pipeline.core.errors import InputError
from pipeline.core.files import refuse
from pipeline.core.io.jsonl import read_objects
from pipeline.core.jsontext import parsed
from pipeline.sampling.tagging.registry import Tagger, tag_checked

Span = tuple[int, int, str]


@dataclass(frozen=True, order=True)
class Labelled:
    """A text with its spans (start, end, label), in order and without overlap."""

    item: str
    source: str
    text: str
    spans: tuple[Span, ...]


def read(path: Path) -> list[Labelled]:
    """Read a file, told apart by its ending; the texts stand in the order of their ids.

    Raises InputError for a file that cannot be used, with the line, and for texts without any span.
    """
    form = path.suffix.lower()
    if form not in {".tsv", ".jsonl", ".ndjson"}:
        refuse(
            path,
            (not path.is_file(), "is a folder; give a file" if path.is_dir() else "no such file"),
            (True, "unknown form; allowed: .tsv (KLUE-NER), .jsonl (items)"),
        )
    items = (_item(path, number, row) for number, row in read_objects(path))
    texts = sorted(_read_official(path) if form == ".tsv" else items)
    if not any(text.spans for text in texts):
        raise InputError(
            f"{path}: no text with an entity; give KLUE-NER as TSV, or JSONL"
            ' with {"fields": {"text"}, "gold": [{"start", "end", "label"}]}'
        )
    return texts


def _read_official(path: Path) -> Iterator[Labelled]:
    task = detect_task(path)
    file = read_official(task, path)
    problems = [p for p in file.problems if not p.rule.startswith("official.kept.")]
    if problems:
        raise InputError(
            f"{path}:{problems[0].line}: {problems[0].reason}; {len(problems):,} of its texts"
            " cannot be used: mend them, or take them out of the file"
        )
    for row in file.items.select(["item", "source", "fields", "gold"]).to_pylist():
        try:
            spans = tuple(map(_span, parsed(row["gold"])))
        except ValueError:
            raise InputError(f"{path}: its answers ({task}) are no spans; give KLUE-NER") from None
        yield Labelled(row["item"], row["source"] or "", parsed(row["fields"])["text"], spans)


def _item(path: Path, number: int, row: dict[str, Any]) -> Labelled:
    try:
        fields, gold = row.get("fields"), row.get("gold")
        if not isinstance(fields, dict) or not isinstance(fields.get("text"), str):
            raise ValueError("has no text under fields.text")
        if not isinstance(gold, list):
            raise ValueError("has no list of spans under gold")
        text, spans = fields["text"], tuple(sorted(map(_span, gold)))
        at = 0
        for start, end, _ in spans:
            if start < at or not start < end <= len(text):
                raise ValueError("spans overlap, are empty, or lie outside the text")
            at = end
    except ValueError as error:
        raise InputError(
            f'{path}:{number}: {error}; each line is {{"fields": {{"text"}}, "gold": [{{"start",'
            ' "end", "label"}]}'
        ) from None
    return Labelled(str(row.get("item", number)), str(row.get("source") or ""), text, spans)


def _span(value: Any) -> Span:
    if not isinstance(value, dict) or set(value) != {"start", "end", "label"}:
        raise ValueError("a span has not exactly the keys start, end and label")
    if type(value["start"]) is not int or type(value["end"]) is not int:
        raise ValueError("a span has a start or an end that is no whole number")
    if not isinstance(value["label"], str) or not value["label"]:
        raise ValueError("a span has no label")
    return value["start"], value["end"], value["label"]


@dataclass(frozen=True)
class Figures:
    """Counts of entities: in the gold, found, and right; and the shares these give."""

    gold: int
    found: int
    right: int

    @property
    def precision(self) -> float:
        """The share of the found entities that is right; 0 when none is found."""
        return self.right / self.found if self.found else 0.0

    @property
    def recall(self) -> float:
        """The share of the gold entities that is found; 0 when there is none."""
        return self.right / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of the two."""
        return 2 * self.right / (self.gold + self.found) if self.gold + self.found else 0.0

    def record(self) -> dict[str, Any]:
        """Return counts and shares as JSON values."""
        shares = {"precision": self.precision, "recall": self.recall, "f1": self.f1}
        return asdict(self) | {name: round(value, 4) for name, value in shares.items()}


@dataclass(frozen=True)
class Quality:
    """The figures over all texts, by type, and by source; `left_out` mentions were malformed."""

    texts: int
    left_out: int
    micro: Figures
    by_label: dict[str, Figures]
    by_source: dict[str, Figures]

    @property
    def macro_f1(self) -> float:
        """The mean F1 of the types in the gold or found spans, as the official scorer has it."""
        return sum(score.f1 for score in self.by_label.values()) / max(len(self.by_label), 1)

    def record(self) -> dict[str, Any]:
        """Return the figures as JSON values."""
        return {
            "texts": self.texts,
            "left_out": self.left_out,
            "micro": self.micro.record(),
            "macro_f1": round(self.macro_f1, 4),
            "by_label": {name: score.record() for name, score in self.by_label.items()},
            "by_source": {name: score.record() for name, score in self.by_source.items()},
        }


def measure(tagger: Tagger, texts: Sequence[Labelled]) -> Quality:
    """Tag labelled texts and compare; types stand in the tagger's order, then the gold's others."""
    labels = list(tagger.labels)
    labels += sorted({label for text in texts for _, _, label in text.spans} - set(labels))
    tagged = [
        tagging
        for part in steps.sliced("texts", texts)
        for tagging in tag_checked(tagger, [text.text for text in part], labels=labels)
    ]
    predicted = [[(m.start, m.end, m.label) for m in tagging.mentions] for tagging in tagged]
    left_out = sum(len(tagging.left_out) for tagging in tagged)
    return compare(texts, predicted, labels=labels, left_out=left_out)


def compare(
    texts: Sequence[Labelled],
    predicted: Sequence[Sequence[Span]],
    *,
    labels: Sequence[str],
    left_out: int = 0,
) -> Quality:
    """Compare the spans of labelled texts with those found in them, text by text."""
    counts: Counter[tuple[str, str, str]] = Counter()
    for text, spans in zip(texts, predicted, strict=True):
        right = set(text.spans) & set(spans)
        for kind, some in (("gold", text.spans), ("found", spans), ("right", right)):
            for _, _, label in some:
                counts.update(
                    [(kind, "label", label), (kind, "source", text.source), (kind, "all", "")]
                )

    def figures(group: str, name: str) -> Figures:
        return Figures(*(counts[kind, group, name] for kind in ("gold", "found", "right")))

    used = [x for x in labels if counts["gold", "label", x] + counts["found", "label", x]]
    return Quality(
        texts=len(texts),
        left_out=left_out,
        micro=figures("all", ""),
        by_label={name: figures("label", name) for name in used},
        by_source={name: figures("source", name) for name in sorted({t.source for t in texts})},
    )
