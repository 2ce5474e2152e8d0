"""What the Hugging Face hub is given of a release: its public files, as they are.

README.md has the configs, their files and features already (cards.py). What is added here is a
check that a licence lets every source be passed on, and the commands of the hub's own client.
"""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from pipeline.core.errors import StoreError
from pipeline.core.licences import LICENCES
from pipeline.core.store import MANIFEST
from pipeline.release.checks.declarations import differences
from pipeline.release.contained import file_fault, released_file
from pipeline.release.manifest import Manifest

#: Stands in a command for the user or organisation, which is not known here.
NAMESPACE: Final = "NAMESPACE"
#: The card, the licence with its reasons, and whom to name.
_TEXTS: Final = ("README.md", "LICENSE.md", "ATTRIBUTION.md")


def licence_faults(folder: Path, manifest: Manifest) -> Iterator[str]:
    """Yield why a release may not be passed on, by what its own texts say of its sources.

    A source that LICENSE.md does not name has no examples. One whose licence does not grant that it
    is changed and passed on needs a contract.
    """
    missing = [name for name in _TEXTS if file_fault(folder, name, manifest.files.get(name))]
    if missing:
        yield f"without {', '.join(missing)} nobody knows its licence"
        return
    card, licence, attribution = ((folder / name).read_text("utf-8", "replace") for name in _TEXTS)
    if not re.search(r"^license: \S", card, re.MULTILINE):
        yield f"{_TEXTS[0]} names no licence"
    named = set(re.findall(r"^- (\S+?)(?: \(.*\))?: ", licence, re.MULTILINE))
    is_by_contract = "by a contract" in licence + attribution
    for source in manifest.inputs:
        terms = LICENCES.get(source.licence)
        grants = terms is not None and terms.derivatives and terms.redistribution
        if source.source in named and not grants and not is_by_contract:
            yield f"{source.source} is under {source.licence}, which does not let it be passed on"


def copy_public(folder: Path, manifest: Manifest, target: Path) -> None:
    """Copy the files that a manifest lists, and it, into a new folder, nothing else.

    Raises StoreError for a file that is not, or is no longer, as it is listed.
    """
    for path in (*manifest.files, MANIFEST):
        place = target / path
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(released_file(folder, path, manifest.files), place)
    if fault := next(differences(target, manifest.files), None):
        raise StoreError(f"{folder}: {fault}; it was changed while it was copied")


def upload_commands(manifest: Manifest, folder: Path) -> list[str]:
    """Return the commands of huggingface_hub 1.0 or newer that upload a folder and name a version.

    Of an earlier version the hub keeps no file that this one lacks, but in its history; a new data
    set is private until its settings say otherwise.
    """
    place = f"{NAMESPACE}/{manifest.name}"
    upload = ["hf", "upload", place, str(folder), ".", "--repo-type", "dataset", "--private"]
    upload += ["--delete", "*", "--commit-message", f"{manifest.name} {manifest.version}"]
    tag = ["hf", "repos", "tag", "create", place, manifest.version, "--repo-type", "dataset"]
    return [shlex.join(upload), shlex.join(tag)]
