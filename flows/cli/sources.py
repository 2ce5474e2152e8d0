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
#: What the list says of a source.
BRIEF = {
    *("name", "licence", "domain", "style", "ethical_risk", "volume", "contemporary"),
    *("selected", "tasks"),
}


@app.command("list")
def list_sources(catalogue: CatalogueOption = None, as_json: JsonOption = False) -> None:
    """List every candidate corpus, and which of them the benchmark is built from."""
    with handled(as_json=as_json):
        sources = _load(catalogue).sources
        if as_json:
            rows = [
                {"id": name, **source.model_dump(mode="json", include=BRIEF)}
                for name, source in sources.items()
            ]
            emit_json({"sources": rows})
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
        loaded = _load(catalogue)
    except SpecError as error:
        problems = str(error).splitlines()
        if as_json:
            emit_json({"ok": False, "problems": problems})
        else:
            typer.echo("\n".join(problems))
        raise typer.Exit(error.code) from None
    from pipeline.corpus.catalogue import fed_tasks

    selected = loaded.selected().values()
    styles = Counter(source.style for source in selected)
    counts = {
        "sources": len(loaded.sources),
        "selected": len(selected),
        "formal": styles["formal"],
        "colloquial": styles["colloquial"],
    }
    tasks = {task: len(loaded.feeding(task)) for task in fed_tasks()}
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
        if sha256 is not None and not re.fullmatch("[0-9a-fA-F]{64}", sha256):
            raise InputError(
                f"--sha256 is 64 hexadecimal digits; {len(sha256)} characters were given"
            )
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
        raise InputError(
            f"{name}: there is no file to download.\n"
            f"how to get it: {source.how_to_get or 'the catalogue does not say'}\n"
            f"published at: {source.address or 'the catalogue does not say'}\n"
            "a file that has an address of its own is fetched with --from URL"
        )
    checksum = sha256.lower() if sha256 else None
    with _progress(file) as progress:
        return fetch(url, (to or FOLDER / name) / file, sha256=checksum, progress=progress)


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
        if value:
            table.add_row(key, value)
    console().print(table)


def _pairs(name: str, source: Source) -> list[tuple[str, str]]:
    """Return what is said of a source, by title; an empty text is not shown."""
    from pipeline.core.licences import LICENCES
    from pipeline.corpus.catalogue import RIGHTS

    basis, limits, frame = source.basis, source.toxicity, source.timeframe
    lacks = basis.lacks()
    allowed = [right for right in RIGHTS if right not in lacks]
    thresholds = f"gender bias from {limits.gender_bias}, hate from {limits.hate}" if limits else ""
    unused = "detectors are not used" if source.buildable else ""
    return [
        ("id", name),
        ("name", source.name),
        ("description", source.description),
        ("licence", _join(source.licence, LICENCES[source.licence].url, sep=" ")),
        ("basis", basis.kind.replace("_", " ")),
        ("allows", ", ".join(allowed) or "nothing that KLUE needs"),
        ("does not allow", ", ".join(lacks)),
        ("law", _join(basis.act, basis.article)),
        ("only for", ", ".join(basis.only_tasks)),
        ("note", basis.note or ""),
        ("attribution", basis.attribution or ""),
        ("domain", source.domain),
        ("style", source.style),
        ("ethical risk", source.ethical_risk),
        ("volume", source.volume),
        ("contemporary", "yes" if source.contemporary else "no"),
        ("selected", "yes" if source.selected else "no"),
        ("tasks", ", ".join(source.tasks) or "none"),
        *((f"{u.kind} units", ", ".join(u.tasks) or "for no task") for u in source.units),
        ("passages", ", ".join(source.passages)),
        *((f"not for {task}", why) for task, why in source.forbidden.items()),
        ("cleaning", ", ".join(source.cleaning)),
        ("toxicity", thresholds or unused),
        ("timeframe", f"{frame.from_ or '(open)'} to {frame.to or '(open)'}" if frame else ""),
        ("snapshot", source.snapshot.isoformat() if source.snapshot else ""),
        ("reader", source.reader or ""),
        ("address", source.address or ""),
        ("download", source.download.url if source.download else ""),
        ("sha256", source.download.sha256 or "not known" if source.download else ""),
        ("how to get it", source.how_to_get or ""),
    ]


def _join(*texts: str | None, sep: str = ", ") -> str:
    return sep.join(filter(None, texts))
