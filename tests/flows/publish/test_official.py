"""Official KLUE files as a release: verified, with what is published kept, and the files back."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from annotation_stories import bad, good
from official_files import DP, FLAT, MRC, NER, NLI, RE_CSV, STS, WOS, YNAT, YNAT_DEV, as_text

#: Small files of eight tasks by the names that KLUE gives them, in the layouts that files have: of
#: one indent or another, with and without line ends at the end, and stray blanks.
FILES = {
    "ynat-v1.1_train.json": as_text(YNAT),
    "ynat-v1.1_dev.csv": "\ufeff" + YNAT_DEV,
    "klue-sts-v1.1_dev.json": as_text(STS).replace("\n", "\r\n"),
    "klue-nli-v1.1_train.json": as_text(NLI).replace("{", "{    ", 1),
    "klue-ner-v1.1_dev.tsv": NER.replace("<온:PS>", "<<온:PS>"),
    "klue-re-v1.1_train_subset.csv": RE_CSV,
    "klue-dp-v1.1_dev.tsv": DP.replace("\n", "\r\n"),
    "klue-mrc-v1.1_train.json": as_text(MRC),
    "klue-mrc-v1.1_dev_first.json": json.dumps(FLAT, ensure_ascii=False, indent=1) + "\n",
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
    assert told["absent"] == []
    assert told["unlike"] == {}
    assert told["tasks"]["tc"] == {"train": len(YNAT), "dev": 2}
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
    assert all(one["same"] and one["unlike"] is None for one in told["files"])


def test_the_release_holds_no_copy_of_the_files(imported: Any) -> None:
    """A text stands once, in the table of its split: what is kept beside it names guids alone."""
    _, release, _ = imported
    sentence = STS[0]["sentence1"].encode()
    assert pq.read_table(release / "sts" / "validation.parquet")["sentence1"][0].as_py().encode()
    beside = [path for path in (release / "official").iterdir() if sentence in path.read_bytes()]
    rests = pq.read_table(release / "official" / "sts.parquet")["rest"].to_pylist()
    assert beside == []
    assert not any(STS[0]["sentence1"] in rest for rest in rests)


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        (as_text([{**STS[0], "guid": "x", "labels": None}, *STS]), 3, "1 of its records cannot"),
        (json.dumps(STS, ensure_ascii=False, indent=4, sort_keys=True), 3, "the order of its keys"),
        (json.dumps(STS, indent=4), 5, "the spelling"),
    ],
)
def test_the_first_byte_that_cannot_be_known_is_told(
    text: str, line: int, reason: str, tmp_path: Path
) -> None:
    name = "klue-sts-v1.1_dev.json"
    folder = _save(tmp_path / "files", {name: text})
    byte = good("import-official", folder, "--out", tmp_path / "release")["unlike"][name]
    (told,) = good("convert", tmp_path / "release", "--out", tmp_path / "back")["files"]
    assert (told["same"], told["unlike"]) == (False, byte)
    assert byte["line"] == line
    assert reason in byte["reason"]
    old, new = text.encode(), (tmp_path / "back" / name).read_bytes()
    assert old[: byte["offset"]] == new[: byte["offset"]]
    assert old[byte["offset"]] != new[byte["offset"]]
    assert good("import-official", tmp_path / "back", "--out", tmp_path / "again")["unlike"] == {}


def test_a_release_that_was_edited_or_lacks_a_task_is_one_error(
    imported: Any, tmp_path: Path
) -> None:
    folder, _, _ = imported
    release = tmp_path / "release"
    good("import-official", folder, "--out", release)
    (release / "wos" / "validation.parquet").unlink()
    table = pq.read_table(release / "sts" / "validation.parquet")
    pq.write_table(table.slice(0, 0), release / "sts" / "validation.parquet")
    told = bad("convert", release, "--out", tmp_path / "back", code=1)
    assert "does not verify (files" in told
    assert not (tmp_path / "back").exists()
    assert "is gone, or was changed" in bad("diff", release, imported[1], code=1)


def test_test_examples_are_refused(tmp_path: Path) -> None:
    folder = _save(tmp_path / "files", {"klue-sts-v1.1_test.json": as_text(STS)})
    told = bad("import-official", folder, "--out", tmp_path / "release")
    assert "holds 1 test example of sts" in told


def test_people_and_systems_are_scored_on_the_splits_that_are_there(imported: Any) -> None:
    _, release, _ = imported
    told = bad("score", "--task", "sts", "--gold", release, "--pred", release / "README.md")
    assert "has no test example of sts, only 1 dev; see --split" in told
    votes = ("--human", release / "votes" / "ynat.parquet")
    scored = good("score", "--task", "tc", "--gold", release, "--split", "train", *votes)
    assert scored["n"] == len(YNAT)


def test_files_of_a_release_are_exported_for_new_votes(imported: Any, tmp_path: Path) -> None:
    _, release, _ = imported
    good("convert", release, "--out", tmp_path / "back")
    items = ("--items", tmp_path / "back" / "klue-sts-v1.1_dev.json", "--from", "klue")
    options = ("--annotators", "7", "--to", "jsonl", "--out", tmp_path / "batch")
    told = good("export", "sts", *items, *options, "--work", tmp_path / "work")
    assert told["items"] == len(STS)


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
    assert checks["places"]["detail"].endswith("1 of official files does not, as published")


def test_files_of_another_version_are_refused(tmp_path: Path) -> None:
    folder = _save(tmp_path / "files", {"klue-sts-v1_dev.json": as_text(STS)})
    told = bad("import-official", folder, "--out", tmp_path / "release")
    assert "not of KLUE v1.1: 1 file, the first is klue-sts-v1_dev.json (v1)" in told
    assert not (tmp_path / "release").exists()


def test_a_record_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    rows = [*STS, {**STS[0], "guid": "klue-sts-v1_dev_00009", "labels": None}]
    folder = _save(tmp_path / "files", {"klue-sts-v1.1_dev.json": as_text(rows)})
    told = good("import-official", folder, "--out", tmp_path / "release")
    assert told["tasks"] == {"sts": {"dev": len(STS)}}
    assert any("1 fault of records, left out" in one["note"] for one in told["notes"])


def test_places_that_are_taken_and_folders_without_files_are_refused(tmp_path: Path) -> None:
    folder = _save(tmp_path / "files", {"klue-sts-v1.1_dev.json": as_text(STS)})
    assert "is there and is no release" in bad("import-official", folder, "--out", folder)
    (tmp_path / "empty").mkdir()
    told = bad("import-official", tmp_path / "empty", "--out", tmp_path / "release")
    assert "no readable official KLUE file" in told
    assert "no such folder" in bad("import-official", tmp_path / "absent", "--out", folder)


@pytest.mark.parametrize(
    "names",
    [
        ["klue-sts-v1.1_dev.json"],
        pytest.param(["klue-dp-v1.1_dev.tsv", "klue-sts-v1.1_dev.json"], marks=pytest.mark.full),
    ],
    ids=len,
)
def test_the_published_files_are_known(names: list[str], data_dir: Path, tmp_path: Path) -> None:
    texts = {name: (data_dir / "klue" / name).read_bytes().decode() for name in names}
    folder = _save(tmp_path / "files", texts)
    told = good("import-official", folder, "--out", tmp_path / "release")
    assert told["as_published"] == dict.fromkeys(names, True)
    good("convert", tmp_path / "release", "--out", tmp_path / "back")
    assert all((tmp_path / "back" / name).read_bytes() == texts[name].encode() for name in names)
