"""From finished stages to the files of a release: facts, report, cards, tables, and their check."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from flows.plan.build import BuildPlan, Request
from flows.plan.release import ReleasePlan, versions_before
from flows.publish.material import facts, material_of, official_texts, require_known
from flows.publish.quality import Audited, audits_of, report_of
from flows.publish.quality_facts import leading
from flows.publish.report_files import report_files
from flows.publish.stored import clear_mirror, find_stored, published_names, store_release
from flows.publish.verified import verify_release
from pipeline.contracts.own_task import spec_files
from pipeline.core import store
from pipeline.core.errors import InputError, StoreError
from pipeline.core.fingerprint import of_code, of_file, of_path, of_value
from pipeline.core.objects.address import Address
from pipeline.core.wording import count, verb
from pipeline.release.cards import TEMPLATES, texts
from pipeline.release.checks.declarations import is_private
from pipeline.release.checks.subject import Check
from pipeline.release.diff import diff_to
from pipeline.release.manifest import (
    SPECS,
    private_folder,
    read_manifest,
    read_private_manifest,
)
from pipeline.release.material import Facts, Material
from pipeline.release.privacy import key_check
from pipeline.release.stored.upload import Stored
from pipeline.release.writing import write
from pipeline.report.page import ASSETS
from pipeline.report.quality.statistics import PUBLISHED

#: Where a work directory remembers what it published.
_FOLDER: Final = "releases"


@dataclass(frozen=True)
class Published:
    """A release that exists: how many checks it passed, and the agreement of each task in words.

    `stored` is where it lies in an object store, where it does; `folder` is then a copy of it.
    """

    folder: Path
    release_hash: str
    new: bool
    checks: int
    agreement: dict[str, str]
    stored: Stored | None = None

    @property
    def place(self) -> Path | Address:
        """Return where its readers find it."""
        return self.folder if self.stored is None else self.stored.place


class Publisher:
    """Writes the release of a build, unless it exists already."""

    def __init__(self, plan: BuildPlan, request: Request) -> None:
        """Take a plan that ends with a release."""
        assert plan.release is not None
        self._plan, self._release = plan, plan.release
        self._formats = sorted(set(request.formats or plan.corpus.build.release.formats))
        self._note = request.store / _FOLDER / f"{self._release.name}-{self._release.version}.json"
        #: What exists, after `publish` or where `is_current`.
        self.published: Published | None = None

    def is_current(self) -> bool:
        """Tell whether the release exists as this build would write it."""
        if not all(call.done for call in self._plan.calls):
            return False
        folder = self._release.folder
        try:
            note = json.loads(self._note.read_text("utf-8"))
            fingerprint, release_hash = note["fingerprint"], note["release_hash"]
            published = Published(folder, release_hash, False, note["checks"], note["agreement"])
        except (OSError, ValueError, TypeError, KeyError):
            return False
        if fingerprint != self._fingerprint() or not _is_whole(folder, release_hash):
            return False
        stored = find_stored(self._release)
        self.published = replace(published, stored=stored)
        return self._release.stored is None or stored is not None

    def publish(self) -> None:
        """Write the release, checked before it has its name, and link its report in Prefect.

        Raises InputError for a leak that stops it, for withdrawn ids that nothing has, and for
        another key than that of the version before; StoreError for what does not hold, for an
        earlier version that another build published meanwhile, and as `store_release` does for
        releases in an object store.
        """
        from flows.engine.artifacts import leave_report_link

        release = self._release
        require_known(release)
        _require_same_key(release)
        _require_no_leaks(release)
        audits = audits_of(release)
        records = {task: audited.record for task, audited in audits.items()}
        about = facts(self._plan, release, records)
        counts: list[int] = []
        require_same = partial(require_same_versions, release)

        def check(public: Path, private: Path) -> None:
            require_same()
            counts.append(_count_sound(release, verify_release(public, private)))

        clear_mirror(release)
        material = self._material(about, audits)
        written = write(material, release.folder, check=check)
        if not written.new:
            counts.append(_count_sound(release, verify_release(release.folder)))
        stored = store_release(release, require_same)
        note: dict[str, Any] = {
            "release_hash": written.release_hash,
            "checks": counts[-1],
            "agreement": {task: _agreement(audit) for task, audit in records.items()},
        }
        new = written.new if stored is None else stored.new
        self.published = Published(folder=release.folder, new=new, stored=stored, **note)
        self._note.parent.mkdir(parents=True, exist_ok=True)
        store.write_json(self._note, {"fingerprint": self._fingerprint(), **note})
        leave_report_link(f"{release.name} {release.version}", release.folder)

    def _material(self, about: Facts, audits: Mapping[str, Audited]) -> Material:
        plan, release = self._plan, self._release
        material = material_of(plan, release, about)
        before = diff_to(release.previous, material) if release.previous is not None else None
        report = report_of(plan, release, about, audits)
        files = texts(about, before) | report_files(report) | self._own_specs()
        if "klue" in self._formats:
            files |= official_texts(material)
        return replace(material, texts=files)

    def _own_specs(self) -> dict[str, str]:
        return {
            f"{SPECS}/{plan.task}/{name}": text
            for plan in self._release.tasks
            for name, text in spec_files(plan.task).items()
        }

    def _fingerprint(self) -> str:
        """Return the digest of all that decides the files: stages, settings, texts, and code."""
        release, corpus = self._release, self._plan.corpus
        calls = [[call.stage, call.source, call.fingerprint] for call in self._plan.calls]
        sources = {name: source.model_dump(mode="json") for name, source in corpus.sources.items()}
        gone = [[entry.id, entry.reason] for entry in release.withdrawn]
        before = [read_manifest(folder).release_hash for folder in release.versions]
        public = [
            *(of_path(TEMPLATES), of_path(ASSETS), of_file(PUBLISHED)),
            of_code(__name__),
        ]
        build = corpus.build.release_settings()
        where = str(release.folder)
        named, specs = key_check(release.key), self._own_specs()
        return of_value(
            [calls, build, sources, gone, before, self._formats, where, public, named, specs]
        )


def _count_sound(release: ReleasePlan, checks: list[Check]) -> int:
    wrong = [f"{check.name}: {check.detail}" for check in checks if not check.ok]
    if wrong:
        raise StoreError(
            f"{release.folder}: does not hold what it promises: {'; '.join(wrong[:3])}; if the"
            " folder is there, something changed it: `klue verify` says what; move it away, build"
            " again"
        )
    return len(checks)


def require_same_versions(release: ReleasePlan) -> None:
    """Raise StoreError for an earlier version that another build published since the plan.

    The splits of the plan do not follow it, and what it withdrew would come back.
    """
    place = release.folder.parent if release.stored is None else release.stored.place / release.name
    known = {folder.name for folder in release.versions}
    earlier = versions_before(published_names(release), release.version)
    if new := [name for name in earlier if name not in known]:
        raise StoreError(
            f"{place}: {' and '.join(new)} {verb(len(new), 'was', 'were')} published by another"
            f" build meanwhile, which {release.version} has to follow; nothing was published; run"
            " the build again"
        )


def _require_same_key(release: ReleasePlan) -> None:
    if release.previous is None:
        return
    if read_manifest(release.previous).key_check != key_check(release.key):
        raise InputError(
            f"release.key_file: {release.previous.name} was made with another key, or without one,"
            " and annotators keep their names from version to version; give its key, or another"
            " `release.name`"
        )


def _require_no_leaks(release: ReleasePlan) -> None:
    for plan in release.tasks:
        rows = store.read_all(plan.leakage.folder, "leaks").to_pylist()
        leaks = [row for row in rows if row["stops"]]
        if leaks:
            leak = leaks[0]
            other = leak["right_split"] or f"{leak['file']} line {leak['line']}"
            raise InputError(
                f"{plan.task}: {count(len(leaks), 'leak')} {verb(len(leaks), 'stops', 'stop')} the"
                " release, the first of kind"
                f" {leak['kind']}: {leak['left']} ({leak['left_split']}) and {leak['right']}"
                f" ({other}); all are in {plan.leakage.folder}/leaks-*.parquet; withdraw one of"
                " each, or mend the source"
            )


def _agreement(audit: dict[str, Any]) -> str:
    name, value = leading(audit)
    short = "alpha" if name.startswith("krippendorff_alpha") else name.replace("_", " ")
    return f"{short} {value:.3f}" if value is not None else "too few votes"


def _is_whole(folder: Path, release_hash: str) -> bool:
    private = private_folder(folder)
    try:
        manifest, private_manifest = read_manifest(folder), read_private_manifest(private)
    except StoreError:
        return False
    files = {folder / path: entry for path, entry in manifest.files.items()}
    files |= {private / path: entry for path, entry in private_manifest.files.items()}
    return (
        manifest.release_hash == release_hash
        and is_private(private)
        and all(
            path.is_file() and path.stat().st_size == entry.bytes and of_file(path) == entry.sha256
            for path, entry in files.items()
        )
    )
