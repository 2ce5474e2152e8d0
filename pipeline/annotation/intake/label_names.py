"""The labels that votes of no task may have: names, or words that stand for scores.

``--labels yes,no`` names all labels; ``--labels disagree=1,unsure=2,agree=3`` says what words are
on a scale, where words without a number are 1, 2, 3 ... in their order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pipeline.annotation.intake.answers import MULTILABEL
from pipeline.annotation.intake.vote import RawVote, Refused, normal
from pipeline.contracts.task import label_set, mask, wrong
from pipeline.core.errors import InputError, RecordError


@dataclass(frozen=True)
class Measured:
    """The level of measurement of votes of no task, and the labels they may have (empty: any).

    `labels` gives the score of each word on the levels ordinal, interval and ratio; None for names.
    """

    level: str
    labels: Mapping[str, float | None]

    @property
    def allowed(self) -> tuple[str | float, ...]:
        """Return all labels that votes may have as they are compared: names, or scores."""
        return tuple(
            dict.fromkeys(name if score is None else score for name, score in self.labels.items())
        )

    def read(self, raw: Iterable[RawVote | Refused]) -> Iterator[RawVote | Refused]:
        """Yield the votes with scores in place of words; an unknown label is refused."""
        for vote in raw:
            if not self.labels or isinstance(vote, Refused) or vote.value.get("label") is None:
                yield vote
                continue
            try:
                label = self._label(vote.value["label"])
                yield replace(vote, value={**vote.value, "label": label})
            except RecordError as fault:
                item = vote.value.get("item")
                yield Refused(vote.file, vote.line, fault.rule, fault.reason, item)

    def _label(self, label: Any) -> Any:
        if self.level == MULTILABEL:
            return [self._known(name) for name in sorted(label_set(label))]
        is_number = isinstance(label, int | float) and not isinstance(label, bool)
        if is_number and label in self.labels.values():
            return label
        name = self._known(str(label) if is_number else label)
        score = self.labels[name]
        return name if score is None else score

    def _known(self, label: Any) -> str:
        name = normal(label) if isinstance(label, str) else ""
        if name not in self.labels:
            allowed = ", ".join(self.labels)
            reason = f"the label is {mask(label)}, which is not in --labels; allowed: {allowed}"
            raise wrong("label", reason)
        return name


def parse_labels(text: str | None, level: str | None) -> Measured | None:
    """Return how labels are read, from ``--labels`` and ``--level``; None for neither.

    The level of labels alone is nominal, with scores ordinal. Raises InputError.
    """
    if text is None:
        return None if level is None else Measured(level, {})
    labels: dict[str, float | None] = {}
    for part in text.split(","):
        name, sign, number = part.rpartition("=") if "=" in part else (part, "", "")
        name = normal(name)
        if not name or name in labels:
            problem = "is named twice" if name else "names no label"
            raise InputError(f"--labels {part.strip()!r}: {problem}; give NAME,NAME or WORD=SCORE")
        labels[name] = _score(part, number) if sign else None
    scored = [name for name, score in labels.items() if score is not None]
    if scored and len(scored) < len(labels):
        raise InputError("--labels: only some have a score; give every word one, or none")
    level = level or ("ordinal" if scored else "nominal")
    if scored and level in ("nominal", MULTILABEL):
        raise InputError(f"--labels: scores need --level ordinal, interval or ratio, not {level}")
    if not scored and level not in ("nominal", MULTILABEL):
        labels = {name: float(place) for place, name in enumerate(labels, 1)}
    return Measured(level, {name: _plain(score) for name, score in labels.items()})


def _plain(score: float | None) -> float | None:
    return int(score) if score is not None and score.is_integer() else score


def _score(part: str, number: str) -> float:
    try:
        score = float(number)
    except ValueError:
        score = float("nan")
    if not abs(score) <= 10**15:
        raise InputError(f"--labels {part.strip()!r}: the score of a word is a number, as in bad=1")
    return score
