"""The sample corpora to a release of all eight tasks, read by the tools that users have."""

from __future__ import annotations

import importlib.metadata
import json
import os
import re
import subprocess
import sys
from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import Any

import duckdb
import mini
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from annotation_stories import good
from release_stories import (
    CONFIGS,
    SAMPLE,
    SPLITS,
    Built,
    examples,
    files,
    private,
    released,
    rows,
    sample,
    whole,
)

#: The id of an example, or of the premise that it begins with.
GUID = r"[a-z]+-c[0-9a-f]{20}"
#: What a test file may not tell, by the meaning of the columns: the answer, and what betrays it.
HIDDEN = {
    "ynat": {"label", "predefined_news_category", "url", "soft_label"},
    "sts": {"labels", "soft_label"},
    "nli": {"label", "soft_label"},
    "ner": {"ner_tags"},
    "re": {"label", "soft_label"},
    "dp": {"head", "deprel"},
    "mrc": {"is_impossible", "question_type", "answers", "plausible_answers"},
    "wos": {"domains", "dialogue"},
}
#: The columns of the official files on the hub that ours have under the same name.
OFFICIAL = {
    "ynat": {"guid", "title", "label", "url", "date"},
    "sts": {"guid", "source", "sentence1", "sentence2", "labels"},
    "nli": {"guid", "source", "premise", "hypothesis", "label"},
    "ner": {"sentence", "tokens", "ner_tags"},
    "re": {"guid", "sentence", "subject_entity", "object_entity", "label", "source"},
    "dp": {"sentence", "index", "word_form", "lemma", "pos", "head", "deprel"},
    "mrc": {"title", "context", "news_category", "source", "guid", "is_impossible",
            "question_type", "question", "answers"},
    "wos": {"guid", "domains", "dialogue"},
}  # fmt: skip
LOAD = """\
import json, sys
from datasets import load_dataset
told = {}
for config in sys.argv[2:]:
    found = load_dataset(sys.argv[1], config)
    told[config] = {name: [one.num_rows, one.column_names] for name, one in found.items()}
print(json.dumps(told))
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    return sample(tmp_path_factory)


def test_all_eight_tasks_have_three_splits(built: Built) -> None:
    assert built.result["simulated"] is True
    for task, config in CONFIGS.items():
        told = built.result["splits"][task]
        for split, file in SPLITS.items():
            found = rows(built.release / config / f"{file}.parquet")
            assert len(found) == told[split] > 0, (task, split)
            guids = [row["guid"] for row in found]
            assert guids == sorted(set(guids))
        gold = rows(private(built.release) / "gold" / f"{config}.parquet")
        counts = Counter(row["status"] for row in gold)
        assert counts["gold"] == sum(told.values()), task


def test_verify_holds(built: Built) -> None:
    told = good("verify", built.release)
    assert told["ok"] is True
    assert all(one["ok"] for one in told["checks"])
    assert {"files", "release_hash", "test_labels", "cards"} <= {c["name"] for c in told["checks"]}


def test_datasets_loads_every_config_offline(built: Built, tmp_path: Path) -> None:
    offline = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HF_HOME": str(tmp_path)}
    words = [sys.executable, "-c", LOAD, str(built.release), *CONFIGS.values()]
    told = json.loads(_run(words, **offline))
    for config, found in told.items():
        assert set(found) == set(SPLITS.values())
        for name, (count, columns) in found.items():
            file = pq.read_metadata(built.release / config / f"{name}.parquet")
            assert count == file.num_rows
            assert OFFICIAL[config] <= set(columns)


def test_mlcroissant_validates_and_reads_the_card(built: Built) -> None:
    mlc = pytest.importorskip("mlcroissant")
    dataset = mlc.Dataset(jsonld=str(built.release / "croissant.json"))
    assert not dataset.metadata.issues.errors
    warned = dataset.metadata.issues.warnings  # no date: the same build gives the same bytes
    assert all("datePublished" in one for one in warned)
    sets = {one.uuid for one in dataset.metadata.record_sets}
    assert set(CONFIGS.values()) <= sets


def _run(words: list[str], **environment: str) -> str:
    done = subprocess.run(words, env={**os.environ, **environment}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_pandas_duckdb_and_pyarrow_read_the_same_rows(built: Built) -> None:
    for folder in (built.release, private(built.release)):
        for path in (one for one in files(folder) if one.suffix == ".parquet"):
            table = pq.read_table(path)
            counted = duckdb.execute("select count(*) from read_parquet(?)", [str(path)]).fetchone()
            assert counted == (table.num_rows,), path
            assert len(pd.read_parquet(path)) == table.num_rows
            assert not table.schema.metadata, "a schema without what its writer notes"


def test_labels_are_names_and_not_numbers(built: Built) -> None:
    for config, column in (("ynat", "label"), ("nli", "label"), ("re", "label")):
        field = pq.read_schema(built.release / config / "train.parquet").field(column)
        assert field.type == pa.string()
    tags = duckdb.execute(
        "select distinct unnest(ner_tags) from read_parquet(?)",
        [str(built.release / "ner" / "train.parquet")],
    ).fetchall()
    kinds = ("PS", "LC", "OG", "DT", "TI", "QT")
    assert {tag for (tag,) in tags} <= {"O", *(f"{m}-{k}" for m in "BI" for k in kinds)}


@pytest.mark.parametrize("task", CONFIGS)
def test_a_test_file_is_the_private_one_without_what_tells(built: Built, task: str) -> None:
    config = CONFIGS[task]
    public = rows(built.release / config / "test.parquet")
    hidden = examples(built.release, task)["test"]
    assert [row["guid"] for row in public] == [row["guid"] for row in hidden]
    for told, known in zip(public, hidden, strict=True):
        changed = {name for name in known if told[name] != known[name]}
        assert changed <= HIDDEN[config]
        if config == "wos":
            assert told["domains"] is None
            assert [turn["text"] for turn in told["dialogue"]] == [
                turn["text"] for turn in known["dialogue"]
            ]
            assert {turn["state"] for turn in told["dialogue"]} == {None}
        else:
            assert {name: told[name] for name in HIDDEN[config]} == dict.fromkeys(HIDDEN[config])


def _closed(built: Built, task: str) -> set[str]:
    """Return the ids of test examples, and of premises that any of them is about."""
    guids = {row["guid"] for row in examples(built.release, task)["test"]}
    return guids | {guid.partition(".")[0] for guid in guids if "." in guid}


def test_no_public_table_says_anything_else_of_a_test_example(built: Built) -> None:
    """Only the test file and what the check for leaks lists name test examples."""
    closed = {guid for task in CONFIGS for guid in _closed(built, task)}
    for path in (one for one in files(built.release) if one.suffix == ".parquet"):
        place = path.relative_to(built.release)
        if place.name in ("test.parquet", "leaks.parquet"):
            continue
        named = closed & {
            value for row in rows(path) for value in row.values() if isinstance(value, str)
        }
        assert not named, (place, sorted(named)[:3])


def test_no_public_text_says_anything_of_a_test_example(built: Built) -> None:
    guids = {guid.partition(".")[0] for task in CONFIGS for guid in _closed(built, task)}
    assert all(re.fullmatch(GUID, guid) for guid in guids)
    for path in (one for one in files(built.release) if one.suffix in (".json", ".md", ".html")):
        assert not guids & set(re.findall(GUID, path.read_text("utf-8"))), path.name


def test_what_was_written_about_a_test_premise_is_private(built: Built) -> None:
    """Authors write three hypotheses a premise, each under its label: they tell all answers."""
    test = {guid.partition(".")[0] for guid in _closed(built, "nli")}
    wrote = {
        place: {row["item"] for row in rows(place / "votes" / "nli.parquet") if row["label"]
                and row["round"] == "write"}
        for place in (built.release, private(built.release))
    }  # fmt: skip
    assert test <= wrote[private(built.release)]
    assert wrote[built.release]
    assert not test & wrote[built.release]


def test_only_the_owner_may_read_private_files(built: Built) -> None:
    folder = private(built.release)
    assert folder.stat().st_mode & 0o077 == 0
    assert all(one.stat().st_mode & 0o077 == 0 for one in folder.rglob("*"))


@pytest.mark.full
def test_another_folder_and_one_worker_give_the_same_bytes(built: Built, tmp_path: Path) -> None:
    places = tmp_path / "elsewhere" / "work", tmp_path / "published"
    other = released(SAMPLE, *places, "--workers", 1)
    assert other.result["release_hash"] == built.result["release_hash"]
    assert other.result["fingerprint"] == built.result["fingerprint"]
    assert whole(other.release) == whole(built.release)


def test_the_manifest_tells_inputs_seed_and_counts_as_they_are(built: Built) -> None:
    told: dict[str, Any] = json.loads((built.release / "manifest.json").read_text("utf-8"))
    assert (told["name"], told["version"], told["seed"]) == ("sample", "1.0.0", 20201201)
    assert told["release_hash"] == built.result["release_hash"]
    on_disk = {one.relative_to(built.release).as_posix() for one in files(built.release)}
    assert set(told["files"]) == on_disk - {"manifest.json"}
    for path, entry in told["files"].items():
        content = (built.release / path).read_bytes()
        assert (len(content), sha256(content).hexdigest()) == (entry["bytes"], entry["sha256"])
    assert {one["source"] for one in told["inputs"]} == set(built.result["funnel"])
    assert told["tool"]["version"] == importlib.metadata.version("klue-rebuild")
    text = json.dumps(told)
    assert str(built.work) not in text and str(mini.ROOT) not in text


def test_a_second_build_does_nothing(built: Built) -> None:
    before = whole(built.release)
    again = released(built.file, built.work, built.releases)
    assert all(stage["skipped"] for stage in again.result["stages"])
    assert again.result["release_hash"] == built.result["release_hash"]
    assert whole(again.release) == before
