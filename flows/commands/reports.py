"""Pages for people: the quality-control report of a release, and runs side by side."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from flows.commands.outputs import INDEX, check_page, require_folder
from flows.commands.releases import require_release
from flows.view.console import Result, print_line, print_table, say
from pipeline.core import store
from pipeline.core.errors import InputError, StoreError
from pipeline.core.fingerprint import of_file
from pipeline.release.contained import released_file
from pipeline.release.manifest import is_page, read_manifest

if TYPE_CHECKING:
    from pipeline.report.pretraining import Pretrained
    from pipeline.report.record import Report
    from pipeline.report.runs import Run


def report(
    folder: Path | None = None,
    klue: Path | None = None,
    out: Path | None = None,
    *,
    diff: Path | None = None,
    language: str | None = None,
) -> Result:
    """Return a report, that of a release or one made of official files; write the pages if asked.

    That of a release has what changed since `diff`, an older one, and its distributions beside
    those of official files, where these are given. The pages open in `language`.
    """
    if folder is None and klue is None:
        raise InputError("give the folder of a release, or --klue with official KLUE files")
    if diff is not None and folder is None:
        raise InputError("--diff: compares two releases; give the folder of the newer one")
    check_page("--out", out, "quality.json")
    if klue is not None:
        require_folder(klue, "the folder that holds the KLUE files, as --klue")
    if folder is not None:
        record, files = _of_release(folder, diff, klue, language)
    else:
        assert klue is not None  # one of the two was given
        record, files = _of_files(klue, language)
    if out is not None:
        write_pages(out, files, record, "quality.json")
    beside = folder / "report" if folder is not None and diff is None and klue is None else None
    return record, partial(_show_report, place=out or beside)


def _show_report(record: dict[str, Any], *, place: Path | None) -> None:
    print_line(record["title"])
    print_line(record["lead"])
    _print_facts(record)
    for section in record["sections"]:
        tables, charts = (_count(section, kind) for kind in ("tables", "charts"))
        print_line(f"section  {section['title']}: {tables} tables, {charts} charts")
    _say_page(place)


def _say_page(folder: Path | None) -> None:
    say(f"page  {folder / 'index.html'}" if folder is not None else "give --out DIR for the page")


def _of_release(
    folder: Path, old: Path | None, klue: Path | None, language: str | None
) -> tuple[dict[str, Any], dict[str, str]]:
    record, files = _released(folder)
    if old is None and klue is None and language is None:
        return record, files
    from flows.commands.report_comparisons import changed_report, official_charts
    from pipeline.report.beside_official import beside_official
    from pipeline.report.changes import NOTHING
    from pipeline.report.quality_page import pages
    from pipeline.report.record import report_of

    report, before = report_of(record), NOTHING
    if klue is not None:
        report = beside_official(report, official_charts(klue, report))
    if old is not None:
        report, before = changed_report(report, folder, old, _released(old)[0])
    return asdict(report), pages(report, language=language, older=before)


def _released(folder: Path) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the record and the pages of a release's report, as they were released."""
    require_release(folder)
    place, files = folder / "report", read_manifest(folder).files
    names = sorted({"report/index.html", *filter(is_page, files)})
    try:
        for name in ("report/quality.json", *names):
            if of_file(released_file(folder, name, files)) != files[name].sha256:
                raise ValueError(f"{name} is not the one that was released")
        record = json.loads((place / "quality.json").read_text("utf-8"))
        pages = {Path(name).name: (folder / name).read_text("utf-8") for name in names}
        return dict(record), pages
    except (OSError, ValueError, TypeError, KeyError, StoreError) as error:
        raise StoreError(
            f"{place}: holds no readable report ({type(error).__name__}); `klue verify {folder}`"
            " says what is damaged; build the release again"
        ) from None


#: What workers import, once for all of them, while files are read.
_OFFICIAL_MODULES: Final = (
    "flows.publish.quality_official",
    "sklearn.feature_extraction.text",
    "sklearn.linear_model",
)


def _of_files(folder: Path, language: str | None) -> tuple[dict[str, Any], dict[str, str]]:
    from flows.engine.run import count_cores
    from pipeline.core.pool import Workers

    with Workers(min(2, count_cores())) as workers:
        workers.preload(_OFFICIAL_MODULES)
        from flows.publish.quality_official import official_report
        from pipeline.report.official import official_examples
        from pipeline.report.quality_page import pages

        record, _ = official_report(official_examples(folder))
    return asdict(record), pages(record, language=language)


