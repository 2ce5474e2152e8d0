"""Artefacts are those that other libraries, the raw files and counting by hand find."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable
from dataclasses import asdict
from math import log
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import pearsonr
from sklearn.metrics import f1_score

from pipeline.contracts.official.files import read_official
from pipeline.contracts.spec import load_spec
from pipeline.core import schemas, store
from pipeline.core.jsontext import canonical
from pipeline.core.stored import StoredTable
from pipeline.report.quality.artefacts import (
    ARTEFACTS,
    artefacts,
    macro_f1,
    micro_f1,
    nearest,
    pearson,
    with_partial_input,
)
from pipeline.report.quality.artefacts_words import association, pmi, some
from pipeline.report.record import Report, Section, Table
from pipeline.tasks.ner.statistics import looked_up
from pipeline.tasks.nli.statistics import partial_input

Rows = Iterable[tuple[str, Any, Any]]


def _table(task: str, rows: Rows) -> pa.Table:
    """Return EXAMPLES of (split, fields, label)."""
    made = [
        {
            "id": f"{task}-{i:05d}",
            "task": task,
            "split": split,
            "source": "made",
            "group": f"{task}-{i:05d}",
            "fields": canonical(fields),
            "label": canonical(label),
            "documents": [],
            "simulated": False,
            "kept": False,
        }
        for i, (split, fields, label) in enumerate(rows)
    ]
    return schemas.build("examples", made)


def _section(task: str, rows: Rows) -> Section:
    return artefacts(_table(task, rows), task=task, spec=load_spec(task))


def _of(section: Section, name: str) -> Table:
    tables = {table.id: table for part in section.parts for table in part.tables}
    return tables[f"{section.id}-{name}-table"]


def _official(task: str, path: Path, split: str) -> list[tuple[str, Any, Any]]:
    items = read_official(task, path).items
    columns = (items[name].to_pylist() for name in ("fields", "gold"))
    return [(split, json.loads(a), json.loads(b)) for a, b in zip(*columns, strict=True)]


_LABELS = st.lists(st.sampled_from("abcd"), min_size=1, max_size=20)


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("abcd")), min_size=1))
def test_scores_are_those_of_scikit_learn(pairs: list[tuple[str, str]]) -> None:
    gold, guessed = [a for a, _ in pairs], [b for _, b in pairs]
    macro = f1_score(gold, guessed, average="macro", zero_division=0)
    assert macro_f1(gold, guessed) == pytest.approx(macro)
    micro = f1_score(gold, guessed, labels=["a", "b"], average="micro", zero_division=0)
    assert micro_f1(gold, guessed, "ab") == pytest.approx(micro)


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)), min_size=2, max_size=30))
def test_correlation_is_that_of_scipy(pairs: list[tuple[int, int]]) -> None:
    left, right = [a / 10 for a, _ in pairs], [b / 10 for _, b in pairs]
    found = pearson(left, right)
    if len(set(left)) < 2 or len(set(right)) < 2:
        assert found is None
    else:
        assert found == pytest.approx(pearsonr(left, right).statistic, abs=1e-9)


def _titles(split: str, labels: str, lengths: list[int]) -> Rows:
    names = {"a": "정치", "b": "경제", "c": "사회"}
    pairs = zip(labels, lengths, strict=True)
    return [(split, {"title": "가" * n}, [names[one]]) for one, n in pairs]


def test_guesses_are_learned_on_train_and_scored_elsewhere() -> None:
    rows = [
        *_titles("train", "aaabbc", [10, 11, 12, 31, 32, 50]),
        *_titles("dev", "aabc", [3, 33, 34, 90]),
        *_titles("test", "bb", [10, 31]),
    ]
    table = _of(_section("tc", rows), "guesses")
    told = {(row[0], row[1]): row[2:] for row in table.rows}
    assert told["commonest label", "dev"] == [4, 0.5, pytest.approx(2 / 3 / 3, abs=1e-6)]
    assert told["commonest label", "test"] == [2, 0.0, 0.0]
    # By length: 3 is nearest to 10 to 14 (a), 33 and 34 to 30 to 34 (b), 90 to 50 (c).
    macro = (2 / 3 + 2 / 3 + 1) / 3
    assert told["length", "dev"] == [4, 0.75, pytest.approx(macro, abs=1e-6)]
    assert told["length", "test"] == [2, 0.5, pytest.approx((0 + 2 / 3) / 2, abs=1e-6)]


@given(st.sets(st.integers(0, 40), min_size=1), st.integers(0, 40))
def test_the_nearest_bin(bins: set[int], wanted: int) -> None:
    expected = min(bins, key=lambda one: (abs(one - wanted), one))
    assert nearest(sorted(bins), wanted) == expected


def test_the_mean_score_has_no_correlation() -> None:
    rows = [
        (split, {"sentence1": "가" * 20, "sentence2": "가" * (20 - apart)}, {"label": label})
        for split, apart, label in [
            ("train", 0, 4.0),
            ("train", 1, 5.0),
            ("train", 12, 0.0),
            ("dev", 2, 3.0),
            ("dev", 13, 1.0),
        ]
    ]
    table = _of(_section("sts", rows), "guesses")
    assert table.rows[0] == ["mean score", "dev", 2, None, 1.0]
    assert table.rows[1] == ["difference of lengths", "dev", 2, 1.0, 1.25]


def test_samplers_stand_beside_the_official_dev_file() -> None:
    texts = [("바람이 세게 분다", "바람이 세게 분다"), ("바람이 분다", "구름이 예쁘다")]
    rows = [
        (split, {"sentence1": first, "sentence2": second}, {"label": 1.0})
        for split, (first, second) in zip(("train", "dev"), texts, strict=True)
    ]
    examples = _table("sts", rows)
    for name, value in (("source", "policy"), ("sampler", "policy-sampled")):
        place = examples.column_names.index(name)
        examples = examples.set_column(place, examples.schema.field(name), pa.array([value] * 2))
    section = artefacts(examples, task="sts", spec=load_spec("sts"))
    table = _of(section, "samplers")
    assert [row[:3] for row in table.rows] == [
        ["policy-sampled", "all", 2],
        ["policy-sampled", "dev", 1],
        ["policy-sampled", "KLUE-STS dev", 58],
    ]
    assert table.rows[0][3:] == [0.25, 0.5, 0.75, 0.5, 0.5]


def test_the_types_of_a_pair_tell_the_relation() -> None:
    def pair(split: str, types: str, label: str) -> tuple[str, Any, str]:
        ends = {"P": "PER", "O": "ORG"}
        fields = {
            "sentence": "글",
            "subject": {"type": ends[types[0]]},
            "object": {"type": ends[types[1]]},
        }
        return split, fields, label

    rows = [
        *[pair("train", "OP", "org:founded_by")] * 2,
        *[pair("train", "PO", "no_relation")] * 3,
        *[pair("dev", "OP", "org:founded_by"), pair("dev", "PO", "per:employee_of")],
        *[pair("dev", "PO", "no_relation"), pair("dev", "PP", "per:spouse")],
    ]
    section = _section("re", rows)
    told = {row[0]: row[3:] for row in _of(section, "guesses").rows}
    assert told["commonest label"] == [0.25, pytest.approx(0.1), 0.0]
    # Types: one relation right of three wanted and one given.
    assert (told["entity types"][0], told["entity types"][2]) == (0.5, 0.5)
    none = _of(section, "none")
    assert none.rows == [["train", 5, 3, 0.6], ["dev", 4, 1, 0.25]]
    assert none.published is not None
    assert none.published[1] == ["dev", 7765, 4631, 0.5964]


def test_association_is_the_formula_of_the_paper() -> None:
    pairs = {"가": [6, 1], "나": [1, 5], "다": [4, 0]}
    found = pmi(pairs, 0, 2, labels=2)
    whole, within = 17 + 6 * 2, 11 + 3 * 2
    assert set(found) == {"가", "나"}
    assert found["가"] == pytest.approx(log((8 / whole) / (11 / whole * within / whole)), abs=1e-6)


def test_words_are_shown_only_when_they_are_common_and_nobodys() -> None:
    texts = {
        "contradiction": "전혀 밝지 않다 37층 민수",
        "entailment": "등대가 매우 밝다 37층 민수",
        "neutral": "등대가 밝다",
    }
    rows = [("train", {"premise": "", "hypothesis": text}, label) for label, text in texts.items()]
    rows = rows * 6 + [("train", {"premise": "", "hypothesis": "고래다"}, "neutral")] * 4
    section = association(_table("nli", rows), load_spec("nli"), field="hypothesis")
    assert section is not None
    words = {(row[0], row[1]): row[3:] for row in section.tables[0].rows}
    assert words["contradiction", "전혀/MAG"] == [6, 1.0]
    shown = " ".join(str(word) for _, word in words)
    assert "고래" not in shown
    assert "민수" not in shown
    assert not any(letter.isdigit() for letter in shown)


def test_words_of_test_are_never_shown() -> None:
    row = ("test", {"premise": "", "hypothesis": "전혀 밝지 않다"}, "contradiction")
    assert association(_table("nli", [row] * 9), load_spec("nli"), field="hypothesis") is None


@pytest.mark.parametrize("task", sorted(ARTEFACTS))
def test_no_examples_give_an_empty_section_that_says_so(task: str) -> None:
    section = _section(task, [])
    assert (section.parts, section.tables) == ([], ())
    assert "nothing to measure" in section.lead


def test_the_classifier_is_shown_by_split_in_their_order() -> None:
    labels = ("entailment", "contradiction", "neutral")
    pair = {"premise": "가", "hypothesis": "나"}
    rows = [(split, pair, label) for split in ("test", "dev") for label in labels]
    says_entailment = np.log(np.tile([0.8, 0.1, 0.1], (6, 1)))
    part = partial_input(_table("nli", rows), load_spec("nli"), says_entailment)
    by_split, whole = part.tables
    share = round(1 / 3, 6)
    assert by_split.rows == [["dev", 3, share, share], ["test", 3, share, share]]
    assert [title for title, _ in whole.rows] == [
        "accuracy",
        "log loss",
        "expected calibration error",
    ]
    assert whole.rows[0][1] == share
    section = with_partial_input(_section("nli", [rows[0]]), part)
    assert section.parts[1] == part
    assert "nothing to measure" not in with_partial_input(_section("nli", []), part).lead


def test_the_commonest_cue_of_every_label_is_in_view() -> None:
    texts = {"contradiction": "전혀 아니다", "entailment": "매우 밝다", "neutral": "고래가 간다"}
    rows = [("train", {"premise": "", "hypothesis": text}, label) for label, text in texts.items()]
    section = association(_table("nli", rows * 6), load_spec("nli"), field="hypothesis")
    assert section is not None
    assert {row[0] for row in section.tables[0].rows[:3]} == set(texts)


@pytest.mark.parametrize(("pairs", "told"), [(4, {"dev"}), (5, {"dev", "test"})])
def test_the_mean_of_a_few_test_examples_would_tell_their_labels(
    pairs: int, told: set[str]
) -> None:
    rows = [
        (split, {"premise": "등대가 밝다", "hypothesis": "등대가 높다"}, "neutral")
        for split in ("dev", "test")
        for _ in range(pairs)
    ]
    assert {row[0] for row in _of(_section("nli", rows), "overlap").rows} == told


def test_names_are_looked_up_longest_first_where_words_begin() -> None:
    known = {"가람": "LC", "가람 전자": "OG", "다온": "PS"}
    text = "가람 전자의 다온이 새가람과 가람에 (다온)"
    assert [(text[a:b], kind) for a, b, kind in looked_up(text, known)] == [
        ("가람 전자", "OG"),
        ("다온", "PS"),
        ("가람", "LC"),
        ("다온", "PS"),
    ]


def test_a_list_of_names_scores_what_it_finds() -> None:
    def sentence(split: str, text: str, *names: tuple[str, str]) -> tuple[str, Any, Any]:
        spans = [
            {"start": text.index(name), "end": text.index(name) + len(name), "label": kind}
            for name, kind in names
        ]
        return split, {"text": text}, spans

    rows = [
        sentence("train", "다온이 가람에 왔다", ("다온", "PS"), ("가람", "LC")),
        sentence("test", "다온이 도담에 왔다", ("다온", "PS"), ("도담", "LC")),
        sentence("test", "가람이 왔다", ("가람", "PS")),
    ]
    (row,) = _of(_section("ner", rows), "names").rows
    # PS: one right of two wanted, one given; LC: none right of one wanted, one given.
    assert row == ["test", 3, *(pytest.approx(x, abs=1e-6) for x in (1 / 3, 1 / 2, 1 / 3, 1 / 3))]


def test_states_that_stay_as_they_were() -> None:
    states = [[], ["a"], ["a"], ["b", "a"], ["a", "b"]]
    turns = [
        turn
        for state in states
        for turn in ({"role": "user", "text": "", "state": state}, {"role": "sys", "state": []})
    ]
    (row,) = _of(_section("dst", [("dev", {}, {"turns": turns})]), "before").rows
    assert row == ["dev", 5, 0.6, 0.2]


def test_words_that_two_texts_share() -> None:
    rows = [
        ("dev", {"premise": "등대가 밝다", "hypothesis": text}, label)
        for text, label in [("등대는 밝았다", "entailment"), ("등대가 어둡다", "contradiction")]
    ]
    table = _of(_section("nli", rows), "overlap")
    assert table.rows == [["dev", "entailment", 1, 1.0], ["dev", "contradiction", 1, 0.5]]


def test_dependencies_of_the_official_file(data_dir: Path) -> None:
    path = data_dir / "klue" / "klue-dp-v1.1_dev.tsv"
    words = right = 0
    for block in path.read_text("utf-8").split("\n\n"):
        lines = [line.split("\t") for line in block.splitlines() if line and line[0].isdigit()]
        for place, line in enumerate(lines, start=1):
            words += 1
            right += int(line[4]) == (place + 1 if place < len(lines) else 0)
    table = _of(_section("dp", _official("dp", path, "dev")), "next")
    assert table.rows == [["dev", 2000, words, round(right / words, 6)]]
    assert words == 22496  # Table 14


def test_answers_of_the_official_file(data_dir: Path) -> None:
    path = data_dir / "klue" / "klue-mrc-v1.1_dev_first1350.json"
    rows = _official("mrc", path, "dev")
    section = _section("mrc", rows[:300])
    places = [
        min(a["start"] for a in label["answers"]) / len(fields["context"])
        for _, fields, label in rows[:300]
        if label["answers"]
    ]
    (row,) = _of(section, "places").rows
    assert row == [
        "dev",
        len(places),
        round(sum(x < 0.2 for x in places) / len(places), 6),
        round(sum(places) / len(places), 6),
    ]
    chart = next(chart for part in section.parts for chart in part.charts)
    assert sum(y or 0 for y in chart.series[0].y) == pytest.approx(1, abs=1e-5)
    assert json.dumps(asdict(Report("t", "l", sections=[section])))


def test_relations_of_the_official_file(data_dir: Path) -> None:
    path = data_dir / "klue" / "klue-re-v1.1_train_subset3247.csv"
    with path.open(encoding="utf-8", newline="") as stream:
        labels = [row["label"] for row in csv.DictReader(stream)]
    none = labels.count("no_relation")
    (row,) = _of(_section("re", _official("re", path, "train")), "none").rows
    assert row == ["train", len(labels), none, round(none / len(labels), 6)]
    assert row[3] == pytest.approx(0.2936, abs=0.001)  # Table 11


@pytest.mark.full
def test_pairs_of_the_official_file_have_even_labels_in_dev(data_dir: Path) -> None:
    files = {split: data_dir / "klue" / f"klue-nli-v1.1_{split}.json" for split in ("train", "dev")}
    rows = [row for split, path in files.items() for row in _official("nli", path, split)[:6000]]
    section = _section("nli", rows)
    first = _of(section, "guesses").rows[0]
    assert first == ["commonest label", "dev", 3000, 0.333333, 0.166667]
    leading = {row[0]: row[1] for row in reversed(_of(section, "words").rows)}
    assert str(leading["contradiction"]).startswith(("전혀/", "불친절/", "아무런/", "별로/"))
    shared = {(row[0], row[1]): float(str(row[3])) for row in _of(section, "overlap").rows}
    assert shared["dev", "entailment"] > shared["dev", "contradiction"] > shared["dev", "neutral"]


@pytest.mark.parametrize("most", [1, 3, 100])
def test_examples_that_stay_in_files_give_the_same_draw(tmp_path: Path, most: int) -> None:
    texts = ["등대가 밝다", "고래가 운다", "눈이 왔다", "길이 멀다"]
    rows = [
        (split, {"premise": text, "hypothesis": text}, "neutral")
        for split in ("train", "dev", "test")
        for text in texts
    ]
    table = _table("nli", rows)
    store.write_table(tmp_path, "examples", "all", table)
    stored = StoredTable.of(tmp_path, "examples")
    for split in ("train", "dev", "test"):
        drawn = list(some(table, split, most=most))
        assert len(drawn) == min(most, len(texts))
        assert list(some(stored, split, most=most)) == drawn
