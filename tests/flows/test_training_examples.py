"""Examples by split, wherever they are, and dev splits drawn of files that have one split only."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from flows.examples import Examples, examples_at, tasks_at
from flows.split_files import Splitting, split
from pipeline.core.errors import InputError

TOPICS = ("정치", "경제", "사회", "생활문화", "세계", "IT과학", "스포츠")


def nli(many: int) -> list[dict[str, Any]]:
    """Return official records: three hypotheses for each premise."""
    golds = ("entailment", "contradiction", "neutral")
    return [
        {
            "guid": f"klue-nli-v1_train_{3 * i + j:05}",
            "genre": "airbnb",
            "premise": f"{i}번 숙소는 바다에서 가깝고 조용했다.",
            "hypothesis": f"{i}번 숙소의 {j}번째 이야기다.",
            "gold_label": gold,
            "author": gold,
            **{f"label{k}": gold for k in range(2, 6)},
        }
        for i in range(many)
        for j, gold in enumerate(golds)
    ]


@pytest.fixture(scope="module")
def official(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("official")
    text = json.dumps(nli(60), ensure_ascii=False)
    (folder / "klue-nli-v1.1_train.json").write_text(text, "utf-8")
    return folder


def premises(found: Examples, part: str) -> set[str]:
    return {one.fields["premise"] for one in found.splits[part]}


def test_one_split_alone_needs_a_share_to_hold_out(official: Path) -> None:
    assert tasks_at(official) == ("nli",)
    with pytest.raises(InputError, match=r"no dev split of nli, only train; give --holdout 0.1"):
        examples_at(official, "nli")


def test_what_is_held_out_shares_no_premise_with_the_rest(official: Path) -> None:
    found = examples_at(official, "nli", holdout=0.3, seed=4)
    assert sum(map(len, found.splits.values())) == 180
    assert not premises(found, "train") & premises(found, "dev")
    assert 9 <= len(premises(found, "dev")) <= 27
    assert found.labelled == {"train", "dev"}
    assert found.data == {"files": official.name, "holdout": 0.3, "holdout_seed": 4}


def test_the_draw_is_keyed(official: Path) -> None:
    one, again, other = (examples_at(official, "nli", holdout=0.3, seed=seed) for seed in (4, 4, 5))
    assert one == again
    assert one.digest != other.digest
    assert premises(one, "dev") != premises(other, "dev")


def test_the_order_and_place_of_files_do_not_show(official: Path, tmp_path: Path) -> None:
    text = json.dumps(nli(60)[::-1], ensure_ascii=False)
    (tmp_path / "klue-nli-v1.1_train.json").write_text(text, "utf-8")
    digests = {examples_at(place, "nli", holdout=0.3).digest for place in (official, tmp_path)}
    assert len(digests) == 1


@pytest.mark.parametrize("share", [0.0, 1.0, -0.5, 2.0, float("nan")])
def test_a_share_out_of_range_is_refused(official: Path, share: float) -> None:
    with pytest.raises(InputError, match="is out of range"):
        examples_at(official, "nli", holdout=share)


def test_a_task_that_is_not_there_is_named(official: Path) -> None:
    with pytest.raises(InputError, match="no official files of ner; it holds nli"):
        examples_at(official, "ner")


@pytest.mark.parametrize("what", ["absent", "file.txt", "empty"])
def test_a_place_without_examples_is_refused(tmp_path: Path, what: str) -> None:
    (tmp_path / "file.txt").write_text("x")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=what):
        examples_at(tmp_path / what, "tc")


def test_what_klue_split_wrote_is_read(tmp_path: Path) -> None:
    rows = [
        {
            "item": f"t{i:03}",
            "fields": {"title": f"{i}번째 소식, {TOPICS[i % 7]} 분야의 새 일이 {i * 37 % 101}건"},
            "gold": [TOPICS[i % 7]],
            "source": "yna",
            "meta": {"date": f"{2016 + i % 5}-0{1 + i % 9}-{1 + i % 28:02}"},
        }
        for i in range(140)
    ]
    items = tmp_path / "items.jsonl"
    items.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    split(Splitting((items,), "tc", out=tmp_path / "out"), as_json=True)
    assert tasks_at(tmp_path / "out") == ("tc",)
    found = examples_at(tmp_path / "out", "tc")
    assert set(found.splits) == {"train", "dev", "test"} == found.labelled
    known = {row["item"]: row["gold"] for row in rows}
    for examples in found.splits.values():
        assert [one.id for one in examples] == sorted(one.id for one in examples)
        assert all(one.label == known[one.id] for one in examples)


def test_real_files_of_two_splits_are_not_mixed(data_dir: Path) -> None:
    found = examples_at(data_dir / "klue", "nli")
    assert {name: len(one) for name, one in found.splits.items()} == {"train": 24_998, "dev": 3_000}
