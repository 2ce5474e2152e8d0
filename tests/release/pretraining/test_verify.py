"""A corpus verifies as it was written, and no longer when somebody changes it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from flows.engine.run import run_here
from flows.plan.pretrain import plan_pretraining
from flows.publish.pretraining import write_corpus
from flows.publish.verified import verify_folder, verify_release
from pipeline.core.fingerprint import ROOT, of_file
from pipeline.core.pool import Workers
from pipeline.release.manifest import Entry
from pipeline.release.pretraining.manifest import read_corpus_manifest, write_corpus_manifest

SAMPLE = ROOT / "data" / "builds" / "sample-pretrain.yaml"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the corpus of the sample, in files of at most 2,000 bytes."""
    folder = tmp_path_factory.mktemp("corpus")
    build = folder / "build.yaml"
    text = SAMPLE.read_text("utf-8").replace("../", f"{ROOT}/data/")
    build.write_text(f"{text}  shard_bytes: 2000\n", "utf-8")
    plan = plan_pretraining(build, folder / "work")
    with Workers(1):
        run_here(plan.corpus.calls)
    write_corpus(plan, folder / "out")
    return folder / "out"


@pytest.fixture
def copy(corpus: Path, tmp_path: Path) -> Path:
    return shutil.copytree(corpus, tmp_path / "copy")


def _failing(folder: Path) -> set[str]:
    return {check.name for check in verify_folder(folder) if not check.ok}


def test_a_corpus_is_what_it_says(corpus: Path) -> None:
    assert _failing(corpus) == set()
    manifest = read_corpus_manifest(corpus)
    assert {name: s.statistics.sentences for name, s in manifest.sources.items()} == {
        "cc100": 4,
        "modu": 29,
        "namuwiki": 14,
        "newscrawl": 3,
        "petitions": 9,
    }
    assert manifest.sources["modu"].changes.types == {"phone": 2}
    split = manifest.benchmark["benchmark.txt"][""]
    assert (split.examples, split.matched, split.removed) == (4, 3, 4)
    sizes = [path.stat().st_size for path in sorted((corpus / "text").iterdir())]
    assert len(sizes) > 3
    assert max(sizes) <= 2000


def test_nothing_personal_of_the_sample_is_left(corpus: Path) -> None:
    texts = "".join(path.read_text("utf-8") for path in (corpus / "text").iterdir())
    for value in ("02-1234-5678", "010-2345-6789", "bike@example.com", "hope@example.org"):
        assert value not in texts
    ledger = str(pq.read_table(corpus / "ledger.parquet").to_pylist())
    assert "산책을 즐기는" not in ledger


def test_the_manifest_says_nothing_of_this_machine(corpus: Path) -> None:
    assert str(ROOT) not in (corpus / "manifest.json").read_text("utf-8")


def _cut(folder: Path) -> None:
    path = folder / "text" / "part-00001.txt"
    path.write_bytes(path.read_bytes()[:-3])


def _rewrite(folder: Path, files: dict[str, bytes]) -> None:
    """Replace files, and write the manifest that goes with them."""
    manifest = read_corpus_manifest(folder)
    entries = dict(manifest.files)
    for name, data in files.items():
        (folder / name).write_bytes(data)
        entries[name] = Entry(
            bytes=len(data), sha256=of_file(folder / name), rows=entries[name].rows
        )
    write_corpus_manifest(folder, manifest.model_copy(update={"files": entries}))


def _other_text(folder: Path) -> None:
    _rewrite(folder, {"text/part-00000.txt": b"other\n"})


def _fewer_contaminated(folder: Path) -> None:
    lines = (folder / "contaminated.jsonl").read_bytes().splitlines(keepends=True)
    _rewrite(folder, {"contaminated.jsonl": b"".join(lines[1:])})


def _other_statistics(folder: Path) -> None:
    path = folder / "manifest.json"
    data = json.loads(path.read_text("utf-8"))
    data["sources"]["modu"]["statistics"]["words"] += 1
    path.write_text(json.dumps(data), "utf-8")


@pytest.mark.parametrize(
    ("change", "names"),
    [
        (_cut, {"files", "text"}),
        (_other_text, {"text"}),
        (_fewer_contaminated, {"benchmark"}),
        (_other_statistics, {"corpus_hash", "statistics"}),
        (lambda folder: (folder / "extra.txt").write_text("x"), {"files"}),
        (lambda folder: (folder / "ledger.parquet").unlink(), {"files", "ledger"}),
        (lambda folder: (folder / "data" / "part-00000.parquet").write_bytes(b"x"), {"files"}),
        (lambda folder: (folder / "manifest.json").write_text("{"), {"manifest"}),
    ],
)
def test_what_is_changed_is_found(
    copy: Path, change: Callable[[Path], None], names: set[str]
) -> None:
    change(copy)
    assert names <= _failing(copy)


def test_a_hash_that_is_expected_is_asked_for(corpus: Path) -> None:
    mine = read_corpus_manifest(corpus).corpus_hash
    assert all(check.ok for check in verify_folder(corpus, expect=mine[:12]))
    assert not all(check.ok for check in verify_folder(corpus, expect="0" * 12))


def test_a_corpus_is_no_release(corpus: Path) -> None:
    (check,) = verify_release(corpus)
    assert not check.ok
    assert "is a pretraining-corpus" in check.detail