def _count(section: dict[str, Any], kind: str) -> int:
    return len(section[kind]) + sum(_count(part, kind) for part in section["parts"])


def results(folders: Sequence[Path], out: Path | None = None) -> Result:
    """Return the scores of all runs below some folders; write the page if asked."""
    from pipeline.report.quality_page import page

    check_page("--out", out, "results.json")
    report = _of_runs(folders)
    record = asdict(report)
    if out is not None:
        write_page(out, page(report, translated=False), record, "results.json")
    return record, partial(_show_results, out=out)


class Runs(NamedTuple):
    """The runs below some folders: fine-tuned, pretrained, and how many have not ended."""

    tuned: list[Run]
    pretrained: list[Pretrained]
    unfinished: int


def _of_runs(folders: Sequence[Path]) -> Report:
    from pipeline.report.results import results as report_of

    runs = read_runs(folders)
    return report_of(runs.tuned, pretrained=runs.pretrained, unfinished=runs.unfinished)


def read_runs(folders: Sequence[Path]) -> Runs:
    """Return the runs below some folders; those that cannot be read are named and left out.

    Raises InputError where no run has ended.
    """
    from pipeline.report.pretraining import KIND, Pretrained, pretrained_of
    from pipeline.report.runs import run_of
    from pipeline.training.runfolder import RECORD, read_record

    places = _places(folders)
    found = Runs([], [], 0)
    unfinished = unreadable = 0
    for place in places:
        try:
            record = read_record(place)
            run = pretrained_of(record) if record.get("kind") == KIND else run_of(record)
        except InputError as error:
            fault = str(error).removeprefix(f"{place / RECORD}: ")
        except RecursionError:
            fault = "is nested too deeply; it is no record of a run"
        else:
            unfinished += run is None
            if isinstance(run, Pretrained):
                found.pretrained.append(run)
            elif run is not None:
                found.tuned.append(run)
            continue
        unreadable += 1
        say(f"left out: {place / RECORD}: {fault}")
    if not found.tuned and not found.pretrained:
        where = ", ".join(map(str, folders))
        ends = f" to show ({unfinished:,} have not ended, {unreadable:,} cannot be read)"
        raise InputError(
            f"{where}: holds no run{ends if places else ''}; give a folder that klue train wrote"
        )
    return found._replace(unfinished=unfinished)


def _places(folders: Sequence[Path]) -> list[Path]:
    from pipeline.training.runfolder import runs

    places: dict[Path, Path] = {}
    for folder in folders:
        require_folder(folder, "a folder that klue train wrote")
        for place in runs(folder):
            places.setdefault(place.resolve(), place)
    return [places[real] for real in sorted(places)]


def _show_results(record: dict[str, Any], *, out: Path | None) -> None:
    """Print the scores of each task; the overview of all of them is as wide as a page."""
    _print_facts(record)
    for table in (table for section in record["sections"] for table in section["tables"]):
        if not table["id"].startswith("overview-") and not table["id"].endswith("-runs"):
            heads = [column["name"] for column in table["columns"]]
            texts = [column["name"] for column in table["columns"] if column["form"] == "text"]
            rows = ([_cell(cell) for cell in row] for row in table["rows"])
            print_table(table["title"], heads, rows, left=texts)
    _say_page(out)


def _cell(cell: Any) -> str:
    if cell is None:
        return ""
    return f"{cell:.2f}" if isinstance(cell, float) else str(cell)


def _print_facts(record: dict[str, Any]) -> None:
    for fact in record["facts"]:
        note = f" ({fact['note']})" if fact["note"] else ""
        value = f"{fact['value']:,}" if isinstance(fact["value"], int) else fact["value"]
        print_line(f"{fact['name']:24} {value}{note}")


def write_page(out: Path, page: str, record: dict[str, Any], name: str) -> None:
    write_pages(out, {INDEX: page}, record, name)


def write_pages(out: Path, files: Mapping[str, str], record: dict[str, Any], name: str) -> None:
    """Write the record under a name, then the pages: its place says whose they are."""
    out.mkdir(parents=True, exist_ok=True)
    store.write_json(out / name, record)
    for file, text in files.items():
        store.write_text(out / file, text)
