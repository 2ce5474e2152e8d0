"""The paper's numbers are copied right: they add up wherever the paper's own do."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.contracts.spec import load_spec
from pipeline.contracts.splits import SPLITS
from pipeline.core.errors import SpecError
from pipeline.core.specs import load
from pipeline.report.quality.statistics import (
    PublishedTable,
    paper_size,
    paper_table,
)
from pipeline.tasks.dp.statistics import tail

COUNTED = ("Table 3", "Table 4", "Table 6", "Table 8", "Table 9", "Table 11", "Table 13")
#: Where the paper's own numbers do not add up, and by how much (see the notes in the file).
COLUMNS_OFF = {("Table 8", "total"): 10, ("Table 14", "dev"): -3}


@pytest.mark.parametrize("name", [*COUNTED, "Table 14", "Table 18"])
def test_the_columns_add_up_to_their_totals(name: str) -> None:
    table = paper_table(name)
    rows = [row for row in table.rows if row not in ("total", "mean_of_sources")]
    for column in table.columns:
        total = table.cell("total", column)
        if total is None or column.endswith("_share"):
            continue
        found = sum(table.cell(row, column) or 0 for row in rows)
        assert found - total == COLUMNS_OFF.get((name, column), 0), column


@pytest.mark.parametrize("name", ["Table 3", "Table 4", "Table 6", "Table 13", "Table 18"])
def test_the_splits_add_up_to_the_column_of_totals(name: str) -> None:
    table = paper_table(name)
    for row in table.rows:
        parts = [table.cell(row, split) for split in SPLITS]
        if None not in parts:
            assert sum(part or 0 for part in parts) == table.cell(row, "total"), row


@pytest.mark.parametrize("name", ["Table 11", "Table 14"])
def test_shares_are_those_of_the_counts_beside_them(name: str) -> None:
    table = paper_table(name)
    for column in (one for one in table.columns if one.endswith("_share")):
        of = column.removesuffix("_share")
        for row in (one for one in table.rows if one != "total"):
            share = (table.cell(row, of) or 0) / (table.cell("total", of) or 1)
            assert table.cell(row, column) == pytest.approx(share, abs=0.6e-4), (row, column)


def test_counts_of_dialogues_give_the_printed_means() -> None:
    table = paper_table("Table 26")
    for split in (*SPLITS, "total"):
        number = {row: table.cell(row, split) or 0 for row in table.rows}
        assert number["single_domain"] + number["multi_domain"] == number["dialogues"]
        means = number["turns"] / number["dialogues"], number["tokens"] / number["turns"]
        assert number["turns_per_dialogue"] == pytest.approx(means[0], abs=0.006)
        assert number["tokens_per_turn"] == pytest.approx(means[1], abs=0.006)


def test_the_last_lengths_of_table_6_are_means_over_sources() -> None:
    table = paper_table("Table 6")
    sources = [row for row in table.rows if row not in ("total", "mean_of_sources")]
    for column, over_pairs in (("premise", 45.31), ("hypothesis", 25.00)):
        mean = sum(table.cell(row, column) or 0 for row in sources) / len(sources)
        assert table.cell("mean_of_sources", column) == pytest.approx(mean, abs=0.006)
        weighted = sum(
            (table.cell(row, column) or 0) * (table.cell(row, "total") or 0) for row in sources
        )
        assert weighted / (table.cell("total", "total") or 1) == pytest.approx(over_pairs, abs=0.01)


@pytest.mark.parametrize("task", ["tc", "sts", "nli", "ner", "re", "dp", "dst"])
def test_sizes_are_those_of_the_split_rules(task: str) -> None:
    numbers = load_spec(task).split.numbers.sizes
    assert {split: paper_size(task, split) for split in SPLITS} == numbers


def test_labels_are_those_of_the_specs() -> None:
    for task, name in (("tc", "Table 3"), ("ner", "Table 9"), ("re", "Table 11")):
        assert [row for row in paper_table(name).rows if row != "total"] == list(
            load_spec(task).ids()
        )


def test_las_merges_the_labels_that_the_paper_names() -> None:
    table = paper_table("Table 14")
    names = [row for row in table.rows if row != "total"]
    merged = tail({name: int(table.cell(name, "train") or 0) for name in names})
    assert merged == set(names[names.index("VP_CMP") :])


def test_what_the_paper_lacks_is_none() -> None:
    table = paper_table("Table 4")
    assert (table.cell("nsmc", "dev"), table.cell("airbnb", "premise")) == (None, None)
    assert paper_size("tc", "validation") is None
    with pytest.raises(KeyError):
        paper_table("Table 99")


def test_a_short_row_is_told_with_file_and_row(tmp_path: Path) -> None:
    path = tmp_path / "one.yaml"
    path.write_text("columns: [train, dev]\nrows:\n  airbnb: [3]\n", "utf-8")
    with pytest.raises(SpecError, match=r"one\.yaml:1: .*'airbnb' must have 2 cells"):
        load(path, PublishedTable)
