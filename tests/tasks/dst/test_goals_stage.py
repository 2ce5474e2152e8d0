"""The stage as a run calls it: items, ledger, knowledge base, files of the user's, same bytes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pipeline.contracts.spec import load_spec
from pipeline.core import running, store
from pipeline.core.errors import InputError, SpecError
from pipeline.core.stage import Call, call
from pipeline.tasks.dst.candidates import setting_of
from pipeline.tasks.dst.goals import goals
from pipeline.tasks.dst.schema import ANY
from pipeline.tasks.dst.task import TASK

MODULE = "pipeline.tasks.dst.candidates"


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
    with pytest.raises(InputError, match=r"mine.csv: none of 1 row is a place:\n  line 2"):
        setting_of(make_params(), {"places": path})


def test_a_metro_of_another_city_is_refused(tmp_path: Path, make_params: Any) -> None:
    path = tmp_path / "metro.yaml"
    path.write_text(
        "lines: [{line: 1호선, stations: [가역, 나역]}]\nserved: {부산 중앙: [가역, 나역]}\n"
        "minutes: {stop: 2, change: 4}\nfare: {base: 1, stops: 1, more: 1, every: 1}\n",
        "utf-8",
    )
    with pytest.raises(SpecError, match=r"metro.yaml:2: served.부산 중앙: '부산 중앙' is no part"):
        setting_of(make_params(), {"metro": path})


_METRO = """
lines: [{line: 1호선, stations: [가역, 나역, 다역]}]
served: {서울 중앙: [가역], 서울 남쪽: [나역, 다역]}
minutes: {stop: 2, change: 4}
fare: {base: 1, stops: 1, more: 1, every: 1}
"""


def test_a_small_metro_of_the_users_leaves_rows_and_no_crash(
    tmp_path: Path, make_params: Any
) -> None:
    """Places are near all of three stations: some journeys have nowhere to go."""
    metro, places = tmp_path / "metro.yaml", tmp_path / "mine.csv"
    metro.write_text(_METRO, "utf-8")
    places.write_text("이름,종류,지역\n가온숲,공원,서울 북쪽\n", "utf-8")
    made = _complete(tmp_path / "work", make_params(300), {"metro": metro, "places": places})
    reasons = [row["reason"] for row in _rows(made, "ledger") if row["rule"] == "dst.quota@1"]
    assert "metro journeys: 3306 wanted, 6 drawn" in reasons
    items = _rows(made, "items")
    short = f"goals: 300 wanted, {len(items)} drawn"
    assert len(items) > 150
    assert (short in reasons) == (len(items) < 300)


def test_what_is_told_of_the_users_files_changes_nothing_drawn(done: Call, tmp_path: Path) -> None:
    given = {"given": {"places": [".csv"], "metro": [".yaml"]}}
    again = _complete(tmp_path, done.params | given)
    assert _rows(again, "items") == _rows(done, "items")


def test_a_section_without_a_place_for_counterfactual_goals_is_refused(make_params: Any) -> None:
    changes = {
        "plans": [{"domains": ["택시"], "weight": 1}, {"domains": ["택시", "지하철"], "weight": 1}]
    }
    setting, _, _ = setting_of(make_params(20, **changes), {})
    with pytest.raises(SpecError, match=r"sampling.counterfactual: 1 goals are wanted, each with"):
        list(goals(setting, 1))
