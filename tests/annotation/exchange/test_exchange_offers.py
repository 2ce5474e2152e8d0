"""What writers read beside the text: values to choose, the knowledge base, the type to write."""

from __future__ import annotations

import html
import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from exchange_answers import unordered
from exchange_samples import ANSWERS, FIELDS, ODD, SPECS, items, round_of
from exchange_tools import ANNOTATOR, USERS, fill

from pipeline.annotation.exchange import argilla, doccano, jsonl, label_studio
from pipeline.annotation.exchange.answer_parts import parts_of
from pipeline.annotation.exchange.formats import FORMATS
from pipeline.annotation.exchange.label_studio_config import branches, leaves
from pipeline.annotation.exchange.label_studio_results import decode
from pipeline.annotation.exchange.offers import offer_of, slot_values
from pipeline.annotation.intake.vote import RawVote, Refused
from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import Round
from pipeline.core.jsontext import canonical

DST, MRC = SPECS["dst"], SPECS["mrc"]
GOAL: dict[str, Any] = {
    "goal": "서울 중앙의 호텔에 묵고 택시를 부른다.",
    "domains": ["숙소", "택시"],
    "candidates": {
        "숙소-이름": ["달무리 호텔-별관", "🍜 여관", "달무리 호텔-별관"],
        "숙소-지역": ["서울 중앙", "부산"],
        "택시-출발지": ["달무리 호텔-별관"],
        "숙소-주소": ["가온로 1"],
    },
    "knowledge": [
        {"domain": "숙소", "name": "달무리 호텔-별관", "숙소-지역": "서울 중앙", "수영장": True},
        {"domain": "숙소", "name": "<b>a|b</b>", "평점": 4.5, "메뉴": ["밥", "국"]},
        {"domain": "관광", "name": "별빛 공원", "종류": None},
    ],
}
ROUNDS = ("dialogue", "inspect")


def _read(tool: str, task: str, path: Path) -> list[RawVote | Refused]:
    ids = {USERS[tool]: ANNOTATOR} if tool in USERS else None
    return list(FORMATS[tool].read(path, task=TASKS[task], spec=SPECS[task], annotators=ids))


def _write(tool: str, task: str, round_: Round, folder: Path, *fields: dict[str, Any]) -> Any:
    """Write items of these fields; returns what the tool's main file holds."""
    import pyarrow as pa

    tables = [items(task, one) for one in fields]
    table = pa.concat_tables(tables)
    names = pa.array([f"{task}-{n}" for n in range(1, len(fields) + 1)])
    table = table.set_column(0, "item", names)
    shown = {f"{task}-1": ANSWERS["dialogue" if task == "dst" else "reading"]}
    more = {"shown": shown} if round_.answer == "verdict" else {}
    FORMATS[tool].write(table, spec=SPECS[task], round_=round_, folder=folder, **more)
    if tool in ("label-studio", "argilla"):
        name = label_studio.TASKS if tool == "label-studio" else argilla.RECORDS
        return json.loads((folder / name).read_text("utf-8"))
    name = doccano.EXAMPLES if tool == "doccano" else jsonl.ITEMS
    return [json.loads(line) for line in (folder / name).read_text("utf-8").split("\n") if line]


def test_values_of_the_goal_come_first_and_only_what_the_spec_takes() -> None:
    found = slot_values(DST, offer_of(GOAL, DST))
    assert found["숙소-이름"] == ("달무리 호텔-별관", "🍜 여관")
    assert found["숙소-지역"][0] == "서울 중앙" and "부산" not in found["숙소-지역"]
    assert set(found["숙소-지역"]) == {f"서울 {one}" for one in ("중앙", "동쪽", "서쪽", "남쪽",
                                                          "북쪽")} | {"dontcare"}  # fmt: skip
    assert "숙소-주소" not in found, "it is only requested, never tracked"
    assert {slot.partition("-")[0] for slot in found} == {"숙소", "택시"}
    parse, round_ = TASKS["dst"].parse, round_of("dst", "dialogue")
    for slot, values in found.items():
        for value in values:
            turn = {"role": "user", "text": "네", "state": [f"{slot}-{value}"]}
            assert parse({"turns": [turn]}, GOAL, DST, round_)


