"""`klue check`, `audit`, `aggregate`, `next`, `hypothesis-only`: what answers are worth; gold."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from flows.cli.annotation import Work
from flows.cli.options import (
    SEED,
    WORK,
    Force,
    OptionalTask,
    Seed,
    Specs,
    VotesFrom,
    calls,
    completes,
)
from flows.view.memory import HEAVY

Votes = Annotated[
    Path,
    typer.Argument(
        metavar="VOTES",
        help="A vote file (JSONL, CSV, Parquet), a batch's folder, a task's folder of batches, or a"
        " file of --from.",
        readable=False,
    ),
]
Source = Annotated[
    VotesFrom | None,
    typer.Option("--from", help="What the file is; klue: official files; votes if not given."),
]
Columns = Annotated[
    str | None,
    typer.Option(
        help="Columns of a vote file, such as item=id,annotator=worker,label=answer; others are not"
        " read. With --wide: item=id,annotator=kim|lee. Of a tool's export: label=QUESTION."
    ),
]
Wide = Annotated[
    bool, typer.Option("--wide", help="A row an item, a column an annotator (an empty cell: none).")
]
Labels = Annotated[
    str | None,
    typer.Option(
        help="The labels of votes of no task: yes,no; on a scale bad=1,fair=2,good=3 (words without"
        " a number: 1, 2, 3 in their order)."
    ),
]
Level = Annotated[
    Literal["nominal", "ordinal", "interval", "ratio", "multilabel"] | None,
    typer.Option(help="The level of measurement, for votes of no task."),
]
Rule = Annotated[
    Literal["majority", "plurality", "dawid-skene", "mace", "glad", "median", "mean"] | None,
    typer.Option(
        help="What decides votes of no task: if not given, majority (nominal, multilabel), mean"
        " (interval, ratio) or median (ordinal); dawid-skene, mace and glad need the extra `crowd`."
    ),
]
Margin = Annotated[
    int | None, typer.Option(help="Votes that a plurality needs beyond the next label (1).")
]
Minimum = Annotated[
    int | None, typer.Option(help="Votes that an item of no task needs to become gold (2).")
]
Exclude = Annotated[
    bool | None,
    typer.Option(
        "--exclude/--no-exclude",
        help="Leave out annotators by the spec's exclusion rule; not for --from klue unless asked:"
        " that was done before the release.",
    ),
]
Items = Annotated[
    Path | None, typer.Option("--items", help="Items the votes are about (JSONL, CSV or Parquet).")
]


@calls("flows.commands.check:check", own_tasks="work")
def check(
    task: Annotated[
        str,
        typer.Argument(metavar="TASK", help="mrc or dst.", autocompletion=completes("mrc", "dst")),
    ],
    batch: Annotated[
        str | None, typer.Option("--batch", help="The batch; the only one if not given.")
    ] = None,
    votes: Annotated[
        Path | None, typer.Option("--votes", help="A vote file instead of a batch.")
    ] = None,
    items: Annotated[
        Path | None, typer.Option("--items", help="The items of --votes (JSONL, CSV or Parquet).")
    ] = None,
    work: Work = WORK,
    specs: Specs = None,
) -> None:
    """Check written questions and dialogues by rule: hints for inspectors, nothing is refused."""


@calls("flows.commands.agreement:audit", resumes=False, own_tasks="votes")
def audit(
    votes: Votes,
    task: OptionalTask = None,
    level: Level = None,
    labels: Labels = None,
    source: Source = None,
    columns: Columns = None,
    wide: Wide = False,
    items: Items = None,
    bootstrap: Annotated[
        int, typer.Option(help="Resamples for the confidence intervals; 0 for none.")
    ] = 1000,
    html: Annotated[
        Path | None,
        typer.Option(help="Write index.html, audit.json and items.parquet to this folder."),
    ] = None,
    check: Annotated[
        bool,
        typer.Option(
            "--check", help="Compute alpha and ROUGE by other packages too; exit 1 if they differ."
        ),
    ] = False,
    gamma: Annotated[
        bool,
        typer.Option(
            "--gamma",
            help="Align spans, which may overlap, and compute gamma and gamma-cat (extra `gamma`);"
            " takes minutes, as it says beforehand.",
        ),
    ] = False,
    seed: Seed = SEED,
    specs: Specs = None,
) -> None:
    """Audit agreement: coefficients, annotators, items, labels, sources; --html for a page."""


@calls("flows.commands.agreement:aggregate", resumes=False, own_tasks="votes")
def aggregate(
    votes: Votes,
    task: OptionalTask = None,
    level: Level = None,
    labels: Labels = None,
    rule: Rule = None,
    margin: Margin = None,
    minimum: Minimum = None,
    source: Source = None,
    columns: Columns = None,
    wide: Wide = False,
    items: Items = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Write gold.parquet, gold.jsonl, ledger and queue to this folder."),
    ] = None,
    exclude: Exclude = None,
    public_figures: Annotated[
        Path | None, typer.Option(help="Names of public figures, one a line (NER privacy review).")
    ] = None,
    crowd: Annotated[
        str | None,
        typer.Option(
            help="Beside the rule: dawid-skene, mace, glad (commas between) or all (extra"
            " `crowd`).",
            autocompletion=completes("dawid-skene", "mace", "glad", "all"),
        ),
    ] = None,
    force: Force = False,
    specs: Specs = None,
) -> None:
    """Turn votes into gold by a rule, of a spec or --rule; what it cannot decide waits in a queue.

    Every item has a soft label and the confidence of its gold label.
    """


@calls("flows.commands.agreement:next_votes", resumes=False, own_tasks="votes")
def next_votes(
    votes: Votes,
    task: OptionalTask = None,
    level: Level = None,
    labels: Labels = None,
    rule: Rule = None,
    margin: Margin = None,
    minimum: Minimum = None,
    source: Source = None,
    columns: Columns = None,
    wide: Wide = False,
    items: Items = None,
    budget: Annotated[
        int | None, typer.Option(help="How many votes to ask for, one an item; all if absent.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Write the items to this file (JSONL).")] = None,
    exclude: Exclude = None,
    force: Force = False,
    specs: Specs = None,
) -> None:
    """Rank items by what one more vote is expected to add: where the next round helps most."""


@calls("flows.commands.hypothesis_only:score_pairs", resumes=False, needs=HEAVY)
def hypothesis_only(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...",
            help="Official KLUE-NLI files, or items with gold labels (JSONL, CSV or Parquet).",
            readable=False,
        ),
    ],
    classifier: Annotated[
        str,
        typer.Option(
            help="What guesses labels: linear, or transformers:FOLDER_OR_MODEL.",
            autocompletion=completes("linear", "transformers:"),
        ),
    ] = "linear",
    folds: Annotated[int, typer.Option(help="Parts for cross-fitting, 2 to 20.")] = 5,
    gold: Annotated[
        Path | None,
        typer.Option(help="gold.parquet of `klue aggregate`: its labels instead of the items'."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Write a line for each pair to this file (JSONL).")
    ] = None,
    seed: Seed = SEED,
    force: Force = False,
    specs: Specs = None,
) -> None:
    """Guess labels from hypotheses alone; find the premise sets that reveal least."""
