"""Hypothesis-only scoring of labelled pairs: what `klue hypothesis-only` does (Section 3.3.1)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from flows.commands.outputs import check_file
from flows.commands.votes import gold_labels, load_items, task_and_spec
from flows.view.console import Result, print_line, say
from pipeline.annotation.exchange.files import write_lines
from pipeline.contracts.task import Task
from pipeline.core.files import input_errors, refuse, regular_file
from pipeline.core.wording import count, verb
from pipeline.tasks.nli.diagnostics import calibration, words_by_label
from pipeline.tasks.nli.hypothesis_only import (
    classifier_factory,
    crossfit,
    distances,
    folds_of,
    maker_of,
    pairs_of,
    rank_sets,
)
from pipeline.tasks.nli.linear import Floats
from pipeline.tasks.nli.spec import SetNumbers

FOLDS: Final = (2, 20)
#: Words that the JSON object holds for each label, and that are shown.
WORDS: Final = 20
SHOWN: Final = 8


def score_pairs(
    files: tuple[Path, ...],
    *,
    classifier: str,
    folds: int,
    gold: Path | None = None,
    out: Path | None = None,
    seed: int,
    force: bool,
    specs: Path | None = None,
) -> Result:
    """Score the pairs of all files together; write scores if asked.

    Raises InputError for options out of range and for a file that would be overwritten.
    """
    low, high = FOLDS
    is_twice = len({path.name for path in files}) < len(files)
    refuse(
        f"--folds {folds}",
        (not low <= folds <= high, f"is out of range; allowed: {low} to {high}"),
    )
    refuse("files", (is_twice, "two have the same name; rename one, or give each file once"))
    check_file("--out", out, force=force)
    task, spec = task_and_spec("nli", specs)
    maker_of(classifier)
    numbers, classes = cast(SetNumbers, spec.split.numbers), spec.ids()
    tables = [(path.name, _items(path, task)) for path in files]
    pairs, left_out = _pairs(tables, classes, None if gold is None else gold_labels(gold, "--gold"))
    labels = np.array(
        [classes.index(label) for label in pairs["label"].to_pylist()], dtype=np.int64
    )
    hypotheses = pairs["hypothesis"].to_pylist()
    log_p = crossfit(
        hypotheses,
        labels,
        folds_of(pairs["premise"].to_pylist(), folds=folds, seed=seed),
        classifier_factory(classifier, hypotheses, seed),
        classes=len(classes),
        tell=lambda name: say(f"fitting {classifier} without {name}"),
    )
    scored = pairs.append_column("distance", pa.array(distances(log_p)))
    share = numbers.lowest_share
    ranked = rank_sets(scored, share=share, size=numbers.set_size)
    marks = ranked["lowest"].drop_null().to_pylist()
    # With one file its share is that of all, and there is nothing to compare.
    chance = sum(marks) / max(len(marks), 1) if len(tables) > 1 else None
    record = {
        "classifier": classifier,
        "folds": folds,
        "seed": seed,
        "pairs": pairs.num_rows,
        "left_out": left_out,
        "sets": ranked.num_rows,
        "complete_sets": ranked.num_rows - ranked["lowest"].null_count,
        "lowest_share": share,
        **calibration(log_p, labels),
        "files": {name: _of_file(name, scored, ranked, chance) for name, _ in tables},
        "words": words_by_label(hypotheses, labels, classes, top=WORDS),
    }
    if out is not None:
        write_lines(out, _scores(scored, ranked, log_p, classes))
        record["out"] = str(out)
    return record, _show


def _items(path: Path, task: Task) -> pa.Table:
    """Read an official file (a JSON list) or items; raises InputError for any other file."""
    hint = "give official KLUE-NLI files or items"
    with input_errors(path, "read", hint), regular_file(path).open("rb") as stream:
        official = stream.read(64).removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"["
    return load_items(path, task, source="klue" if official else "items")


def _pairs(
    files: list[tuple[str, pa.Table]], classes: tuple[str, ...], gold: dict[str, str] | None
) -> tuple[pa.Table, int]:
    """Return the labelled pairs, each with the name of its file, and how many have no label."""
    tables = [(name, pairs_of(items, classes, gold)) for name, items in files]
    columns = [t.append_column("file", pa.repeat(name, t.num_rows)) for name, t in tables]
    pairs = pa.concat_tables(columns).sort_by("pair")  # whatever the order of files and lines
    is_twice = pc.count_distinct(pairs["pair"]).as_py() < pairs.num_rows
    absent = " or ".join(sorted(set(classes) - set(pairs["label"].to_pylist())))
    refuse(
        "files",
        (
            not pairs.num_rows,
            "no pair has a label; give official KLUE-NLI files, or items with gold",
        ),
        (is_twice, "a pair stands in the files twice; give each file once"),
        (absent, f"no pair is labelled {absent}; give pairs of all labels"),
    )
    return pairs, sum(items.num_rows for _, items in files) - pairs.num_rows


def _of_file(name: str, scored: pa.Table, ranked: pa.Table, chance: float | None) -> dict[str, Any]:
    """Return how many complete sets of a file are among the least revealing of their source.

    `chance` is the share to be expected; None where there is but one file, whose share is given.
    """
    premises = pc.unique(scored.filter(pc.equal(scored["file"], name))["premise"])
    sets = ranked.filter(
        pc.and_(pc.is_in(ranked["premise"], premises), pc.is_valid(ranked["lowest"]))
    )
    sources = sorted(set(sets["source"].to_pylist()))
    by_source = {s: _summarise(sets.filter(pc.equal(sets["source"], s)), chance) for s in sources}
    return {**_summarise(sets, chance), "by_source": by_source}


def _summarise(sets: pa.Table, chance: float | None) -> dict[str, Any]:
    """Return how many sets, how many least revealing, their share, its ratio to chance if known."""
    lowest = sum(sets["lowest"].to_pylist())
    share = lowest / sets.num_rows if sets.num_rows else 0.0
    return {
        "sets": sets.num_rows,
        "lowest": lowest,
        "share": round(share, 6),
        "ratio": None if chance is None else round(share / chance, 6),
    }


def _scores(
    scored: pa.Table, ranked: pa.Table, log_p: Floats, classes: tuple[str, ...]
) -> Iterator[dict[str, Any]]:
    about = {(row["source"], row["premise"]): row for row in ranked.to_pylist()}
    for row, logs in zip(scored.to_pylist(), log_p.tolist(), strict=True):
        whole = about[row["source"], row["premise"]]
        yield {
            "item": row["pair"],
            "premise": row["premise"],
            "source": row["source"],
            "label": row["label"],
            "log_p": dict(zip(classes, logs, strict=True)),
            "distance": row["distance"],
            "set_distance": whole["distance"],
            "lowest": whole["lowest"],
        }


def _show(record: dict[str, Any]) -> None:
    uniform = math.log(len(record["words"]))
    for line in (
        f"{count(record['pairs'], 'pair')} of {count(record['sets'], 'premise')};"
        f" {record['complete_sets']:,}"
        " have one pair of each label (a set)",
        f"{count(record['left_out'], 'pair')} without a label left out",
        f"{record['classifier']}: accuracy {record['accuracy']:.4f}, calibration error"
        f" {record['ece']:.4f}, log loss {record['log_loss']:.4f} (guessing blindly:"
        f" {uniform:.4f})",
        f"least revealing: the {record['lowest_share']:.0%} of a source's sets with the lowest"
        " distance, rounded down",
    ):
        print_line(line)
    for name, counts in record["files"].items():
        print_line(f"{name}: {_sentence(counts)}")
        for source, inner in counts["by_source"].items():
            print_line(f"  {source:10} {_sentence(inner)}")
    print_line("words by label (PMI, natural logarithm):")
    for label, rows in record["words"].items():
        words = ", ".join(f"{row['word']} {row['pmi']:.2f}" for row in rows[:SHOWN])
        print_line(f"  {label}: {words or 'none that is frequent enough'}")
    if "out" in record:
        say(f"written: {record['out']}")


def _sentence(counts: dict[str, Any]) -> str:
    lowest, sets = counts["lowest"], count(counts["sets"], "set")
    text = f"{lowest:,} of {sets} {verb(lowest, 'is', 'are')} among the least revealing"
    if counts["ratio"] is None:
        return text
    return f"{text}: {counts['share']:.3f}, {counts['ratio']:.2f} times chance"
