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
from pipeline.tasks.ner import official as entities

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

    Raises InputError for a file that cannot be used, with the line, for one that is given twice,
    and for texts without any span.
    """
    for n, path in enumerate(paths):
        if path.resolve() in {other.resolve() for other in paths[:n]}:
            raise InputError(f"{path}: is given twice; give each file once")
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
    official = entities.read(path)
    left_out = [one for one in official.problems if not one.rule.startswith("official.kept.")]
    if left_out:
        first = left_out[0]
        raise InputError(
            f"{path}:{first.line}: {first.reason}; {len(left_out):,} of its texts cannot be used:"
            " mend them, or take them out of the file"
        )
    for row in official.items.select(["item", "source", "fields", "gold"]).to_pylist():
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
        row = _object(line)
        text, spans = row["fields"]["text"], tuple(sorted(map(_span, row["gold"])))
        _check(text, spans)
        return Labelled(str(row.get("item", number)), str(row.get("source") or ""), text, spans)
    except ValueError as error:
        raise InputError(
            f'{path}:{number}: {error}; each line is {{"fields": {{"text"}}, "gold": [{{"start",'
            ' "end", "label"}]}'
        ) from None


def _object(line: str) -> dict[str, Any]:
    """Return the object of a line; raises ValueError for one without text and spans."""
    try:
        row = parsed(line)
    except (ValueError, RecursionError):
        raise ValueError("is not one JSON object on one line") from None
    if not isinstance(row, dict):
        raise ValueError("is not one JSON object on one line")
    fields = row.get("fields")
    if not isinstance(fields, dict) or not isinstance(fields.get("text"), str):
        raise ValueError("has no text under fields.text")
    if not isinstance(row.get("gold"), list):
        raise ValueError("has no list of spans under gold")
    return row


def _span(one: Any) -> Span:
    if not isinstance(one, dict) or set(one) != _KEYS:
        raise ValueError("a span has not exactly the keys start, end and label")
    if type(one["start"]) is not int or type(one["end"]) is not int:
        raise ValueError("a span has a start or an end that is no whole number")
    if not isinstance(one["label"], str) or not one["label"]:
        raise ValueError("a span has no label")
    return one["start"], one["end"], one["label"]


def _check(text: str, spans: Sequence[Span]) -> None:
    at = 0
    for start, end, _ in spans:
        if start < at or not start < end <= len(text):
            raise ValueError("spans overlap, are empty, or lie outside the text")
        at = end
