"""`klue`: the command line. Heavy parts are imported by the command that needs them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.cli import (
    agreement,
    annotation,
    check,
    hypothesis_only,
    pii,
    release,
    score,
    sources,
    tagger,
    toxicity,
    train,
)
from flows.view.console import emit_json, handled

app = typer.Typer(
    name="klue",
    help="Rebuild KLUE, the Korean Language Understanding Evaluation benchmark, from raw corpora.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.add_typer(pii.app, name="pii", help="Personal data in files: scan, redact, pseudonymise.")
app.add_typer(toxicity.app, name="toxicity", help="Toxic text: train, calibrate, score.")
app.add_typer(tagger.app, name="tagger", help="Named entities: train, score, tag.")
app.add_typer(sources.app, name="sources", help="The catalogue of source corpora.")

app.command()(annotation.export)
app.command("import")(annotation.import_)
app.command()(annotation.status)
app.command()(annotation.qualify)
app.command()(annotation.simulate)
app.command()(check.check)
app.command()(agreement.audit)
app.command()(agreement.aggregate)
app.command("hypothesis-only")(hypothesis_only.hypothesis_only)
app.command()(release.split)
app.command()(release.verify)
app.command()(release.diff)
app.command()(release.report)
app.command()(release.convert)
app.command()(score.score)
app.command()(train.train)
app.command()(train.results)

Work = Annotated[Path, typer.Option("--work", help="Work directory: the store of stage outputs.")]
Json = Annotated[bool, typer.Option("--json", help="Print exactly one JSON object.")]
WORK = Path("data/work")
RELEASES = Path("data/releases")


@app.command()
def build(
    build_file: Annotated[
        Path, typer.Argument(metavar="BUILD.yaml", help="The build file.", readable=False)
    ],
    work: Work = WORK,
    engine: Annotated[str, typer.Option(help="local (processes here) or dask (a cluster).")] = (
        "local"
    ),
    address: Annotated[
        str | None, typer.Option(help="Address of a running Dask scheduler, for --engine dask.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(help="Worker processes; all cores if not given.")
    ] = None,
    tasks: Annotated[
        str | None,
        typer.Option(help="Only these tasks and their sources, such as tc,nli."),
    ] = None,
    until: Annotated[
        str | None,
        typer.Option(
            help="The last part to run: corpus, annotate, adjudicate or release; as far as the"
            " build file says if not given."
        ),
    ] = None,
    releases: Annotated[
        Path, typer.Option("--releases", help="The directory of releases.")
    ] = RELEASES,
    formats: Annotated[
        list[str] | None,
        typer.Option("--format", help="A form beside Parquet: klue, the official files."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would run and why; run nothing.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Build what a build file says: raw files to sentences, candidates, gold and a release."""
    with handled(as_json=as_json):
        from flows import build as job
        from flows.plan.request import Request

        request = Request(
            build_file,
            work,
            engine=engine,
            address=address,
            workers=workers,
            tasks=tasks,
            until=until,
            releases=releases,
            formats=tuple(formats or ()),
        )
        if dry_run:
            job.dry_run(request, as_json=as_json)
        else:
            job.run(request, as_json=as_json)


@app.command()
def explain(
    name: Annotated[str, typer.Argument(metavar="ID", help="A document, sentence or record id.")],
    work: Work = WORK,
    build_name: Annotated[
        str | None, typer.Option("--build", help="Look only in the build of this name.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Tell the whole life of an ID: where it came from, what touched it, why it was dropped."""
    with handled(as_json=as_json):
        from flows.lineage.explain import explain as life_of

        life = life_of(name, work, build_name)
        if as_json:
            emit_json(life.record())
            return
        typer.echo(f"{life.id} ({life.kind}) in build {life.build}")
        for step in life.steps:
            rule = f" {step.rule}" if step.rule else ""
            typer.echo(f"  {step.stage:8} {step.action}{rule}: {step.detail}")


@app.callback(invoke_without_command=True)
def version(
    show: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Rebuild KLUE from raw corpora."""
    if show:
        from importlib.metadata import version as installed

        typer.echo(installed("klue-rebuild"))
        raise typer.Exit


def main() -> None:
    """Run the command line."""
    app()


if __name__ == "__main__":
    main()
