"""Official examples beside the raw units of a build, found by their wording."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import mini
import pyarrow.parquet as pq
import pytest
from annotation_stories import bad, good

PREMISES = [
    ("배우들의 연기가 정말 좋았어요.", "official.aligned.exact@1"),
    ("the best movie ever 0", "noise.non_korean@1"),
    (
        "배우들의 연기가 정말 좋았어요. 다만 결말은 조금 아쉽네요. 0번째로 본 영화",
        "official.aligned.edited@1",
    ),
    ("아무도 쓴 일이 없는 문장이다.", None),
]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with official files of one task, and a work directory with a build."""
    folder = tmp_path_factory.mktemp("aligned")
    mini.built(mini.write(folder), folder / "work")
    votes = dict.fromkeys(("gold_label", "author", *(f"label{n}" for n in range(2, 6))), "neutral")
    pairs = [
        {"guid": f"n-{at}", "genre": "NSMC", "premise": text, "hypothesis": "그렇다.", **votes}
        for at, (text, _) in enumerate(PREMISES)
    ]
    (folder / "klue").mkdir()
    (folder / "klue" / "klue-nli-v1.1_train.json").write_text(json.dumps(pairs), "utf-8")
    return folder


def test_each_example_has_its_raw_unit_and_the_rule_that_drops_it(place: Path) -> None:
    release = place / "release"
    told = good("import-official", place / "klue", "--out", release, "--work", place / "work")
    assert told["aligned"] == {
        "nli": {"exact": 2, "edited": 1, "none": 1, "dropped": {"noise.non_korean@1": 1}}
    }
    rows = pq.read_table(release / "ledger" / "nli" / "import.parquet").to_pylist()
    wanted: dict[str, Any] = {f"n-{at}": rule for at, (_, rule) in enumerate(PREMISES) if rule}
    assert {row["unit"]: row["rule"] for row in rows} == wanted
    assert all(row["action"] == "keep" and row["source"] == "nsmc" for row in rows)
    assert all("raw unit nsmc-" in row["reason"] for row in rows)
    assert good("verify", release)["ok"] is True


def test_a_directory_without_a_build_is_refused(place: Path) -> None:
    told = bad("import-official", place / "klue", "--out", place / "r", "--work", place / "klue")
    assert "holds no build" in told
