"""The raw judgements of the official files give the official labels, on every row."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from pipeline.agreement.aggregation.aggregate import Aggregated, aggregate
from pipeline.contracts.official.files import read_official
from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import load_spec


def _aggregated(task: str, path: Path, *, exclude: bool = False) -> Aggregated:
    read = read_official(task, path)
    return aggregate(
        read.votes, task=TASKS[task], spec=load_spec(task), items=read.items, exclude=exclude
    )


@pytest.mark.parametrize(
    ("task", "name", "rows"),
    [
        pytest.param("nli", "klue-nli-v1.1_train.json", 24_998, marks=pytest.mark.full),
        ("nli", "klue-nli-v1.1_dev.json", 3_000),
        ("sts", "klue-sts-v1.1_dev.json", 519),
        ("tc", "ynat-v1.1_dev_first17.json", 17),
    ],
)
def test_official_labels_on_every_row(data_dir: Path, task: str, name: str, rows: int) -> None:
    found = _aggregated(task, data_dir / "klue" / name)
    assert found.summary["items"] == found.summary["resolved"] == rows
    assert found.summary["matches_official"] == rows


def test_nli_labels_against_the_file_itself(data_dir: Path) -> None:
    path = data_dir / "klue" / "klue-nli-v1.1_dev.json"
    gold = {row["guid"]: row["gold_label"] for row in json.loads(path.read_text("utf-8"))}
    found = _aggregated("nli", path).gold
    pairs = zip(found["item"].to_pylist(), found["label"].to_pylist(), strict=True)
    assert {item: json.loads(label) for item, label in pairs} == gold


def test_sts_labels_are_equal_numbers_not_near_ones(data_dir: Path) -> None:
    path = data_dir / "klue" / "klue-sts-v1.1_dev.json"
    gold = {row["guid"]: row["labels"] for row in json.loads(path.read_text("utf-8"))}
    found = _aggregated("sts", path).gold
    pairs = zip(found["item"].to_pylist(), found["label"].to_pylist(), strict=True)
    assert {item: json.loads(label) for item, label in pairs} == gold


def test_unanimous_share_of_nli_is_that_of_the_paper(data_dir: Path) -> None:
    """Table 5: 76.29 % of all pairs are unanimous; train holds 81 % of them."""
    gold = _aggregated("nli", data_dir / "klue" / "klue-nli-v1.1_train.json").gold
    shares = Counter(gold["agreement"].to_pylist())
    assert set(shares) == {0.6, 0.8, 1.0}
    assert shares[1.0] / gold.num_rows == pytest.approx(0.7629, abs=0.01)


def test_excluding_on_dev_alone_is_another_answer(data_dir: Path) -> None:
    """The paper excluded on the whole pool; on dev alone, people who stayed would go."""
    found = _aggregated("sts", data_dir / "klue" / "klue-sts-v1.1_dev.json", exclude=True)
    assert [one["annotator"] for one in found.summary["excluded"]] == ["04", "05", "08", "12"]
    assert found.summary["by_queue"] == {"votes": 207}  # fewer than five votes are left
    assert found.summary["resolved"] == 519 - 207
