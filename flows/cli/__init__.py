"""`klue`: the command line. Heavy parts are imported by the command that needs them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Final

import typer

from flows.cli import (
    agreement,
    annotation,
    build,
    corpus,
    label_studio,
    leaderboard,
    models,
    pii,
    pretrain,
    pretrain_corpus,
    release,
    store,
    tokenizer,
)
from flows.cli.completion import mend_zsh
from flows.cli.group import Commands, Group


class _InOrder(Group):
    """Lists commands and groups in the order of the panels."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 - what click calls
        return [name for commands in _PANELS.values() for name in commands]


mend_zsh()
app = Commands(
    name="klue",
    cls=_InOrder,
    help="Rebuild KLUE, the Korean Language Understanding Evaluation benchmark, from raw corpora.",
    epilog="Every command has -h, -q and -v: docs/command-line.md.",
    pretty_exceptions_enable=False,
)
#: The commands by the panel of `klue --help` that they stand in; a group is a Typer of its own.
_PANELS: Final[dict[str, dict[str, Callable[..., None] | typer.Typer]]] = {
    "Build": {
        "build": build.build,
        "init": build.init,
        "explain": build.explain,
        "store": store.app,
        "doctor": build.doctor,
    },
    "Corpus": {
        "clean": corpus.clean,
        "corpus": corpus.corpus,
        "decontaminate": corpus.decontaminate,
        "pretrain-corpus": pretrain_corpus.pretrain_corpus,
        "sources": corpus.sources,
        "pii": pii.app,
        "toxicity": corpus.toxicity,
        "tagger": corpus.tagger,
        "knowledge": corpus.knowledge,
    },
    "Annotate": {
        "export": annotation.export,
        "import": annotation.import_,
        "label-studio": label_studio.app,
        "status": annotation.status,
        "qualify": annotation.qualify,
        "simulate": annotation.simulate,
        "check": agreement.check,
    },
    "Agreement": {
        "audit": agreement.audit,
        "aggregate": agreement.aggregate,
        "next": agreement.next_votes,
        "hypothesis-only": agreement.hypothesis_only,
    },
    "Release": {
        "split": release.split,
        "import-official": release.import_official,
        "fetch": release.fetch,
        "verify": release.verify,
        "publish": release.publish,
        "diff": release.diff,
        "report": release.report,
        "convert": release.convert,
        "errata": release.errata,
    },
    "Evaluate": {
        "score": models.score,
        "results": models.results,
        "export-eval": models.export_eval,
        "compare-versions": models.compare_versions,
        "leaderboard": leaderboard.app,
    },
    "Train": {
        "tokenizer": tokenizer.app,
        "pretrain": pretrain.pretrain,
        "train": models.train,
    },
}

for _panel, _commands in _PANELS.items():
    for _name, _command in _commands.items():
        if isinstance(_command, typer.Typer):
            app.add_typer(_command, name=_name, rich_help_panel=_panel)
        else:
            app.command(_name, rich_help_panel=_panel)(_command)


@app.callback(invoke_without_command=True)
def version(
    show: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Rebuild KLUE from raw corpora."""
    if show:
        from importlib.metadata import version as installed

        typer.echo(installed("klue-rebuild"))
        raise typer.Exit
