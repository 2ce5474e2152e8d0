"""The catalogue and its files: what `klue sources` lists, shows and fetches."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from flows.view.console import Result, console, print_line, say
from pipeline.core import steps
from pipeline.core.errors import InputError, SpecError
from pipeline.core.licences import LICENCES
from pipeline.corpus import fetch
from pipeline.corpus.catalogue import CATALOGUE, RIGHTS, Source, fed_tasks, load_catalogue

FOLDER: Final = Path("data/work/raw")
#: What the list says of a source.
BRIEF: Final = {
    *("name", "licence", "domain", "style", "ethical_risk", "volume", "contemporary"),
    *("selected", "tasks"),
}


def list_sources(catalogue: Path = CATALOGUE) -> Result:
    """Return every candidate corpus, and which of them the benchmark is built from."""
    sources = load_catalogue(catalogue).sources
    rows = [
        {"id": name, **source.model_dump(mode="json", include=BRIEF)}
        for name, source in sources.items()
    ]
    return {"sources": rows}, _show_list


def _show_list(record: dict[str, Any]) -> None:
    from rich.table import Table

    table = Table(box=None, padding=(0, 1, 0, 0))
    for title in ("id", "name", "licence", "style", "risk", "volume", "selected", "tasks"):
        table.add_column(title, no_wrap=title != "name")
    for row in record["sources"]:
        nature = (row[key] for key in ("id", "name", "licence", "style", "ethical_risk", "volume"))
        table.add_row(*nature, "yes" if row["selected"] else "no", " ".join(row["tasks"]))
    console().print(table)


def show_source(name: str, catalogue: Path = CATALOGUE) -> Result:
    """Return one source: its rights, its nature, and what it may and may not be used for."""
    source = load_catalogue(catalogue).source(name)
    record = {"id": name, **source.model_dump(mode="json", by_alias=True)}
    return record, lambda _: _print_pairs(name, source)


def check_catalogue(catalogue: Path = CATALOGUE) -> Result:
    """Return how many sources there are of each nature, or which rules are broken."""
    try:
        loaded = load_catalogue(catalogue)
    except SpecError as error:
        return {"ok": False, "problems": str(error).splitlines()}, _show_check
    selected = loaded.selection().values()
    styles = Counter(source.style for source in selected)
    counts = {
        "sources": len(loaded.sources),
        "selected": len(selected),
        "formal": styles["formal"],
        "colloquial": styles["colloquial"],
    }
    tasks = {task: len(loaded.feeding(task)) for task in fed_tasks()}
    return {"ok": True, "problems": [], **counts, "tasks": tasks}, _show_check


def _show_check(record: dict[str, Any]) -> None:
    for problem in record["problems"]:
        print_line(problem)
    if record["ok"]:
        tasks = ", ".join(f"{task} {n}" for task, n in record["tasks"].items())
        print_line(
            "{sources} sources, {selected} selected ({formal} formal, {colloquial} colloquial);"
            " sources by task: ".format(**record)
            + tasks
        )


def fetch_source(
    name: str,
    *,
    to: Path | None = None,
    url: str | None = None,
    sha256: str | None = None,
    catalogue: Path = CATALOGUE,
) -> Result:
    """Download a source, or go on where an earlier download stopped; check its SHA-256."""
    if sha256 is not None and not re.fullmatch("[0-9a-fA-F]{64}", sha256):
        raise InputError(f"--sha256 is 64 hexadecimal digits; {len(sha256)} characters were given")
    source = load_catalogue(catalogue).source(name)
    plan = source.download
    if url is not None:
        address, file = url, _file_name(url)
    elif plan is not None:
        address, file, sha256 = plan.url, plan.file, sha256 or plan.sha256
    else:
        raise InputError(
            f"{name}: there is no file to download.\n"
            f"how to get it: {source.how_to_get or 'the catalogue does not say'}\n"
            f"published at: {source.address or 'the catalogue does not say'}\n"
            "a file that has an address of its own is fetched with --from URL"
        )
    checksum = sha256.lower() if sha256 else None
    with _progress(file) as progress:
        got = fetch.fetch(address, (to or FOLDER / name) / file, sha256=checksum, progress=progress)
    special = plan.reader if plan and url is None else None
    facts = {"path": str(got.path), "bytes": got.bytes, "sha256": got.sha256}
    reader = special or source.reader
    return {"id": name, **facts, "fetched": got.fetched, "reader": reader}, _show_fetched


def _show_fetched(record: dict[str, Any]) -> None:
    print_line(record["path"])
    say(f"{'fetched' if record['fetched'] else 'already there'}: {record['bytes']:,} bytes")
    say(f"sha256: {record['sha256']}; reader: {record['reader'] or 'none'}")


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
def _progress(label: str) -> Iterator[fetch.Progress]:
    """Report how much is fetched."""
    step = f"{label}, bytes"
    with steps.running(step):
        yield steps.follow(step)


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
    basis, limits, frame = source.basis, source.toxicity, source.timeframe
    lacks = basis.lacks()
    allowed = [right for right in RIGHTS if right not in lacks]
    screening = "detectors are not used" if source.buildable else ""
    if limits == "flag":
        screening = "scored, nothing dropped"
    elif limits is not None:
        screening = f"gender bias from {limits.gender_bias}, hate from {limits.hate}"
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
        ("contemporary", {True: "yes", False: "no", None: "unknown"}[source.contemporary]),
        ("private", "never released" if source.private else ""),
        ("selected", "yes" if source.selected else "no"),
        ("tasks", ", ".join(source.tasks) or "none"),
        *((f"{u.kind} units", ", ".join(u.tasks) or "for no task") for u in source.units),
        ("passages", ", ".join(source.passages)),
        *((f"not for {task}", why) for task, why in source.forbidden.items()),
        ("cleaning", ", ".join(source.cleaning)),
        ("toxicity", screening),
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
