"""Differences between releases: planted changes are found, all of them and no others."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
import small_release as small

from pipeline.core.errors import StoreError
from pipeline.release.cards import texts
from pipeline.release.diff import Difference, as_data, diff, diff_to
from pipeline.release.tables import COLUMNS
from pipeline.release.writing import write

SPLITS = ("train", "validation", "test")
#: What a public test file is without, written down apart from the code.
HIDDEN = {
    "sts": {"labels"},
    "mrc": {"is_impossible", "question_type", "answers", "plausible_answers"},
    "wos": {"domains"},
}
TASKS = {"sts": "sts", "mrc": "mrc", "wos": "dst"}
Rows = dict[str, dict[str, list[dict[str, Any]]]]


def _row(config: str, guid: str) -> dict[str, Any]:
    if config == "sts":
        labels = {"label": 1.5, "real-label": 1.5, "binary-label": 0}
        return {"guid": guid, "source": "s", "sentence1": guid, "sentence2": "나", "labels": labels}
    if config == "mrc":
        answers = {"answer_start": [0], "text": ["등"]}
        return {
            **{"guid": guid, "source": "s", "title": "등대", "context": "등대가 있다."},
            **{"question": guid, "question_type": 1, "is_impossible": False},
            **{"answers": answers, "plausible_answers": {"answer_start": [], "text": []}},
        }
    turns = [
        {"role": "user", "text": guid, "state": ["숙소-지역-동쪽"]},
        {"role": "sys", "text": "네.", "state": []},
    ]
    return {"guid": guid, "source": "written", "domains": ["숙소"], "dialogue": turns}


def _rows() -> Rows:
    return {
        config: {
            split: [_row(config, f"{config}-{split}-{at}") for at in range(5)] for split in SPLITS
        }
        for config in TASKS
    }


def _shown(config: str, row: dict[str, Any]) -> dict[str, Any]:
    shown = {key: None if key in HIDDEN[config] else value for key, value in row.items()}
    if config == "wos":
        shown["dialogue"] = [{**turn, "state": None} for turn in row["dialogue"]]
    return shown


def _entry(path: Path, rows: int) -> dict[str, Any]:
    content = path.read_bytes()
    return {"bytes": len(content), "sha256": sha256(content).hexdigest(), "rows": rows}


def _table(
    folder: Path, path: str, rows: list[dict[str, Any]], schema: pa.Schema
) -> dict[str, Any]:
    place = folder / path
    place.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(rows, schema=schema), place)
    return {path: _entry(place, len(rows))}


def _release(folder: Path, rows: Rows, **told: Any) -> Path:
    """Write a release as docs say it is, without the code that writes releases."""
    private = folder.with_name(f"{folder.name}.private")
    files: dict[str, Any] = {}
    labels: dict[str, Any] = {}
    for config, by_split in rows.items():
        schema = COLUMNS[TASKS[config]].schema
        for split, found in by_split.items():
            shown = [_shown(config, one) for one in found] if split == "test" else found
            files |= _table(folder, f"{config}/{split}.parquet", shown, schema)
        labels |= _table(private, f"labels/{config}.parquet", by_split["test"], schema)
    votes = told.pop("votes", 7)
    answers = pa.schema([("item", pa.string())])
    files |= _table(folder, "votes/sts.parquet", [{"item": "x"}] * votes, answers)
    manifest = {
        **{"format": 1, "name": "ondol", "version": folder.name, "simulated": False, "seed": 1},
        "build": {"release": {"version": folder.name}, "toxicity": {"detector": "linear"}},
        "inputs": [
            {"source": one, "licence": "CC0-1.0", "files": [{"file": f"{one}.txt", "sha256": "a"}]}
            for one in ("airbnb", "ked")
        ],
        "tasks": {},
        "stages": [
            {
                **{"stage": "read", "source": one, "rows_in": 9, "rows_out": 9},
                **{"dropped": 0, "quarantined": 0, "edited": 0},
            }
            for one in ("airbnb", "ked")
        ],
        **{"files": files, "private": {"digest": "p"}, "release_hash": folder.name},
        "tool": {"name": "klue-rebuild", "version": "0.1.0"},
        **told,
    }
    (folder / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    own = {"format": 1, "name": "ondol", "version": folder.name, "files": labels, "manifest": "m"}
    (private / "manifest.json").write_text(json.dumps(own), "utf-8")
    return folder


def _planted(tmp_path: Path, change: Callable[[Rows], None], **told: Any) -> Difference:
    old = _release(tmp_path / "1.0.0", _rows())
    rows = _rows()
    change(rows)
    return diff(old, _release(tmp_path / "1.1.0", rows, **told))


def _nothing(_rows: Rows) -> None:
    pass


def test_equal_releases_do_not_differ(tmp_path: Path) -> None:
    found = _planted(tmp_path, _nothing)
    assert found == Difference("ondol 1.0.0", "ondol 1.1.0")
    assert found.empty
    assert as_data(found)["empty"] is True


def test_every_kind_of_change_is_found_and_no_other(tmp_path: Path) -> None:
    def change(rows: Rows) -> None:
        sts = rows["sts"]
        sts["train"].append(_row("sts", "sts-new"))
        del sts["validation"][0]
        sts["train"][1]["labels"] = {"label": 1.6, "real-label": 1.6, "binary-label": 0}
        sts["train"][2]["sentence2"] = "너"
        sts["test"].append(sts["train"].pop(3))

    found = _planted(tmp_path, change)
    (sts,) = found.configs
    assert sts.config == "sts"
    assert sts.added == {"train": ("sts-new",)}
    assert sts.removed == {"validation": ("sts-validation-0",)}
    assert sts.relabelled == {"train": ("sts-train-1",)}
    assert sts.edited == {"train": ("sts-train-2",)}
    assert [(one.guid, one.before, one.after) for one in sts.moved] == [
        ("sts-train-3", "train", "test")
    ]
    assert not found.changes
    assert not found.notes
    assert json.loads(json.dumps(as_data(found)))["configs"][0]["moved"][0]["after"] == "test"


def test_states_of_a_dialogue_are_its_label_and_turns_its_text(tmp_path: Path) -> None:
    def change(rows: Rows) -> None:
        rows["wos"]["train"][0]["dialogue"][0]["state"] = ["숙소-지역-서쪽"]
        rows["wos"]["train"][1]["dialogue"][1]["text"] = "예."
        rows["wos"]["test"][2]["dialogue"][0]["state"] = []

    (wos,) = _planted(tmp_path, change).configs
    assert wos.relabelled == {"train": ("wos-train-0",), "test": ("wos-test-2",)}
    assert wos.edited == {"train": ("wos-train-1",)}


def test_the_type_of_a_question_is_no_label(tmp_path: Path) -> None:
    def change(rows: Rows) -> None:
        rows["mrc"]["test"][0]["question_type"] = 2
        rows["mrc"]["test"][1]["answers"]["answer_start"] = [1]

    (mrc,) = _planted(tmp_path, change).configs
    assert mrc.edited == {"test": ("mrc-test-0",)}
    assert mrc.relabelled == {"test": ("mrc-test-1",)}


def _relabel_test(rows: Rows) -> None:
    rows["sts"]["test"][4]["labels"]["label"] = 5.0


def test_labels_of_test_are_compared_through_the_private_folders(tmp_path: Path) -> None:
    found = _planted(tmp_path, _relabel_test)
    assert found.configs[0].relabelled == {"test": ("sts-test-4",)}


@pytest.mark.parametrize("gone", ["1.0.0", "1.1.0"])
def test_without_a_private_folder_the_gap_is_told(tmp_path: Path, gone: str) -> None:
    _planted(tmp_path, _relabel_test)
    shutil.rmtree(tmp_path / f"{gone}.private")
    found = diff(tmp_path / "1.0.0", tmp_path / "1.1.0")
    assert not found.configs
    assert found.notes == (
        "labels of the test splits were not compared: the private folder of"
        f" ondol {gone} is absent, or may not be read",
    )


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read whatever its mode")
def test_a_private_folder_of_somebody_else_is_as_none(tmp_path: Path) -> None:
    _planted(tmp_path, _relabel_test)
    (tmp_path / "1.0.0.private").chmod(0)
    try:
        assert diff(tmp_path / "1.0.0", tmp_path / "1.1.0").notes
    finally:
        (tmp_path / "1.0.0.private").chmod(0o700)


def test_a_moved_example_of_unknown_label_is_not_relabelled(tmp_path: Path) -> None:
    def change(rows: Rows) -> None:
        rows["sts"]["test"].append(rows["sts"]["train"].pop(0))

    _planted(tmp_path, change)
    shutil.rmtree(tmp_path / "1.1.0.private")
    (sts,) = diff(tmp_path / "1.0.0", tmp_path / "1.1.0").configs
    assert [one.guid for one in sts.moved] == ["sts-train-0"]
    assert not sts.relabelled
    assert not sts.edited


def test_the_manifests_are_compared_by_name(tmp_path: Path) -> None:
    inputs = [
        {"source": "ked", "licence": "CC-BY-SA-4.0", "files": [{"file": "ked.txt", "sha256": "b"}]},
        {"source": "yna", "licence": "none", "files": []},
    ]
    found = _planted(tmp_path, _nothing, inputs=inputs, simulated=True, votes=8)
    told = {one.what: (one.before, one.after) for one in found.changes}
    assert told.pop("votes/sts.parquet")[1]["rows"] == 8
    assert told == {
        "simulated": (False, True),
        "inputs.ked.licence": ("CC0-1.0", "CC-BY-SA-4.0"),
        "inputs.ked.files.ked.txt.sha256": ("a", "b"),
        **{
            f"inputs.airbnb.{key}": (value, None)
            for key, value in (
                ("source", "airbnb"),
                ("licence", "CC0-1.0"),
                ("files.airbnb.txt.file", "airbnb.txt"),
                ("files.airbnb.txt.sha256", "a"),
            )
        },
        "inputs.yna.source": (None, "yna"),
        "inputs.yna.licence": (None, "none"),
        "inputs.yna.files": (None, []),
    }


def test_a_config_that_is_new_is_added_whole(tmp_path: Path) -> None:
    rows = _rows()
    old = _release(tmp_path / "1.0.0", {"sts": rows["sts"]})
    found = diff(old, _release(tmp_path / "1.1.0", rows))
    assert [one.config for one in found.configs] == ["mrc", "wos"]
    assert [len(ids) for ids in found.configs[0].added.values()] == [5, 5, 5]


@pytest.mark.parametrize("version", ["1.0.0", "1.1.0"])
@pytest.mark.parametrize("path", ["sts/train.parquet", "mrc/test.parquet"])
def test_a_file_that_is_not_the_released_one_is_told(
    tmp_path: Path, version: str, path: str
) -> None:
    """A copy may be edited without its manifest: equal digests there say nothing of the files."""
    _planted(tmp_path, _relabel_test)
    place = tmp_path / version / path
    pq.write_table(pq.read_table(place).slice(1), place)
    with pytest.raises(StoreError, match=rf"{path}: is gone, or was changed since"):
        diff(tmp_path / "1.0.0", tmp_path / "1.1.0")
    place.unlink()
    with pytest.raises(StoreError, match=rf"{path}: is gone, or was changed since"):
        diff(tmp_path / "1.0.0", tmp_path / "1.1.0")


def test_damage_is_one_clear_error(tmp_path: Path) -> None:
    _planted(tmp_path, lambda rows: rows["sts"]["train"].pop())
    (tmp_path / "1.1.0" / "sts" / "train.parquet").write_bytes(b"PAR1")
    with pytest.raises(StoreError, match=r"sts/train\.parquet: is gone, or was changed"):
        diff(tmp_path / "1.0.0", tmp_path / "1.1.0")
    with pytest.raises(StoreError, match="no release is there"):
        diff(tmp_path / "1.0.0", tmp_path / "2.0.0")


def _with_label(table: pa.Table, guid: str, label: str) -> pa.Table:
    rows = table.to_pylist()
    next(row for row in rows if row["id"] == guid)["label"] = label
    return pa.Table.from_pylist(rows, schema=table.schema)


def test_a_changelog_is_the_same_whoever_makes_it(tmp_path: Path) -> None:
    """With and without the private folder of the version before, for the text is hashed."""
    write(small.material(tmp_path), tmp_path / "mini" / "1.0.0")
    examples = _with_label(small.examples("nli"), small.guid("nli", 6), '"neutral"')
    tasks = [
        small.task_material(name, **({"examples": examples} if name == "nli" else {}))
        for name in small.MADE
    ]
    new = small.material(tmp_path, *tasks, version="1.1.0")
    with_folder = diff_to(tmp_path / "mini" / "1.0.0", new)
    shutil.rmtree(tmp_path / "mini" / "1.0.0.private")
    assert diff_to(tmp_path / "mini" / "1.0.0", new) == with_folder
    assert not with_folder.configs
    told = texts(new.facts, with_folder)["CHANGELOG.md"]
    assert "Nothing that is public changed." in told
    assert "changes of the labels of the test splits are not listed here" in told


def test_a_release_in_the_making_differs_as_the_written_one_will(tmp_path: Path) -> None:
    old = small.material(tmp_path / "work")
    write(old, tmp_path / "mini" / "1.0.0")
    assert diff_to(tmp_path / "mini" / "1.0.0", small.material(tmp_path, version="1.1.0")).empty
    examples = small.examples("nli")
    changed = {place: small.guid("nli", place) for place in (0, 6)}
    for guid in changed.values():
        examples = _with_label(examples, guid, '"neutral"')
    examples = examples.filter(pc.not_equal(examples["id"], small.guid("nli", 4)))
    tasks = [
        small.task_material(name, **({"examples": examples} if name == "nli" else {}))
        for name in small.MADE
    ]
    new = small.material(tmp_path / "work", *tasks, version="1.1.0")
    planned = diff_to(tmp_path / "mini" / "1.0.0", new)
    write(new, tmp_path / "mini" / "1.1.0")
    found = diff(tmp_path / "mini" / "1.0.0", tmp_path / "mini" / "1.1.0")
    (nli,) = found.configs
    assert nli.relabelled == {"train": (changed[0],), "test": (changed[6],)}
    assert nli.removed == {"validation": (small.guid("nli", 4),)}
    public = replace(nli, relabelled={"train": (changed[0],)})
    assert planned.configs == (public,)
    assert not found.notes
    assert [one.what for one in planned.changes] == ["tasks.nli.splits.dev"]
