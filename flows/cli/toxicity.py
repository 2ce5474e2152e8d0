"""`klue toxicity`: train the linear detector, calibrate thresholds, score texts."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flows.view.console import console, emit_json, handled, say

if TYPE_CHECKING:
    from pipeline.corpus.toxicity.calibration import Figures, Proposal, Quality

app = typer.Typer(
    name="toxicity",
    help="Gender bias and hate speech: train a detector, set its thresholds, score texts.",
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


@app.command()
def train(
    train_file: Annotated[Path, typer.Option("--train", help="Labelled comments, TSV or JSONL.")],
    dev_file: Annotated[Path, typer.Option("--dev", help="Others, for the figures alone.")],
    out: Annotated[Path, typer.Option("--out", help="Folder for the weights and their card.")],
    unlabelled: Annotated[
        Path | None, typer.Option(help="More comments, one a line, for document frequencies.")
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            help="Fine-tune two checkpoints from this model (as klue train --model) instead."
        ),
    ] = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Train `linear` on the Korean hate speech data; write weights and model card."""
    with handled(as_json=as_json, resumes=False):
        if model is not None:
            from flows.commands.finetuned import toxicity
            from pipeline.core.errors import InputError

            if unlabelled is not None:
                raise InputError(
                    "--unlabelled is for the linear detector; leave it out with --model"
                )
            result = toxicity(train_file, dev_file, out, model=model, force=force)
            if as_json:
                emit_json(result)
                return
            for name, value in result["dev"].items():
                typer.echo(f"{name}, average precision: {value:.4f}")
            say(f"written: {out}; use it with --detector {result['detector']}")
            return
        from pipeline.corpus.toxicity import release

        linear, quality = release.train_release(
            train_file, dev_file, out, unlabelled=unlabelled, force=force
        )
        if as_json:
            emit_json({"out": str(out), "digest": linear.digest, "dev": asdict(quality)})
        else:
            _print_quality(quality)
            say(f"written: {out}")


@app.command()
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
        from pipeline.corpus.toxicity.calibration import fragment
        from pipeline.corpus.toxicity.data import read_labelled
        from pipeline.corpus.toxicity.registry import load

        loaded = load(detector)
        proposals = proposals_for(read_labelled(labelled), loaded, precision=precision)
        # A build file has its own folder: paths are given in full.
        spec = located(detector, Path())
        yaml = fragment(proposals, spec, precision=precision)
        if as_json:
            records = [asdict(proposal) for proposal in proposals]
            emit_json({"detector": detector, "digest": loaded.digest, "proposals": records})
        else:
            _print_proposals(proposals)
            typer.echo(f"\n{yaml}")


@app.command()
def score(
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
        from pipeline.corpus.toxicity.registry import load

        source = guess_source(file, text=text_column)
        rows, unreadable = score_file(source, out, load(detector), force=force)
        if as_json:
            emit_json({"out": str(out), "rows": rows, "unreadable": unreadable})
        else:
            say(f"{rows:,} texts scored, {unreadable:,} rows unreadable and left out: {out}")


def _print_quality(quality: Quality) -> None:
    typer.echo(f"dev: {quality.texts:,} texts")
    typer.echo(f"gender bias, average precision: {quality.average_precision:.4f}")
    typer.echo(f"hate, average precision:        {quality.hate_average_precision:.4f}")
    typer.echo(f"hate, macro F1 of 3 classes:    {quality.macro_f1:.4f}")
    rows = [
        (name, *_cells(figures)) for name, many in quality.thresholds.items() for figures in many
    ]
    _print_table(("score", "threshold", "precision", "recall", "dropped"), rows)


def _print_proposals(proposals: list[Proposal]) -> None:
    rows = []
    for proposal in proposals:
        head = (proposal.source, proposal.score, f"{proposal.texts:,}", f"{proposal.positives:,}")
        rows.append((*head, "the paper's", *_cells(proposal.paper)))
        cells = _cells(proposal.proposed) if proposal.proposed else ("none", "", "", "")
        rows.append(("", "", "", "", "proposed", *cells))
    titles = ("source", "score", "texts", "positive", "", "threshold", "precision", "recall")
    _print_table((*titles, "dropped"), rows)


def _cells(figures: Figures) -> tuple[str, ...]:
    shares = (figures.precision, figures.recall, figures.dropped)
    return (f"{figures.threshold:g}", *("-" if s is None else f"{s:.3f}" for s in shares))


def _print_table(titles: tuple[str, ...], rows: list[Any]) -> None:
    from rich.table import Table

    table = Table(box=None, padding=(0, 1, 0, 0))
    for title in titles:
        table.add_column(title, no_wrap=True)
    for row in rows:
        table.add_row(*row)
    console().print(table)
