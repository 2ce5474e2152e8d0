"""Commands that take RELEASE, given one in an object store."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import moto_store
import pytest
from annotation_stories import bad, good, klue

sys.path.append(str(Path(__file__).parents[2] / "release"))

import small_release as small

from flows.commands import stored as commands
from pipeline.core.objects.access import ObjectStore
from pipeline.release.cards import texts
from pipeline.release.stored.upload import Stored, publish
from pipeline.release.writing import write


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = tmp_path_factory.mktemp("local")
    material = small.material(base / "corpus", small.task_material("nli"))
    material = replace(material, texts={**material.texts, **texts(material.facts)})
    return write(material, base / "mini" / "1.0.0").folder


@pytest.fixture
def stored(local: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Stored:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return publish(local, moto_store.memory_bucket() / "mini" / "1.0.0", tmp_path / "private")


@pytest.fixture
def downloads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The objects that were read, in order."""
    read, real = list[str](), ObjectStore.download

    def download(self: ObjectStore, source: object, target: Path) -> None:
        read.append(target.name)
        real(self, source, target)  # type: ignore[arg-type]

    monkeypatch.setattr(ObjectStore, "download", download)
    return read


def test_commands_read_a_copy_that_is_brought_once(
    stored: Stored, local: Path, downloads: list[str], tmp_path: Path
) -> None:
    assert good("diff", stored.place, local)["empty"] is True
    many = len(downloads)
    assert many == sum(path.is_file() for path in local.rglob("*")) - 1  # all but the manifest
    good("export-eval", stored.place, "--out", tmp_path / "eval")
    patches = [good("errata", "find", place)["patches"] for place in (stored.place, local)]
    assert patches[0] == patches[1]
    assert len(downloads) == many


def test_a_release_in_a_store_is_laid_out_for_the_hub(
    stored: Stored, local: Path, tmp_path: Path
) -> None:
    good("publish", stored.place, "--to", tmp_path / "hub")
    for path in filter(Path.is_file, local.rglob("*")):
        assert (tmp_path / "hub" / path.relative_to(local)).read_bytes() == path.read_bytes()


def test_verify_reads_every_object_again(stored: Stored, downloads: list[str]) -> None:
    assert good("verify", stored.place)["ok"] is True
    many = len(downloads)
    assert klue("verify", stored.place).stdout.endswith(f"{stored.place}: 16 checks hold\n")
    assert len(downloads) == 2 * many
    table = stored.files / "nli/train.parquet"
    content = bytearray(ObjectStore("memory").read(table, most=2**20) or b"")
    content[len(content) // 2] ^= 1
    ObjectStore("memory").remove([table])
    ObjectStore("memory").create(table, bytes(content))
    shown = klue("verify", stored.place)
    assert shown.exit_code == 1
    assert "FAIL files: nli/train.parquet" in shown.stdout


def test_fetch_brings_public_and_private_files(stored: Stored, local: Path, tmp_path: Path) -> None:
    out = tmp_path / "copy" / "mini" / "1.0.0"
    fetched = good("fetch", stored.place, "--out", out, "--private", tmp_path / "private")
    assert fetched["release_hash"] == stored.marker.release_hash
    assert good("verify", out)["ok"] is True
    labels = "labels/nli.parquet"
    assert (out.with_name("1.0.0.private") / labels).read_bytes() == (
        local.with_name("1.0.0.private") / labels
    ).read_bytes()
    assert "is there; give a new folder" in bad("fetch", stored.place, "--out", out)
    assert "is on a file system already" in bad("fetch", out, "--out", tmp_path / "new")


def test_test_labels_are_not_in_the_store(stored: Stored, tmp_path: Path) -> None:
    (tmp_path / "pred.jsonl").write_text('{"guid": "x", "prediction": "neutral"}\n', "utf-8")
    words = ("score", "--task", "nli", "--gold", stored.place, "--pred", tmp_path / "pred.jsonl")
    assert "the labels of its test split are not here" in bad(*words)


def test_the_cache_keeps_what_was_used_last(
    stored: Stored, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    cache = tmp_path / "cache" / "klue-rebuild" / "releases"
    old = cache / ("0" * 64)
    old.mkdir(parents=True)
    (old / "file").write_bytes(b"x")
    good("diff", stored.place, stored.place)
    assert {path.name for path in cache.iterdir()} == {old.name, stored.marker.manifest}
    monkeypatch.setattr(commands, "MOST_BYTES", 1)
    good("diff", stored.place, stored.place)
    assert [path.name for path in cache.iterdir()] == [stored.marker.manifest]


@pytest.mark.parametrize(
    "words",
    [
        "convert RELEASE --out s3://bucket/files",
        "explain nsmc-s4f0c4f0c4f0c4f0c4f0c --work s3://bucket/work",
        "build s3://bucket/build.yaml",
        "build build.yaml --work s3://bucket/work",
        "clean s3://bucket/texts --out OUT",
        "results s3://bucket/runs",
        "import-official s3://bucket/files --out OUT",
    ],
)
def test_what_stays_on_a_file_system_says_so(words: str, stored: Stored) -> None:
    shown = klue(*words.replace("RELEASE", str(stored.place)).split(), "--json")
    assert shown.exit_code == 2
    assert "stays on a file system" in json.loads(shown.stdout)["error"]
