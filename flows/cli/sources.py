"""`klue sources`: look at the catalogue, check it, and fetch what may be fetched."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import unquote, urlsplit

import typer

from flows.view.console import console, emit_json, handled, say
from pipeline.core.errors import InputError, SpecError

if TYPE_CHECKING:
    from pipeline.corpus.catalogue import Catalogue, Source
    from pipeline.corpus.fetch import Fetched, Progress

app = typer.Typer(
    name="sources",
    help="The catalogue of source corpora: their rights, their use, and how to get them.",
    no_args_is_help=True,
)

CatalogueOption = Annotated[
    Path | None,
    typer.Option("--catalogue", help="Another catalogue than the one of the project."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
IdArgument = Annotated[str, typer.Argument(metavar="ID", help="The id of a source.")]
FOLDER = Path("data/work/raw")


@app.command("list")
def list_sources(catalogue: CatalogueOption = None, as_json: JsonOption = False) -> None:
    """List every candidate corpus, and which of them the benchmark is built from."""
    with handled(as_json=as_json):
        sources = _load(catalogue).sources
        if as_json:
            emit_json({"sources": [_brief(name, source) for name, source in sources.items()]})
        else:
            _print_table(sources)


@app.command("show")
def show_source(
    name: IdArgument, catalogue: CatalogueOption = None, as_json: JsonOption = False
) -> None:
    """Show one source: its rights, its nature, and what it may and may not be used for."""
    with handled(as_json=as_json):
        source = _load(catalogue).source(name)
        if as_json:
            emit_json({"id": name, **source.model_dump(mode="json", by_alias=True)})
        else:
            _print_pairs(name, source)


@app.command("check")
def check_catalogue(catalogue: CatalogueOption = None, as_json: JsonOption = False) -> None:
    """Check a catalogue against the rules; exit 2 when it breaks one."""
    try:
        found = _load(catalogue)
    except SpecError as error:
        problems = str(error).splitlines()
        if as_json:
            emit_json({"ok": False, "problems": problems})
        else:
            typer.echo("\n".join(problems))
        raise typer.Exit(error.code) from None
    counts, tasks = _counts(found), _sources_by_task(found)
    if as_json:
        emit_json({"ok": True, "problems": [], **counts, "tasks": tasks})
    else:
        listed = ", ".join(f"{task} {n}" for task, n in tasks.items())
        typer.echo(
            f"{counts['sources']} sources, {counts['selected']} selected"
            f" ({counts['formal']} formal, {counts['colloquial']} colloquial);"
            f" sources by task: {listed}"
        )


@app.command("fetch")
def fetch_source(
    name: IdArgument,
    to: Annotated[
        Path | None, typer.Option("--to", help=f"Folder to write to; default {FOLDER}/ID.")
    ] = None,
    url: Annotated[
        str | None, typer.Option("--from", help="Another address than the catalogue's.")
    ] = None,
    sha256: Annotated[
        str | None, typer.Option(help="The SHA-256 that the file must have.", metavar="HEX")
    ] = None,
    catalogue: CatalogueOption = None,
    as_json: JsonOption = False,
) -> None:
    """Download a source, going on where an earlier download stopped; check it against its SHA-256.

    Many sources have no file to download: the message says how to get them.
    """
    with handled(as_json=as_json):
        _check_checksum(sha256)
        source = _load(catalogue).source(name)
        got = _fetch(name, source, to=to, url=url, sha256=sha256)
        special = source.download.reader if source.download and url is None else None
        reader = special or source.reader
        if as_json:
            facts = {"path": str(got.path), "bytes": got.bytes, "sha256": got.sha256}
            emit_json({"id": name, **facts, "fetched": got.fetched, "reader": reader})
        else:
            typer.echo(got.path)
            say(f"{'fetched' if got.fetched else 'already there'}: {got.bytes:,} bytes")
            say(f"sha256: {got.sha256}; reader: {reader or 'none'}")


def _load(path: Path | None) -> Catalogue:
    from pipeline.corpus.catalogue import CATALOGUE, load_catalogue

    return load_catalogue(path or CATALOGUE)


def _fetch(
    name: str, source: Source, *, to: Path | None, url: str | None, sha256: str | None
) -> Fetched:
    from pipeline.corpus.fetch import fetch

    plan = source.download
    if url is not None:
        file = _file_name(url)
    elif plan is not None:
        url, file, sha256 = plan.url, plan.file, sha256 or plan.sha256
    else:
        raise InputError(_how_to_get(name, source))
    checksum = sha256.lower() if sha256 else None
    with _progress(file) as progress:
        return fetch(url, (to or FOLDER / name) / file, sha256=checksum, progress=progress)


def _how_to_get(name: str, source: Source) -> str:
    return (
        f"{name}: there is no file to download.\n"
        f"how to get it: {source.how_to_get or 'the catalogue does not say'}\n"
        f"published at: {source.address or 'the catalogue does not say'}\n"
        "a file that has an address of its own is fetched with --from URL"
    )


def _check_checksum(sha256: str | None) -> None:
    if sha256 is not None and not re.fullmatch("[0-9a-fA-F]{64}", sha256):
        raise InputError(f"--sha256 is 64 hexadecimal digits; {len(sha256)} characters were given")


def _file_name(url: str) -> str:
    """Return the last part of an address: the name to save under, never a path."""
    try:
        name = unquote(urlsplit(url).path).rpartition("/")[2]
    except ValueError:
        name = ""
    if name in {"", ".", ".."} or "\\" in name or not name.isprintable():
        raise InputError("the address given with --from does not end in the name of a file")
    return name


@contextmanager
def _progress(label: str) -> Iterator[Progress]:
    """Show a bar on standard error while something is fetched, if that is a terminal."""
    from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn

    stderr = console(stderr=True)
    columns = ("{task.description}", BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=stderr, disable=not stderr.is_terminal) as bars:
        bar = bars.add_task(label, total=None)
        yield lambda done, total: bars.update(bar, completed=done, total=total)


def _brief(name: str, source: Source) -> dict[str, object]:
    keys = {"name", "licence", "domain", "style", "ethical_risk", "volume", "contemporary"}
    return {"id": name, **source.model_dump(mode="json", include=keys | {"selected", "tasks"})}


def _counts(catalogue: Catalogue) -> dict[str, int]:
    selected = catalogue.selected().values()
    styles = Counter(source.style for source in selected)
    return {
        "sources": len(catalogue.sources),
        "selected": len(selected),
        "formal": styles["formal"],
        "colloquial": styles["colloquial"],
    }


def _sources_by_task(catalogue: Catalogue) -> dict[str, int]:
    from pipeline.corpus.catalogue import fed_tasks

    return {task: len(catalogue.feeding(task)) for task in fed_tasks()}


def _print_table(sources: dict[str, Source]) -> None:
    from rich.table import Table

    table = Table(box=None, padding=(0, 1, 0, 0))
    for title in ("id", "name", "licence", "style", "risk", "volume", "selected", "tasks"):
        table.add_column(title, no_wrap=title != "name")
    for name, source in sources.items():
        chosen = "yes" if source.selected else "no"
        row = (name, source.name, source.licence, source.style, source.ethical_risk)
        table.add_row(*row, source.volume, chosen, " ".join(source.tasks))
    console().print(table)


def _print_pairs(name: str, source: Source) -> None:
    from rich.table import Table

    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for key, value in _pairs(name, source):
        table.add_row(key, value)
    console().print(table)


def _pairs(name: str, source: Source) -> Iterator[tuple[str, str]]:
    yield "id", name
    yield "name", source.name
    yield "description", source.description
    yield from _rights(source)
    yield "domain", source.domain
    yield "style", source.style
    yield "ethical risk", source.ethical_risk
    yield "volume", source.volume
    yield "contemporary", "yes" if source.contemporary else "no"
    yield "selected", "yes" if source.selected else "no"
    yield from _uses(source)
    yield from _access(source)


def _rights(source: Source) -> Iterator[tuple[str, str]]:
    from pipeline.core.licences import LICENCES
    from pipeline.corpus.catalogue import RIGHTS

    basis, terms = source.basis, LICENCES[source.licence]
    yield "licence", " ".join(filter(None, (source.licence, terms.url)))
    yield "basis", basis.kind.replace("_", " ")
    allowed = [right for right in RIGHTS if right not in basis.lacks()]
    yield "allows", ", ".join(allowed) or "nothing that KLUE needs"
    if basis.lacks():
        yield "does not allow", ", ".join(basis.lacks())
    if basis.act or basis.article:
        yield "law", ", ".join(filter(None, (basis.act, basis.article)))
    if basis.only_tasks:
        yield "only for", ", ".join(basis.only_tasks)
    if basis.note:
        yield "note", basis.note
    if basis.attribution:
        yield "attribution", basis.attribution


def _uses(source: Source) -> Iterator[tuple[str, str]]:
    yield "tasks", ", ".join(source.tasks) or "none"
    for unit in source.units:
        yield f"{unit.kind} units", ", ".join(unit.tasks) or "for no task"
    if source.passages:
        yield "passages", ", ".join(source.passages)
    for task, why in source.forbidden.items():
        yield f"not for {task}", why
    if source.cleaning:
        yield "cleaning", ", ".join(source.cleaning)
    if source.toxicity:
        limits = source.toxicity
        yield "toxicity", f"gender bias from {limits.gender_bias}, hate from {limits.hate}"
    elif source.buildable:
        yield "toxicity", "detectors are not used"


def _access(source: Source) -> Iterator[tuple[str, str]]:
    if source.timeframe:
        frame = source.timeframe
        yield "timeframe", f"{frame.from_ or '(open)'} to {frame.to or '(open)'}"
    if source.snapshot:
        yield "snapshot", source.snapshot.isoformat()
    if source.reader:
        yield "reader", source.reader
    if source.address:
        yield "address", source.address
    if source.download:
        yield "download", source.download.url
        yield "sha256", source.download.sha256 or "not known"
    if source.how_to_get:
        yield "how to get it", source.how_to_get