@pytest.mark.parametrize("name", ROUNDS)
def test_label_studio_has_a_tree_for_each_dialogue(name: str, tmp_path: Path) -> None:
    from label_studio_sdk.label_interface import LabelInterface

    round_ = round_of("dst", name)
    first, second = _write("label-studio", "dst", round_, tmp_path, GOAL, FIELDS["dst"])
    interface = LabelInterface((tmp_path / label_studio.CONFIG).read_text("utf-8"))
    interface.validate()
    for one in (first, second):
        assert interface.validate_task({"data": one["data"]})
        for prediction in one["predictions"]:
            assert interface.validate_prediction(prediction, return_errors=True) == []
    offered = leaves(first["data"]["slots"])
    assert {"숙소-이름-🍜 여관", "택시-출발지-달무리 호텔-별관"} <= offered
    assert not any(one.startswith(("관광", "식당", "지하철")) for one in offered)
    everything = leaves(second["data"]["slots"])
    assert {"관광-지역-서울 중앙", "식당-종류-한식당"} <= everything
    assert not any(one.startswith("숙소-이름") for one in everything)
    (tree,) = ET.parse(tmp_path / label_studio.CONFIG).iter("Taxonomy")
    assert tree.get("value") == "$slots"
    assert len(tree) == 0, "of two branches of one name the editor shows the first alone"


def test_dialogues_without_lists_have_the_tree_in_the_config(tmp_path: Path) -> None:
    (one,) = _write("label-studio", "dst", round_of("dst", "dialogue"), tmp_path, FIELDS["dst"])
    config = (tmp_path / label_studio.CONFIG).read_text("utf-8")
    assert "slots" not in one["data"] and "$slots" not in config
    assert not {"candidates", "knowledge", "wanted"} & set(one["data"])
    assert 'value="서울 북쪽"' in config


def test_a_value_of_the_list_is_one_choice(tmp_path: Path) -> None:
    """A name that the goal gives is picked, one that it does not give is typed; both come back."""
    round_ = round_of("dst", "dialogue")
    _write("label-studio", "dst", round_, tmp_path, GOAL)
    state = ["숙소-이름-달무리 호텔-별관", "숙소-지역-서울 중앙", "관광-이름-별빛 공원"]
    label = {"turns": [{"role": "user", "text": "네", "state": state}]}
    export = fill("label-studio", "dst", round_, tmp_path, [{"label": label}])
    (one,) = json.loads(export.read_text("utf-8"))
    results = {r["from_name"]: r["value"] for r in one["annotations"][0]["result"]}
    assert results["state"]["taxonomy"] == [
        ["숙소", "이름", "달무리 호텔-별관"],
        ["숙소", "지역", "서울 중앙"],
    ]
    assert results["state_text"]["text"] == ["관광-이름-별빛 공원"]
    (vote,) = _read("label-studio", "dst", export)
    assert isinstance(vote, RawVote)
    assert vote.value["label"] == label


@pytest.mark.parametrize("tool", FORMATS)
@pytest.mark.parametrize("name", ROUNDS)
def test_lists_and_tables_are_read_in_every_tool(tool: str, name: str, tmp_path: Path) -> None:
    round_ = round_of("dst", name)
    (first, *_rest) = _write(tool, "dst", round_, tmp_path, GOAL, FIELDS["dst"])
    text = json.dumps(first, ensure_ascii=False)
    for word in ("달무리 호텔-별관", "🍜 여관", "별빛 공원", "4.5", "가온로 1"):
        assert word in text
    said = {"label": ANSWERS["dialogue"] if name == "dialogue" else {"verdict": "accept"}}
    export = fill(tool, "dst", round_, tmp_path, [said, {"report": "hate"}])
    votes = _read(tool, "dst", export)
    assert all(isinstance(one, RawVote) for one in votes), votes
    first_vote = votes[0]
    assert isinstance(first_vote, RawVote)
    got, wanted = (
        TASKS["dst"].parse(one, GOAL, DST, round_)
        for one in (first_vote.value["label"], said["label"])
    )
    assert unordered(got) == unordered(wanted)


