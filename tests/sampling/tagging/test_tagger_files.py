"""Files of texts as files of spans."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from train_tagger import Trained

from flows.commands.text_files import tag_file
from pipeline.core.errors import InputError
from pipeline.core.io import guess_source
from pipeline.sampling.tagging.registry import load


def test_rows_texts_and_places(made: tuple[Path, Trained], tmp_path: Path) -> None:
    texts = ["1번. 추가람이 솔마을에서 노래했다.", "바람이 분다"]
    lines = [json.dumps({"text": texts[0]}), "{", json.dumps({"text": texts[1]})]
    (tmp_path / "in.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    source = guess_source(tmp_path / "in.jsonl")
    counts, first = tag_file(source, tmp_path / "deep" / "out.jsonl", load(f"crf:{made[0]}"))
    found = [json.loads(line) for line in (tmp_path / "deep" / "out.jsonl").open(encoding="utf-8")]
    assert [row["row"] for row in found] == [0, 2]
    assert [row["text"] for row in found] == texts
    told = [(texts[0][s["start"] : s["end"]], s["label"]) for s in found[0]["spans"]]
    assert told == [("추가람", "PS"), ("솔마을", "LC")]
    spans = sum(len(row["spans"]) for row in found)
    assert counts == {"rows": 2, "entities": spans, "left_out": 0, "unreadable": 1}
    assert [(row.row, row.line) for row in first] == [(1, 2)]
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["out.jsonl"]


def test_a_file_without_a_readable_row_is_an_error(
    made: tuple[Path, Trained], tmp_path: Path
) -> None:
    (tmp_path / "in.jsonl").write_text('{"text": 3}\n{\n', "utf-8")
    source = guess_source(tmp_path / "in.jsonl")
    with pytest.raises(InputError, match=r"none of 2 rows can be read; line 1: .*'text'\?"):
        tag_file(source, tmp_path / "out.jsonl", load(f"crf:{made[0]}"))
    assert [path.name for path in tmp_path.iterdir()] == ["in.jsonl"]


def test_outputs_that_cannot_be(made: tuple[Path, Trained], tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("글\n", "utf-8")
    (tmp_path / "in.jsonl").write_text('{"text": "글"}\n', "utf-8")
    (tmp_path / "folder.jsonl").mkdir()
    tagger = load(f"crf:{made[0]}")
    for name, out, what in (
        ("in.txt", "out.csv", "written as JSONL"),
        ("in.jsonl", "in.jsonl", "is the file to be tagged"),
        ("in.txt", "in.jsonl", "--force"),
        ("in.txt", "folder.jsonl", "is a folder"),
    ):
        with pytest.raises(InputError, match=what):
            tag_file(guess_source(tmp_path / name), tmp_path / out, tagger)
