"""A new version of a release with patches applied: the rest of it as it was, and what it says anew.

Of the changed configs the splits, the public votes, the ledgers and the leaks are written again; of
the whole release the report, which is made of its tables alone, the cards and the manifest.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from flows.publish.errata_manifest import next_manifest, next_version
from flows.publish.errata_texts import change_log, croissant_card, readme
from flows.publish.quality_official import official_report
from flows.publish.report_files import report_files
from flows.publish.verified import verify_release
from pipeline.contracts.spec import load_spec
from pipeline.contracts.splits import FILES, SPLITS, Split
from pipeline.core import schemas
from pipeline.core.errors import InputError, StoreError
from pipeline.core.fingerprint import of_file
from pipeline.pii.detect import mask
from pipeline.release import originals
from pipeline.release.checks.contents import KEPT, MISFIT
from pipeline.release.checks.subject import ERRATA
from pipeline.release.errata.patches import Patch
from pipeline.release.errata.rows import Patched, apply, sizes
from pipeline.release.folder import FolderWriter
from pipeline.release.leakage.check import check
from pipeline.release.manifest import (
    OFFICIAL,
    Manifest,
    Private,
    digest_of,
    is_page,
    private_folder,
    read_manifest,
    read_private_manifest,
    release_hash,
)
from pipeline.release.privacy import origin_of
from pipeline.release.reading import read_parquet, read_split
from pipeline.release.tables import as_examples, examples_of, hide_labels
from pipeline.release.writing import Manifests, Written, publish, seal, sort_rows
from pipeline.report.official import Official, OfficialTask

#: Tables of a config below ledger/ that are no ledgers.
_NO_LEDGERS: Final = ("constraints", "leaks")


@dataclass(frozen=True)
class Corrected:
    """A version made by errata: its patches by config, as they were applied."""

    written: Written
    version: str
    patched: Mapping[str, Patched]


def correct(folder: Path, patches: Sequence[Patch], file: Path, out: Path) -> Corrected:
    """Write the release of a folder with the patches of `file` as a new version, checked.

    Raises InputError with file and line for a patch that does not apply, for a version that is not
    higher; StoreError for a release without its private folder, and as `publish` does.
    """
    version = _Version(folder, patches, file, out)
    written = publish(out, version.write, check=_require_sound)
    return Corrected(written, version.number, version.changed)


def _require_sound(public: Path, private: Path) -> None:
    wrong = [
        f"{check.name}: {check.detail}" for check in verify_release(public, private) if not check.ok
    ]
    if wrong:
        raise StoreError(f"the patched release would not verify: {'; '.join(wrong[:3])}")


class _Version:
    """The new version: what is read of the old one, and what is written."""

    def __init__(self, folder: Path, patches: Sequence[Patch], file: Path, out: Path) -> None:
        self._folder, self._file = folder, file
        self._base = read_manifest(folder)
        self.number = next_version(self._base.version, out)
        self._private = private_folder(folder)
        if not self._private.is_dir():
            raise StoreError(
                f"{self._private}: is not there; a new version has private files of its own, so"
                " bring those of the release"
            )
        entries = self._base.tasks
        self._tables = {
            config: Patched(
                {split: read_split(folder, entry.task, split, labels=True) for split in SPLITS}
            )
            for config, entry in entries.items()
        }
        specs = {config: load_spec(entry.task) for config, entry in entries.items()}
        apply(self._tables, specs, patches, file)
        self.changed = {name: table for name, table in self._tables.items() if table.patches}
        for config, patched in self.changed.items():
            for split, left in sizes(patched).items():
                if not left and entries[config].splits[split]:
                    raise InputError(f"{file}: takes every {split} example out of {config}")

    def write(self, public_place: Path, private_place: Path) -> Manifests:
        """Write both folders."""
        public, private = FolderWriter(public_place), FolderWriter(private_place, mode=0o700)
        for config, patched in self.changed.items():
            self._config(config, patched, public, private)
        manifest = next_manifest(self._base, self.number, self.changed, of_file(self._file))
        self._texts(public, manifest)
        listed = read_private_manifest(self._private)
        for path, entry in self._base.files.items():
            if path not in public.files and path != "croissant.json" and not is_page(path):
                public.copy(path, self._folder / path, entry.rows)
        for path, entry in listed.files.items():
            if path not in private.files:
                private.copy(path, self._private / path, entry.rows)
        card = json.loads((self._folder / "croissant.json").read_text("utf-8"))
        text = croissant_card(card, self._base.version, self.number, public.files)
        public.text("croissant.json", text)
        closed = Private(digest=digest_of(private.files))
        manifest = manifest.model_copy(update={"files": public.files, "private": closed})
        whole = manifest.model_copy(update={"release_hash": release_hash(manifest)})
        return seal(public, private, whole)

    def _config(
        self, config: str, patched: Patched, public: FolderWriter, private: FolderWriter
    ) -> None:
        entry = self._base.tasks[config]
        for split, table in patched.tables.items():
            rows = hide_labels(table, entry.task) if split == "test" else table
            public.table(f"{config}/{FILES[split]}.parquet", rows)
        private.table(f"labels/{config}.parquet", patched.tables["test"])
        gone = {*patched.removed, *map(origin_of, patched.removed)} - {""}
        votes = read_parquet(self._folder / "votes" / f"{config}.parquet", schemas.VOTES.equals)
        public.table(
            f"votes/{config}.parquet", votes.filter(pc.invert(_among(votes, "item", gone)))
        )
        self._ledgers(config, patched, gone, (public, private))
        public.table(f"ledger/{config}/leaks.parquet", sort_rows(self._leaks(config, patched)))
        path = f"{originals.FOLDER}/{config}.parquet"
        if path in self._base.files:
            rows = read_parquet(self._folder / path, schemas.ORIGINALS.equals)
            columns: dict[str, set[str]] = {}
            for patch in patched.patches:
                columns.setdefault(patch.guid, set()).add(patch.field.partition(".")[0])
            public.table(path, originals.patch(rows, columns, patched.removed, entry.task))

    def _ledgers(
        self,
        config: str,
        patched: Patched,
        gone: set[str],
        folders: tuple[FolderWriter, FolderWriter],
    ) -> None:
        """Write the ledgers of a config: of what is out, rows are private, but those of errata."""
        public, private = folders
        start = f"ledger/{config}/"
        for path in [path for path in self._base.files if path.startswith(start)]:
            name = Path(path).stem
            if name in (*_NO_LEDGERS, ERRATA):
                continue
            rows = read_parquet(self._folder / path, schemas.LEDGER.equals)
            if name == KEPT:  # what fits now is no longer kept though it does not fit
                misfit = pc.and_(pc.equal(rows["rule"], MISFIT), _among(rows, "unit", patched.fits))
                rows = rows.filter(pc.invert(misfit))
            closed = _among(rows, "unit", gone)
            public.table(path, rows.filter(pc.invert(closed)))
            kept = read_parquet(self._private / path, schemas.LEDGER.equals)
            private.table(path, sort_rows(pa.concat_tables([kept, rows.filter(closed)])))
        tests = set(patched.tables["test"]["guid"].to_pylist())
        tests |= {guid for guid, split in patched.removed.items() if split == "test"}
        path = f"{start}{ERRATA}.parquet"
        new = schemas.build("ledger", list(self._rows(config, patched)))
        closed = _among(new, "unit", tests)
        for writer, folder, rows in (
            (public, self._folder, new.filter(pc.invert(closed))),
            (private, self._private, new.filter(closed)),
        ):
            known = path in self._base.files  # of an earlier errata file
            earlier = [read_parquet(folder / path, schemas.LEDGER.equals)] if known else []
            writer.table(path, sort_rows(pa.concat_tables([*earlier, rows])))

    def _rows(self, config: str, patched: Patched) -> Any:
        """Yield a ledger row for each patch of a config."""
        task = self._base.tasks[config].task
        source = {
            example.id: example.source
            for split in SPLITS
            for example in examples_of(read_split(self._folder, task, split), task)
        }
        for patch in patched.patches:
            yield {
                **{"unit": patch.guid, "source": source[patch.guid], "stage": ERRATA},
                **{"action": "drop" if patch.removes else "edit", "rule": _rule(patch)},
                "reason": mask(f"{patch.field}: {patch.reason} ({patch.source})"),
            }

    def _leaks(self, config: str, patched: Patched) -> pa.Table:
        """Return the leaks of the patched tables, and those of files and documents that remain."""
        task = self._base.tasks[config].task
        examples = pa.concat_tables(
            as_examples(patched.tables[split], task, split) for split in SPLITS
        )
        leaks = check(examples, task=task)["leaks"]
        if OFFICIAL in self._base.build:
            place = leaks.schema.get_field_index("stops")
            stops = pa.array([False] * leaks.num_rows, pa.bool_())
            leaks = leaks.set_column(place, leaks.schema.field(place), stops)
        old = read_parquet(self._folder / "ledger" / config / "leaks.parquet", schemas.LEAKS.equals)
        other = pc.or_(pc.is_valid(old["file"]), pc.equal(old["kind"], "document"))
        still = pc.invert(
            pc.or_(_among(old, "left", patched.removed), _among(old, "right", patched.removed))
        )
        return pa.concat_tables([leaks, old.filter(pc.and_(other, still))])

    def _texts(self, public: FolderWriter, manifest: Manifest) -> None:
        report, _ = official_report(self._official())
        name = f"{manifest.name} {manifest.version}"
        report = replace(
            report,
            title=f"{name}: quality control",
            lead=f"Version {self._base.version} with errata. The report is made of the tables of"
            " train and validation alone, with the paper's numbers in grey beside them.",
        )
        for path, text in report_files(report).items():
            public.text(path, text)
        log = self._folder / "CHANGELOG.md"
        before = log.read_text("utf-8") if log.is_file() else ""
        tests = {
            config: {*patched.tables["test"]["guid"].to_pylist()}
            for config, patched in self.changed.items()
        }
        public.text("CHANGELOG.md", change_log(before, manifest, self.changed, tests))
        card = (self._folder / "README.md").read_text("utf-8")
        public.text("README.md", readme(card, self._base.version, manifest, self.changed))

    def _official(self) -> Official:
        tasks = {}
        for config, patched in self._tables.items():
            task = self._base.tasks[config].task
            open_: tuple[Split, ...] = ("train", "dev")
            examples = [as_examples(patched.tables[split], task, split) for split in open_]
            votes = read_parquet(self._folder / "votes" / f"{config}.parquet", schemas.VOTES.equals)
            kept = votes.filter(pc.invert(_among(votes, "item", patched.removed)))
            tasks[task] = OfficialTask(pa.concat_tables(examples), kept, (), {})
        return Official(tasks, ())


def _rule(patch: Patch) -> str:
    return patch.source if patch.source.startswith(f"{ERRATA}.") else "errata.patch@1"


def _among(table: pa.Table, column: str, names: Any) -> pa.ChunkedArray:
    return pc.is_in(table[column], value_set=pa.array(sorted(names), pa.string()))
