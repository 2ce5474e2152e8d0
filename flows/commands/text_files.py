"""Texts and models that read them: what `klue toxicity` and `klue tagger` do."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa

from flows.commands.outputs import check_file
from flows.view.console import Result, print_line, print_table, say
from pipeline.core.errors import InputError
from pipeline.core.files import refuse, replacing
from pipeline.core.io import Batch, Quarantined, Source, guess_source, open_writer
from pipeline.core.io.source import form_of
from pipeline.core.io.watched import watched_batches
from pipeline.core.paths import locate
from pipeline.core.wording import count
from pipeline.corpus.toxicity import calibration, scoring
from pipeline.corpus.toxicity.scoring import COLUMNS, Detector
from pipeline.sampling.tagging import labelled as labelled_texts
from pipeline.sampling.tagging import registry
from pipeline.sampling.tagging.registry import Tagger, tag_checked

_ADDS: Final = pa.schema([(name, pa.float64()) for name in COLUMNS])
#: Unreadable rows that are named; all are counted.
NAMED: Final = 5


class Scored(NamedTuple):
    """How many texts were written and how many of them are not Korean; the rows left out."""

    rows: int
    unscored: int
    unreadable: list[Quarantined]


def calibrate(labelled: Path, *, detector: str, precision: float) -> Result:
    """Return thresholds for a precision, by source, with what they and the paper's would drop."""
    loaded = scoring.load(detector)
    texts = calibration.read_labelled(labelled)
    proposals = calibration.calibrate(texts, loaded, precision=precision)
    # A build file has its own folder: paths are given in full.
    yaml = calibration.fragment(proposals, locate(detector, Path()), precision=precision)
    records = [asdict(proposal) for proposal in proposals]
    record = {"detector": detector, "digest": loaded.digest, "proposals": records}
    return record, partial(_show_proposals, yaml=yaml)


def _show_proposals(record: dict[str, Any], *, yaml: str) -> None:
    rows = []
    for row in record["proposals"]:
        head = (row["source"], row["score"], f"{row['texts']:,}", f"{row['positives']:,}")
        rows.append((*head, "the paper's", *_cells(row["paper"])))
        rows.append(("", "", "", "", "proposed", *_cells(row["proposed"])))
    titles = ("source", "score", "texts", "positive", "", "threshold", "precision", "recall")
    print_table("", (*titles, "dropped"), rows, left=("score", ""))
    print_line(f"\n{yaml}")


def _cells(figures: dict[str, float | None] | None) -> tuple[str, ...]:
    if figures is None:
        return ("none", "", "", "")
    shares = (figures[name] for name in ("precision", "recall", "dropped"))
    return (f"{figures['threshold']:g}", *("-" if s is None else f"{s:.3f}" for s in shares))


def score_texts(file: Path, out: Path, *, detector: str, text_column: str, force: bool) -> Result:
    """Write a file again with the scores of its texts."""
    source = guess_source(file, text=text_column)
    scored = score_file(source, out, scoring.load(detector), force=force)
    _say_unreadable(file, scored.unreadable)
    record = {
        "out": str(out),
        "rows": scored.rows,
        "unreadable": len(scored.unreadable),
        "unscored": scored.unscored,
    }
    text = (
        f"{count(scored.rows, 'text')}, {scored.unscored:,} of them not Korean and without scores,"
        f" {count(len(scored.unreadable), 'row')} unreadable and left out: {out}"
    )
    return record, lambda _: print_line(text)


def score_file(source: Source, out: Path, detector: Detector, *, force: bool = False) -> Scored:
    """Write a file with the columns gender_bias and hate; `out` appears when all is written.

    A text that is not Korean has null there, in CSV nothing. Plain text has no columns: its lines
    become JSONL, an object ``{"text": ...}`` each. Raises InputError for a file that cannot be
    read, and for an `out` that exists (unless `force`) or has the ending of another form.
    """
    is_text = source.form == "text"
    if not is_text and source.text in COLUMNS:
        raise InputError(
            f"{source.path}: its texts are in the column {source.text}, which is to hold scores;"
            " rename the column"
        )
    target = replace(source, form="jsonl", text="text") if is_text else source
    if is_text and form_of(out) != "jsonl":
        raise InputError(f"{out}: scored lines of plain text are JSONL; name a file in .jsonl")
    unreadable: list[Quarantined] = []
    rows = unscored = 0
    with open_writer(target, out, adds=_ADDS, force=force) as writer:
        for batch in watched_batches(source, quarantine=unreadable.append, whole=True):
            scores = scoring.judge(detector, batch.texts)
            columns = {name: scores.column(name).combine_chunks() for name in COLUMNS}
            writer.write(_as_json(batch) if is_text else batch, columns=columns)
            rows += len(batch)
            unscored += scores.column("hate").null_count
    return Scored(rows, unscored, unreadable)


