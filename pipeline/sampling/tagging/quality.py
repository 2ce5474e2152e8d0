"""How good a tagger is: entity F1, where an entity is right if type and both ends are.

Source: Section 3.4.2 of the KLUE paper; `macro_f1` is the mean over the types that are in the gold
spans or in the found ones, as the official scorer (seqeval, strict) has it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from pipeline.sampling.tagging.checked import checked
from pipeline.sampling.tagging.labelled import Labelled, Span
from pipeline.sampling.tagging.protocol import Tagger


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
        """The mean of the F1 of the types."""
        return sum(one.f1 for one in self.by_label.values()) / max(len(self.by_label), 1)

    def record(self) -> dict[str, Any]:
        """Return the figures as JSON values."""
        return {
            "texts": self.texts,
            "left_out": self.left_out,
            "micro": self.micro.record(),
            "macro_f1": round(self.macro_f1, 4),
            "by_label": {name: one.record() for name, one in self.by_label.items()},
            "by_source": {name: one.record() for name, one in self.by_source.items()},
        }


def measure(tagger: Tagger, labelled: Sequence[Labelled]) -> Quality:
    """Tag labelled texts and compare; types stand in the tagger's order, then the gold's others."""
    labels = list(tagger.labels)
    labels += sorted({label for one in labelled for _, _, label in one.spans} - set(labels))
    given = checked(tagger, [one.text for one in labelled], labels=labels)
    found = [tuple((m.start, m.end, m.label) for m in one.mentions) for one in given]
    return compare(
        [one.spans for one in labelled],
        found,
        [one.source for one in labelled],
        labels=labels,
        left_out=sum(len(one.left_out) for one in given),
    )


def compare(
    gold: Sequence[Sequence[Span]],
    found: Sequence[Sequence[Span]],
    sources: Sequence[str],
    *,
    labels: Sequence[str],
    left_out: int = 0,
) -> Quality:
    """Compare gold and found spans, text by text."""
    counts: Counter[tuple[str, str, str]] = Counter()
    for wanted, given, source in zip(gold, found, sources, strict=True):
        right = set(wanted) & set(given)
        for kind, spans in (("gold", wanted), ("found", given), ("right", right)):
            for _, _, label in spans:
                counts[kind, "label", label] += 1
                counts[kind, "source", source] += 1
                counts[kind, "all", ""] += 1
    there = [x for x in labels if counts["gold", "label", x] + counts["found", "label", x]]
    return Quality(
        texts=len(gold),
        left_out=left_out,
        micro=_figures(counts, "all", ""),
        by_label={name: _figures(counts, "label", name) for name in there},
        by_source={name: _figures(counts, "source", name) for name in sorted(set(sources))},
    )


def _figures(counts: Counter[tuple[str, str, str]], group: str, name: str) -> Figures:
    return Figures(*(counts[kind, group, name] for kind in ("gold", "found", "right")))
