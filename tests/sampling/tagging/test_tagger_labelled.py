"""Labelled files: what is read, what is refused with its line, and how texts are split."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from made_up import rows, write

from pipeline.core.errors import InputError
from pipeline.core.fingerprint import ROOT
from pipeline.sampling.tagging.labelled import read

GOOD = {"item": "a", "fields": {"text": "솔마을에 간다"}, "gold": []}


def test_the_sample_answers_are_such_a_file() -> None:
    found = read(ROOT / "data" / "sample" / "answers" / "ner.jsonl")
    assert {one.source for one in found} >= {"wikitree", "nsmc"}
    assert all(one.text[s:e].strip() == one.text[s:e] for one in found for s, e, _ in one.spans)


def test_order_of_lines_does_not_matter(tmp_path: Path) -> None:
    one, two = write(tmp_path / "a.jsonl", rows(9)), write(tmp_path / "b.jsonl", rows(9)[::-1])
    assert read(one) == read(two)


@pytest.mark.parametrize(
    ("gold", "what"),
    [
        ([{"start": 0, "end": 3, "label": "LC"}, {"start": 2, "end": 4, "label": "PS"}], "overlap"),
        ([{"start": 3, "end": 3, "label": "LC"}], "empty"),
        ([{"start": 0, "end": 99, "label": "LC"}], "outside"),
        ([{"start": -1, "end": 3, "label": "LC"}], "outside"),
        ([{"start": 0, "end": True, "label": "LC"}], "whole number"),
        ([{"start": 0, "end": 3, "label": ""}], "no label"),
        ([{"start": 0, "end": 3}], "exactly the keys start, end and label"),
        (None, "no list of spans under gold"),
        ("[]", "no list of spans under gold"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, gold: object, what: str) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text(f"{json.dumps(GOOD)}\n{json.dumps({**GOOD, 'gold': gold})}\n", "utf-8")
    with pytest.raises(InputError, match=rf"items\.jsonl:2: .*{what}") as told:
        read(path)
    assert "솔마을" not in str(told.value)


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("{", "is not JSON"),
        ("[]", "is a JSON list, not an object"),
        ("3", "is a JSON int, not an object"),
        ('{"fields": {"text": 3}, "gold": []}', "no text under fields.text"),
        ('{"fields": "x", "gold": []}', "no text under fields.text"),
        ("{}", "no text under fields.text"),
        ('{"fields": {"text": "x"}}', "no list of spans under gold"),
    ],
)
def test_no_item_at_all_is_named(tmp_path: Path, line: str, what: str) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text(line + "\n", "utf-8")
    with pytest.raises(InputError, match=rf"items\.jsonl:1: .*{what}"):
        read(path)


def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no text with an entity"):
        read(write(tmp_path / "none.jsonl", [GOOD]))
    (tmp_path / "items.csv").write_text("x", "utf-8")
    with pytest.raises(InputError, match="unknown form"):
        read(tmp_path / "items.csv")
    with pytest.raises(InputError, match="no such file"):
        read(tmp_path / "gone.jsonl")
    (tmp_path / "latin.jsonl").write_bytes(b"\xff\xfe\n")
    with pytest.raises(InputError, match="is not UTF-8"):
        read(tmp_path / "latin.jsonl")


def test_an_official_file_with_an_unknown_type_is_refused(tmp_path: Path) -> None:
    """Texts that are left out in silence would flatter the figures."""
    lines = ["## klue-ner-v1_dev_00000-wikitree\t<한별:PX>이 왔다.", "한\tB-PX", "별\tI-PX"]
    lines += ["이\tO", " \tO", "왔\tO", "다\tO", ".\tO", ""]
    path = tmp_path / "odd.tsv"
    good = [line.replace("PX", "PS").replace("00000", "00001") for line in lines]
    path.write_text("\n".join([*good, "", *lines]), "utf-8")
    with pytest.raises(InputError, match=r"odd.tsv:\d+: .*cannot be"):
        read(path)
