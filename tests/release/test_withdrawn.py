"""The file of withdrawn examples: what it may hold, and how errors are told."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from pipeline.core.errors import SpecError
from pipeline.release.withdrawn import REASONS, Reason, Withdrawn, load_withdrawn


def _written(folder: Path, text: str) -> Path:
    path = folder / "withdrawn.yaml"
    path.write_text(text, "utf-8")
    return path


def test_entries_are_read_by_id(tmp_path: Path) -> None:
    path = _written(
        tmp_path,
        "withdrawn:\n"
        "  - {id: sts-c02, reason: wrong}\n"
        "  - {id: nli-c01.ab, reason: personal_data, since: 1.1.0}\n",
    )
    assert load_withdrawn(path) == (
        Withdrawn(id="nli-c01.ab", reason="personal_data", since="1.1.0"),
        Withdrawn(id="sts-c02", reason="wrong"),
    )


def test_no_entry_is_none(tmp_path: Path) -> None:
    assert load_withdrawn(_written(tmp_path, "withdrawn: []\n")) == ()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("withdrawn:\n  - {id: a, reason: Kim of Busan rang}\n", "yaml:2: withdrawn.0.reason: "),
        ("withdrawn:\n  - {id: a, reason: hate, who: b}\n", "yaml:2: withdrawn.0.who: unknown key"),
        ("withdrawn:\n  - {reason: hate}\n", "yaml:2: withdrawn.0.id: missing"),
        ("withdrawn:\n  - {id: 'a b', reason: hate}\n", "yaml:2: withdrawn.0.id: "),
        ("withdrawn:\n  - {id: '', reason: hate}\n", "yaml:2: withdrawn.0.id: "),
        ("withdrawn:\n  - {id: a, reason: hate, since: 1.0}\n", "yaml:2: withdrawn.0.since: "),
        (
            "withdrawn:\n  - {id: a, reason: hate}\n  - {id: b, reason: hate}\n"
            "  - {id: a, reason: wrong}\n",
            "entries 1 and 3 name the same id",
        ),
        ("examples: []\n", "withdrawn: missing"),
        ("", "empty"),
    ],
)
def test_a_wrong_file_is_told_with_its_line(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(SpecError) as caught:
        load_withdrawn(_written(tmp_path, text))
    assert told in str(caught.value)


def test_every_reason_has_words() -> None:
    assert tuple(REASONS) == get_args(Reason)
