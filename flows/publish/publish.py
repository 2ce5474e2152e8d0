"""From finished stages to the files of a release: facts, report, cards, tables, and their check."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from flows.plan.build import BuildPlan, Request
from flows.plan.release import ReleasePlan
from flows.publish.material import facts, leading, material_of, official_texts, require_known
from flows.publish.quality import audits_of, report_of
from pipeline.contracts.registry import task_of
from pipeline.core import store
from pipeline.core.errors import InputError, StoreError
from pipeline.core.fingerprint import of_code, of_file, of_path, of_value
from pipeline.release.cards.croissant import croissant
from pipeline.release.cards.texts import texts
from pipeline.release.checks.files import closed
from pipeline.release.checks.subject import Check
from pipeline.release.diff import diff_to
from pipeline.release.manifest import (
    private_folder,
    read_manifest,
    read_private_manifest,
)
from pipeline.release.material import Facts, Material
from pipeline.release.tables import COLUMNS
from pipeline.release.verify import verify
from pipeline.release.vote_privacy import key_check
from pipeline.release.writing import Written, write
from pipeline.report.page import ASSETS
from pipeline.report.quality.published import PUBLISHED
from pipeline.report.quality_page import page
from pipeline.report.record import as_data

#: Where a work directory remembers what it published.
_FOLDER: Final = "releases"


@dataclass(frozen=True)
class Published:
    """A release that stands: how many checks it passed, and the agreement of each task as told."""

    folder: Path
    release_hash: str
    new: bool
    checks: int
    agreement: dict[str, str]


class Publisher:
    """Writes the release of a build, unless it stands already."""

    def __init__(self, plan: BuildPlan, request: Request) -> None:
        """Take a plan that ends with a release."""
        assert plan.release is not None
        self._plan, self._release = plan, plan.release
        build = plan.corpus.build
        formats = request.formats or build.release.formats
        self._formats = tuple(sorted(set(formats)))
        self._new = False
        self._note = request.store / _FOLDER / f"{self._release.name}-{self._release.version}.json"

    def stands(self) -> bool:
        """Tell whether the release is there as this build would write it again."""
        if not all(call.done for call in self._plan.calls):
            return False
        note = self._noted()
        if note is None or note["fingerprint"] != self._fingerprint():
            return False
        try:
            manifest = read_manifest(self._release.folder)
        except StoreError:
            return False
        return manifest.release_hash == note["release_hash"] and _whole(self._release.folder)

    def publish(self) -> None:
        """Write the release, checked before it has its name, and link its report in Prefect.

        Raises InputError for a leak that stops it, for withdrawn ids that nothing has, and for
        another key than that of the version before; StoreError for what does not hold.
        """
        require_known(self._release)
        _require_same_key(self._release)
        _require_tight(self._release)
        found = audits_of(self._release)
        told = facts(self._plan, self._release, found)
        counted: list[int] = []

        def check(public: Path, private: Path) -> None:
            counted.append(_sound(self._release, verify(public, private)))

        material = self._material(told, found)
        written = write(material, self._release.folder, hashed=partial(_hashed, told), check=check)
        if not written.new:
            counted.append(_sound(self._release, verify(self._release.folder)))
        agreement = {name: _agreement(one) for name, one in found.items()}
        self._remember(written, counted[-1], agreement)
        _link(self._release)

    def _material(self, told: Facts, found: Mapping[str, dict[str, Any]]) -> Material:
        plan, release = self._plan, self._release
        made = material_of(plan, release, told)
        before = diff_to(release.previous, made) if release.previous is not None else None
        report = report_of(plan, release, told, found)
        more = texts(told, before) | {
            "report/index.html": page(report),
            "report/quality.json": _json(as_data(report)),
        }
        if "klue" in self._formats:
            more |= official_texts(made)
        return replace(made, texts=more)

    def published(self) -> Published:
        """Return what stands; call it after `publish`, or where the release stands."""
        note = self._noted()
        assert note is not None  # written by `publish`, or `stands` has read it
        return Published(
            self._release.folder,
            note["release_hash"],
            self._new,
            note["checks"],
            note["agreement"],
        )

    def _remember(self, written: Written, checks: int, agreement: dict[str, str]) -> None:
        self._new = written.new
        self._note.parent.mkdir(parents=True, exist_ok=True)
        note = {
            "fingerprint": self._fingerprint(),
            "release_hash": written.release_hash,
            "checks": checks,
            "agreement": agreement,
        }
        store.write_json(self._note, note)

    def _noted(self) -> dict[str, Any] | None:
        try:
            note = json.loads(self._note.read_text("utf-8"))
        except (OSError, ValueError):
            return None
        wanted = {"fingerprint", "release_hash", "checks", "agreement"}
        return note if isinstance(note, dict) and wanted <= note.keys() else None

    def _fingerprint(self) -> str:
        """Return the digest of all that decides the files: stages, settings, texts, and code."""
        release, corpus = self._release, self._plan.corpus
        calls = [[call.stage, call.source, call.fingerprint] for call in self._plan.calls]
        sources = {name: one.model_dump(mode="json") for name, one in corpus.sources.items()}
        gone = [[one.id, one.reason] for one in release.withdrawn]
        before = [read_manifest(one).release_hash for one in release.versions]
        shown = [of_path(ASSETS), of_file(PUBLISHED), version("plotly"), of_code(__name__)]
        build = corpus.build.written.model_dump(mode="json")
        where = str(release.folder)
        named = key_check(release.key)
        return of_value([calls, build, sources, gone, before, self._formats, where, shown, named])


def _hashed(told: Facts, files: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """Return the texts that tell digests of the other files."""
    schemas = {task_of(task).config: one.schema for task, one in COLUMNS.items()}
    return {"croissant.json": _json(croissant(told, files, schemas))}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def _sound(release: ReleasePlan, checks: list[Check]) -> int:
    """Return how many checks there are; raises StoreError unless all of them hold."""
    wrong = [f"{one.name}: {one.detail}" for one in checks if not one.ok]
    if wrong:
        raise StoreError(
            f"{release.folder}: does not hold what it promises: {'; '.join(wrong[:3])}; if the"
            " folder is there, something changed it: `klue verify` says what; move it away, build"
            " again"
        )
    return len(checks)


def _require_same_key(release: ReleasePlan) -> None:
    """Raise InputError when annotators would have other names than in the version before."""
    if release.previous is None:
        return
    if read_manifest(release.previous).key_check != key_check(release.key):
        raise InputError(
            f"release.key_file: {release.previous.name} was made with another key, or without one,"
            " and annotators keep their names from version to version; give its key, or another"
            " `release.name`"
        )


def _require_tight(release: ReleasePlan) -> None:
    """Raise InputError when a leak stops the release, saying where the leaks are listed."""
    found: list[tuple[str, dict[str, Any], int, Path]] = []
    for one in release.tasks:
        leaks = [
            row for row in store.read_all(one.leakage.folder, "leaks").to_pylist() if row["stops"]
        ]
        if leaks:
            found.append((one.task, leaks[0], len(leaks), one.leakage.folder))
    if not found:
        return
    task, leak, many, folder = found[0]
    other = leak["right_split"] or f"{leak['file']} line {leak['line']}"
    raise InputError(
        f"{task}: {many:,} leaks stop the release, the first of kind {leak['kind']}: {leak['left']}"
        f" ({leak['left_split']}) and {leak['right']} ({other}); all are in"
        f" {folder}/leaks-*.parquet; withdraw one of each, or mend the source"
    )


def _agreement(audit: dict[str, Any]) -> str:
    name, value = leading(audit)
    short = "alpha" if name.startswith("krippendorff_alpha") else name.replace("_", " ")
    return f"{short} {value:.3f}" if value is not None else "too few votes"


def _link(release: ReleasePlan) -> None:
    """Show the report in Prefect, beside the run that made it."""
    from prefect.artifacts import create_link_artifact

    create_link_artifact(
        link=(release.folder / "report" / "index.html").as_uri(),
        link_text=f"{release.name} {release.version}: quality-control report",
        key=f"quality-{release.name}".replace("_", "-").replace(".", "-"),
    )


def _whole(folder: Path) -> bool:
    """Tell whether all public and private files are there as they were written."""
    private = private_folder(folder)
    try:
        files = [(folder, read_manifest(folder).files)]
        files.append((private, read_private_manifest(private).files))
    except StoreError:
        return False
    every = ((place / path, one) for place, own in files for path, one in own.items())
    return closed(private) and all(
        path.is_file() and path.stat().st_size == one.bytes and of_file(path) == one.sha256
        for path, one in every
    )
