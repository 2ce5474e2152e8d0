"""Words that give the label away, and the words that two texts share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import log, sqrt
from typing import Any, Final

import pyarrow as pa

from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.splits import SPLITS
from pipeline.core.ids import draw
from pipeline.core.morphology import readings
from pipeline.report.quality.artefacts import table_section
from pipeline.report.quality.statistics import iter_rows
from pipeline.report.record import Cell, Column, Section

#: Examples of a split that are analysed at most; a keyed draw of them stands for more.
MOST: Final = 10_000
#: Words of fewer examples are not shown: they may be of one person. Nor are means of fewer
#: examples of test: they would show which of them has what answer.
LEAST: Final = 5
TOP: Final = 10
#: Gururangan et al. add 100 to each count among the 550,152 hypotheses of SNLI's train split; here
#: it falls with the square root of the number of examples, as the error of a count does.
_ADDED: Final = 100
_AMONG: Final = 550_152
#: What the dictionary calls a person's name.
_NAME: Final = "인명"
#: Marks; Latin letters and Chinese characters, which are tagged as such too, are words.
_MARKS: Final = ("SF", "SE", "SSO", "SSC", "SC", "SY", "SN", "UNKNOWN")


def some(
    examples: pa.Table, split: str, *columns: str, most: int = MOST
) -> Iterator[tuple[Any, ...]]:
    """Yield columns of the examples of a split, or of so many of them by keyed draw.

    Without names the columns are fields and label.
    """
    import pyarrow.compute as pc

    names = columns or ("fields", "label")
    chosen = pc.equal(examples["split"], split)
    if pc.sum(chosen, min_count=0).as_py() > most:
        ids = examples["id"].filter(chosen).to_pylist()
        drawn = sorted(ids, key=lambda name: (draw(0, "artefacts", name), name))[:most]
        is_drawn = pc.is_in(examples["id"], value_set=pa.array(drawn, pa.string()))
        chosen = pc.and_(chosen, is_drawn)
    yield from iter_rows(examples.select(names).filter(chosen), *names)


def content(text: str) -> list[str]:
    """Return the morphemes of a text as FORM/TAG without particles, endings and marks."""
    return [
        f"{form}/{tag}" for form, tag, _ in _parts(text) if tag[0] not in "JE" and tag not in _MARKS
    ]


def showable(text: str) -> set[str]:
    """Return the distinct morphemes of a text that may be shown: no digits, no persons' names."""
    return {
        f"{form}/{tag}"
        for form, tag, is_name in _parts(text)
        if not is_name and tag not in _MARKS and not any(letter.isdigit() for letter in form)
    }


@lru_cache(maxsize=1 << 4)
def _parts(text: str) -> tuple[tuple[str, str, bool], ...]:
    """Return form, tag and whether it is a person's name of all parts of morphemes (cached).

    Several measures look at one text in turn.
    """
    return tuple(
        (form, tag, reading.meaning == _NAME)
        for reading in readings(text)
        for form, tag in reading.parts
    )


def association(examples: pa.Table, spec: TaskSpec, *, field: str) -> Section | None:
    """Return the words of a field that go with each label, by pointwise mutual information.

    They are counted in train, or in dev where there is no train; never in test.
    """
    split = next((name for name in SPLITS[:2] if name in examples["split"].to_pylist()), None)
    if split is None:
        return None
    view = TASKS[spec.task].view
    pairs = ((fields[field], view(label)) for fields, label in some(examples, split))
    rows, added = _rows(pairs, spec.ids())
    title = "Words that give the label away"
    name = f"artefacts-{spec.task}-words"
    columns = [
        *(Column("label", "text"), Column("word", "text"), Column("PMI", "three")),
        *(Column("examples"), Column("of the label's", "share")),
    ]
    note = (
        "The first word of every label, then the second, and so on; the capitals name the part of"
        " speech (NN nouns, VV verbs, VA adjectives, MA adverbs, E endings)."
        f" {added} added to every count; words of fewer than {LEAST} examples, words with digits"
    )
    lead = (
        f"The {TOP} morphemes of a {field} in {split} that go most with one label (PMI: pointwise"
        " mutual information, smoothed; 0 is no tie). A word that is high and frequent is a cue"
        " that a model can use without the rest."
    )
    if not rows:
        return Section(name, title, lead, tables=[])
    note = f"{note} and names of persons are left out."
    return table_section(name, title, lead, columns, rows, note=note, long=True)


def _rows(texts: Iterable[tuple[str, str]], order: tuple[str, ...]) -> tuple[list[list[Cell]], int]:
    sizes: Counter[str] = Counter()
    places = {label: place for place, label in enumerate(order)}
    pairs: dict[str, list[int]] = {}
    for text, label in texts:
        sizes[label] += 1
        for word in showable(text):
            pairs.setdefault(word, [0] * len(order))[places[label]] += 1
    added = max(1, round(_ADDED * sqrt(sizes.total() / _AMONG)))
    ranked: list[tuple[int, int, list[Cell]]] = []
    for label, place in places.items():
        scores = pmi(pairs, place, added, labels=len(sizes)) if sizes[label] else {}
        for rank, word in enumerate(sorted(scores, key=lambda word: (-scores[word], word))[:TOP]):
            many = pairs[word][place]
            row: list[Cell] = [label, word, scores[word], many, round(many / sizes[label], 6)]
            ranked += [(rank, place, row)] if many else []
    return [row for _, _, row in sorted(ranked, key=lambda entry: entry[:2])], added


def pmi(
    pairs: Mapping[str, Sequence[int]], label: int, added: float, *, labels: int
) -> dict[str, float]:
    """Return log(p(word, label) / p(word) p(label)) of the words of `LEAST` examples or more.

    `pairs` counts the examples of a word by label; `label` is the place of one of them, `added` is
    added to each of the counts of `labels` labels.
    """
    within = sum(counts[label] + added for counts in pairs.values())
    totals = {word: sum(counts) for word, counts in pairs.items()}
    whole = sum(totals.values()) + added * labels * len(totals)
    return {
        word: round(
            log((pairs[word][label] + added) * whole / ((total + added * labels) * within)), 6
        )
        for word, total in totals.items()
        if total >= LEAST
    }


def share(text: str, other: str) -> float | None:
    """Return which share of a text's morphemes stands in the other; None where it has none.

    Particles, endings and marks are left out, as in Section 3.7.3.
    """
    words, known = content(text), set(content(other))
    return sum(word in known for word in words) / len(words) if words else None


def jaccard(left: str, right: str) -> float:
    """Return the Jaccard similarity of two texts' morphemes; 0 where neither has any."""
    a, b = set(content(left)), set(content(right))
    return len(a & b) / len(a | b) if a | b else 0.0


def is_shown(split: str, numbers: Sequence[float]) -> bool:
    """Return whether the mean of numbers of a split may be shown: of test not that of a few."""
    return len(numbers) >= (LEAST if split == "test" else 1)


def mean(shares: Sequence[float]) -> float:
    """Return the mean of shares, to 1e-6."""
    return round(sum(shares) / len(shares), 6)
