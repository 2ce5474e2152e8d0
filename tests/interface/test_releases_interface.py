"""Items split and releases looked at: the same as the commands say and write."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import klue_rebuild
from klue_rebuild import InputError, StoreError

Klue = Callable[..., dict[str, Any]]
FILES = {"examples": "examples", "constraints": "constraints", "pairs": "leaks",
         "overlaps": "overlaps", "ledger": "ledger"}  # fmt: skip


def test_split_is_the_command(pairs: pd.DataFrame, tmp_path: Path, klue: Klue) -> None:
    file, out = tmp_path / "items.jsonl", tmp_path / "out"
    pairs.to_json(file, orient="records", lines=True, force_ascii=False)
    record = klue("split", file, "--task", "nli", "--out", out, "--seed", 5)
    split = klue_rebuild.split(pairs, "nli", seed=5)
    assert split.as_json() == {name: value for name, value in record.items() if name != "out"}
    assert sum(split.sizes.values()) + split.left_out == split.items == len(pairs)
    for name, written in FILES.items():
        table = pd.read_parquet(out / f"{written}.parquet")
        pd.testing.assert_frame_equal(getattr(split, name), table)
    files = klue_rebuild.split([file], "nli", seed=5)
    pd.testing.assert_frame_equal(files.examples, split.examples)
    merged = pairs.merge(split.examples[["id", "split"]], left_on="item", right_on="id")
    assert merged.groupby("premise")["split"].nunique().max() == 1


def test_verify_is_the_command(release: Path, klue: Klue, tmp_path: Path) -> None:
    verification = klue_rebuild.verify(release)
    assert verification.as_json() == klue("verify", release)
    assert verification.ok
    assert all(check.ok for check in verification.checks)
    other = tmp_path / "mini" / "1.0.0"
    shutil.copytree(release, other)
    (other / "LICENSE.md").write_text("none", "utf-8")
    changed = klue_rebuild.verify(other)
    assert not changed.ok
    assert not klue_rebuild.verify(release, expect="0" * 12).ok


def test_diff_is_the_command(release: Path, klue: Klue) -> None:
    difference = klue_rebuild.diff(release, release)
    assert difference.as_json() == klue("diff", release, release)
    assert difference.empty
    assert (len(difference.examples), len(difference.changes)) == (0, 0)


def test_each_change_of_an_example_is_a_row(release: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the comparison finds is tested beside it; here it comes as rows."""
    config = {
        "config": "nli",
        "added": {"test": ["a"]},
        "removed": {"train": ["b", "c"]},
        "relabelled": {"validation": ["d"]},
        "edited": {},
        "moved": [{"guid": "e", "before": "train", "after": "test"}],
    }
    record = {"before": "x", "after": "y", "configs": [config], "changes": [], "notes": ["n"]}
    monkeypatch.setattr(
        "flows.commands.releases.compare", lambda *_: ({**record, "empty": False}, None)
    )
    difference = klue_rebuild.diff(release, release)
    rows = difference.examples.astype(object).where(difference.examples.notna(), None)
    assert rows.to_numpy().tolist() == [
        ["nli", "added", "a", None, "test"],
        ["nli", "removed", "b", "train", None],
        ["nli", "removed", "c", "train", None],
        ["nli", "relabelled", "d", "validation", "validation"],
        ["nli", "moved", "e", "train", "test"],
    ]
    assert difference.notes == ("n",)


def test_a_release_gives_its_tables(release: Path) -> None:
    opened = klue_rebuild.load_release(release)
    assert (opened.name, opened.version) == ("mini", "1.0.0")
    assert opened.sizes["nli"] == {"train": 4, "dev": 2, "test": 2}
    written = pd.read_parquet(release / "nli" / "validation.parquet")
    pd.testing.assert_frame_equal(opened.examples("nli", "dev"), written)
    assert opened.examples("nli", "test")["label"].isna().all()
    assert opened.examples("nli", "test", labels=True)["label"].notna().all()
    audit = klue_rebuild.audit(opened.votes("tc"), task="tc", bootstrap=0)
    assert audit.votes > 0


def test_labels_of_test_need_the_private_folder(release: Path, tmp_path: Path) -> None:
    shutil.copytree(release, tmp_path / "1.0.0")
    opened = klue_rebuild.load_release(tmp_path / "1.0.0")
    with pytest.raises(StoreError, match="is not there"):
        opened.examples("nli", "test", labels=True)


#: What a caller does wrong, by what the error says.
WRONG: dict[str, Callable[[pd.DataFrame, Path], object]] = {
    "table `items`: holds no item of task nli": lambda pairs, _: klue_rebuild.split(
        pairs.drop(columns="premise"), "nli"
    ),
    "1 line without an item, the first is row 2: lacks premise": lambda pairs, _: (
        klue_rebuild.split(pairs.assign(premise=pairs["premise"].mask(pairs.index == 2)), "nli")
    ),
    "no item has gold": lambda pairs, _: klue_rebuild.split(pairs.assign(gold=None), "nli"),
    "'soul'": lambda pairs, _: klue_rebuild.split(pairs, "soul"),
    "nowhere: no such folder": lambda _, __: klue_rebuild.load_release("nowhere"),
    "`split` 'all': allowed: train, dev, test": lambda _, release: klue_rebuild.load_release(
        release
    ).examples("nli", "all"),
    "`expect` xyz: give 12 to 64": lambda _, release: klue_rebuild.verify(release, expect="xyz"),
}


@pytest.mark.parametrize("message", WRONG)
def test_errors_name_parameters_and_rows(pairs: pd.DataFrame, release: Path, message: str) -> None:
    with pytest.raises(InputError) as caught:
        WRONG[message](pairs, release)
    assert message in str(caught.value)
    assert "--" not in str(caught.value)
