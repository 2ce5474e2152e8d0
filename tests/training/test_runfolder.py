"""The folder of a run: begun once, gone on with by the same run only."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pipeline.contracts.example import Prediction
from pipeline.core.errors import InputError, StoreError
from pipeline.training.runfolder import RunFolder, read_record, runs


def begun(**changed: Any) -> dict[str, Any]:
    settings = {"task": "tc", "seed": 0, "recipe": {"epochs": 3}, **changed}
    text = json.dumps(settings, sort_keys=True)
    return {"finished": False, "fingerprint": text, "settings": settings}


def test_opening_writes_nothing(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "a" / "tc")
    assert folder.open(begun()) is None
    assert list(tmp_path.iterdir()) == []
    folder.write(begun())
    assert read_record(folder.path)["finished"] is False


def test_the_same_run_goes_on_and_ends_once(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "tc")
    folder.write(begun())
    assert folder.open(begun()) is None
    folder.state.mkdir()
    ended = {**begun(), "finished": True, "scores": {"dev": {}}}
    folder.close(ended)
    assert not folder.state.exists()
    assert folder.open(begun()) == ended


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"seed": 1}, "seed differs"),
        ({"recipe": {"epochs": 4}, "task": "nli"}, "task, recipe differ"),
        ({"code": "b"}, "the code of the step differs"),
    ],
)
def test_another_run_is_refused_with_what_differs(
    tmp_path: Path, changed: dict[str, Any], named: str
) -> None:
    folder = RunFolder(tmp_path / "tc")
    folder.write(begun())
    assert folder.open(begun(**changed)) is None  # nothing was saved that could be lost
    folder.state.mkdir()
    with pytest.raises(InputError, match=f"holds another run: {named}; give another folder"):
        folder.open(begun(**changed))
    folder.close({**begun(), "finished": True})
    with pytest.raises(InputError, match=f"holds another run: {named}; give another folder"):
        folder.open(begun(**changed))


@pytest.mark.parametrize("settings", [[], None, {"task": "tc"}])
def test_settings_of_an_older_form_are_others(tmp_path: Path, settings: Any) -> None:
    folder = RunFolder(tmp_path / "tc")
    folder.write({**begun(), "fingerprint": "old", "finished": True, "settings": settings})
    with pytest.raises(InputError, match=r"seed, recipe differ; give another folder"):
        folder.open(begun())


def test_only_one_process_holds_a_folder(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "tc")
    with folder.hold():
        with pytest.raises(StoreError, match=r"another run is using .* another --out"):
            folder.hold().__enter__()
        assert folder.open(begun()) is None
    with folder.hold():
        pass
    assert folder.open(begun()) is None  # what the lock leaves is no other thing


def test_the_order_of_a_record_is_kept(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "tc")
    folder.write({**begun(), "scores": {"pearson": 1.0, "f1": 2.0}})
    assert list(read_record(folder.path)["scores"]) == ["pearson", "f1"]


@pytest.mark.parametrize("text", ["", "[]", "{", '{"finished": true}', '"run"'])
def test_a_damaged_record_is_an_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "run.json").write_text(text)
    with pytest.raises(InputError, match="is not the record of a run"):
        RunFolder(tmp_path).open(begun())


def test_a_folder_of_other_things_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match="is not the folder of a run"):
        RunFolder(tmp_path).open(begun())
    with pytest.raises(InputError, match="is not the folder of a run"):
        RunFolder(tmp_path / "notes.txt").open(begun())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["notes.txt"]


def test_predictions_are_lines(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "re")
    given = [Prediction("a", "정치"), Prediction("b", "org:members", (0.25, 0.75))]
    lines = folder.predictions("dev", given).read_text("utf-8").splitlines()
    assert [json.loads(line) for line in lines] == [
        {"guid": "a", "label": "정치"},
        {"guid": "b", "label": "org:members", "probabilities": [0.25, 0.75]},
    ]
    assert "정치" in lines[0]


def test_runs_below_a_folder_are_found_in_order(tmp_path: Path) -> None:
    for name in ("b/tc", "a/nli", "a/tc/lr=1", "."):
        RunFolder(tmp_path / "all" / name).write(begun())
    found = [path.relative_to(tmp_path / "all").as_posix() for path in runs(tmp_path / "all")]
    assert found == [".", "a/nli", "a/tc/lr=1", "b/tc"]


def test_a_record_that_is_nested_too_deeply_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text("[" * 100_000)
    with pytest.raises(InputError, match="nested too deeply"):
        RunFolder(tmp_path).open(begun())