def test_tables_have_a_row_an_instance_and_no_markup_of_theirs() -> None:
    offer = offer_of(GOAL, DST)
    assert [(title, tuple(rows[0]), len(rows) - 1) for title, rows in offer.tables] == [
        ("숙소", ("이름", "지역", "수영장", "평점", "메뉴"), 2),
        ("관광", ("이름", "종류"), 1),
    ]
    assert offer.tables[0][1][1] == ["달무리 호텔-별관", "서울 중앙", "yes", "", ""]
    assert offer.tables[0][1][2][3:] == ["4.5", "밥, 국"]
    cells = re.findall(r"<td>(.*?)</td>", offer.page)
    assert html.unescape(cells[5]) == "<b>a|b</b>" and "<b>" not in offer.page
    lines = offer.texts["knowledge"].split("\n")
    assert [len(re.findall(r"(?<!\\)\|", line)) for line in lines if line[:1] == "|"] == [
        6, 6, 6, 6, 3, 3, 3,
    ]  # fmt: skip
    assert "| <b>a\\|b</b> |" in offer.texts["knowledge"]


@pytest.mark.parametrize(
    "fields",
    [
        {"candidates": ["서울"], "knowledge": {"name": "x"}},
        {"candidates": {"숙소-이름": "x", "a": [3], "b": []}, "knowledge": ["x"]},
        {"candidates": {}, "knowledge": []},
        {"candidates": None, "knowledge": None, "domains": 3},
    ],
)
@pytest.mark.parametrize("tool", FORMATS)
def test_fields_of_another_form_offer_nothing_and_break_nothing(
    tool: str, fields: dict[str, Any], tmp_path: Path
) -> None:
    offer = offer_of(fields, DST)
    assert not offer.values and not offer.tables
    round_ = round_of("dst", "dialogue")
    made = _write(tool, "dst", round_, tmp_path, FIELDS["dst"] | fields)
    assert len(made) == 1
    assert slot_values(DST, offer) == slot_values(DST, offer_of({}, DST))


def test_data_that_came_back_changed_breaks_no_reading(tmp_path: Path) -> None:
    nested: list[Any] = []
    for _ in range(2_000):
        nested = [{"value": "x", "children": nested}]
    for slots in (None, 3, "x", [3], [{"value": 3}], [{"value": "a", "children": 7}], nested):
        data = {"item": "dst-1", "slots": slots, "dialogue": []}
        assert label_studio.layout_of(data, DST).closed is not None
    assert leaves(branches({"숙소-이름": ("가-나", "다")})) == {"숙소-이름-가-나", "숙소-이름-다"}


KINDS = {1: "바꿔 쓰기", 2: "여러 문장 추론", 3: "답할 수 없음"}


@pytest.mark.parametrize("tool", FORMATS)
@pytest.mark.parametrize("name", ["write", "inspect"])
@pytest.mark.parametrize("kind", KINDS)
def test_the_type_to_write_is_told_in_words(
    tool: str, name: str, kind: int, tmp_path: Path
) -> None:
    fields = FIELDS["mrc"] | {"question_type": kind}
    (one,) = _write(tool, "mrc", round_of("mrc", name), tmp_path, fields)
    held = {
        "label-studio": lambda: one["data"]["wanted"],
        "doccano": lambda: one["text"].split("[쓸 질문의 유형]\n")[1].split("\n")[0],
        "argilla": lambda: one["fields"]["wanted"],
        "jsonl": lambda: one["wanted"],
    }[tool]()
    (label,) = (x for x in MRC.labels if x.id == str(kind))
    assert held.startswith(f"{kind}. {KINDS[kind]}: ")
    assert label.description is not None and held.endswith(label.description.ko)


