"""`klue leaderboard`: a board that takes predictions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from flows.cli.group import Commands
from flows.cli.options import NewFolder, calls, complete_task

app = Commands(help="A leaderboard: make, serve and publish one; submit predictions to one.")
_tokens = Commands(help="Tokens of submitters.")
app.add_typer(_tokens, name="token")

Board = Annotated[
    Path, typer.Argument(metavar="DIR", help="The folder that `klue leaderboard init` made.")
]


@app.command()
@calls("flows.commands.leaderboard:init", resumes=False)
def init(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new or empty folder.")],
    release: Annotated[
        Path, typer.Option(help="A release, NAME/VERSION, with its private folder beside it.")
    ],
    title: Annotated[
        str | None, typer.Option(help="The board's title; the release's name if not given.")
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(help="postgresql://USER@HOST/NAME; SQLite in DIR if not given."),
    ] = None,
    baselines: Annotated[
        bool, typer.Option("--baselines", help="Submit trivial systems: most frequent, nearest...")
    ] = False,
) -> None:
    """Make a board from a release that verifies: copies, settings, an empty database."""


@_tokens.command("add")
@calls("flows.commands.leaderboard:add_token", resumes=False)
def add_token(
    folder: Board,
    name: Annotated[str, typer.Argument(help="The submitter, as the board names them.")],
    days: Annotated[
        int, typer.Option(min=1, max=3_650, help="Days until the token expires.")
    ] = 365,
) -> None:
    """Issue a token and print it, this once; a submitter may have several."""


@_tokens.command("list")
@calls("flows.commands.leaderboard:list_tokens")
def list_tokens(folder: Board) -> None:
    """List tokens by their first characters: whose they are, until when."""


@_tokens.command("revoke")
@calls("flows.commands.leaderboard:revoke_token")
def revoke_token(
    folder: Board,
    which: Annotated[
        str,
        typer.Argument(metavar="TOKEN", help="Its id, or first characters, as `list` prints."),
    ],
) -> None:
    """Revoke a token; its sessions end, its submissions stay."""


@app.command()
@calls("flows.commands.leaderboard:mark")
def mark(
    folder: Board,
    key: Annotated[str, typer.Argument(help="The key of the submission.")],
    mark_as: Annotated[
        Literal["withdrawn", "disqualified"], typer.Option("--as", help="What it becomes.")
    ],
    reason: Annotated[str, typer.Option(help="Why; the board shows it.")],
) -> None:
    """Mark a submission: it stays on the board, out of the ranks, with the reason."""


@app.command()
@calls("flows.commands.leaderboard_site:publish", resumes=False)
def publish(
    folder: Board,
    out: NewFolder,
) -> None:
    """Write the board as pages that need no server, and board.json."""


@app.command()
@calls("flows.commands.leaderboard_server:serve", shows_steps=False)
def serve(
    folder: Board,
    host: Annotated[
        str, typer.Option(help="The address to listen on; a proxy with TLS stands before others.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one.")] = 8000,
    web_user: Annotated[
        str | None,
        typer.Option(help="As root: the user of web and checker, who cannot read test labels."),
    ] = None,
    scorer_user: Annotated[
        str | None, typer.Option(help="As root: the user who alone reads test labels.")
    ] = None,
) -> None:
    """Serve a board until interrupted: its pages, the check and the scores of submissions."""


@app.command()
@calls("flows.commands.leaderboard_server:rescore")
def rescore(
    folder: Board,
    reason: Annotated[str, typer.Option(help="Why; the board shows it.")],
    release: Annotated[
        Path | None,
        typer.Option(
            help="The board's release after `klue errata apply`: examples withdrawn, labels"
            " corrected."
        ),
    ] = None,
) -> None:
    """Score all submissions again under a new version of the board; old versions stay."""


@app.command()
@calls("flows.commands.leaderboard_server:close")
def close(folder: Board) -> None:
    """Take no more submissions; score and rank what is shown on the hidden half of test."""


@app.command()
@calls("flows.commands.leaderboard_submit:submit", resumes=False)
def submit(
    file: Annotated[
        Path, typer.Argument(help="Predictions on test: .jsonl (also .gz, .zst) or .parquet.")
    ],
    board: Annotated[str, typer.Option(metavar="URL", help="Where the board answers.")],
    task: Annotated[
        str,
        typer.Option(
            metavar="TASK", help="A task of the board, such as nli.", autocompletion=complete_task
        ),
    ],
    model: Annotated[str, typer.Option(help="The model's name, as the board shows it.")],
    parameters: Annotated[
        int | None, typer.Option(min=1, help="Number of the model's parameters.")
    ] = None,
    kind: Annotated[
        Literal["encoder", "decoder", "encoder-decoder", "other"] | None,
        typer.Option(help="The kind of model."),
    ] = None,
    link: Annotated[str | None, typer.Option(help="A page on the model, http or https.")] = None,
    description: Annotated[str | None, typer.Option(help="What others should know of it.")] = None,
    dev: Annotated[Path | None, typer.Option(help="Predictions on dev, in the same forms.")] = None,
    token_file: Annotated[
        Path | None, typer.Option(help="A file that holds the token and nothing else.")
    ] = None,
    wait: Annotated[
        bool, typer.Option("--wait/--no-wait", help="Wait for the outcome, or only send.")
    ] = True,
    patience: Annotated[int, typer.Option(min=1, help="Minutes to wait at most.")] = 60,
) -> None:
    """Send predictions to a board: shows the quota, sends, waits for score or refusal.

    KLUE_LEADERBOARD_TOKEN holds the token of the board's organiser, unless --token-file is given.
    """
