"""`klue split`: labelled items of files into three splits, told and written."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from flows.cli import app


def _split(*arguments: object) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, ["split", *map(str, arguments)])
    return done.exit_code, done.stdout, done.stderr


def _trees(path: Path, count: int, sources: tuple[str, ...] = ("wikitree", "airbnb")) -> Path:
    lines = []
    for n in range(count):
        words = [f"도담{n}동", f"가게{n * 7}를", "찾았다."]
        row = {
            "item": f"dp-{n:04}",
            "source": sources[n % len(sources)],
            "fields": {"text": " ".join(words), "words": words},
            "gold": {"heads": [2, 3, 0], "deprels": ["NP", "NP_OBJ", "VP"]},
        }
        lines.append(json.dumps(row, ensure_ascii=False))
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def _rows(folder: Path, name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = pq.read_table(folder / f"{name}.parquet").to_pylist()
    return rows


def test_items_of_two_files_are_split_together(tmp_path: Path) -> None:
    files = [_trees(tmp_path / "a.jsonl", 58), tmp_path / "b.jsonl"]
    text = files[0].read_text("utf-8").replace("dp-", "dq-").replace("도담", "가온")
    files[1].write_text(text.replace("찾았다", "떠났다"), "utf-8")
    code, out, _ = _split(*files, "--task", "dp", "--out", tmp_path / "out", "--json")
    record = json.loads(out)
    assert code == 0 and record["items"] == 116
    assert record["splits"] == {"train": 80, "dev": 16, "test": 20}  # 10,000 : 2,000 : 2,500
    found = _rows(tmp_path / "out", "examples")
    by_source = Counter((row["split"], row["source"]) for row in found)
    assert set(by_source.values()) == {40, 8, 10}
    assert record["leaks"] == 0 and record["left_out"] == 0


def test_the_same_items_in_another_order_are_split_alike(tmp_path: Path) -> None:
    first = _trees(tmp_path / "a.jsonl", 40)
    turned = tmp_path / "b.jsonl"
    turned.write_text("\n".join(reversed(first.read_text("utf-8").split("\n")[:-1])) + "\n")
    tables = []
    for path in (first, turned):
        out = tmp_path / path.stem
        assert _split(path, "--task", "dp", "--out", out)[0] == 0
        tables.append((out / "examples.parquet").read_bytes())
    assert tables[0] == tables[1]


def test_the_screen_says_what_holds(tmp_path: Path) -> None:
    code, out, err = _split(_trees(tmp_path / "a.jsonl", 40), "--task", "dp")
    assert code == 0 and "source_share" in out and "leaks that stop a release: 0" in out
    assert "written" not in err


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda path: path.write_text(path.read_text() * 2), "on an earlier line"),
        (lambda path: path.write_text(path.read_text().replace('"gold"', '"meta"')), "no item has"),
        (lambda path: path.unlink(), "No such file"),
        (lambda path: path.write_text(""), "no "),
        (lambda path: _trees(path, 2), "what binds"),
    ],
    ids=["twice", "without gold", "absent", "empty", "too few"],
)
def test_bad_input_is_one_clear_error(tmp_path: Path, change: Any, told: str) -> None:
    path = _trees(tmp_path / "a.jsonl", 20)
    change(path)
    code, out, err = _split(path, "--task", "dp", "--out", tmp_path / "out", "--json")
    assert code != 0 and "Traceback" not in err
    assert told.lower() in json.loads(out)["error"].lower()
    assert not (tmp_path / "out").exists()


def test_written_tables_are_not_replaced_unasked(tmp_path: Path) -> None:
    path, out = _trees(tmp_path / "a.jsonl", 40), tmp_path / "out"
    assert _split(path, "--task", "dp", "--out", out)[0] == 0
    code, _, err = _split(path, "--task", "dp", "--out", out)
    assert code == 2 and "--force" in err
    assert _split(path, "--task", "dp", "--out", out, "--force")[0] == 0


def test_official_similarity_dev_meets_every_constraint(data_dir: Path, tmp_path: Path) -> None:
    """519 pairs, 51 bins of a tenth; counted again from the file itself."""
    path = data_dir / "klue" / "klue-sts-v1.1_dev.json"
    code, out, _ = _split(path, "--task", "sts", "--from", "klue", "--out", tmp_path, "--json")
    record = json.loads(out)
    assert code == 0 and all(row["met"] for row in record["constraints"])
    labels = {r["guid"]: r["labels"]["label"] for r in json.loads(path.read_text("utf-8"))}
    splits = {row["id"]: row["split"] for row in _rows(tmp_path, "examples")}
    assert splits.keys() == labels.keys()
    pool = Counter(round(10 * label) for label in labels.values())
    chosen = Counter(round(10 * labels[i]) for i, split in splits.items() if split != "train")
    assert sum(chosen.values()) == round(519 * 1556 / 13224)
    level = max(chosen.values())
    assert all(chosen[b] >= level - 1 or chosen[b] == n for b, n in pool.items())
    sizes = Counter(splits.values())
    assert sizes["dev"] == round(sum(chosen.values()) / 3)


def _headlines(path: Path, gold: list[Any]) -> Path:
    rows = [
        {
            "item": f"t{n:02}",
            "fields": {"title": f"도담{n}동 소식 {n * 7}호"},
            "gold": label,
            "meta": {"date": "2019-05-01" if n % 3 else "2021-05-01"},
        }
        for n, label in enumerate(gold)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def test_a_topic_as_a_plain_text_is_a_list_of_one(tmp_path: Path) -> None:
    topics = ["생활문화", "세계"] * 15
    plain = _headlines(tmp_path / "plain.jsonl", topics)
    lists = _headlines(tmp_path / "lists.jsonl", [[topic] for topic in topics])
    for path in (plain, lists):
        assert _split(path, "--task", "tc", "--out", path.with_suffix(""))[0] == 0
    found = _rows(plain.with_suffix(""), "examples")
    assert found == _rows(lists.with_suffix(""), "examples")
    constraints = _rows(plain.with_suffix(""), "constraints")
    details = {row["detail"] for row in constraints if row["name"] == "label_share"}
    assert details == {"생활문화", "세계"}


@pytest.mark.parametrize("gold", ["음식", ["음식"], [], 3])
def test_gold_that_is_no_label_of_the_task_is_refused(gold: Any, tmp_path: Path) -> None:
    code, _, told = _split(_headlines(tmp_path / "a.jsonl", [gold]), "--task", "tc")
    assert code == 2 and "t00: gold " in told
    assert "is no label of tc: 정치, 경제, 사회" in told and "음식" not in told
