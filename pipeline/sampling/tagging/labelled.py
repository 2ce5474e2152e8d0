"""Texts with the entities that people marked in them: what a tagger is trained and measured on.

Two forms are read: the TSV of KLUE-NER, and this project's JSONL of items, one object a line with
``fields.text`` and ``gold``, a list of ``{"start", "end", "label"}`` (code points, end exclusive).
Any types will do: a tagger of other types is trained the same way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pipeline.core.errors import InputError
from pipeline.core.ids import draw
from pipeline.core.jsontext import parsed
from pipeline.tasks.klue import entities

Span = tuple[int, int, str]
_KEYS: Final = frozenset({"start", "end", "label"})
#: The purpose of the draw that parts texts.
_PURPOSE: Final = "tagger.held_out"


@dataclass(frozen=True)
class Labelled:
    """A text with its spans (start, end, label), in order and without overlap."""

    item: str
    source: str
    text: str
    spans: tuple[Span, ...]


def read(paths: Sequence[Path]) -> list[Labelled]:
    """Read files, told apart by their ending; the texts stand in the order of their ids.

    Raises InputError for a file that cannot be used, with the line, and for texts without any span.
    """
    found = [one for path in paths for one in _read(path)]
    found.sort(key=lambda one: (one.item, one.text, one.spans))
    if not any(one.spans for one in found):
        raise InputError(
            f"{', '.join(map(str, paths))}: no text with an entity; give KLUE-NER as TSV, or JSONL"
            ' with {"fields": {"text"}, "gold": [{"start", "end", "label"}]}'
        )
    return found


def parted(
    found: Sequence[Labelled], share: float, *, seed: int
) -> tuple[list[Labelled], list[Labelled]]:
    """Return what to train on, and a share that is held out by keyed draw; equal texts together.

    Raises InputError for a share outside (0, 1), and when a part would be empty.
    """
    if not 0 < share < 1:
        raise InputError(f"the share held out is {share:g}; it must lie between 0 and 1")
    apart = [draw(seed, _PURPOSE, one.text) < share for one in found]
    kept = [one for one, out in zip(found, apart, strict=True) if not out]
    held = [one for one, out in zip(found, apart, strict=True) if out]
    if not any(one.spans for one in kept) or not any(one.spans for one in held):
        raise InputError(
            f"{len(found):,} texts are too few to hold out a share of {share:g}: a part has no"
            " entity; give more texts"
        )
    return kept, held


def is_official(path: Path) -> bool:
    """Tell whether a file is read as KLUE-NER."""
    return path.suffix.lower() == ".tsv"


def _read(path: Path) -> Iterator[Labelled]:
    if is_official(path):
        yield from _official(path)
    elif path.suffix.lower() in {".jsonl", ".ndjson"}:
        yield from _lines(path)
    else:
        raise InputError(f"{path}: unknown form; allowed: .tsv (KLUE-NER), .jsonl (items)")


def _official(path: Path) -> Iterator[Labelled]:
    table = entities.read(path).items
    for row in table.select(["item", "source", "fields", "gold"]).to_pylist():
        text, gold = parsed(row["fields"])["text"], parsed(row["gold"])
        spans = tuple((one["start"], one["end"], one["label"]) for one in gold)
        yield Labelled(row["item"], row["source"] or "", text, spans)


def _lines(path: Path) -> Iterator[Labelled]:
    try:
        with path.open(encoding="utf-8-sig") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield _labelled(path, number, line)
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 (byte {error.start}); save it as UTF-8") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}; check the path") from None


def _labelled(path: Path, number: int, line: str) -> Labelled:
    try:
        row = parsed(line)
        text, spans = row["fields"]["text"], tuple(sorted(map(_span, row["gold"])))
        if not isinstance(text, str):
            raise ValueError("the text is no string")
        _check(text, spans)
        return Labelled(str(row.get("item", number)), str(row.get("source") or ""), text, spans)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        what = f"lacks {error}" if isinstance(error, KeyError) else _told(error)
        raise InputError(
            f'{path}:{number}: {what}; each line is {{"fields": {{"text"}}, "gold": [{{"start",'
            ' "end", "label"}]}'
        ) from None


def _told(error: Exception) -> str:
    return str(error) if type(error) is ValueError else "is not such an object"


def _span(one: Any) -> Span:
    if not isinstance(one, dict) or set(one) != _KEYS or not isinstance(one["label"], str):
        raise ValueError("a span is no object with start, end and label")
    if type(one["start"]) is not int or type(one["end"]) is not int or not one["label"]:
        raise ValueError("a span has a start or an end that is no whole number, or no label")
    return one["start"], one["end"], one["label"]


def _check(text: str, spans: Sequence[Span]) -> None:
    at = 0
    for start, end, _ in spans:
        if start < at or not start < end <= len(text):
            raise ValueError("spans overlap, are empty, or lie outside the text")
        at = end
