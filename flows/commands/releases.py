"""Releases looked at: verified, compared, and their reports."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from flows.view.console import console, emit_json, from_here, say
from pipeline.core import store
from pipeline.core.errors import InputError, StoreError
from pipeline.core.fingerprint import of_file
from pipeline.release.manifest import read_manifest

#: What the name of a private folder ends in.
PRIVATE: Final = ".private"
#: So many ids are shown of a kind of change, and of a value so many characters.
SHOWN: Final = 5
LONGEST: Final = 80


def verified(folder: Path, *, as_json: bool) -> bool:
    """Check a release again and print what was checked; returns whether everything holds."""
    from pipeline.release.verify import verify

    _require(folder)
    checks = verify(folder)
    ok = all(one.ok for one in checks)
    if as_json:
        emit_json({"ok": ok, "checks": [asdict(one) for one in checks]})
        return ok
    out = console()
    for one in checks:
        out.print(f"{'ok  ' if one.ok else 'FAIL'} {one.name}: {one.detail}", soft_wrap=True)
    wrong = sum(not one.ok for one in checks)
    told = f"{len(checks)} checks hold" if ok else f"{wrong} of {len(checks)} checks fail"
    out.print(f"{from_here(folder.absolute())}: {told}", soft_wrap=True)
    return ok


def compared(before: Path, after: Path, *, as_json: bool) -> None:
    """Print how two releases differ."""
    from pipeline.release.diff import as_data, diff

    _require(before)
    _require(after)
    found = as_data(diff(before, after))
    if as_json:
        emit_json(found)
        return
    for line in _told(found):
        console().print(line, soft_wrap=True)


def _told(found: dict[str, Any]) -> Iterator[str]:
    """Yield a difference as lines: counts by config and split with the first ids, then the rest."""
    yield f"{found['before']} to {found['after']}"
    if found["empty"]:
        yield "nothing differs"
    for config in found["configs"]:
        for what in ("added", "removed", "relabelled", "edited"):
            for split, guids in config[what].items():
                yield f"{config['config']:5} {len(guids):,} {what} in {split}: {_first(guids)}"
        for one in config["moved"]:
            yield f"{config['config']:5} {one['guid']} moved from {one['before']} to {one['after']}"
    for change in found["changes"]:
        yield f"{change['what']}: {_changed(change['before'], change['after'])}"
    yield from found["notes"]


def _first(guids: Sequence[str]) -> str:
    more = f" and {len(guids) - SHOWN:,} more (--json has all)" if len(guids) > SHOWN else ""
    return " ".join(guids[:SHOWN]) + more


def _changed(before: Any, after: Any) -> str:
    """Tell two values; of a table its rows, since digests say nothing to a reader."""
    if isinstance(before, dict) and isinstance(after, dict):
        return f"other content, {before.get('rows', '?')} rows, now {after.get('rows', '?')}"
    return f"{_value(before)} -> {_value(after)}"


def _value(value: Any) -> str:
    text = "nothing" if value is None else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def reported(folder: Path | None, klue: Path | None, out: Path | None, *, as_json: bool) -> None:
    """Print the facts of a report, that of a release or one made of official files."""
    if (folder is None) == (klue is None):
        raise InputError("give the folder of a release, or --klue with official KLUE files")
    if out is not None and out.exists() and not out.is_dir():
        raise InputError(f"--out {out}: is a file; give a folder, it may be new")
    record, page = _of_release(folder) if folder is not None else _of_files(klue)
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        store.write_text(out / "index.html", page)
        store.write_json(out / "quality.json", record)
    if as_json:
        emit_json(record)
        return
    _show(record)
    where = out / "index.html" if out is not None else None
    where = where or (folder / "report" / "index.html" if folder is not None else None)
    say(f"page  {where}" if where is not None else "give --out DIR for the page")


def _of_release(folder: Path) -> tuple[dict[str, Any], str]:
    _require(folder)
    place, files = folder / "report", read_manifest(folder).files
    try:
        for name in ("quality.json", "index.html"):
            if of_file(place / name) != files[f"report/{name}"].sha256:
                raise ValueError(f"{name} is not the one that was released")
        record = json.loads((place / "quality.json").read_text("utf-8"))
        return dict(record), (place / "index.html").read_text("utf-8")
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise StoreError(
            f"{place}: holds no readable report ({type(error).__name__}); `klue verify {folder}`"
            " says what is damaged; build the release again"
        ) from None


def _of_files(folder: Path | None) -> tuple[dict[str, Any], str]:
    from flows.publish.quality import official_report
    from pipeline.report.quality_page import page
    from pipeline.report.record import as_data

    assert folder is not None  # one of the two was given
    if not folder.is_dir():
        raise InputError(f"--klue {folder}: is no folder; give the one that holds the KLUE files")
    report = official_report(folder)
    return as_data(report), page(report)


def _show(record: dict[str, Any]) -> None:
    out = console()
    out.print(str(record["title"]), soft_wrap=True)
    out.print(str(record["lead"]), soft_wrap=True)
    for fact in record["facts"]:
        note = f" ({fact['note']})" if fact["note"] else ""
        out.print(f"{fact['name']:24} {fact['value']}{note}", soft_wrap=True)
    for section in record["sections"]:
        tables = _count(section, "tables")
        out.print(
            f"section  {section['title']}: {tables} tables, {_count(section, 'charts')} charts"
        )


def _count(section: dict[str, Any], what: str) -> int:
    return len(section[what]) + sum(_count(part, what) for part in section["parts"])


def _require(folder: Path) -> None:
    if not folder.is_dir():
        what = "is a file" if folder.exists() else "no such folder"
        raise InputError(f"{folder}: {what}; give the folder of a release, NAME/VERSION")
    require_public(folder)


def require_public(folder: Path) -> None:
    """Raise InputError for the private folder of a release; it names the one beside it."""
    name = folder.absolute().name
    if name.endswith(PRIVATE):
        raise InputError(
            f"{folder}: holds the private files of a release; give the folder beside it,"
            f" {name.removesuffix(PRIVATE)}"
        )
