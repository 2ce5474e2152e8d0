"""From finished stages to the files of a release: facts, report, cards, tables, and their check."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from shutil import rmtree
from typing import Any, Final

from flows import funnel
from flows.buildplan import BuildPlan
from flows.official_files import official_texts
from flows.quality import audits_of, report_of
from flows.release_facts import facts, leading, require_known
from flows.release_plan import ReleasePlan, SplitPlan
from flows.request import Request
from pipeline.core import store
from pipeline.core.errors import InputError, StoreError
from pipeline.core.fingerprint import of_code, of_file, of_path, of_value
from pipeline.release.cards.croissant import croissant
from pipeline.release.cards.texts import texts
from pipeline.release.checks.subject import Check
from pipeline.release.diff import diff_to
from pipeline.release.manifest import (
    private_folder,
    read_manifest,
    read_private_manifest,
)
from pipeline.release.material import Material, TaskMaterial
from pipeline.release.tables import COLUMNS
from pipeline.release.verify import verify
from pipeline.release.writing import Written, write
from pipeline.report.page import ASSETS
from pipeline.report.quality.published import PUBLISHED
from pipeline.report.quality_page import page
from pipeline.report.record import as_data
from pipeline.tasks.registry import task_of

#: Where a work directory remembers what it published.
_FOLDER: Final = "releases"
#: The stages of the corpus whose ledgers a release holds.
_CORPUS: Final = ("read", "select", "segment", "clean", "pii", "toxicity", "dedup")


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
        self._plan, self._release, self._request = plan, plan.release, request
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
        """Write the release, check what was written, and link its report in Prefect.

        Raises InputError for a leak that stops it and for withdrawn ids that nothing has.
        """
        require_known(self._release)
        _require_tight(self._release)
        found = audits_of(self._release)
        written = self._written(found)
        checks = verify(self._release.folder)
        _require_sound(self._release, checks, new=written.new)
        agreement = {name: _agreement(one) for name, one in found.items()}
        self._remember(written.release_hash, written.new, len(checks), agreement)
        _link(self._release)

    def _written(self, found: dict[str, dict[str, Any]]) -> Written:
        plan, release = self._plan, self._release
        told = facts(plan, release, found)
        material = Material(
            facts=told,
            tasks=[_material(one) for one in release.tasks],
            corpus=_corpus_ledgers(plan),
            stages=_stages(plan),
            build=plan.corpus.build.model_dump(mode="json"),
        )
        before = diff_to(release.previous, material) if release.previous is not None else None
        report = report_of(plan, release, told, found)
        made = texts(told, before) | {
            "report/index.html": page(report),
            "report/quality.json": json.dumps(as_data(report), ensure_ascii=False, indent=1) + "\n",
        }
        if "klue" in self._formats:
            made |= official_texts(material)

        def hashed(files: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
            schemas = {task_of(task).config: one.schema for task, one in COLUMNS.items()}
            card = croissant(told, files, schemas)
            return {"croissant.json": json.dumps(card, ensure_ascii=False, indent=1) + "\n"}

        return write(replace(material, texts=made), release.folder, hashed=hashed)

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

    def _remember(
        self, release_hash: str, new: bool, checks: int, agreement: dict[str, str]
    ) -> None:
        self._new = new
        self._note.parent.mkdir(parents=True, exist_ok=True)
        note = {
            "fingerprint": self._fingerprint(),
            "release_hash": release_hash,
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
        build = corpus.build.model_dump(mode="json")
        where = str(release.folder)
        return of_value([calls, build, sources, gone, before, self._formats, where, shown])


def _require_sound(release: ReleasePlan, checks: list[Check], *, new: bool) -> None:
    """Raise StoreError, and remove what was just written, unless every check holds."""
    wrong = [f"{one.name}: {one.detail}" for one in checks if not one.ok]
    if not wrong:
        return
    if new:
        for folder in (release.folder, private_folder(release.folder)):
            rmtree(folder)
    what = "does not hold what it promises and was removed" if new else "was changed since"
    raise StoreError(f"{release.folder}: {what}: {'; '.join(wrong[:3])}")


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


def _material(one: SplitPlan) -> TaskMaterial:
    gold = one.gold
    ledgers = {
        "candidates": gold.candidates,
        "annotation": gold.answered,
        "aggregate": gold.gold,
        "split": one.split,
    }
    return TaskMaterial(
        task=task_of(one.task),
        spec=gold.spec,
        examples=store.read_all(one.split.folder, "examples"),
        votes=store.read_all(gold.answered.folder, "votes"),
        gold=store.read_all(gold.gold.folder, "gold"),
        constraints=store.read_all(one.split.folder, "constraints"),
        leaks=store.read_all(one.leakage.folder, "leaks"),
        ledgers={name: store.read_all(call.folder, "ledger") for name, call in ledgers.items()},
    )


def _corpus_ledgers(plan: BuildPlan) -> dict[str, list[Path]]:
    found: dict[str, list[Path]] = {stage: [] for stage in _CORPUS}
    for call in plan.corpus.calls:
        if call.stage in found:
            found[call.stage] += store.tables(call.folder, "ledger")
    return {stage: sorted(paths) for stage, paths in found.items() if paths}


def _stages(plan: BuildPlan) -> list[dict[str, Any]]:
    """Return the counts of every stage; of one that ran twice (aggregate), those of the last."""
    rows = {(row["stage"], row["source"]): row for row in funnel.stages(plan.calls, {})}
    told = ("skipped", "seconds")
    return [{k: v for k, v in row.items() if k not in told} for row in rows.values()]


def _agreement(audit: dict[str, Any]) -> str:
    name, value = leading(audit)
    short = name.removeprefix("krippendorff_").replace("_", " ")
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
    return all(
        _size(place / path) == one.bytes for place, own in files for path, one in own.items()
    )


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else -1
