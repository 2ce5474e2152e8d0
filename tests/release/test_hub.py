"""What the Hugging Face hub is given: who may pass it on, its files, the commands of its client."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path

import pytest
import small_release as small

from pipeline.core.errors import StoreError
from pipeline.core.fingerprint import of_file
from pipeline.release.cards import texts
from pipeline.release.hub import copy_public, licence_faults, upload_commands
from pipeline.release.manifest import Entry, Manifest, read_manifest
from pipeline.release.writing import write


@pytest.fixture
def release(tmp_path: Path) -> Path:
    material = small.material(tmp_path, small.task_material("sts"))
    material = replace(material, texts={**material.texts, **texts(material.facts)})
    return write(material, tmp_path / "mini" / "1.0.0").folder


def _under(manifest: Manifest, licence: str) -> Manifest:
    inputs = [source.model_copy(update={"licence": licence}) for source in manifest.inputs]
    return manifest.model_copy(update={"inputs": inputs})


def _rewritten(release: Path, manifest: Manifest, path: str, text: str) -> Manifest:
    (release / path).write_text(text, "utf-8")
    size, digest = (release / path).stat().st_size, of_file(release / path)
    return manifest.model_copy(
        update={"files": {**manifest.files, path: Entry(bytes=size, sha256=digest)}}
    )


def _licence(release: Path, manifest: Manifest, reason: str) -> Manifest:
    source = manifest.inputs[0].source
    manifest = _rewritten(release, manifest, "README.md", "---\nlicense: other\n---\n")
    return _rewritten(release, manifest, "LICENSE.md", f"# Licence\n\n- {source}{reason}\n")


@pytest.mark.parametrize(
    ("licence", "reason", "refused"),
    [
        ("CC-BY-4.0", " (CC BY 4.0): asks for attribution", False),
        ("CC-BY-NC-4.0", " (CC BY-NC 4.0): commercial use is not granted", False),
        ("all-rights-reserved", " (all rights reserved): adds nothing", True),
        ("CC-BY-ND-4.0", " (CC BY-ND 4.0): adds nothing", True),
        ("no-such-licence", ": adds nothing", True),
        ("all-rights-reserved", " (all rights reserved, by a contract): adds nothing", False),
        ("all-rights-reserved", "-of-another (CC0 1.0): adds nothing", False),
    ],
)
def test_a_source_of_examples_must_let_itself_be_changed_and_passed_on(
    release: Path, licence: str, reason: str, refused: bool
) -> None:
    manifest = _licence(release, _under(read_manifest(release), licence), reason)
    faults = list(licence_faults(release, manifest))
    assert bool(faults) is refused
    assert all(licence in fault for fault in faults)


def test_a_card_without_a_licence_and_a_release_without_its_text(release: Path) -> None:
    manifest = _rewritten(release, read_manifest(release), "README.md", "---\nlanguage: ko\n---\n")
    assert list(licence_faults(release, manifest))
    (release / "LICENSE.md").unlink()
    (fault,) = licence_faults(release, manifest)
    assert "LICENSE.md" in fault


def test_only_listed_files_are_copied_and_none_that_changed_meanwhile(
    release: Path, tmp_path: Path
) -> None:
    manifest = read_manifest(release)
    (release / "labels.parquet").write_bytes(b"x")
    copy_public(release, manifest, tmp_path / "copy")
    names = {
        path.relative_to(tmp_path / "copy").as_posix() for path in (tmp_path / "copy").rglob("*.*")
    }
    assert names == {*manifest.files, "manifest.json"}
    card = release / "README.md"
    card.write_bytes(card.read_bytes()[::-1])
    with pytest.raises(StoreError, match=r"README\.md has other content"):
        copy_public(release, manifest, tmp_path / "other")


def test_names_with_blanks_stay_one_word_of_a_command(release: Path) -> None:
    upload, tag = map(shlex.split, upload_commands(read_manifest(release), Path("my folder")))
    assert upload[:5] == ["hf", "upload", "NAMESPACE/mini", "my folder", "."]
    assert upload[-1] == "mini 1.0.0"
    assert tag[-4:] == ["NAMESPACE/mini", "1.0.0", "--repo-type", "dataset"]
