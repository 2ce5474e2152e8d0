"""Statistics of semantic textual similarity: Table 4."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
import pyarrow as pa

from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.splits import SPLITS
from pipeline.report.quality.artefacts import BIN, guess_section, nearest, pearson, table_section
from pipeline.report.quality.artefacts_words import jaccard, mean, some
from pipeline.report.quality.distributions import Labels, Length, Scores
from pipeline.report.quality.statistics import iter_rows, paper_table, source_table
from pipeline.report.record import Cell, Column, Section, Table
from pipeline.tasks.sts.matching import MILLION, content_words
from pipeline.tasks.sts.matching import Scores as Rouge
from pipeline.tasks.sts.official import source_name


def tables(examples: pa.Table, **_: object) -> list[Table]:
    """Return the pairs by source and split (Table 4)."""
    return [source_table("sts-sources", "Sentence pairs by source", examples, "Table 4")]


def _guesses(examples: pa.Table, spec: TaskSpec) -> Section:
    splits: dict[str, list[tuple[float, int]]] = defaultdict(list)
    for split, fields, label in iter_rows(examples, "split", "fields", "label"):
        apart = abs(len(fields["sentence1"]) - len(fields["sentence2"]))
        splits[split].append((float(label["label"]), apart // BIN))
    train = splits.get("train", [])
    found: dict[int, list[float]] = defaultdict(list)
    for gold, apart in train:
        found[apart].append(gold)
    bins = sorted(found)
    mean = sum(gold for gold, _ in train) / len(train) if train else 0.0
    means = {name: sum(golds) / len(golds) for name, golds in found.items()}
    guesses: dict[str, Callable[[int], float]] = {
        "mean score": lambda _apart: mean,
        "difference of lengths": lambda apart: means[nearest(bins, apart)],
    }
    rows = [
        [name, split, len(splits[split]), *_fit(splits[split], guess)]
        for name, guess in (guesses.items() if train else ())
        for split in SPLITS[1:]
        if splits.get(split)
    ]
    return guess_section(
        spec.task,
        "The mean score of train for every pair; and the mean score of the pairs of train whose"
        f" sentences differ in length about as much ({BIN} characters are one bin). A constant has"
        " no correlation.",
        [Column("Pearson", "four"), Column("mean error", "two")],
        rows,
    )


def _fit(pairs: Sequence[tuple[float, int]], guess: Callable[[int], float]) -> list[Cell]:
    gold, guessed = [gold for gold, _ in pairs], [guess(apart) for _, apart in pairs]
    correlation = pearson(gold, guessed)
    error = sum(abs(a - b) for a, b in zip(gold, guessed, strict=True)) / len(gold)
    return [None if correlation is None else round(correlation, 6), round(error, 6)]


def _overlap(examples: pa.Table, spec: TaskSpec) -> Section:
    """Return the correlation of the score of two sentences with the morphemes they share."""
    rows: list[list[Cell]] = []
    for split in SPLITS:
        pairs = list(some(examples, split))
        golds = [float(label["label"]) for _, label in pairs]
        shares = [jaccard(fields["sentence1"], fields["sentence2"]) for fields, _ in pairs]
        if pairs:
            r = pearson(golds, shares)
            rows.append([split, len(pairs), mean(shares), None if r is None else round(r, 6)])
    return table_section(
        f"artefacts-{spec.task}-overlap",
        "What shared words score",
        "Pearson's correlation of the score with the Jaccard similarity of the two sentences'"
        " morphemes. Dev and test are drawn so that it tells little (Section 3.2.1): they should be"
        " below train.",
        [
            Column("split", "text"),
            Column("pairs"),
            Column("mean similarity", "share"),
            Column("Pearson", "four"),
        ],
        rows,
    )


def _samplers(examples: pa.Table, spec: TaskSpec) -> Section:
    """Return how much the two sentences overlap, by sampler, beside the official dev file."""
    scores: dict[tuple[str, str], list[float]] = defaultdict(list)
    for split in SPLITS:
        for fields, source, sampler in some(examples, split, "fields", "source", "sampler"):
            words = [content_words(fields[side]) for side in ("sentence1", "sentence2")]
            score = Rouge(words, rouge="rougeL").exact(0, 1) / MILLION
            for name in ("all", split):
                scores[source_name(source, sampler), name].append(score)
    rows: list[list[Cell]] = []
    for sampler in dict.fromkeys(sampler for sampler, _ in sorted(scores)):
        for name in ("all", "dev"):
            if found := scores.get((sampler, name)):
                lack = sum(score == 0 for score in found) / len(found)
                quartiles = np.quantile(found, (0.25, 0.5, 0.75)).tolist()
                rows.append([sampler, name, len(found), *quartiles, mean(found), lack])
        if official := paper_table(_DEV_FILE).rows.get(sampler):
            rows.append([sampler, _DEV_FILE, *official])
    return table_section(
        f"artefacts-{spec.task}-samplers",
        "Overlap by sampler",
        "rougeL of the content words of the two sentences, and the share of pairs without a common"
        " word, beside those of the official dev file. From a score of 3 on dev takes the pairs"
        " that overlap least, below it those that overlap most: compare dev with dev.",
        [
            Column("sampler", "text"),
            Column("pairs of", "text"),
            Column("pairs"),
            *(Column(name, "two") for name in ("25 %", "median", "75 %")),
            Column("mean", "two"),
            Column("nothing shared", "share"),
        ],
        rows,
    )


#: The name of the table of what was measured in the official dev file.
_DEV_FILE: Final = "KLUE-STS dev"
SIZE: Final = ("Table 4", "total")
LOOK: Final = (
    "Scores of dev and test should be nearly uniform, and round trips score higher than matched"
    " pairs."
)
LABELS: Final = Labels(
    "Paraphrases",
    "pairs",
    lambda _, label: ["paraphrase" if label["binary-label"] else "no paraphrase"],
)
SCORES: Final = Scores(lambda label: label["label"], "Figure 2", "Figure 1")
LENGTHS: Final = (
    Length(
        "sentence",
        "Sentences of both sides",
        "characters",
        lambda fields, _: [len(fields["sentence1"]), len(fields["sentence2"])],
    ),
)
ARTEFACTS: Final = (_guesses, _overlap, _samplers)
