"""Labelled comments, and thresholds for a detector that are proposed from them.

Comments are TSV without quoting, as the Korean hate speech data has them.

    comments                the text
    contain_gender_bias     True or False
    bias                    none, gender or others
    hate                    none, offensive or hate
    source                  optional: where the text comes from, for thresholds by source

Source: Moon, Cho and Lee (2020), "BEEP! Korean Corpus of Online News Comments for Toxic Speech
Detection", https://aclanthology.org/2020.socialnlp-1.4

A proposal is the lowest threshold, in steps of 0.01, at which the wanted share of what is dropped
deserves it (precision), if at least MIN_FLAGGED texts reach it: below that, precision is luck.

The default is 0.8, not 0.9 or more: sentences are plentiful and a harmless one that is dropped
costs nothing but itself, while each toxic one that stays reaches annotators and readers. Far below
0.8 the filter would begin to empty whole subjects, since it takes names of groups for toxicity.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa

from pipeline.core import steps
from pipeline.core.errors import InputError
from pipeline.core.files import refuse
from pipeline.core.io.column_names import show_names
from pipeline.core.io.streams import read_text_lines
from pipeline.core.wording import count, verb
from pipeline.corpus.toxicity.scoring import COLUMNS, Detector, judge

HATE_CLASSES: Final = ("none", "offensive", "hate")
FIELDS: Final = ("comments", "contain_gender_bias", "bias", "hate")
OPTIONAL: Final = ("source",)
#: The only values that a labelling column may have.
VALUES: Final[dict[str, tuple[str, ...]]] = {
    "contain_gender_bias": ("True", "False"),
    "bias": ("none", "gender", "others"),
    "hate": HATE_CLASSES,
}
#: A line above this many bytes is refused rather than held in memory.
MAX_LINE: Final = 1 << 20


@dataclass(frozen=True)
class Labelled:
    """Comments with their labels; `hate` holds numbers of HATE_CLASSES."""

    texts: pa.Array
    gender_bias: np.ndarray[Any, np.dtype[np.bool_]]
    hate: np.ndarray[Any, np.dtype[np.int64]]
    other_bias: np.ndarray[Any, np.dtype[np.bool_]]
    sources: tuple[str, ...] | None = None

    def __len__(self) -> int:
        return len(self.texts)


def read_labelled(path: Path) -> Labelled:
    """Read labelled comments.

    Raises InputError with ``file:line`` for a column or a value that is not as listed above, and
    for a file that is missing, empty or not UTF-8. No message holds a text.
    """
    rows = list(_read_rows(path))
    if not rows:
        raise InputError(f"{path}: holds no comments; give a file with at least one labelled one")
    has_sources = "source" in rows[0]
    if has_sources and (missing := sum(not row["source"] for row in rows)):
        raise InputError(
            f"{path}: {missing:,} of {count(len(rows), 'row')} {verb(missing, 'has', 'have')} no"
            " source;"
            " give it in every row or in none"
        )
    return Labelled(
        texts=pa.array([row["comments"] for row in rows], pa.string()),
        gender_bias=np.array([row["contain_gender_bias"] == "True" for row in rows]),
        hate=np.array([HATE_CLASSES.index(row["hate"]) for row in rows], dtype=np.int64),
        other_bias=np.array([row["bias"] == "others" for row in rows]),
        sources=tuple(row["source"] for row in rows) if has_sources else None,
    )


def _read_rows(path: Path) -> Iterator[dict[str, str]]:
    header: list[str] = []
    for number, line in read_text_lines(path, MAX_LINE):
        values, where = line.split("\t"), f"{path}:{number}"
        if not header:
            header = values
            _check_columns(where, header)
            continue
        refuse(
            where,
            (
                len(values) != len(header),
                f"{count(len(values), 'column')}, the header has {len(header)}; columns are"
                " separated by one"
                " tab, and no quotes are read",
            ),
        )
        row = dict(zip(header, values, strict=True))
        refuse(
            where,
            *(
                (row[name] not in allowed, f"{name}: unknown value; allowed: {', '.join(allowed)}")
                for name, allowed in VALUES.items()
            ),
            (not row["comments"].strip(), "comments: empty; remove the row"),
        )
        yield row


def _check_columns(where: str, names: list[str]) -> None:
    missing = [name for name in FIELDS if name not in names]
    unknown = len([name for name in names if name not in (*FIELDS, *OPTIONAL)])
    if missing or unknown or len(set(names)) != len(names):
        fault = (
            f"missing {', '.join(missing)}; it has: {show_names(names)}"
            if missing
            else f"{unknown} unknown or given twice"
        )
        raise InputError(
            f"{where}: columns: {fault}; allowed: {', '.join(FIELDS)} and optionally"
            f" {', '.join(OPTIONAL)}"
        )


PRECISION: Final = 0.8
MIN_FLAGGED: Final = 10
#: The thresholds of Section 2.3.
PAPER: Final = {"gender_bias": 0.5, "hate": 0.9}
#: Stands for the source of texts that name none.
UNNAMED: Final = "SOURCE"

Values = np.ndarray[Any, np.dtype[np.float64]]
Truth = np.ndarray[Any, np.dtype[np.bool_]]


@dataclass(frozen=True)
class Figures:
    """What a threshold does: shares of texts; precision and recall are None where undefined."""

    threshold: float
    precision: float | None
    recall: float | None
    dropped: float


@dataclass(frozen=True)
class Proposal:
    """One score of one source: at the paper's threshold, and at a better one if there is any."""

    source: str
    score: str
    texts: int
    positives: int
    paper: Figures
    proposed: Figures | None

    @property
    def threshold(self) -> float:
        """The proposed threshold or, without one, the paper's."""
        return (self.proposed or self.paper).threshold


