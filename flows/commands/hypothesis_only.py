"""Hypothesis-only scoring of labelled pairs: what `klue hypothesis-only` does (Section 3.3.1)."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from flows.commands.training import classifier
from flows.commands.votes import load_items, task_and_spec
from flows.view.console import console, emit_json, say
from pipeline.contracts.task import Task
from pipeline.core import schemas, store
from pipeline.core.errors import InputError, SchemaError
from pipeline.core.jsontext import parsed
from pipeline.tasks.nli.diagnostics import calibration, words_by_label
from pipeline.tasks.nli.hypothesis_only import (
    Classifier,
    Floats,
    Labels,
    classifier_factory,
    crossfit,
    distances,
    folds_of,
    pairs_of,
    rank_sets,
)
from pipeline.tasks.nli.spec import SetNumbers

FOLDS: Final = (2, 20)
#: Words that the JSON object holds for each label, and that are shown.
WORDS: Final = 20
SHOWN: Final = 8


@dataclass(frozen=True)
class Scoring:
    """What `klue hypothesis-only` was asked for."""

    files: tuple[Path, ...]
    classifier: str = "linear"
    folds: int = 5
    gold: Path | None = None
    out: Path | None = None
    seed: int = 0
    force: bool = False
    specs: Path | None = None

    def check(self) -> None:
        """Raise InputError for options out of range and for a file that would be overwritten."""
        low, high = FOLDS
        if not low <= self.folds <= high:
            raise InputError(f"--folds {self.folds} is out of range; allowed: {low} to {high}")
        names = [path.name for path in self.files]
        if len(set(names)) < len(names):
            raise InputError("two files have the same name; rename one, or give each file once")
        if self.out is not None and self.out.is_dir():
            raise InputError(f"--out {self.out}: is a folder; give a file")
        if self.out is not None and self.out.exists() and not self.force:
            raise InputError(f"--out {self.out}: exists; use --force to replace it")


def run(request: Scoring, *, as_json: bool) -> None:
    """Score the pairs of all files together and print what was found; write scores if asked."""
    request.check()
    task, spec = task_and_spec("nli", request.specs)
    fine_tune = partial(classifier, task=task.id, seed=request.seed)
    make = classifier_factory(request.classifier, {"transformers:": fine_tune})
    numbers, classes = cast(SetNumbers, spec.split.numbers), spec.ids()
    given = [(path.name, _items(path, task)) for path in request.files]
    pairs, left_out = _pairs(given, classes, _gold(request.gold))
    labels = np.array([classes.index(one) for one in pairs["label"].to_pylist()], dtype=np.int64)
    found = _fitted(request, pairs, labels, make, len(classes))
    scored = pairs.append_column("distance", pa.array(distances(found)))
    share = numbers.lowest_share
    ranked = rank_sets(scored, share=share, size=numbers.set_size)
    record = {
        "classifier": request.classifier,
        "folds": request.folds,
        "seed": request.seed,
        "pairs": pairs.num_rows,
        "left_out": left_out,
        "sets": ranked.num_rows,
        "complete_sets": ranked.num_rows - ranked["lowest"].null_count,
        "lowest_share": share,
        **calibration(found, labels),
        "files": {
            name: _of_file(name, scored, ranked, _chance(ranked) if len(given) > 1 else None)
            for name, _ in given
        },
        "words": words_by_label(pairs["hypothesis"].to_pylist(), labels, classes, top=WORDS),
    }
    if request.out is not None:
        _write(request.out, scored, ranked, found, classes)
        record["out"] = str(request.out)
    if as_json:
        emit_json(record)
    else:
        _show(record)


def _items(path: Path, task: Task) -> pa.Table:
    """Read an official file (a JSON list) or items; raises InputError for any other file."""
    try:
        with path.open("rb") as stream:
            official = stream.read(64).removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"["
    except OSError as error:
        raise InputError(
            f"{path}: cannot be read ({error.strerror}); give official KLUE-NLI files or items"
        ) from None
    return load_items(path, task, source="klue" if official else "items")


def _gold(path: Path | None) -> dict[str, str] | None:
    if path is None:
        return None
    try:
        table = schemas.check(pq.read_table(path), "gold")
    except (OSError, pa.ArrowException, SchemaError) as error:
        raise InputError(
            f"--gold {path}: not a table of gold ({type(error).__name__}); give gold.parquet of"
            " `klue aggregate`"
        ) from None
    rows = table.filter(pc.equal(table["status"], "gold"))
    names, found = rows["item"].to_pylist(), rows["label"].to_pylist()
    return {item: parsed(label) for item, label in zip(names, found, strict=True)}


def _pairs(
    given: list[tuple[str, pa.Table]], classes: tuple[str, ...], gold: dict[str, str] | None
) -> tuple[pa.Table, int]:
    """Return the labelled pairs, each with the name of its file, and how many have no label."""
    tables = [(name, pairs_of(items, classes, gold)) for name, items in given]
    columns = [t.append_column("file", pa.repeat(name, t.num_rows)) for name, t in tables]
    pairs = pa.concat_tables(columns).sort_by("pair")  # whatever the order of files and lines
    if not pairs.num_rows:
        raise InputError("no pair has a label; give official KLUE-NLI files, or items with gold")
    if pc.count_distinct(pairs["pair"]).as_py() < pairs.num_rows:
        raise InputError("a pair stands in the files twice; give each file once")
    absent = sorted(set(classes) - set(pairs["label"].to_pylist()))
    if absent:
        raise InputError(f"no pair is labelled {' or '.join(absent)}; give pairs of all labels")
    return pairs, sum(items.num_rows for _, items in given) - pairs.num_rows


def _fitted(
    request: Scoring, pairs: pa.Table, labels: Labels, make: Callable[[], Classifier], classes: int
) -> Floats:
    fold = folds_of(pairs["premise"].to_pylist(), folds=request.folds, seed=request.seed)
    return crossfit(
        pairs["hypothesis"].to_pylist(),
        labels,
        fold,
        make,
        classes=classes,
        tell=lambda name: say(f"fitting {request.classifier} without {name}"),
    )


def _chance(ranked: pa.Table) -> float:
    """Return the share of the complete sets that are among the least revealing."""
    marks = ranked["lowest"].drop_null().to_pylist()
    return sum(marks) / len(marks) if marks else 0.0


def _of_file(name: str, scored: pa.Table, ranked: pa.Table, chance: float | None) -> dict[str, Any]:
    """Return how many complete sets of a file are among the least revealing of their source.

    `chance` is the share to be expected; None where there is but one file, whose share is given.
    """
    own = pc.unique(scored.filter(pc.equal(scored["file"], name))["premise"])
    mine = ranked.filter(pc.and_(pc.is_in(ranked["premise"], own), pc.is_valid(ranked["lowest"])))
    sources = sorted(set(mine["source"].to_pylist()))
    by_source = {s: _counted(mine.filter(pc.equal(mine["source"], s)), chance) for s in sources}
    return {**_counted(mine, chance), "by_source": by_source}


def _counted(mine: pa.Table, chance: float | None) -> dict[str, Any]:
    """Return how many sets, how many least revealing, their share, its ratio to chance if known."""
    lowest = sum(mine["lowest"].to_pylist())
    found = lowest / mine.num_rows if mine.num_rows else 0.0
    return {
        "sets": mine.num_rows,
        "lowest": lowest,
        "share": round(found, 6),
        "ratio": None if chance is None else round(found / chance, 6),
    }


def _write(
    path: Path, scored: pa.Table, ranked: pa.Table, found: Floats, classes: tuple[str, ...]
) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = (json.dumps(row, ensure_ascii=False) for row in _scores(scored, ranked, found, classes))
    store.write_text(path, "".join(f"{line}\n" for line in lines))


def _scores(
    scored: pa.Table, ranked: pa.Table, found: Floats, classes: tuple[str, ...]
) -> Iterator[dict[str, Any]]:
    about = {(row["source"], row["premise"]): row for row in ranked.to_pylist()}
    for row, logs in zip(scored.to_pylist(), found.tolist(), strict=True):
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
    out, uniform = console(), math.log(len(record["words"]))
    for line in (
        f"{record['pairs']:,} pairs of {record['sets']:,} premises; {record['complete_sets']:,}"
        " have one pair of each label (a set)",
        f"{record['left_out']:,} pairs without a label are left out",
        f"{record['classifier']}: accuracy {record['accuracy']:.4f}, calibration error"
        f" {record['ece']:.4f}, log loss {record['log_loss']:.4f} (guessing blindly:"
        f" {uniform:.4f})",
        f"least revealing: the {record['lowest_share']:.0%} of a source's sets with the lowest"
        " distance, rounded down",
    ):
        out.print(line, soft_wrap=True)
    for name, one in record["files"].items():
        out.print(f"{name}: {_told(one)}", soft_wrap=True)
        for source, inner in one["by_source"].items():
            out.print(f"  {source:10} {_told(inner)}", soft_wrap=True)
    out.print("words by label (PMI, natural logarithm):")
    for label, rows in record["words"].items():
        words = ", ".join(f"{row['word']} {row['pmi']:.2f}" for row in rows[:SHOWN])
        out.print(f"  {label}: {words or 'none that is frequent enough'}", soft_wrap=True)
    if "out" in record:
        say(f"written: {record['out']}")


def _told(one: dict[str, Any]) -> str:
    told = f"{one['lowest']:,} of {one['sets']:,} sets are among the least revealing"
    if one["ratio"] is None:
        return told
    return f"{told}: {one['share']:.3f}, {one['ratio']:.2f} times chance"
