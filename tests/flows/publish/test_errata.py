"""Planted errors are all found and nothing else, and applied patches give the clean files back."""

from __future__ import annotations

import json
import sys
from copy import deepcopy
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from annotation_stories import bad, good
from official_files import DP, MRC, NER, NLI, RE_CSV, STS, as_text

from pipeline.core import schemas
from pipeline.release.writing import write

sys.path.append(str(Path(__file__).parents[2] / "release"))

from small_release import guid, material, task_material


def _pair(place: int, split: str, premise: str) -> dict[str, Any]:
    pair = {**NLI[0], "guid": f"klue-nli-v1_{split}_{place:05}", "premise": premise}
    return {**pair, "hypothesis": f"가설 {place}번이다."}


LONG = "달빛시 도서관은 매주 월요일에 문을 닫고 다른 날에는 저녁 아홉 시까지 연다."
OTHER = "마을 버스는 시장 앞을 지나 강가의 정류장까지 하루에 네 번 다닌다."
CLEAN = {
    "klue-sts-v1.1_dev.json": as_text(
        [{**STS[0], "annotations": {**STS[0]["annotations"], "agreement": "0:0:0:1:3:1"}}]
    ),
    "klue-nli-v1.1_train.json": as_text([*NLI, _pair(7, "train", OTHER)]),
    "klue-nli-v1.1_dev.json": as_text([_pair(0, "dev", LONG)]),
    "klue-ner-v1.1_dev.tsv": NER,
    "klue-re-v1.1_train_subset.csv": RE_CSV,
    "klue-dp-v1.1_dev.tsv": DP.replace("밥 을", "3 %", 1)
    .replace("\tNNG+JKO\t3", "\tSN+SW\t3", 1)
    .replace("밥을", "3%"),
    "klue-mrc-v1.1_train.json": as_text(MRC),
}


def _save(folder: Path, files: dict[str, str]) -> Path:
    folder.mkdir(parents=True)
    for name, text in files.items():
        (folder / name).write_bytes(text.encode())
    return folder


def _planted() -> tuple[dict[str, str], set[tuple[str, str]]]:
    """Return the clean files with an error of every kind, and the guid and field of each."""
    files, errors = dict(CLEAN), set()

    def plant(name: str, old: str, new: str, *fields: tuple[str, str]) -> None:
        assert files[name].count(old) >= 1
        files[name] = files[name].replace(old, new, 1)
        errors.update(fields)

    mrc = deepcopy(MRC)
    questions = mrc["data"][0]["paragraphs"][0]["qas"]
    questions[0]["answers"][1]["answer_start"] += 4
    questions[1]["plausible_answers"][0]["answer_start"] -= 2
    files["klue-mrc-v1.1_train.json"] = as_text(mrc)
    errors.add((questions[0]["guid"], "answers.answer_start.1"))
    errors.add((questions[1]["guid"], "plausible_answers.answer_start.0"))
    pair = "klue-re-v1_train_00031"
    both = (pair, "object_entity.start_idx"), (pair, "object_entity.end_idx")
    place = "'start_idx': 12, 'end_idx': 15", "'start_idx': 13, 'end_idx': 16"
    plant("klue-re-v1.1_train_subset.csv", *place, *both)
    tag = ("klue-ner-v1_dev_00000-wikitree", "ner_tags.2")
    plant("klue-ner-v1.1_dev.tsv", " \tO", " \tI-OG", tag)
    plant("klue-ner-v1.1_dev.tsv", "<한빛:OG> ", "<한빛 :OG>")
    tree = "klue-dp-v1_dev_00000_wikitree"
    plant("klue-dp-v1.1_dev.tsv", "3\t먹었다.", "3\t먹엇다.", (tree, "word_form.2"))
    plant("klue-dp-v1.1_dev.tsv", "3%\t3 %", "3%\t0", (tree, "lemma.1"))
    gold = '"gold_label": "contradiction"', '"gold_label": "neutral"'
    plant("klue-nli-v1.1_train.json", *gold, (NLI[1]["guid"], "label"))
    score = '"real-label": 4.0', '"real-label": 3.5'
    plant("klue-sts-v1.1_dev.json", *score, (STS[0]["guid"], "labels.real-label"))
    return files, errors


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, dict[str, Any]]:
    """Return the release of files with errors, the file of what was found, and what was told."""
    place = tmp_path_factory.mktemp("errata")
    files, _ = _planted()
    good("import-official", _save(place / "files", files), "--out", place / "klue" / "1.1.0")
    patches = place / "patches.jsonl"
    return place, patches, good("errata", "find", place / "klue" / "1.1.0", "--out", patches)