@pytest.mark.parametrize("tool", [tool for tool in FORMATS if tool != "jsonl"])
def test_a_question_without_a_type_is_of_the_type_asked_for(tool: str, tmp_path: Path) -> None:
    round_ = round_of("mrc", "write")
    fields = FIELDS["mrc"] | {"question_type": 2}
    _write(tool, "mrc", round_, tmp_path, fields, FIELDS["mrc"] | {"question_type": 2})
    label = ANSWERS["reading"] | {"type": 1}
    export = fill(tool, "mrc", round_, tmp_path, [{"label": label}, {"report": "hate"}])
    chosen, reported = _read(tool, "mrc", export)
    assert isinstance(chosen, RawVote) and chosen.value["label"]["type"] == 1
    assert isinstance(reported, RawVote) and "label" not in reported.value
    _CUT[tool](export)
    blank, reported = _read(tool, "mrc", export)
    assert isinstance(blank, RawVote) and blank.value["label"]["type"] == 2
    assert isinstance(reported, RawVote) and "label" not in reported.value


def _cut_studio(path: Path) -> None:
    tasks = json.loads(path.read_text("utf-8"))
    for annotation in (a for one in tasks for a in one["annotations"]):
        annotation["result"] = [r for r in annotation["result"] if r["from_name"] != "type"]
    path.write_text(json.dumps(tasks), "utf-8")


def _cut_doccano(path: Path) -> None:
    rows = [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]
    for row in rows:
        row["label"] = [one for one in row["label"] if not one.startswith("type:")]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


def _cut_argilla(path: Path) -> None:
    records = json.loads(path.read_text("utf-8"))
    for record in records:
        record["responses"].pop("type", None)
    path.write_text(json.dumps(records), "utf-8")


_CUT = {"label-studio": _cut_studio, "doccano": _cut_doccano, "argilla": _cut_argilla}


def test_the_type_asked_for_is_filled_in(tmp_path: Path) -> None:
    round_ = round_of("mrc", "write")
    (task,) = _write("label-studio", "mrc", round_, tmp_path, FIELDS["mrc"])
    (config_parts, layout) = parts_of(MRC, round_), label_studio.layout_of(task["data"], MRC)
    (prediction,) = task["predictions"]
    assert decode(config_parts, prediction["result"], layout) == {"type": "1", "marks": []}
    (record,) = _write("argilla", "mrc", round_, tmp_path, FIELDS["mrc"])
    assert record["suggestions"]["type"]["value"] == "1"
    settings = json.loads((tmp_path / argilla.SETTINGS).read_text("utf-8"))
    (hidden,) = (m for m in settings["metadata"] if m["name"] == "asked_type")
    assert hidden["visible_for_annotators"] is False


def test_a_passage_without_a_type_says_nothing_of_one(tmp_path: Path) -> None:
    bare = {key: FIELDS["mrc"][key] for key in ("title", "context")}
    for value in (None, 0, 4, "1", True, [1]):
        fields = bare | ({} if value is None else {"question_type": value})
        (row,) = _write("jsonl", "mrc", round_of("mrc", "write"), tmp_path, fields)
        assert "wanted" not in row


def test_texts_of_all_kinds_stay_whole(tmp_path: Path) -> None:
    fields = GOAL | {
        "candidates": {"숙소-이름": [ODD]},
        "knowledge": [{"domain": "숙소", "x": ODD}],
    }
    round_ = round_of("dst", "dialogue")
    (task,) = _write("label-studio", "dst", round_, tmp_path, fields)
    assert f"숙소-이름-{ODD}" in leaves(task["data"]["slots"])
    assert "<script>" not in task["data"]["knowledge"]
    assert "&lt;script&gt;" in task["data"]["knowledge"]
    assert canonical(json.loads(canonical(task))) == canonical(task)
