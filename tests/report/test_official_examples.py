"""Official files of a folder as examples: small invented files, and the real ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fixed_texts import without_korean

from pipeline.core.errors import InputError
from pipeline.core.jsontext import parsed
from pipeline.report.official import UNKNOWN, official_examples

TITLES = "guid,split,title,label,predefined_news_category,url\r\n"
HEADLINES = [
    ("ynat-v1_train_00000", "train", "달빛시 새 다리 놓는다", "사회"),
    ("ynat-v1_dev_00000", "dev", "솔마 팀 첫 승", "스포츠"),
    ("ynat-v1_dev_00001", "dev", "무지개은행 새 지점", "경제"),
]
DP = "\n".join(
    [
        r"## 토큰, 레이블 구분자 : \t",
        "## klue-dp-v1_dev_00000_airbnb\t방이 넓다.",
        "1\t방이\t방 이\tNNG+JKS\t2\tNP_SBJ",
        "2\t넓다.\t넓 다 .\tVA+EF+SF\t0\tVP",
        "",
        "",
    ]
)


def titles(folder: Path, rows: list[tuple[str, str, str, str]], name: str) -> None:
    lines = [
        f"{guid},{split},{text},{label},,https://news\r\n" for guid, split, text, label in rows
    ]
    (folder / name).write_bytes((TITLES + "".join(lines)).encode())


def pair(guid: str, key: str = "source") -> dict[str, Any]:
    given = dict.fromkeys(
        ("gold_label", "author", "label2", "label3", "label4", "label5"), "neutral"
    )
    return {
        "guid": guid,
        key: "NSMC",
        "premise": "눈이 내렸다.",
        "hypothesis": "겨울이다.",
        **given,
    }


def save(path: Path, records: Any) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(records, ensure_ascii=False), "utf-8")


def notes(found: Any) -> dict[str, list[str]]:
    made: dict[str, list[str]] = {}
    for one in found.notes:
        made.setdefault(one.file, []).append(one.note)
    return made


def test_splits_are_told_by_the_name_or_by_the_records(tmp_path: Path) -> None:
    save(tmp_path / "klue-nli-v1.1_train.json", [pair("a", "genre")])
    save(tmp_path / "klue-nli-v1.1_dev.json", [pair("b")])
    titles(tmp_path, HEADLINES, "ynat-v1.1_train1_dev2_titles.csv")
    found = official_examples(tmp_path)
    nli, tc = found.tasks["nli"].examples, found.tasks["tc"].examples
    assert nli.column("split").to_pylist() == ["train", "dev"]
    assert nli.column("source").to_pylist() == ["nsmc", "nsmc"]
    assert tc.column("split").to_pylist() == ["train", "dev", "dev"]
    assert tc.column("group").to_pylist() == tc.column("id").to_pylist()
    assert found.tasks["nli"].votes.num_rows == 10
    assert list(found.tasks) == ["nli", "tc"]


def test_answers_have_the_form_of_gold(tmp_path: Path) -> None:
    (tmp_path / "klue-dp-v1.1_dev.tsv").write_text(DP, "utf-8")
    titles(tmp_path, HEADLINES[:1], "ynat-v1.1_train.csv")
    found = official_examples(tmp_path).tasks
    assert parsed(found["dp"].examples.column("label")[0].as_py()) == {
        "heads": [2, 0],
        "deprels": ["NP_SBJ", "VP"],
        "lemmas": ["방 이", "넓 다 ."],
        "pos": ["NNG+JKS", "VA+EF+SF"],
    }
    assert found["dp"].examples.column("source").to_pylist() == ["airbnb"]
    assert found["tc"].examples.column("label").to_pylist() == ['["사회"]']


def test_dates_become_days_and_absent_sources_unknown(tmp_path: Path) -> None:
    scopes = {name: ["사회"] for name in ("first-scope", "second-scope", "third-scope")}
    headline = {
        "guid": "ynat-v1_dev_00000",
        "title": "솔마 팀 첫 승",
        "label": "스포츠",
        "annotations": {"annotators": ["01"], "annotations": scopes},
        "date": "2020.03.21. 오후 5:09",
    }
    turns = [{"role": "user", "text": "방 찾아요.", "state": []}]
    save(tmp_path / "ynat-v1.1_dev.json", [headline])
    save(tmp_path / "wos-v1.1_dev.json", [{"guid": "w", "domains": ["숙소"], "dialogue": turns}])
    found = official_examples(tmp_path).tasks
    assert found["tc"].examples.column("date").to_pylist() == ["2020-03-21"]
    assert found["dst"].examples.column("source").to_pylist() == [UNKNOWN]


def test_the_fuller_of_two_files_counts(tmp_path: Path) -> None:
    titles(tmp_path, HEADLINES, "ynat-v1.1_train_dev_titles.csv")
    dev = "00000,스포츠,경제,솔마 팀 첫 승\n"
    (tmp_path / "ynat-v1.1_dev.csv").write_text(dev, "utf-8")
    found = official_examples(tmp_path).tasks["tc"]
    assert found.examples.num_rows == 3
    assert '["스포츠"]' in found.examples.column("label").to_pylist()
    assert notes(found)["ynat-v1.1_dev.csv"] == [
        "1 example of dev in a fuller file too (1 of them differs in text or label)"
    ]
    assert "a part of train: 1 of 45,678 examples" in notes(found)["ynat-v1.1_train_dev_titles.csv"]


def test_two_parts_of_a_split_are_put_together(tmp_path: Path) -> None:
    save(tmp_path / "klue-nli-v1.1_dev_first2.json", [pair("a"), pair("b")])
    save(tmp_path / "klue-nli-v1.1_dev_other.json", [pair("b"), pair("c"), pair("d")])
    found = official_examples(tmp_path).tasks["nli"]
    assert sorted(found.examples.column("id").to_pylist()) == ["a", "b", "c", "d"]
    assert found.votes.num_rows == 4 * 5
    assert "1 example of dev in a fuller file" in str(notes(found))


def test_files_in_folders_of_the_folder_are_found(tmp_path: Path) -> None:
    save(tmp_path / "klue-nli-v1.1" / "klue-nli-v1.1_dev.json", [pair("a")])
    save(tmp_path / "klue-nli-v1.1" / "ontology.json", {})
    found = official_examples(tmp_path)
    assert found.tasks["nli"].examples.num_rows == 1
    assert found.notes == ()


def test_what_cannot_be_read_is_told_and_the_rest_is_read(tmp_path: Path) -> None:
    save(tmp_path / "klue-nli-v1.1_dev.json", [pair("a"), {"guid": "b"}])
    (tmp_path / "klue-nli-v1.1_train.json").write_text('[{"guid": ', "utf-8")
    (tmp_path / "klue-sts-v1.1_dev.json").write_bytes(b"\xff\xfe")
    save(tmp_path / "wos-ontology.json", {"a": 1})
    (tmp_path / "notes.txt").write_text("x", "utf-8")
    found = official_examples(tmp_path)
    told = notes(found) | notes(found.tasks["nli"])
    assert list(found.tasks) == ["nli"]
    assert told["klue-nli-v1.1_dev.json"][0] == "1 fault of records, left out (official.form@1)"
    assert told["klue-nli-v1.1_train.json"][0].startswith("not read: ")
    assert "UTF-8" in told["klue-sts-v1.1_dev.json"][0]
    assert "its name" in told["wos-ontology.json"][0]
    assert "neither JSON nor CSV nor TSV" in told["notes.txt"][0]
    assert not without_korean(remark for remarks in told.values() for remark in remarks)


def test_a_folder_without_official_files_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such folder"):
        official_examples(tmp_path / "absent")
    with pytest.raises(InputError, match="no readable official KLUE file"):
        official_examples(tmp_path)
    (tmp_path / "klue-sts-v1.1_dev.json").write_text("[", "utf-8")
    with pytest.raises(InputError, match=r"klue-sts-v1\.1_dev\.json: not read: .*not JSON"):
        official_examples(tmp_path)


@pytest.mark.full
def test_the_real_folder_is_read_whole(data_dir: Path) -> None:
    found = official_examples(data_dir / "klue")
    sizes = {task: one.examples.num_rows for task, one in found.tasks.items()}
    assert sizes == {
        "dp": 2000,
        "dst": 700,
        "mrc": 1350,
        "ner": 5000,
        "nli": 27_998,
        "re": 3247,
        "sts": 519,
        "tc": 45_654,
    }
    told = [note for one in found.tasks.values() for note in one.notes]
    parts = sorted(note.note.split(":")[1] for note in told if note.note.startswith("a part"))
    assert parts == [
        " 1,350 of 5,841 examples",
        " 3,247 of 32,470 examples",
        " 36,547 of 45,678 examples",
        " 700 of 1,000 examples",
    ]
    for name in ("ynat-v1.1_dev.csv", "ynat-v1.1_dev_first17.json"):
        assert any(note.file == name and "equal texts" in note.note for note in told)
    assert {note.file for note in found.notes} == {
        "klue-re_relation_list.json",
        "wos-ontology.json",
    }
