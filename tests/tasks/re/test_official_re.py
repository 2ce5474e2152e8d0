from __future__ import annotations

import json
from pathlib import Path

import pytest
from official_files import RE, RE_CSV, as_text, changed, column, golds, saved

from pipeline.contracts.spec import load_spec
from pipeline.tasks.re.official import _LABEL, read


def test_every_relation_of_the_spec_has_the_form_of_one() -> None:
    assert all(_LABEL.fullmatch(label) for label in load_spec("re").ids())


def test_ends_become_exclusive(tmp_path: Path) -> None:
    found = read(saved(tmp_path, as_text(RE)))
    fields = column(found, "items", "fields")[0]
    assert fields["subject"] == {"start": 0, "end": 4, "word": "한빛상사", "type": "ORG"}
    assert fields["sentence"][fields["object"]["start"] : fields["object"]["end"]] == "나라온"
    assert golds(found) == ["org:top_members/employees"]
    assert column(found, "items", "source") == ["policy"]


def test_the_csv_gives_the_same_fields(tmp_path: Path) -> None:
    found = read(saved(tmp_path, RE_CSV))
    fields = column(found, "items", "fields")[0]
    assert column(found, "items", "item") == ["klue-re-v1_train_00031"]
    for name in ("subject", "object"):
        entity = fields[name]
        assert fields["sentence"][entity["start"] : entity["end"]] == entity["word"]


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"label": "friend"}, "official.label@1"),
        ({"subject_entity": {"word": "한빛상사", "start_idx": 0}}, "official.form@1"),
        (
            {"object_entity": RE[0]["object_entity"] | {"end_idx": 8}},
            "official.range@1",
        ),
        ({"object_entity": "나라온"}, "official.form@1"),
        ({"source": None}, "official.form@1"),
    ],
)
def test_faulty_records_stand_in_problems(
    change: dict[str, object], rule: str, tmp_path: Path
) -> None:
    two = [RE[0], RE[0] | {"guid": "klue-re-v1_dev_00001"}]
    found = read(saved(tmp_path, changed(two, 1, **change)))
    assert [(p.line, p.rule) for p in found.problems] == [(2, rule)]
    assert found.items.num_rows == 1


def test_a_wrong_place_is_kept_and_told(tmp_path: Path) -> None:
    moved = RE[0]["object_entity"] | {"start_idx": 8, "end_idx": 10}
    found = read(saved(tmp_path, changed(RE, 0, object_entity=moved)))
    assert [p.rule for p in found.problems] == ["official.kept.offset@1"]
    assert found.items.num_rows == 1


@pytest.mark.parametrize("cell", ["__import__('os')", "{'word': ", "7", "(" * 400])
def test_cells_are_literals_and_never_run(cell: str, tmp_path: Path) -> None:
    row = f'32,32,문장,"{cell}","{cell}",per:title,wikitree\n'
    found = read(saved(tmp_path, RE_CSV + row + "33,33,문장,per:title,wikitree\n"))
    assert [problem.line for problem in found.problems] == [3, 4]


def test_relations_and_places_of_the_release(data_dir: Path) -> None:
    found = read(data_dir / "klue" / "klue-re-v1.1_train_subset3247.csv")
    listed = json.loads((data_dir / "klue" / "klue-re_relation_list.json").read_text("utf-8"))
    assert found.items.num_rows == 3247 and found.problems == []
    assert set(golds(found)) <= set(listed["relations"]) == set(load_spec("re").ids())
    assert set(column(found, "items", "source")) == {"wikipedia", "wikitree", "policy"}
