"""`klue toxicity`: calibrate the thresholds of a detector, score texts."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.view.console import console, emit_json, handled, say

if TYPE_CHECKING:
    from pipeline.corpus.toxicity.calibration import Figures, Proposal

app = typer.Typer(
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
