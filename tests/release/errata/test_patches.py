"""Files of patches: what is read, and the file and line of what is not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.errors import InputError
from pipeline.release.errata.offsets import nearest
from pipeline.release.errata.patches import read_patches, value_at, with_value, write_patches

PATCH: dict[str, Any] = {
    "guid": "klue-mrc-v1_dev_00001",
    "field": "answers.answer_start.0",
    "old": 5,
    "new": 7,
    "reason": "the text stands at 7",
    "source": "errata.offset@1",
}


def _save(folder: Path, *records: Any) -> Path:
    path = folder / "patches.jsonl"
    lines = (text if isinstance(text, str) else json.dumps(text) for text in records)
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def test_patches_are_read_as_they_were_written(tmp_path: Path) -> None:
    path = _save(tmp_path, PATCH, "", {**PATCH, "field": "answers.answer_start.1"})
    patches = read_patches(path)
    assert [patch.line for patch in patches] == [1, 3]
    write_patches(patches, tmp_path / "again")
    again = [json.loads(line) for line in (tmp_path / "again").read_text("utf-8").splitlines()]
    assert again == [PATCH, {**PATCH, "field": "answers.answer_start.1"}]


@pytest.mark.parametrize(
    ("records", "line", "message"),
    [
        (["{"], 1, "no line of JSON"),
        ([PATCH, "[]"], 2, "a patch has guid, field, old, new, reason, source"),
        ([PATCH, {**PATCH, "by": "me"}], 2, "a patch has guid"),
        ([{**PATCH, "reason": " "}], 1, "reason must be a text that is not empty"),
        ([{**PATCH, "new": 5}], 1, "old and new are the same value"),
        ([{**PATCH, "field": "split", "new": "test"}], 1, "can only become null"),
        ([PATCH, {**PATCH, "new": 8}], 2, "disagrees with the patch of line 1"),
        ([PATCH, PATCH], 2, "repeats the patch of line 1"),
        ([PATCH, {**PATCH, "field": "answers"}], 2, "the patch of line 1"),
        ([PATCH, {**PATCH, "field": "split", "new": None}], 2, "the patch of line 1"),
    ],
)
def test_a_line_that_is_no_patch_is_named(
    records: list[Any], line: int, message: str, tmp_path: Path
) -> None:
    path = _save(tmp_path, *records)
    with pytest.raises(InputError, match=message) as error:
        read_patches(path)
    assert str(error.value).startswith(f"{path}:{line}: ")


def test_a_file_without_patches_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no patch"):
        read_patches(_save(tmp_path, ""))
    with pytest.raises(InputError, match="no such file"):
        read_patches(tmp_path / "absent")


def test_fields_lead_into_objects_and_lists() -> None:
    row = {"labels": {"real-label": 3.5}, "dialogue": [{"state": ["a", "b"]}], "label": None}
    assert value_at(row, "labels.real-label") == 3.5
    assert value_at(row, "dialogue.0.state.1") == "b"
    assert with_value(row, "dialogue.0.state.1", "c")["dialogue"] == [{"state": ["a", "c"]}]
    assert row["dialogue"] == [{"state": ["a", "b"]}]
    for field in ("other", "labels.0", "dialogue.x", "dialogue.1", "dialogue.-1", "label.a", ""):
        with pytest.raises(LookupError):
            value_at(row, field)


def test_an_offset_that_counts_line_ends_twice_means_that_place() -> None:
    text = "가 나\n\n다 나  나"
    place = nearest(text, "나", 9)
    assert place is not None
    assert (place[0], text[place[0]]) == (7, "나")
    assert "count twice" in place[1]


@given(st.text("ab", min_size=1, max_size=8), st.integers(-2, 10), st.text("ab", max_size=3))
def test_the_nearest_place_is_one_where_the_text_stands(text: str, start: int, part: str) -> None:
    place = nearest(text, part, start)
    every = [at for at in range(len(text)) if text[at : at + len(part)] == part and part]
    if place is None:
        assert not every or start in every
    else:
        assert place[0] in every
        assert start not in every
        assert all(abs(place[0] - start) <= abs(at - start) for at in every)