def _as_json(batch: Batch) -> Batch:
    texts = batch.texts.to_pylist()
    lines = [json.dumps({"text": text}, ensure_ascii=False).encode() + b"\n" for text in texts]
    return replace(
        batch, data=b"".join(lines), ends=np.cumsum([len(line) for line in lines], dtype=np.int64)
    )


def score_tagger(file: Path, *, tagger: str) -> Result:
    """Return how well a tagger finds the entities of labelled texts."""
    loaded = registry.load(tagger)
    quality = labelled_texts.measure(loaded, labelled_texts.read(file))
    return {"tagger": tagger, "digest": loaded.digest, **quality.record()}, show_quality


def show_quality(record: dict[str, Any]) -> None:
    """Print entity F1 over all, by type and by source."""
    print_line(f"texts:           {record['texts']:,}")
    print_line(f"entity F1 macro: {record['macro_f1']:.4f} (mean of the types)")
    print_line(f"entity F1 micro: {record['micro']['f1']:.4f} (all entities)")
    of_types = {**record["by_label"], "all": record["micro"]}
    for title, figures in (("type", of_types), ("source", record["by_source"])):
        rows = (
            (
                name or "unnamed",
                *(f"{row[key]:,}" for key in ("gold", "found")),
                *(f"{row[key]:.4f}" for key in ("precision", "recall", "f1")),
            )
            for name, row in figures.items()
        )
        print_table("", (title, "gold", "found", "precision", "recall", "F1"), rows)
    _say_malformed(record["left_out"])


def _say_malformed(mentions: int) -> None:
    if mentions:
        say(f"{count(mentions, 'mention')} left out: overlapping others or outside the text")


def tag_texts(
    file: Path, out: Path, *, tagger: str, text_column: str, form: str | None = None, force: bool
) -> Result:
    """Write the texts of a file with their named entities."""
    source = guess_source(file, form=form, text=text_column)
    counts, unreadable = tag_file(source, out, registry.load(tagger), force=force)
    _say_unreadable(file, unreadable)
    return {"out": str(out), **counts}, _show_tagged


def _say_unreadable(file: Path, rows: Sequence[Quarantined]) -> None:
    for row in rows[:NAMED]:
        say(f"{file} line {row.line}: left out, {row.reason} ({row.rule})")
    if (more := len(rows) - NAMED) > 0:
        say(f"{file}: {count(more, 'more row')} left out")


def _show_tagged(record: dict[str, Any]) -> None:
    _say_malformed(record["left_out"])
    entities = count(record["entities"], "entity", "entities")
    say(f"{count(record['rows'], 'text')} tagged, {entities} found")
    say(f"written: {record['out']}")


def tag_file(
    source: Source, out: Path, tagger: Tagger, *, force: bool = False
) -> tuple[dict[str, int], list[Quarantined]]:
    """Write one object a text: its row from 0, the text, and spans with start, end, label, score.

    Returns how many rows were tagged, entities found, mentions left out as malformed, and rows
    unreadable; and the unreadable rows. `out` appears when all is written. Raises InputError for a
    file of which no row can be read, and for an `out` that exists (unless `force`), is the file
    itself, or is not named .jsonl.
    """
    is_other = out.suffix.lower() != ".jsonl"
    is_same = out.exists() and source.path.exists() and out.samefile(source.path)
    refuse(
        out,
        (is_other, "what is tagged is written as JSONL; name a file in .jsonl"),
        (is_same, "is the file to be tagged; name another one"),
    )
    check_file("--out", out, force=force)
    unreadable: list[Quarantined] = []
    rows = entities = left_out = 0
    out.parent.mkdir(parents=True, exist_ok=True)
    with replacing(out) as temporary:
        with temporary.open("w", encoding="utf-8", newline="\n") as stream:
            for batch in watched_batches(source, quarantine=unreadable.append):
                texts = batch.texts.to_pylist()
                tagged = tag_checked(tagger, texts, labels=tagger.labels)
                for row, text, tagging in zip(batch.rows.to_pylist(), texts, tagged, strict=True):
                    spans = [mention._asdict() for mention in tagging.mentions]
                    line = {"row": row, "text": text, "spans": spans}
                    stream.write(json.dumps(line, ensure_ascii=False) + "\n")
                    entities += len(tagging.mentions)
                    left_out += len(tagging.left_out)
                rows += len(texts)
        if unreadable and not rows:
            raise InputError(
                f"{source.path}: none of {count(len(unreadable), 'row')} can be read; line"
                f" {unreadable[0].line}: {unreadable[0].reason}; is it {source.form} in UTF-8, and"
                f" is its text column {source.text!r}?"
            )
    counts = {"rows": rows, "entities": entities, "left_out": left_out}
    return counts | {"unreadable": len(unreadable)}, unreadable
