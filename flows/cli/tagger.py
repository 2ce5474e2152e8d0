"""`klue tagger`: measure a tagger of named entities, tag texts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flows.view.console import console, emit_json, handled, say

if TYPE_CHECKING:
    from pipeline.sampling.tagging.labelled import Quality

app = typer.Typer(
    name="tagger",
    help="Named entities before annotation: measure a tagger, tag texts.",
    no_args_is_help=True,
)

Json = Annotated[bool, typer.Option("--json", help="Print exactly one JSON object.")]
Force = Annotated[bool, typer.Option("--force", help="Overwrite what is there.")]
TaggerOption = Annotated[
    str, typer.Option("--tagger", help="crf, crf:DIR, or transformers:FOLDER_OR_MODEL.")
]
LABELLED = "KLUE-NER as .tsv, or items with gold as .jsonl."


@app.command()
def score(
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


@app.command()
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
    _print_table("type", [*quality.by_label.items(), ("all", quality.micro)])
    _print_table("source", list(quality.by_source.items()))
    _say_malformed(quality.left_out)


def _say_malformed(mentions: int) -> None:
    if mentions:
        say(f"{mentions:,} mentions that overlap others or lie outside the text are left out")


def _print_table(what: str, rows: list[tuple[str, Any]]) -> None:
    from rich.table import Table

    table = Table(box=None, padding=(0, 1, 0, 0))
    table.add_column(what, no_wrap=True, min_width=10)
    for title in ("gold", "found", "precision", "recall", "F1"):
        table.add_column(title, no_wrap=True, justify="right", min_width=6)
    for name, own in rows:
        shares = (f"{value:.4f}" for value in (own.precision, own.recall, own.f1))
        table.add_row(name or "unnamed", f"{own.gold:,}", f"{own.found:,}", *shares)
    console().print(table)
