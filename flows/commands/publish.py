"""`klue publish`: a release checked and laid out for the Hugging Face hub; nothing is sent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from flows.commands.outputs import check_new_folder, new_folder
from flows.commands.releases import require_release, require_sound
from flows.view.console import Result, print_line
from pipeline.core.errors import StoreError
from pipeline.core.files import input_errors
from pipeline.core.wording import count
from pipeline.release.hub import NAMESPACE, copy_public, licence_faults, upload_commands
from pipeline.release.manifest import read_manifest


def publish(folder: Path, to: Path) -> Result:
    """Copy the public files of a release to a new folder; return how the hub takes them.

    Raises InputError for a place that is taken or lies in the release, and StoreError for a release
    that does not verify, or that its licence does not let be passed on.
    """
    require_release(folder)
    check_new_folder(to, option="--to")
    manifest = read_manifest(folder)
    require_sound(folder)
    if faults := list(licence_faults(folder, manifest)):
        raise StoreError(
            f"{folder}: must not be published: {'; '.join(faults)}; build it again, without such a"
            " source or with a contract for it in the catalogue"
        )
    with new_folder(to, option="--to") as making, input_errors(f"--to {to}", "written"):
        copy_public(folder, manifest, making)
    return {
        "release": str(folder),
        "to": str(to),
        "release_hash": manifest.release_hash,
        "simulated": manifest.simulated,
        "configs": list(manifest.tasks),
        "files": len(manifest.files) + 1,
        "bytes": sum(file.bytes for file in manifest.files.values()),
        "commands": upload_commands(manifest, to),
    }, _show


def _show(record: dict[str, Any]) -> None:
    size = f"{count(record['files'], 'file')}, {record['bytes'] / 1e6:.1f} MB"
    print_line(f"folder    {record['to']} ({size}; every check of klue verify holds)")
    print_line(f"configs   {', '.join(record['configs'])}")
    print_line(f"hash      {record['release_hash']}")
    if record["simulated"]:
        print_line("simulated no person labelled these examples, as the card says")
    print_line(f"nothing was sent; to upload it, with your name for {NAMESPACE}:")
    for command in record["commands"]:
        print_line(f"  {command}")
