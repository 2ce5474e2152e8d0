"""`klue export`, `import`, `status`, `qualify`, `simulate`: the exchange with annotators."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from flows.cli.options import (
    SEED,
    WORK,
    Force,
    ItemsFrom,
    OptionalTask,
    Seed,
    Specs,
    TaskName,
    TaskOption,
    Tool,
    calls,
)

Work = Annotated[Path, typer.Option("--work", help="Work directory: batches lie in annotation/.")]
Replace = Annotated[
    bool, typer.Option("--replace", help="Let changed answers replace earlier ones.")
]
Batch = Annotated[str, typer.Option("--batch", help="The name of the batch.")]


@calls("flows.commands.batch_export:export", resumes=False, own_tasks="work")
def export(
    task: TaskName,
    to: Annotated[Tool, typer.Option("--to", help="The annotation tool.")],
    items: Annotated[
        Path | None,
        typer.Option(
            "--items", help="Items (JSONL, CSV or Parquet, or an official file with --from klue)."
        ),
    ] = None,
    source: Annotated[
        ItemsFrom, typer.Option("--from", help="What --items is; klue: an official file.")
    ] = "items",
    annotators: Annotated[
        str | None,
        typer.Option(help="A number, names with commas between, a file of names, or job."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="The folder to write; the batch's folder if not given.")
    ] = None,
    batch: Batch = "main",
    round_: Annotated[
        str | None, typer.Option("--round", help="A round of the spec; the first if not given.")
    ] = None,
    after: Annotated[
        str | None,
        typer.Option(
            help="The batches (commas between) whose answers this round shows or builds on."
        ),
    ] = None,
    pilot: Annotated[
        bool,
        typer.Option(
            "--pilot",
            help="A qualification test: items with `gold`; those of the spec if not given.",
        ),
    ] = False,
    human_baseline: Annotated[
        int | None,
        typer.Option(
            "--human-baseline",
            metavar="N",
            help="N items drawn for measuring people, without their labels.",
        ),
    ] = None,
    qualified: Annotated[
        str | None,
        typer.Option(help="A pilot batch: only annotators who passed it are given items."),
    ] = None,
    control_items: Annotated[
        Path | None,
        typer.Option(
            help="Items with `gold` to hide among the others, where the spec leaves the file open;"
            " or gold.parquet of `klue aggregate`."
        ),
    ] = None,
    seed: Seed = SEED,
    work: Work = WORK,
    specs: Specs = None,
) -> None:
    """Give items to annotators: assign them by keyed, balanced draw and write a tool's files."""


@calls("flows.commands.batch_votes:import_votes", resumes=False, own_tasks="work")
def import_(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="What the tool exported, or votes (JSONL, JSON, CSV, TSV, Parquet).",
            readable=False,
        ),
    ],
    task: TaskOption,
    source: Annotated[
        Literal[Tool, "klue"],
        typer.Option(
            "--from", help="The tool that exported it; jsonl: a vote file; klue: official files."
        ),
    ] = "jsonl",
    columns: Annotated[
        str | None,
        typer.Option(
            help="Columns of a vote file, such as item=id,annotator=worker,label=answer; others are"
            " not read. With --wide: item=id,annotator=kim|lee."
        ),
    ] = None,
    wide: Annotated[
        bool,
        typer.Option("--wide", help="A row an item, a column an annotator (an empty cell: none)."),
    ] = False,
    batch: Batch = "main",
    annotators: Annotated[
        Path | None,
        typer.Option(help="JSON object from the tool's ids to annotators' names."),
    ] = None,
    replace: Replace = False,
    work: Work = WORK,
    specs: Specs = None,
) -> None:
    """Take answers back: check every vote, quarantine what is wrong; twice changes nothing."""


@calls("flows.commands.batch_votes:status", own_tasks="work")
def status(
    task: OptionalTask = None,
    work: Work = WORK,
) -> None:
    """Tell which batches are out, and what is missing from whom."""


@calls("flows.commands.batch_items:qualify", own_tasks="work")
def qualify(
    task: TaskName,
    batch: Batch = "pilot",
    work: Work = WORK,
    specs: Specs = None,
) -> None:
    """Tell who passed a pilot: the spec's rule, each annotator's result, and why."""


@calls("flows.commands.batch_votes:simulate", resumes=False, own_tasks="work")
def simulate(
    task: TaskName,
    out: Annotated[Path, typer.Option(help="The vote file (JSONL) to write.")],
    batch: Batch = "main",
    truth: Annotated[
        Path | None,
        typer.Option(
            help="Items with their right answers as `gold`; those of the sample if not given."
        ),
    ] = None,
    experts: Annotated[
        bool,
        typer.Option("--experts", help="Decide instead what waits: reports, open items, names."),
    ] = False,
    seed: Seed = SEED,
    force: Force = False,
    work: Work = WORK,
    specs: Specs = None,
) -> None:
    """Answer a batch by simulated annotators (sim-01, ...), to try everything that follows."""