def test_every_planted_error_is_found_and_nothing_else(planted: Any) -> None:
    _, patches, told = planted
    _, errors = _planted()
    assert {(patch["guid"], patch["field"]) for patch in told["patches"]} == errors
    lines = [json.loads(line) for line in patches.read_text("utf-8").splitlines()]
    assert lines == told["patches"]
    assert told["counts"] == {
        "errata.lemma@1": 1,
        "errata.offset@1": 4,
        "errata.tag@1": 1,
        "errata.votes@1": 2,
        "errata.word@1": 1,
    }


def test_nothing_is_found_in_clean_files(tmp_path: Path) -> None:
    good("import-official", _save(tmp_path / "files", CLEAN), "--out", tmp_path / "release")
    assert good("errata", "find", tmp_path / "release")["patches"] == []


def test_applied_patches_give_the_clean_files_back(planted: Any, tmp_path: Path) -> None:
    place, patches, found = planted
    told = good("errata", "apply", place / "klue" / "1.1.0", patches, "--out", tmp_path / "1.1.1")
    good("convert", told["release"], "--out", tmp_path / "back")
    for name, text in CLEAN.items():
        assert (tmp_path / "back" / name).read_bytes() == text.encode()
    assert good("verify", told["release"])["ok"] is True
    assert good("errata", "find", told["release"])["patches"] == []
    assert good("report", told["release"])["title"] == "klue 1.1.1: quality control"
    manifest = json.loads((tmp_path / "1.1.1" / "manifest.json").read_text("utf-8"))
    assert manifest["build"]["errata"] == [
        {
            "sha256": sha256(patches.read_bytes()).hexdigest(),
            "patches": len(found["patches"]),
            "of": "1.1.0",
            "release_hash": good("verify", place / "klue" / "1.1.0")["checks"][2]["detail"],
        }
    ]
    ledgers = [
        row
        for path in (tmp_path / "1.1.1" / "ledger").glob("*/errata.parquet")
        for row in pq.read_table(path).to_pylist()
    ]
    assert sorted(row["unit"] for row in ledgers) == sorted(p["guid"] for p in found["patches"])
    relabelled = {one["config"]: one["relabelled"] for one in told["diff"]["configs"]}
    assert relabelled["nli"] == {"train": [NLI[1]["guid"]]}


def test_a_train_example_that_dev_repeats_is_taken_out(tmp_path: Path) -> None:
    twin = _pair(7, "train", LONG.replace("월요일에", "월요일은"))
    other = _pair(8, "train", OTHER)
    files = {
        "klue-nli-v1.1_train.json": as_text([*NLI, twin, other]),
        "klue-nli-v1.1_dev.json": as_text([_pair(0, "dev", LONG)]),
    }
    good("import-official", _save(tmp_path / "files", files), "--out", tmp_path / "1.1.0")
    patches = tmp_path / "patches.jsonl"
    (patch,) = good("errata", "find", tmp_path / "1.1.0", "--out", patches)["patches"]
    assert (patch["guid"], patch["field"], patch["new"]) == (twin["guid"], "split", None)
    told = good("errata", "apply", tmp_path / "1.1.0", patches, "--out", tmp_path / "1.1.1")
    assert told["diff"]["configs"][0]["removed"] == {"train": [twin["guid"]]}
    assert good("verify", tmp_path / "1.1.1")["ok"] is True
    assert pq.read_table(tmp_path / "1.1.1" / "ledger" / "nli" / "leaks.parquet").num_rows == 0
    good("convert", tmp_path / "1.1.1", "--out", tmp_path / "back")
    back = (tmp_path / "back" / "klue-nli-v1.1_train.json").read_text("utf-8")
    assert back == as_text([*NLI, other])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"guid": "klue-nli-v1_train_99999"}, "no such example"),
        ({"field": "labels"}, "no such field"),
        ({"field": "source", "old": "nsmc", "new": "x"}, "are not patched"),
        ({"old": "contradiction"}, "another value than `old`"),
        ({"new": "perhaps"}, "invalid label"),
        ({"new": None}, "has no label"),
        ({"new": 3}, "not of the type"),
        ({"field": "split", "old": "validation", "new": None}, "another value than `old`"),
    ],
)
def test_a_patch_that_does_not_apply_writes_nothing(
    change: dict[str, Any], message: str, planted: Any, tmp_path: Path
) -> None:
    place, _, _ = planted
    fine = {"guid": NLI[0]["guid"], "field": "hypothesis", "old": NLI[0]["hypothesis"]}
    why = {"reason": "read again", "source": "a reader"}
    label = {"guid": NLI[1]["guid"], "field": "label", "old": "neutral", "new": "entailment"}
    patches = tmp_path / "patches.jsonl"
    records = [{**fine, "new": "배우가 연기했다.", **why}, {**label, **why, **change}]
    patches.write_text("".join(json.dumps(one) + "\n" for one in records), "utf-8")
    told = bad("errata", "apply", place / "klue" / "1.1.0", patches, "--out", tmp_path / "1.1.1")
    assert told.startswith(f"{patches}:2: ")
    assert message in told
    assert sorted(path.name for path in tmp_path.iterdir()) == ["patches.jsonl"]


