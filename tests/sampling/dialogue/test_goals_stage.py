"""The stage as a run calls it: items, ledger, knowledge base, files of the user's, same bytes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pipeline.core import running, store
from pipeline.core.errors import InputError
from pipeline.core.stage import Call, call
from pipeline.sampling.dialogue.goals_stage import setting_of
from pipeline.sampling.dialogue.schema import ANY
from pipeline.tasks.dialogue import TASK
from pipeline.tasks.spec import load_spec

MODULE = "pipeline.sampling.dialogue.goals_stage"


def _complete(
    work: Path, params: dict[str, Any], arguments: Mapping[str, Path] | None = None
) -> Call:
    given = {name: str(path) for name, path in (arguments or {}).items()}
    made = call(MODULE, work=work, source="dst", params=params, arguments=given)
    running.complete(made)
    return made


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory, make_params: Any) -> Call:
    return _complete(tmp_path_factory.mktemp("work"), make_params(60))


def _rows(made: Call, name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = store.read_all(made.folder, name).to_pylist()
    return rows


def test_there_is_an_item_for_each_goal(done: Call) -> None:
    items = _rows(done, "items")
    assert len(items) == len({item["item"] for item in items}) == 60
    assert {item["source"] for item in items} == {"written"}
    assert [item["sampler"] for item in items].count("counterfactual") == 4


def test_nothing_is_read_and_nothing_is_short(done: Call) -> None:
    manifest = store.read_manifest(done.folder)
    assert manifest is not None
    counts = manifest.counts
    assert (counts.rows_in, counts.rows_out, counts.drawn, counts.undrawn) == (0, 60, 0, 0)
    assert _rows(done, "ledger") == []


def test_the_knowledge_base_is_a_table(done: Call) -> None:
    rows = _rows(done, "knowledge")
    assert len(rows) == 101 + 56 + 100 + 3_306
    assert len({row["instance"] for row in rows}) == len(rows)
    schema = setting_of(done.params, {})[0].schema
    assert all(schema.faults(json.loads(row["slots"])) == [] for row in rows)


def test_fields_hold_what_the_writer_needs(done: Call) -> None:
    for item in _rows(done, "items"):
        fields, meta = json.loads(item["fields"]), json.loads(item["meta"])
        assert set(fields) == {"goal", "domains", "candidates", "knowledge"}
        assert {row["domain"] for row in fields["knowledge"]} == set(fields["domains"])
        for slot, values in meta["expected"].items():
            assert set(values) <= set(fields["candidates"][slot])
        assert all(values[-1] == ANY for values in fields["candidates"].values())
        assert len(fields["candidates"]) >= len(meta["expected"])


def test_shown_places_are_those_that_fit_and_some_that_do_not(done: Call) -> None:
    others = 0
    for item in _rows(done, "items"):
        fields, meta = json.loads(item["fields"]), json.loads(item["meta"])
        for domain in {"숙소", "식당", "관광"} & set(fields["domains"]):
            shown = [row["name"] for row in fields["knowledge"] if row["domain"] == domain]
            fitting = set(meta["expected"][f"{domain}-이름"])
            assert fitting <= set(shown)
            assert len(fitting) <= 5
            assert len(shown) == 8
            others += len(set(shown) - fitting)
    assert others > 60


def test_a_state_of_expected_values_is_an_answer(done: Call) -> None:
    spec = load_spec("dst")
    for item in _rows(done, "items"):
        expected = json.loads(item["meta"])["expected"]
        state = [f"{slot}-{values[0]}" for slot, values in expected.items()]
        turns = [{"role": "user", "text": "네.", "state": state}]
        fields = json.loads(item["fields"])
        TASK.parse({"turns": turns}, fields, spec, spec.rounds[0])


def test_bytes_are_the_same_every_time(done: Call, tmp_path: Path) -> None:
    again = _complete(tmp_path, done.params)
    one, two = store.read_manifest(done.folder), store.read_manifest(again.folder)
    assert one is not None
    assert two is not None
    assert one.content == two.content


def test_places_of_the_users_with_faults_by_line(tmp_path: Path, make_params: Any) -> None:
    path = tmp_path / "mine.csv"
    rows = [
        "이름,종류,지역",
        "가온숲,공원,서울 북쪽",
        "나루터,모름,서울 북쪽",
        "다온뜰,쇼핑,서울 남쪽",
    ]
    path.write_text("\n".join(rows) + "\n", "utf-8")
    made = _complete(tmp_path / "work", make_params(20), {"places": path})
    places = [row for row in _rows(made, "knowledge") if row["domain"] == "관광"]
    assert {row["name"] for row in places} == {"가온숲", "다온뜰"}
    ledger = {row["rule"]: row for row in _rows(made, "ledger")}
    fault = ledger["dst.place@1"]
    assert (fault["file"], fault["line"], fault["action"]) == ("mine.csv", 3, "quarantine")
    assert ledger["dst.quota@1"]["reason"] == "attractions: 100 wanted, 2 drawn"


def test_a_list_without_a_usable_place_is_refused(tmp_path: Path, make_params: Any) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("이름,종류,지역\n나루터,모름,서울 북쪽\n", "utf-8")
    with pytest.raises(InputError, match="no attraction"):
        setting_of(make_params(), {"places": path})


def test_a_metro_of_another_city_is_refused(tmp_path: Path, make_params: Any) -> None:
    path = tmp_path / "metro.yaml"
    path.write_text(
        "lines: [{line: 1호선, stations: [가역, 나역]}]\nserved: {부산 중앙: [가역, 나역]}\n"
        "minutes: {stop: 2, change: 4}\nfare: {base: 1, stops: 1, more: 1, every: 1}\n",
        "utf-8",
    )
    with pytest.raises(InputError, match="부산 중앙: no part of the city"):
        setting_of(make_params(), {"metro": path})
