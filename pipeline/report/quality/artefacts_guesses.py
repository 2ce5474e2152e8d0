"""Guesses that do not read: the commonest label, the length, the types of a pair."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import pyarrow as pa

from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.splits import SPLITS
from pipeline.report.quality import artefacts_scores as score
from pipeline.report.quality.published import published
from pipeline.report.quality.statistics.rows import each
from pipeline.report.record import Cell, Column, Section, Table

#: So many characters are one bin of lengths.
BIN: Final = 5
NONE: Final = "no_relation"
_UNTRAINED: Final = "There is no train split to learn a guess from, or nothing to score it on."


class Seen(NamedTuple):
    """What a guess may look at: the label, a length in characters, and (RE) the pair of types."""

    label: str
    length: int
    types: tuple[str, str] | None = None


def _relation(fields: Mapping[str, Any], label: Any) -> Seen:
    types = (fields["subject"]["type"], fields["object"]["type"])
    return Seen(label, len(fields["sentence"]), types)


def _question(_fields: Mapping[str, Any], label: Any) -> Seen:
    answered = "answerable" if label["answers"] else "unanswerable"
    return Seen(answered, len(label["question"]))


_SEEN: Final[dict[str, Callable[[Mapping[str, Any], Any], Seen]]] = {
    "tc": lambda fields, label: Seen(label[0], len(fields["title"])),
    "nli": lambda fields, label: Seen(label, len(fields["hypothesis"])),
    "re": _relation,
    "mrc": _question,
}
_LENGTH: Final = {"tc": "headline", "nli": "hypothesis", "re": "sentence", "mrc": "question"}
_MAJORITY: Final = "accuracy of the commonest label"
#: What is shown of the record of a hypothesis-only classifier.
_MEASURES: Final = {
    "accuracy": "accuracy",
    "majority": _MAJORITY,
    "log_loss": "log loss",
    "ece": "expected calibration error",
}
Guess = Callable[[Seen], str]


def categories(examples: pa.Table, spec: TaskSpec) -> Section:
    """Return what guessing the label scores; of MRC, whether a question has an answer."""
    splits: dict[str, list[Seen]] = defaultdict(list)
    for split, fields, label in each(examples, "split", "fields", "label"):
        splits[split].append(_SEEN[spec.task](fields, label))
    relation = spec.task == "re"
    train = splits.get("train", [])
    rows = [
        [name, split, len(splits[split]), *_scored(splits[split], guess, relation=relation)]
        for name, guess in (_guesses(spec.task, train) if train else ())
        for split in SPLITS[1:]
        if splits.get(split)
    ]
    micro = [Column("micro F1 of relations", "share")] if relation else []
    return _section(
        spec.task,
        "What not reading scores",
        "The commonest label of train for every example; and the commonest label among the examples"
        f" of train whose {_LENGTH[spec.task]} is about as long ({BIN} characters are one bin, the"
        " nearest that train has counts)."
        + (" Of relations also the commonest for the two entity types." if relation else ""),
        [Column("accuracy", "share"), Column("macro F1", "share"), *micro],
        rows,
    )


def _guesses(task: str, train: Sequence[Seen]) -> Iterator[tuple[str, Guess]]:
    always = score.commonest(Counter(one.label for one in train))
    yield "commonest label", lambda _one: always
    by_length = _by(train, lambda one: one.length // BIN)
    bins = sorted(by_length)
    yield "length", lambda one: by_length[nearest(bins, one.length // BIN)]
    if task == "re":
        by_types = _by(train, lambda one: one.types)
        yield "entity types", lambda one: by_types.get(one.types, always)


def _by(train: Sequence[Seen], key: Callable[[Seen], Any]) -> dict[Any, str]:
    counts: dict[Hashable, Counter[str]] = defaultdict(Counter)
    for one in train:
        counts[key(one)][one.label] += 1
    return {value: score.commonest(found) for value, found in counts.items()}


def _scored(seen: Sequence[Seen], guess: Guess, *, relation: bool) -> list[Cell]:
    gold, guessed = [one.label for one in seen], [guess(one) for one in seen]
    found = [score.accuracy(gold, guessed), score.macro_f1(gold, guessed)]
    if relation:
        found.append(score.micro_f1(gold, guessed, {*gold, *guessed} - {NONE}))
    return [round(one, 6) for one in found]


def nearest(bins: Sequence[int], wanted: int) -> int:
    """Return the bin nearest to the wanted one, of two as near the lower; bins ascend."""
    place = bisect_left(bins, wanted)
    return min(bins[max(0, place - 1) : place + 1], key=lambda one: (abs(one - wanted), one))


def scores(examples: pa.Table, spec: TaskSpec) -> Section:
    """Return what guessing the score of a pair of sentences (STS) is worth."""
    splits: dict[str, list[tuple[float, int]]] = defaultdict(list)
    for split, fields, label in each(examples, "split", "fields", "label"):
        apart = abs(len(fields["sentence1"]) - len(fields["sentence2"]))
        splits[split].append((float(label["label"]), apart // BIN))
    train = splits.get("train", [])
    found: dict[int, list[float]] = defaultdict(list)
    for gold, apart in train:
        found[apart].append(gold)
    bins = sorted(found)
    whole = sum(gold for gold, _ in train) / len(train) if train else 0.0
    means = {one: sum(golds) / len(golds) for one, golds in found.items()}
    guesses: dict[str, Callable[[int], float]] = {
        "mean score": lambda _apart: whole,
        "difference of lengths": lambda apart: means[nearest(bins, apart)],
    }
    rows = [
        [name, split, len(splits[split]), *_fit(splits[split], guess)]
        for name, guess in (guesses.items() if train else ())
        for split in SPLITS[1:]
        if splits.get(split)
    ]
    return _section(
        spec.task,
        "What not reading scores",
        "The mean score of train for every pair; and the mean score of the pairs of train whose"
        f" sentences differ in length about as much ({BIN} characters are one bin). A constant has"
        " no correlation.",
        [Column("Pearson", "four"), Column("mean error", "two")],
        rows,
    )


def _fit(pairs: Sequence[tuple[float, int]], guess: Callable[[int], float]) -> list[Cell]:
    gold, guessed = [one for one, _ in pairs], [guess(apart) for _, apart in pairs]
    correlation = score.pearson(gold, guessed)
    error = sum(abs(a - b) for a, b in zip(gold, guessed, strict=True)) / len(gold)
    return [None if correlation is None else round(correlation, 6), round(error, 6)]


def _section(
    task: str, title: str, lead: str, columns: list[Column], rows: list[list[Cell]]
) -> Section:
    name = f"artefacts-{task}-guesses"
    if not rows:
        return Section(id=name, title=title, lead=_UNTRAINED)
    whole = [Column("guess", "text"), Column("split", "text"), Column("examples"), *columns]
    return Section(name, title, lead, tables=[Table(f"{name}-table", title, whole, rows)])


def no_relation(examples: pa.Table, spec: TaskSpec) -> Section:
    """Return how many pairs of each split are in no relation, beside Table 11."""
    paper = published("Table 11")
    pairs: Counter[str] = Counter()
    none: Counter[str] = Counter()
    for split, label in each(examples, "split", "label"):
        pairs[split] += 1
        none[split] += label == NONE
    there = [split for split in SPLITS if pairs[split]]
    title = "Pairs in no relation"
    table = Table(
        id=f"artefacts-{spec.task}-none-table",
        title=title,
        columns=[Column("split", "text"), Column("pairs"), Column(NONE), Column(NONE, "share")],
        rows=[
            [split, pairs[split], none[split], round(none[split] / pairs[split], 6)]
            for split in there
        ],
        paper="Table 11",
        published=[[split, *(paper.cell(*at) for at in _cells(split))] for split in there],
    )
    lead = "Answering no_relation always is right as often as this, and earns no F1 of relations."
    return Section(f"artefacts-{spec.task}-none", title, lead, tables=[table])


def _cells(split: str) -> list[tuple[str, str]]:
    return [("total", split), (NONE, split), (NONE, f"{split}_share")]


def hypothesis_only(record: Mapping[str, Any]) -> Section:
    """Return the measures of the record of a hypothesis-only classifier, as far as it has them."""
    name, title = "artefacts-nli-hypothesis", "What the hypothesis alone gives away"
    rows: list[list[Cell]] = [
        [told, record[key]] for key, told in _MEASURES.items() if key in record
    ]
    columns = [Column("measure", "text"), Column("value", "four")]
    splits: Mapping[str, Mapping[str, Any]] = record.get("splits", {})
    by_split: list[list[Cell]] = [
        [one, *(splits[one][key] for key in ("pairs", "accuracy", "majority"))]
        for one in SPLITS
        if one in splits
    ]
    heads = [Column("split", "text"), Column("pairs"), Column("accuracy", "share")]
    told = [Table(f"{name}-splits", "By split", [*heads, Column(_MAJORITY, "share")], by_split)]
    return Section(
        name,
        title,
        "A classifier that never sees the premise, scored on sets of pairs that it was not trained"
        " on (Section 3.3.1). What it scores above the commonest label, the hypothesis gives away."
        " Dev and test are chosen among the sets that it can tell least of.",
        tables=[
            *(told if by_split else ()),
            Table(f"{name}-table", "All pairs", columns, rows),
        ],
    )