def test_places_versions_and_changed_releases_are_refused(planted: Any, tmp_path: Path) -> None:
    place, patches, _ = planted
    release = place / "klue" / "1.1.0"
    apply = ("errata", "apply", release, patches, "--out")
    assert "is there" in bad(*apply, place / "files")
    assert "must be a version above 1.1.0" in bad(*apply, tmp_path / "1.0.9")
    assert "exists already" in bad("errata", "find", release, "--out", patches)
    good("import-official", place / "files", "--out", tmp_path / "1.1.0")
    (tmp_path / "1.1.0" / "nli" / "train.parquet").unlink()
    told = bad("errata", "find", tmp_path / "1.1.0", code=1)
    assert "does not verify (files" in told


def test_errata_of_an_own_release_keep_test_labels_private(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two errata files, one after the other: edited, removed, and a test label.

    The texts of this release are near-duplicates of one another: leaks are not looked for.
    """
    none = {"leaks": schemas.empty("leaks"), "overlaps": schemas.empty("overlaps")}
    monkeypatch.setattr("flows.publish.errata.check", lambda *_, **__: none)
    base = tmp_path / "1.0.0"
    (tmp_path / "corpus").mkdir()
    tasks = [task_material(task) for task in ("tc", "nli", "re")]
    write(material(tmp_path / "corpus", *tasks), base)
    why = {"reason": "read again", "source": "a reader"}
    removal = {"field": "split", "old": "train", "new": None, **why}
    label = pq.read_table(tmp_path / "1.0.0.private" / "labels" / "re.parquet").to_pylist()[0]
    new = ({"no_relation", "org:top_members/employees"} - {label["label"]}).pop()
    first = [
        {"guid": label["guid"], "field": "label", "old": label["label"], "new": new, **why},
        {"guid": guid("nli", 0), **removal},
    ]
    second = [{"guid": guid("nli", 3), **removal}, {"guid": guid("tc", 0), **removal}]
    release = base
    for number, records in enumerate((first, second), start=1):
        patches = tmp_path / f"{number}.jsonl"
        patches.write_text("".join(json.dumps(one) + "\n" for one in records), "utf-8")
        out = tmp_path / f"1.0.{number}"
        good("errata", "apply", release, patches, "--out", out)
        release = out
    checks = good("verify", release)
    assert checks["ok"] is True
    private = tmp_path / "1.0.2.private"
    labels = {row["guid"]: row for row in pq.read_table(private / "labels/re.parquet").to_pylist()}
    assert labels[label["guid"]]["label"] == new
    public = pq.read_table(release / "ledger" / "re" / "errata.parquet")
    assert public.num_rows == 0
    assert pq.read_table(private / "ledger" / "re" / "errata.parquet").num_rows == 1
    assert label["guid"] not in (release / "CHANGELOG.md").read_text("utf-8")
    manifest = json.loads((release / "manifest.json").read_text("utf-8"))
    stages = {stage["source"]: stage for stage in manifest["stages"] if stage["stage"] == "errata"}
    counts = ("rows_in", "rows_out", "dropped")
    assert [stages["nli"][name] for name in counts] == [8, 6, 2]
    assert [one["of"] for one in manifest["build"]["errata"]] == ["1.0.0", "1.0.1"]
    assert good("diff", base, release)["configs"][0]["config"] == "ynat"
