"""The stage reads the examples of a split call and stores what it found."""

from __future__ import annotations

from pathlib import Path

from planted import TITLES, table, title

from pipeline.core import running, stage, store

MODULE = "pipeline.release.leakage.check"


def test_the_stage_writes_leaks_and_overlaps(tmp_path: Path) -> None:
    split = stage.call(MODULE, work=tmp_path, source="tc", raw=("split",))
    split.folder.mkdir(parents=True)
    rows = [title("a", "train", TITLES[0]), title("b", "test", TITLES[0])]
    store.write_table(split.folder, "examples", "all", table(rows))
    file = tmp_path / "corpus.txt"
    file.write_text(TITLES[0] + "\n", "utf-8")
    call = stage.call(
        MODULE,
        work=tmp_path,
        source="tc",
        inputs=(split,),
        params={"task": "tc"},
        arguments={"against": [str(file)]},
    )
    running.complete(call)
    leaks = store.read_all(call.folder, "leaks").to_pylist()
    assert [(row["kind"], row["right"]) for row in leaks] == [
        ("exact", "tc-a"),
        ("exact", "corpus.txt:1"),
    ]
    assert store.read_all(call.folder, "overlaps").num_rows == 5
    assert store.read_all(call.folder, "ledger").num_rows == 0
