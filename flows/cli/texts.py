"""`klue toxicity` and `klue tagger`: score and tag texts, measure taggers, set thresholds."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.view.console import console, emit_json, handled, say

if TYPE_CHECKING:
    from pipeline.corpus.toxicity.calibration import Figures, Proposal
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pipeline.sampling.tagging.labelled import Quality


toxicity = typer.Typer(
    name="toxicity",
    help="Gender bias and hate speech: set the thresholds of a detector, score texts.",
    no_args_is_help=True,
)

Json = Annotated[bool, typer.Option("--json", help="Print exactly one JSON object.")]
Force = Annotated[bool, typer.Option("--force", help="Overwrite what is there.")]
DetectorOption = Annotated[
    str,
    typer.Option(
        "--detector",
        help="linear[:DIR], transformers:BIAS_MODEL,HATE_MODEL, transformers:koelectra,"
        " or lexicon[:FILE].",
    ),
]


@toxicity.command()
def calibrate(
    labelled: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="Labelled texts, TSV or JSONL; a column source may say whose."
        ),
    ],
    detector: DetectorOption = "linear",
    precision: Annotated[
        float, typer.Option(help="Share of what is dropped that must deserve it.")
    ] = 0.8,
    as_json: Json = False,
) -> None:
    """Propose thresholds for a precision, by source, with what they and the paper's would drop."""
    with handled(as_json=as_json, resumes=False):
        from pipeline.core.buildfile import located
        from pipeline.corpus.toxicity.calibration import calibrate as proposals_for
        from pipeline.corpus.toxicity.calibration import fragment, read_labelled
        from pipeline.corpus.toxicity.scoring import load

        loaded = load(detector)
        proposals = proposals_for(read_labelled(labelled), loaded, precision=precision)
        # A build file has its own folder: paths are given in full.
        yaml = fragment(proposals, located(detector, Path()), precision=precision)
        if as_json:
            records = [asdict(proposal) for proposal in proposals]
            emit_json({"detector": detector, "digest": loaded.digest, "proposals": records})
        else:
            _print_proposals(proposals)
            typer.echo(f"\n{yaml}")


@toxicity.command("score")
def score_texts(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Text, JSONL, CSV or Parquet.")],
    out: Annotated[
        Path, typer.Option("--out", help="FILE with two columns more; of plain text, JSONL.")
    ],
    detector: DetectorOption = "linear",
    text_column: Annotated[str, typer.Option(help="The column that holds the texts.")] = "text",
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Score every text of FILE: the columns gender_bias and hate, from 0 to 1."""
    with handled(as_json=as_json, resumes=False):
        from flows.commands.text_files import score_file
        from pipeline.core.io import guess_source
        from pipeline.corpus.toxicity.scoring import load

        source = guess_source(file, text=text_column)
        rows, unreadable = score_file(source, out, load(detector), force=force)
        if as_json:
            emit_json({"out": str(out), "rows": rows, "unreadable": unreadable})
        else:
            say(f"{rows:,} texts scored, {unreadable:,} rows unreadable and left out: {out}")


def _print_proposals(proposals: list[Proposal]) -> None:
    from rich.table import Table

    rows = []
    for proposal in proposals:
        head = (proposal.source, proposal.score, f"{proposal.texts:,}", f"{proposal.positives:,}")
        rows.append((*head, "the paper's", *_cells(proposal.paper)))
        cells = _cells(proposal.proposed) if proposal.proposed else ("none", "", "", "")
        rows.append(("", "", "", "", "proposed", *cells))
    titles = ("source", "score", "texts", "positive", "", "threshold", "precision", "recall")
    table = Table(box=None, padding=(0, 1, 0, 0))
    for title in (*titles, "dropped"):
        table.add_column(title, no_wrap=True)
    for row in rows:
        table.add_row(*row)
    console().print(table)


def _cells(figures: Figures) -> tuple[str, ...]:
    shares = (figures.precision, figures.recall, figures.dropped)
    return (f"{figures.threshold:g}", *("-" if s is None else f"{s:.3f}" for s in shares))


tagger = typer.Typer(
    name="tagger",
    help="Named entities before annotation: measure a tagger, tag texts.",
    no_args_is_help=True,
)

TaggerOption = Annotated[
    str, typer.Option("--tagger", help="crf, crf:DIR, or transformers:FOLDER_OR_MODEL.")
]
LABELLED = "KLUE-NER as .tsv, or items with gold as .jsonl."


@tagger.command("score")
def score_tagger(
    file: Annotated[Path, typer.Argument(metavar="FILE", help=LABELLED)],
    tagger: TaggerOption = "crf",
    as_json: Json = False,
) -> None:
    """Compare a tagger with labelled texts: entity F1 by type and by source."""
    with handled(as_json=as_json, resumes=False):
        from pipeline.sampling.tagging.labelled import measure, read
        from pipeline.sampling.tagging.registry import load

        loaded = load(tagger)
        quality = measure(loaded, read([file]))
        if as_json:
            emit_json({"tagger": tagger, "digest": loaded.digest, **quality.record()})
        else:
            print_quality(quality)


@tagger.command()
def tag(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Text, JSONL, CSV or Parquet.")],
    out: Annotated[Path, typer.Option("--out", help="FILE.jsonl: row, text and spans.")],
    tagger: TaggerOption = "crf",
    text_column: Annotated[str, typer.Option(help="The column that holds the texts.")] = "text",
    form: Annotated[
        str | None, typer.Option(help="text, jsonl, csv or parquet, if the name lies.")
    ] = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Find the named entities of every text of FILE."""
    with handled(as_json=as_json, resumes=False):
        from flows.commands.text_files import tag_file
        from pipeline.core.io import guess_source
        from pipeline.sampling.tagging.registry import load

        source = guess_source(file, form=form, text=text_column)
        done = tag_file(source, out, load(tagger), force=force)
        for row in done.first:
            say(f"{file} line {row.line}: left out, {row.reason} ({row.rule})")
        if done.unreadable > len(done.first):
            say(f"{file}: {done.unreadable - len(done.first):,} more rows left out")
        if as_json:
            emit_json({"out": str(out), **done.record()})
        else:
            _say_malformed(done.left_out)
            say(f"{done.rows:,} texts tagged, {done.entities:,} entities found")
            say(f"written: {out}")


def print_quality(quality: Quality) -> None:
    """Print entity F1 over all, by type and by source."""
    typer.echo(f"texts:           {quality.texts:,}")
    typer.echo(f"entity F1 macro: {quality.macro_f1:.4f} (mean of the types)")
    typer.echo(f"entity F1 micro: {quality.micro.f1:.4f} (all entities)")
    _print_figures("type", [*quality.by_label.items(), ("all", quality.micro)])
    _print_figures("source", list(quality.by_source.items()))
    _say_malformed(quality.left_out)


def _say_malformed(mentions: int) -> None:
    if mentions:
        say(f"{mentions:,} mentions that overlap others or lie outside the text are left out")


def _print_figures(title: str, rows: list[tuple[str, Any]]) -> None:
    from rich.table import Table

    table = Table(box=None, padding=(0, 1, 0, 0))
    table.add_column(title, no_wrap=True, min_width=10)
    for name in ("gold", "found", "precision", "recall", "F1"):
        table.add_column(name, no_wrap=True, justify="right", min_width=6)
    for name, own in rows:
        shares = (f"{value:.4f}" for value in (own.precision, own.recall, own.f1))
        table.add_row(name or "unnamed", f"{own.gold:,}", f"{own.found:,}", *shares)
    console().print(table)
