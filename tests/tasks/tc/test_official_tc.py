from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from official_files import YNAT, YNAT_DEV, as_text, changed, column, golds, saved

from pipeline.contracts.spec import load_spec
from pipeline.core.errors import InputError
from pipeline.tasks.tc.official import TOPICS, UNABLE, read, write


def test_the_topics_and_the_report_are_those_of_the_spec() -> None:
    spec = load_spec("tc")
    assert set(TOPICS) == set(spec.ids())
    assert UNABLE in [report.id for report in spec.reports]


def test_scopes_become_ranked_votes(tmp_path: Path) -> None:
    found = read(saved(tmp_path, as_text(YNAT)))
    assert column(found, "votes", "annotator") == ["03", "11", "07", "03", "11", "09"]
    assert column(found, "votes", "label") == [
        ["사회", "생활문화"],
        ["사회"],
        ["생활문화", "사회", "경제"],
        None,
        ["경제"],
        ["경제", "사회"],
    ]
    assert column(found, "votes", "report") == [None] * 3 + [UNABLE] + [None] * 2
    assert golds(found) == [["사회"], ["경제"]]
    assert set(column(found, "votes", "attempt")) == {1}
    assert set(column(found, "votes", "simulated")) == {False}


def test_faulty_records_stand_in_problems(tmp_path: Path) -> None:
    for change, reason in (
        ({"label": "날씨"}, "the label is no topic"),
        ({"guid": None}, "lacks the key 'guid'"),
        ({"title": 3}, "'title' must be str"),
        ({"guid": YNAT[0]["guid"]}, "stands in the file before"),
    ):
        found = read(saved(tmp_path, changed(YNAT, 1, **change)))
        assert found.items.num_rows == 1 and found.votes.num_rows == 3
        assert [(p.line, reason in p.reason) for p in found.problems] == [(2, True)]


def test_a_short_scope_is_a_fault(tmp_path: Path) -> None:
    raw = YNAT[0]["annotations"]
    short = raw | {"annotators": ["03", "11"]}
    found = read(saved(tmp_path, changed(YNAT, 0, annotations=short)))
    assert found.problems[0].reason == "annotators and scopes are not of one length"
    twice = raw | {"annotators": ["03", "03", "07"]}
    found = read(saved(tmp_path, changed(YNAT, 0, annotations=twice)))
    assert "each once" in found.problems[0].reason


def test_rows_of_five_columns_keep_their_line(tmp_path: Path) -> None:
    found = read(saved(tmp_path, YNAT_DEV + "00002,사회,사회,제목,끝\n\nx1,사회,사회,제목\n"))
    assert [problem.line for problem in found.problems] == [3, 4, 5]
    assert column(found, "items", "item") == ["ynat-v1_dev_00000", "ynat-v1_dev_00001"]
    with pytest.raises(InputError, match=r"official:1: not CSV"):
        read(saved(tmp_path, '00000,경제,사회,"열린\n'))


def test_the_majority_of_first_scopes_is_the_official_label(data_dir: Path) -> None:
    found = read(data_dir / "klue" / "ynat-v1.1_dev_first17.json")
    votes: dict[str, Counter[str]] = {}
    for item, label in zip(
        column(found, "votes", "item"), column(found, "votes", "label"), strict=1
    ):
        votes.setdefault(item, Counter())[label[0]] += 1
    assert [[votes[item].most_common(1)[0][0]] for item in column(found, "items", "item")] == golds(
        found
    )


def test_the_csv_of_dev_says_what_the_json_says(data_dir: Path, tmp_path: Path) -> None:
    official = read(data_dir / "klue" / "ynat-v1.1_dev_first17.json")
    table = read(data_dir / "klue" / "ynat-v1.1_dev.csv")
    assert table.items.num_rows == 9107
    for name in ("item", "fields", "gold"):
        assert table.items[name][:17].to_pylist() == official.items[name].to_pylist()
    write(official, tmp_path / "again.json")
    assert read(tmp_path / "again.json").votes == official.votes
