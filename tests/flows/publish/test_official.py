"""Official KLUE files as a release: verified, with what is published kept, and the files back."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from annotation_stories import bad, good
from official_files import DP, MRC, NLI, STS, WOS, YNAT, as_text

#: Small files of six tasks by the names that KLUE gives them.
FILES = {
    "ynat-v1.1_train.json": as_text(YNAT),
    "klue-sts-v1.1_dev.json": as_text(STS),
    "klue-nli-v1.1_train.json": as_text(NLI),
    "klue-dp-v1.1_dev.tsv": DP.replace("\n", "\r\n"),
    "klue-mrc-v1.1_dev.json": as_text(MRC),
    "sub/wos-v1.1_dev.json": as_text(WOS),
}


def _save(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode())
    return folder


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, dict[str, Any]]:
    """Return the folder of the files, the release made of them, and what was told."""
    place = tmp_path_factory.mktemp("official")
    folder = _save(place / "files", FILES)
    release = place / "klue" / "1.1.0"
    return folder, release, good("import-official", folder, "--out", release)


def test_the_release_holds_what_the_files_hold(imported: Any) -> None:
    _, release, told = imported
    assert told["absent"] == ["ner", "re"]
    assert told["tasks"]["tc"] == {"train": len(YNAT)}
    assert told["tasks"]["sts"] == {"dev": len(STS)}
    assert told["as_published"]["klue-sts-v1.1_dev.json"] is False
    assert told["as_published"]["sub/wos-v1.1_dev.json"] is None
    guids = pq.read_table(release / "ynat" / "train.parquet")["guid"].to_pylist()
    assert guids == [row["guid"] for row in YNAT]
    assert pq.read_metadata(release / "ynat" / "test.parquet").num_rows == 0


def test_it_verifies_and_the_commands_for_releases_take_it(imported: Any) -> None:
    _, release, told = imported
    checked = good("verify", release, "--expect", told["release_hash"])
    assert checked["ok"] is True
    assert good("diff", release, release)["empty"] is True
    assert good("report", release)["title"].startswith("Official KLUE files")
    prediction = release / "sts" / "validation.parquet"
    options = ("--task", "sts", "--gold", release, "--split", "dev", "--pred", prediction)
    assert good("score", *options)["n"] == len(STS)


def test_convert_gives_the_same_bytes_back(imported: Any, tmp_path: Path) -> None:
    folder, release, _ = imported
    told = good("convert", release, "--format", "klue", "--out", tmp_path / "back")
    assert {
        Path(one["file"]).relative_to(tmp_path / "back").as_posix() for one in told["files"]
    } == {*FILES}
    for name in FILES:
        assert (tmp_path / "back" / name).read_bytes() == (folder / name).read_bytes()
    assert {(one["task"], one["split"]) for one in told["files"]} >= {
        ("tc", "train"),
        ("dst", "dev"),
    }


def test_the_same_files_make_the_same_release(imported: Any, tmp_path: Path) -> None:
    folder, release, told = imported
    again = good("import-official", folder, "--out", tmp_path / "elsewhere")
    assert again["release_hash"] == told["release_hash"]
    assert good("import-official", folder, "--out", release)["release_hash"] == told["release_hash"]


def test_a_label_that_does_not_fit_its_text_is_kept_and_told(tmp_path: Path) -> None:
    moved = deepcopy(MRC)
    moved["data"][0]["paragraphs"][0]["qas"][0]["answers"][0]["answer_start"] += 1
    folder = _save(tmp_path / "files", {"klue-mrc-v1.1_dev.json": as_text(moved)})
    good("import-official", folder, "--out", tmp_path / "release")
    ledger = pq.read_table(tmp_path / "release" / "ledger" / "mrc" / "import.parquet").to_pylist()
    assert [row["rule"] for row in ledger] == ["official.kept.places@1"]
    checks = {one["name"]: one for one in good("verify", tmp_path / "release")["checks"]}
    assert checks["places"]["detail"].endswith("1 of official files do not, as published")


def test_files_of_another_version_are_refused(tmp_path: Path) -> None:
    folder = _save(tmp_path / "files", {"klue-sts-v1_dev.json": as_text(STS)})
    told = bad("import-official", folder, "--out", tmp_path / "release")
    assert "1 files are not of KLUE v1.1, the first is klue-sts-v1_dev.json (v1)" in told
    assert not (tmp_path / "release").exists()


def test_a_record_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    rows = [*STS, {**STS[0], "guid": "klue-sts-v1_dev_00009", "labels": None}]
    folder = _save(tmp_path / "files", {"klue-sts-v1.1_dev.json": as_text(rows)})
    told = good("import-official", folder, "--out", tmp_path / "release")
    assert told["tasks"] == {"sts": {"dev": len(STS)}}
    assert any("1 faults of records, left out" in one["note"] for one in told["notes"])


def test_places_that_are_taken_and_folders_without_files_are_refused(tmp_path: Path) -> None:
    folder = _save(tmp_path / "files", {"klue-sts-v1.1_dev.json": as_text(STS)})
    assert "is there and is no release" in bad("import-official", folder, "--out", folder)
    (tmp_path / "empty").mkdir()
    told = bad("import-official", tmp_path / "empty", "--out", tmp_path / "release")
    assert "no readable official KLUE file" in told
    assert "no such folder" in bad("import-official", tmp_path / "absent", "--out", folder)


def test_the_published_files_are_known(data_dir: Path, tmp_path: Path) -> None:
    names = ("klue-dp-v1.1_dev.tsv", "klue-sts-v1.1_dev.json")
    texts = {name: (data_dir / "klue" / name).read_bytes().decode() for name in names}
    folder = _save(tmp_path / "files", texts)
    told = good("import-official", folder, "--out", tmp_path / "release")
    assert told["as_published"] == dict.fromkeys(names, True)
    good("convert", tmp_path / "release", "--out", tmp_path / "back")
    assert all((tmp_path / "back" / name).read_bytes() == texts[name].encode() for name in names)
