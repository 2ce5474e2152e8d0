"""Releases of tasks of one's own: what their tables and cards say, and versions after the first."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import mini
import own_project
import pytest
import yaml
from release_stories import Built, rows

Row = dict[str, Any]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("own")
    own_project.write(path)
    mini.built(own_project.build_file(path, "batches"), path / "work", "--until", "candidates")
    own_project.write_votes(path, list(own_project.votes(path)))
    return path


@pytest.fixture(scope="module")
def first(folder: Path) -> Built:
    return own_project.release(folder, "1.0.0", label_licence="CC-BY-4.0")


def _manifest(built: Built) -> Row:
    found: Row = json.loads((built.release / "manifest.json").read_text("utf-8"))
    return found


def _guids(release: Path, config: str) -> set[str]:
    return {row["guid"] for path in (release / config).glob("*.parquet") for row in rows(path)}


def test_what_was_withdrawn_stays_out_though_the_file_is_not_named_again(
    folder: Path, first: Built
) -> None:
    gone = sorted(_guids(first.release, "mood"))[0]
    entries = [{"id": gone, "reason": "personal_data", "since": "1.0.1"}]
    (folder / "withdrawn.yaml").write_text(yaml.safe_dump({"withdrawn": entries}), "utf-8")
    second = own_project.release(folder, "1.0.1", withdrawn="withdrawn.yaml")
    third = own_project.release(folder, "1.0.2")
    for built in (second, third):
        assert gone not in _guids(built.release, "mood")
        assert _manifest(built)["withdrawn"] == [{"id": gone, "reason": "personal_data"}]
        assert gone in (built.release / "CHANGELOG.md").read_text("utf-8")
    assert "withdrawn" not in _manifest(first)
    shown = mini.klue(
        *("build", third.file, "--work", third.work, "--releases", third.releases),
        *("--until", "release"),
    )
    assert "withdrawn    1 example, 1 of them by an earlier version" in shown.stdout
    words = " ".join(shown.stdout.split())
    assert "note the labels are released under CC BY-SA 4.0, as release.label_licence" in words


def test_a_build_after_errata_omits_what_they_removed_and_says_what_it_lacks(
    folder: Path, first: Built
) -> None:
    gone = sorted(_guids(first.release, "mood"))[1]
    split = next(path.stem for path in first.release.glob("mood/*.parquet") if _has(path, gone))
    why = {"reason": "read again", "source": "a reader"}
    patch = {"guid": gone, "field": "split", "old": split.replace("validation", "dev"), "new": None}
    (folder / "patches.jsonl").write_text(json.dumps(patch | why), "utf-8")
    corrected = first.release.with_name("2.0.0")
    mini.klue("errata", "apply", first.release, folder / "patches.jsonl", "--out", corrected)
    later = own_project.release(folder, "2.0.1")
    assert gone not in _guids(later.release, "mood")
    assert {"id": gone, "reason": "wrong"} in _manifest(later)["withdrawn"]
    again = ("build", later.file, "--work", later.work, "--releases", later.releases)
    shown = mini.klue(*again, "--until", "release", "--dry-run").stdout
    assert "\nnote errata made version 2.0.0, and a build applies no patches" in shown


def _has(path: Path, guid: str) -> bool:
    return guid in {row["guid"] for row in rows(path)}


def test_the_labels_are_under_the_licence_that_the_build_file_names(first: Built) -> None:
    texts = {path.name: path.read_text("utf-8") for path in first.release.glob("*.md")}
    assert "SA" not in texts["LICENSE.md"]
    assert "labels are under [CC BY 4.0]" in texts["LICENSE.md"]
    assert "license: cc-by-4.0\n" in texts["README.md"]
    assert "the sources and that of the labels" in texts["README.md"]
    assert ", [CC BY 4.0]" in texts["ATTRIBUTION.md"]
    assert _manifest(first)["build"]["release"]["label_licence"] == "CC-BY-4.0"


def test_scores_have_the_scale_and_the_step_of_their_spec(first: Built) -> None:
    assert _manifest(first)["tasks"]["stars"]["scale"] == {"low": 1, "high": 10, "step": 0.1}
    assert "scale" not in _manifest(first)["tasks"]["mood"]
    scores = rows(first.release / "stars" / "train.parquet")
    assert {row["label"] for row in scores} == {2.3, 5.3, 9.3}
    assert {row["soft_label"]["n"] for row in scores} == {3}
    card = (first.release / "README.md").read_text("utf-8")
    assert "| `stars` | 1 | 10 | 0.1 |" in card


def test_labels_load_as_the_numbers_of_the_spec(first: Built, tmp_path: Path) -> None:
    from datasets import load_dataset

    def load(config: str) -> Any:
        return load_dataset(str(first.release), config, cache_dir=str(tmp_path))["train"]

    one, many = load("mood"), load("moods")
    assert one.features["label"].names == list(own_project.LABELS)
    assert many.features["labels"].feature.names == list(own_project.LABELS)
    names = {row["guid"]: row["label"] for row in rows(first.release / "mood" / "train.parquet")}
    assert [one.features["label"].int2str(n) for n in one["label"]] == [
        names[guid] for guid in one["guid"]
    ]


def test_cards_of_own_tasks_say_nothing_of_klue(first: Built) -> None:
    names = ("README.md", "datasheet.md", "ATTRIBUTION.md", "croissant.json")
    for name in names:
        text = (first.release / name).read_text("utf-8").replace("klue", "")
        assert "KLUE" not in text and "the paper" not in text, name
    front = next(yaml.safe_load_all((first.release / "README.md").read_text("utf-8")))
    assert front["tags"] == ["korean"] and "annotations_creators" not in front
    assert front["task_ids"] == [
        *("multi-class-classification", "multi-label-classification", "text-scoring")
    ]
    sheet = (first.release / "datasheet.md").read_text("utf-8")
    assert "No detector of biased or hateful text ran on `diary`." in sheet
    assert "| `stars` | scores from 1 to 10, in steps of 0.1 |" in sheet