def measure(scores: Values, truth: Truth, threshold: float) -> Figures:
    """Return what a threshold does; a score at the threshold is over it."""
    flagged = scores >= threshold
    hits, n, positives = int((flagged & truth).sum()), int(flagged.sum()), int(truth.sum())
    return Figures(
        threshold=threshold,
        precision=round(hits / n, 4) if n else None,
        recall=round(hits / positives, 4) if positives else None,
        dropped=round(n / len(scores), 4),
    )


def propose(scores: Values, truth: Truth, *, precision: float = PRECISION) -> Figures | None:
    """Return the lowest threshold that reaches a precision, or None."""
    for threshold in (np.arange(1, 100) / 100).tolist():
        flagged = scores >= threshold
        n = int(flagged.sum())
        if n < MIN_FLAGGED:
            return None
        if int((flagged & truth).sum()) >= precision * n:
            return measure(scores, truth, threshold)
    return None


def calibrate(
    labelled: Labelled, detector: Detector, *, precision: float = PRECISION
) -> list[Proposal]:
    """Propose thresholds for every source of the labelled texts, in order of their names.

    Raises InputError for a precision outside (0, 1].
    """
    if not 0 < precision <= 1:
        raise InputError(f"precision {precision:g} must be above 0 and at most 1")
    parts = [judge(detector, part) for part in steps.sliced("texts", labelled.texts)]
    scores, truths = pa.concat_tables(parts), truth_of(labelled)
    sources = np.array(labelled.sources or [UNNAMED] * len(labelled))
    proposals = []
    for source in sorted(set(sources.tolist())):
        rows = sources == source
        for name in COLUMNS:
            values, truth = scores.column(name).to_numpy()[rows], truths[name][rows]
            proposals.append(
                Proposal(
                    source=source,
                    score=name,
                    texts=int(rows.sum()),
                    positives=int(truth.sum()),
                    paper=measure(values, truth, PAPER[name]),
                    proposed=propose(values, truth, precision=precision),
                )
            )
    return proposals


def truth_of(labelled: Labelled) -> dict[str, Truth]:
    """Return for each score which texts it should find: of the classes of hate, `hate` alone."""
    return {
        "gender_bias": labelled.gender_bias,
        "hate": labelled.hate == HATE_CLASSES.index("hate"),
    }


def fragment(proposals: list[Proposal], detector: str, *, precision: float) -> str:
    """Return the part of a build file that applies the proposals."""
    lines = ["toxicity:", f"  detector: {detector}", "  thresholds:"]
    for source in sorted({proposal.source for proposal in proposals}):
        of_source = [proposal for proposal in proposals if proposal.source == source]
        pairs = ", ".join(f"{p.score}: {p.threshold:g}" for p in of_source)
        lacking = [p.score for p in of_source if p.proposed is None]
        note = (
            f"  # no threshold for {' and '.join(lacking)} reaches precision {precision:g};"
            " this is the paper's"
            if lacking
            else ""
        )
        lines.append(f"    {source}: {{{pairs}}}{note}")
    return "\n".join(lines)
