"""Patches to a release: what `klue errata find` and `klue errata apply` do."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from flows.commands.outputs import check_file
from flows.commands.releases import require_release, require_sound, show_difference
from flows.view.console import Result, print_line
from pipeline.core.files import refuse
from pipeline.release.errata.patches import KEYS, read_patches, write_patches


def find(folder: Path, out: Path | None = None, *, force: bool = False) -> Result:
    """Return what can be proved wrong in a release, as patches; write them if asked.

    Raises InputError or StoreError for a release that was changed.
    """
    from flows.publish.errata_find import find as find_patches

    require_release(folder)
    check_file("--out", out, force=force)
    require_sound(folder)
    patches = find_patches(folder)
    if out is not None:
        out.parent.mkdir(parents=True, exist_ok=True)
        write_patches(patches, out)
    counts = Counter(patch.source for patch in patches)
    records = [{key: asdict(patch)[key] for key in KEYS} for patch in patches]
    record = {"release": str(folder), "counts": dict(sorted(counts.items())), "patches": records}
    return record, partial(_show_findings, out=out)


def _show_findings(record: dict[str, Any], *, out: Path | None) -> None:
    for rule, many in record["counts"].items():
        print_line(f"{rule:20} {many:,}")
    total = len(record["patches"])
    print_line(f"patches              {total:,}" + (f", in {out}" if out and total else ""))
    if out is None and total:
        print_line("give --out FILE to write them, review them, and apply them: klue errata apply")


def apply(folder: Path, patches: Path, out: Path) -> Result:
    """Write a release with patches as a new version; return what differs.

    Raises InputError with file and line for a patch that does not apply; then nothing is written.
    """
    from flows.publish.errata import correct
    from pipeline.release.diff import as_data, diff

    require_release(folder)
    refuse(f"--out {out}", (out.exists(), "is there; a new version needs a new folder"))
    read = read_patches(patches)
    require_sound(folder)
    corrected = correct(folder, read, patches, out)
    record = {
        "release": str(corrected.written.folder),
        "version": corrected.version,
        "release_hash": corrected.written.release_hash,
        "configs": {
            config: {
                "patches": len(patched.patches),
                "edited": len(patched.edited),
                "removed": len(patched.removed),
            }
            for config, patched in corrected.patched.items()
        },
        "diff": as_data(diff(folder, out)),
    }
    return record, _show_version


def _show_version(record: dict[str, Any]) -> None:
    for config, many in record["configs"].items():
        counts = ", ".join(f"{number:,} {name}" for name, number in many.items())
        print_line(f"{config:5} {counts}")
    show_difference({**record["diff"], "changes": []})  # --json has those of the manifest
    print_line(f"hash     {record['release_hash']}")
    print_line(f"release  {record['release']}")
