"""The tables of the official files against the paper's numbers, and against counts of raw lines."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from made_examples import cells

from pipeline.contracts.spec import load_spec
from pipeline.core import store
from pipeline.core.stored import StoredTable
from pipeline.report.official import Official, official_examples
from pipeline.report.quality.artefacts import artefacts
from pipeline.report.quality.distributions import STATISTICS, charts, sections, tables_of_votes
from pipeline.report.quality.statistics import paper_table
from pipeline.report.record import Table

pytestmark = (
    pytest.mark.full
)  # reading all files takes long; test_statistics_tables.py has small ones


@pytest.fixture(scope="module")
def official(data_dir: Path) -> Official:
    return official_examples(data_dir / "klue")


@pytest.fixture(scope="module")
def tables(official: Official) -> dict[str, Table]:
    found = [
        table
        for task, one in official.tasks.items()
        for table in (
            *tables_of_votes(task, lambda given=one.votes: given, load_spec(task)),
            *STATISTICS[task](one.examples, spec=load_spec(task)),
        )
    ]
    return {table.id: table for table in found}


def beside(table: Table, *names: str) -> list[tuple[Any, ...]]:
    """Return (row, column, ours, the paper's) where the two differ."""
    ours, theirs = cells(table), cells(table, printed=True)
    return [
        (row, name, ours[row][name], theirs[row][name])
        for row in theirs
        for name in names
        if ours[row][name] != theirs[row][name]
    ]


@pytest.mark.parametrize(
    ("name", "columns"),
    [
        ("tc-topics", ["Dev"]),
        ("sts-sources", ["Dev"]),
        ("nli-sources", ["Train", "Dev"]),
        ("ner-sources", ["Dev"]),
        ("dp-sources", ["Dev"]),
    ],
)
def test_whole_splits_have_the_paper_s_counts(
    tables: dict[str, Table], name: str, columns: list[str]
) -> None:
    counts = [row for row in cells(tables[name]).values() if row[columns[0]] is not None]
    assert len(counts) > 2
    assert beside(tables[name], *columns) == []


def test_headlines_by_topic_are_those_of_the_raw_file(
    tables: dict[str, Table], data_dir: Path
) -> None:
    path = data_dir / "klue" / "ynat-v1.1_train36547_dev9107_titles.csv"
    with path.open(encoding="utf-8-sig", newline="") as file:
        raw = Counter((row["split"], row["label"]) for row in csv.DictReader(file))
    for row in cells(tables["tc-topics"]).values():
        topic = row["Topic"].split(" ")[0]
        if topic != "Total":
            assert (row["Train"], row["Dev"]) == (raw["train", topic], raw["dev", topic])
            assert row["Train"] <= (paper_table("Table 3").cell(topic, "train") or 0)


def test_entities_differ_from_table_9_in_forms_of_quantities_alone(
    tables: dict[str, Table], data_dir: Path
) -> None:
    assert beside(tables["ner-types"], "Dev") == []
    assert beside(tables["ner-types"], "Dev, distinct") == [
        ("QT (Quantity)", "Dev, distinct", 1757, 1763),
        ("Total", "Dev, distinct", 7753, 7759),
    ]
    lines = (data_dir / "klue" / "klue-ner-v1.1_dev.tsv").read_text("utf-8").split("\n")
    raw = Counter(line[-2:] for line in lines if "\tB-" in line and not line.startswith("##"))
    found = {name[:2]: row["Dev"] for name, row in cells(tables["ner-types"]).items()}
    assert {kind: found[kind] for kind in raw} == raw


def test_words_agree_with_table_14_down_to_the_labels_that_las_merges(
    tables: dict[str, Table], data_dir: Path
) -> None:
    table = tables["dp-labels"]
    merged = [row for row, one in cells(table).items() if one["In LAS"] == "OTHERS"]
    assert merged == list(paper_table("Table 14").rows)[15:-1]
    off = [row for row, *_ in beside(table, "Dev")]
    assert off
    assert set(off) <= set(merged)
    # The paper sorted the tail of every column by itself; one number is a slip: 59 for 62.
    tails = [
        sorted((one[row]["Dev"] for row in merged), reverse=True)
        for one in (cells(table), cells(table, printed=True))
    ]
    assert [62, *tails[1][1:]] == tails[0]
    lines = (data_dir / "klue" / "klue-dp-v1.1_dev.tsv").read_text("utf-8").split("\n")
    raw = Counter(line.split("\t")[5] for line in lines if line and not line.startswith("##"))
    found = {row: one["Dev"] for row, one in cells(table).items() if one["Dev"]}
    assert found == {**raw, "Total": raw.total()}


def test_validation_is_near_table_5_and_no_more(tables: dict[str, Table], data_dir: Path) -> None:
    folder = data_dir / "klue"
    pairs = [
        pair
        for split in ("train", "dev")
        for pair in json.loads((folder / f"klue-nli-v1.1_{split}.json").read_text("utf-8"))
    ]
    four = [[pair[f"label{n}"] for n in (2, 3, 4, 5)] for pair in pairs]
    among = list(zip(pairs, four, strict=True))
    found = {row: one["Share"] for row, one in cells(tables["nli-validation"]).items()}
    raw = {
        "Pairs whose labels are all equal": sum(
            {*labels} == {pair["author"]} for pair, labels in among
        )
        / len(pairs),
        "Validators' labels = gold label": sum(
            labels.count(pair["gold_label"]) for pair, labels in among
        )
        / (4 * len(pairs)),
        "Validators' labels = author's label": sum(
            labels.count(pair["author"]) for pair, labels in among
        )
        / (4 * len(pairs)),
        "Gold label = author's label": sum(p["author"] == p["gold_label"] for p in pairs)
        / len(pairs),
    }
    assert {row: found[row] for row in raw} == pytest.approx(raw, abs=1e-6)
    theirs = cells(tables["nli-validation"], printed=True)
    for row, one in theirs.items():
        assert found[row] == pytest.approx(one["Share"], abs=0.006), row
    # More pairs than the paper has in all splits have another gold label than the author's.
    differ = sum(pair["author"] != pair["gold_label"] for pair in pairs)
    assert differ == 859
    assert differ > theirs["Gold label ≠ author's label"]["Share"] * 30_998 / (1 - 0.0053)


def test_lengths_of_pairs_leave_a_likely_rest_for_the_test_split(tables: dict[str, Table]) -> None:
    ours, theirs = (cells(tables["nli-sources"], printed=one) for one in (False, True))
    for part in ("Premise, mean length", "Hypothesis, mean length"):
        for source in (row for row in ours if row not in ("Total", "Mean of sources")):
            whole = theirs[source]["Total"] * theirs[source][part]
            rest = (whole - ours[source]["Total"] * ours[source][part]) / theirs[source]["Test"]
            assert rest == pytest.approx(theirs[source][part], rel=0.08), (source, part)
        mean = theirs["Mean of sources"][part]
        assert ours["Mean of sources"][part] == pytest.approx(mean, abs=0.1)
        assert ours["Total"][part] < mean - 0.3


def test_parts_of_splits_are_near_the_paper(tables: dict[str, Table]) -> None:
    for row, one in cells(tables["re-relations"], printed=True).items():
        mine = cells(tables["re-relations"])[row]["Train, share"]
        assert mine == pytest.approx(one["Train, share"], abs=0.001), row
    dialogues, theirs = (cells(tables["dst-means"], printed=one) for one in (False, True))
    for row in theirs:
        assert dialogues[row]["Dev"] == pytest.approx(theirs[row]["Dev"], abs=0.1)
    lengths, theirs = (cells(tables["mrc-lengths"], printed=one) for one in (False, True))
    assert lengths["Question"]["Dev"] == pytest.approx(theirs["Question"]["Dev"], abs=0.05)
    assert lengths["Answer"]["Dev"] == pytest.approx(theirs["Answer"]["Dev"], abs=0.05)
    assert lengths["Passage"]["Dev"] == pytest.approx(theirs["Passage"]["Dev"], rel=0.02)


def test_scores_of_dev_are_nearly_even_and_round_trips_score_higher(official: Official) -> None:
    found = charts(official.tasks["sts"].examples, task="sts", spec=load_spec("sts"))
    by_id = {chart.id: chart for chart in found}
    shares = [share or 0 for share in by_id["sts-scores"].series[0].y]
    assert len(shares) == 51  # the bars of Figure 2
    halves = [sum(shares[n : n + 5]) for n in range(0, 45, 5)] + [sum(shares[45:])]
    assert max(halves) < 0.14
    assert min(halves) > 0.07
    for source in ("airbnb", "policy"):
        above = {
            one.name: sum(y or 0 for x, y in zip(one.x, one.y, strict=True) if float(x or 0) > 3)
            for one in by_id[f"sts-scores-{source}"].series
        }
        assert above["rtt"] > 0.75
        assert above["sampled"] < 0.25


def test_every_task_has_sections_with_ids_of_their_own(official: Official) -> None:
    names: list[str] = []
    for task, one in official.tasks.items():
        of_votes = tables_of_votes(task, lambda given=one.votes: given, load_spec(task))
        for section in sections(task, one.examples, load_spec(task), of_votes):
            names += [section.id, *(part.id for part in (*section.tables, *section.charts))]
            assert [*section.tables, *section.charts]
    assert len(names) == len(set(names))


def test_examples_that_stay_in_files_have_the_same_sections(
    official: Official, tmp_path: Path
) -> None:
    for task, one in official.tasks.items():
        spec, folder = load_spec(task), tmp_path / task
        folder.mkdir()
        store.write_table(folder, "examples", "all", one.examples)
        stored = StoredTable.of(folder, "examples")
        assert sections(task, stored, spec) == sections(task, one.examples, spec)
        assert artefacts(stored, task=task, spec=spec) == artefacts(
            one.examples, task=task, spec=spec
        )
