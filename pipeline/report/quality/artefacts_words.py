"""Words that give the label away, and the morphemes that other artefacts are counted in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from math import log, sqrt
from typing import Any, Final

import pyarrow as pa

from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.splits import SPLITS
from pipeline.core.ids import draw
from pipeline.core.morphology import morphemes
from pipeline.report.quality.statistics.rows import each
from pipeline.report.record import Cell, Column, Section, Table

#: Examples of a split that are analysed at most; a keyed draw of them stands for more.
MOST: Final = 10_000
#: Words of fewer examples are not shown: they may be of one person.
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
_TEXTS: Final = {"tc": "title", "nli": "hypothesis"}


def some(examples: pa.Table, split: str, *, most: int = MOST) -> Iterator[tuple[Any, Any]]:
    """Yield fields and label of the examples of a split, or of so many of them by keyed draw."""
    import pyarrow.compute as pc

    own = examples.filter(pc.equal(examples["split"], split))
    if own.num_rows > most:
        names = own.column("id").to_pylist()
        ranked = sorted(range(len(names)), key=lambda i: (draw(0, "artefacts", names[i]), names[i]))
        own = own.take(sorted(ranked[:most]))
    yield from each(own, "fields", "label")


def content(text: str) -> list[str]:
    """Return the morphemes of a text as FORM/TAG without particles, endings and marks."""
    parts = (part for one in morphemes(text) for part in one.parts)
    return [f"{form}/{tag}" for form, tag in parts if tag[0] not in "JE" and tag not in _MARKS]


def showable(text: str) -> set[str]:
    """Return the distinct morphemes of a text that may be shown: no digits, no persons' names."""
    parts = (part for one in morphemes(text) if one.meaning != _NAME for part in one.parts)
    return {
        f"{form}/{tag}"
        for form, tag in parts
        if tag not in _MARKS and not any(letter.isdigit() for letter in form)
    }


def association(examples: pa.Table, spec: TaskSpec) -> Section | None:
    """Return the words that go with each label, by pointwise mutual information.

    They are counted in train, or in dev where there is no train; never in test.
    """
    split = next((one for one in SPLITS[:2] if one in examples["split"].to_pylist()), None)
    if split is None:
        return None
    field = _TEXTS[spec.task]
    told = ((fields[field], _label(label)) for fields, label in some(examples, split))
    rows, added = _rows(told, spec.ids())
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
    return Section(
        name,
        title,
        f"The {TOP} morphemes of a {field} in {split} that go most with one label (PMI: pointwise"
        " mutual information, smoothed; 0 is no tie). A word that is high and frequent is a cue"
        " that a model can use without the rest.",
        tables=[
            Table(
                f"{name}-table",
                title,
                columns,
                rows,
                note=f"{note} and names of persons are left out.",
                long=True,
            )
        ]
        if rows
        else [],
    )


def _label(label: Any) -> str:
    return str(label[0] if isinstance(label, list) else label)


def _rows(told: Iterable[tuple[str, str]], order: tuple[str, ...]) -> tuple[list[list[Cell]], int]:
    sizes: Counter[str] = Counter()
    pairs: dict[str, Counter[str]] = {}
    for text, label in told:
        sizes[label] += 1
        for word in showable(text):
            pairs.setdefault(word, Counter())[label] += 1
    added = max(1, round(_ADDED * sqrt(sizes.total() / _AMONG)))
    labels = [label for label in order if sizes[label]]
    ranked: list[tuple[int, int, list[Cell]]] = []
    for place, label in enumerate(labels):
        found = pmi(pairs, labels, label, added)
        words = sorted(found, key=lambda word: (-found[word], word))[:TOP]
        for rank, word in enumerate(words):
            many = pairs[word][label]
            row: list[Cell] = [label, word, found[word], many, _share(many, sizes[label])]
            ranked += [(rank, place, row)] if many else []
    return [row for _, _, row in sorted(ranked, key=lambda one: one[:2])], added


def _share(part: int, whole: int) -> float:
    return round(part / whole, 6)


def pmi(
    pairs: dict[str, Counter[str]], labels: list[str], label: str, added: int
) -> dict[str, float]:
    """Return log(p(word, label) / p(word) p(label)) of the words of `LEAST` examples or more.

    `pairs` counts examples by word and label; `added` is added to every count.
    """
    within = sum(found[label] + added for found in pairs.values())
    whole = sum(found.total() + added * len(labels) for found in pairs.values())
    return {
        word: round(
            log((found[label] + added) * whole / ((found.total() + added * len(labels)) * within)),
            6,
        )
        for word, found in pairs.items()
        if found.total() >= LEAST
    }
