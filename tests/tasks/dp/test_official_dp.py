from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from official_files import DP, column, golds, saved

from pipeline.tasks.dp.official import read, write


def test_a_tree_and_its_morphemes(tmp_path: Path) -> None:
    found = read(saved(tmp_path, DP))
    assert golds(found)[0] == {"heads": [3, 3, 0], "deprels": ["NP_SBJ", "NP_OBJ", "VP"]}
    assert column(found, "items", "fields")[0] == {
        "text": "아이가 밥을 먹었다.",
        "words": ["아이가", "밥을", "먹었다."],
    }
    meta = column(found, "items", "meta")[0]
    assert meta["pos"] == ["NNG+JKS", "NNG+JKO", "VV+EP+EF+SF"]
    assert meta["lemmas"][2] == "먹 었 다 ."
    assert column(found, "items", "source") == ["wikitree", "airbnb"]


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("JKS\t3\tNP_SBJ", "JKS\tNP_SBJ", "official.form@1"),  # five columns
        ("JKS\t3\t", "JKS\tx\t", "official.form@1"),
        ("JKS\t3\t", "JKS\t-1\t", "official.form@1"),
        ("2\t밥을", "7\t밥을", "official.form@1"),
        ("JKS\t3\t", "JKS\t4\t", "official.tree@1"),
        ("JKS\t3\t", "JKS\t0\t", "official.tree@1"),
        ("SF\t0\t", "SF\t1\t", "official.tree@1"),
        ("JKS\t3\t", "JKS\t1\t", "official.tree@1"),
        ("NP_SBJ", "주어", "official.label@1"),
    ],
)
def test_faulty_rows_leave_the_sentence_out(old: str, new: str, rule: str, tmp_path: Path) -> None:
    assert old in DP
    found = read(saved(tmp_path, DP.replace(old, new, 1)))
    assert [(problem.line, problem.rule) for problem in found.problems] == [(6, rule)]
    assert column(found, "items", "item") == ["klue-dp-v1_dev_00001_airbnb"]


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("\t아이가 밥을 먹", "\t아이가  밥을 먹", "official.kept.words@1"),
        ("밥 을\t", "밥을\t", "official.kept.lemmas@1"),
    ],
)
def test_damaged_words_are_kept_and_told(old: str, new: str, rule: str, tmp_path: Path) -> None:
    text = DP.replace(old, new, 1)
    found = read(saved(tmp_path, text))
    assert [problem.rule for problem in found.problems] == [rule]
    write(found, tmp_path / "out.tsv")
    assert (tmp_path / "out.tsv").read_text("utf-8") == text


def test_heads_on_the_left_are_kept_and_told(tmp_path: Path) -> None:
    text = DP.replace("JKO\t3\t", "JKO\t1\t")
    found = read(saved(tmp_path, text))
    assert [problem.rule for problem in found.problems] == ["official.kept.left@1"]


def test_trees_of_the_release(data_dir: Path) -> None:
    found = read(data_dir / "klue" / "klue-dp-v1.1_dev.tsv")
    assert sum(len(tree["heads"]) for tree in golds(found)) == 22496
    assert all(tree["heads"][-1] == 0 for tree in golds(found))
    assert Counter(problem.rule for problem in found.problems) == {
        "official.kept.words@1": 6,
        "official.kept.lemmas@1": 5,
    }
