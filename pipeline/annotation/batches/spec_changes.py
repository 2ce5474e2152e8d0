"""What a spec asks otherwise than when a batch was made, and what becomes of the votes in it.

A batch keeps what its annotators were asked in spec.json. Batches made before it was kept have
none: of these only the digest of the spec tells that it changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.annotation.batches.batch import Card, folder_of, list_batches
from pipeline.contracts.spec import TaskSpec
from pipeline.core import store
from pipeline.core.errors import SpecError
from pipeline.core.files import MOST_BYTES, regular_file
from pipeline.core.jsontext import canonical, parsed
from pipeline.core.wording import count

#: The file of a batch that has what was asked.
FILE: Final = "spec.json"
#: What annotators see of a spec, and what decides which answers they can give.
_VISIBLE: Final = ("title", "instruction", "labels", "slots", "scale", "rounds", "reports")
_UNKNOWN: Final = "something, which the batch did not keep"


def keep_spec(folder: Path, spec: TaskSpec) -> None:
    """Write into the folder of a batch what its annotators are asked."""
    store.write_json(folder / FILE, _visible_part(spec))


def batch_notes(work: Path, spec: TaskSpec) -> Iterator[str]:
    """Yield what a user has to know of main batches that were made by another spec."""
    for card in _main_batches(work, spec):
        votes = count(_votes(work, card).num_rows, "vote")
        if not spec.accepts(card.spec):
            yield (
                f"batch {card.name} was made by {card.spec}, which {spec.name} rules out: its"
                f" {votes} will not count, and the same items are exported again"
            )
        elif changes := _changes(work, card, spec):
            yield (
                f"the spec changed after batch {card.name} was made: {'; '.join(changes)}; the"
                f" batch and its {votes} stay as they are. To have the items annotated anew, raise"
                f" the version of the spec to {_next_minor(spec)}; where the meaning is the same,"
                " nothing need be done"
            )


def require_labels(work: Path, spec: TaskSpec) -> None:
    """Raise SpecError for a label that a spec no longer has, while votes of a batch name it."""
    for card in _main_batches(work, spec):
        before = _read_visible_part(work, card) if spec.accepts(card.spec) else None
        gone = sorted(_labels(before or {}).keys() - _labels(_visible_part(spec)).keys())
        answers = _votes(work, card)["label"] if gone else None
        for label in gone:
            many = pc.sum(pc.match_substring(answers, canonical(label))).as_py() or 0
            if many:
                raise SpecError(
                    f"{spec.name}: labels: {label!r} is gone, but {count(many, 'vote')} of batch"
                    f" {card.name} name it; put it back, or raise the version of the spec to"
                    f" {_next_minor(spec)}, so that a new batch is made"
                )


def _main_batches(work: Path, spec: TaskSpec) -> Iterator[Card]:
    return (card for card in list_batches(work, spec.task) if card.kind == "main")


def _votes(work: Path, card: Card) -> pa.Table:
    path = folder_of(work, card.task, card.name) / "votes.parquet"
    return store.read_table(path, "votes", ("label",))


def _visible_part(spec: TaskSpec) -> dict[str, Any]:
    return spec.model_dump(mode="json", include=set(_VISIBLE))


def _read_visible_part(work: Path, card: Card) -> dict[str, Any] | None:
    """Return what a batch kept of its spec; None where there is nothing, or nothing readable."""
    path = folder_of(work, card.task, card.name) / FILE
    try:
        kept: dict[str, Any] = parsed(regular_file(path, most=MOST_BYTES).read_text("utf-8"))
        _labels(kept)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None
    return kept


def _changes(work: Path, card: Card, spec: TaskSpec) -> list[str]:
    if card.spec_digest == spec.digest:
        return []
    before, now = _read_visible_part(work, card), _visible_part(spec)
    if before is None:
        return [_UNKNOWN]
    old, new = _labels(before), _labels(now)
    changes = [f"label {label} is gone" for label in old if label not in new]
    changes += [f"label {label} is new" for label in new if label not in old]
    changes += [
        f"label {label} has another title or description"
        for label in new
        if label in old and old[label] != new[label]
    ]
    others = [key for key in _VISIBLE if key != "labels" and before.get(key) != now.get(key)]
    return [*changes, *([f"other {', '.join(others)}"] if others else [])]


def _labels(spec: Mapping[str, Any]) -> dict[str, Any]:
    return {label["id"]: label for label in spec.get("labels", ())}


def _next_minor(spec: TaskSpec) -> str:
    major, minor, _ = spec.version.split(".")
    return f"{major}.{int(minor) + 1}.0"
