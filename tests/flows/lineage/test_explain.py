"""`klue explain`: the life of what was kept, dropped, merged and quarantined."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import mini
import pytest

from flows.lineage.explain import _without_answer
from pipeline.core import store


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("explain")
    mini.built(mini.write(folder, movies=2), folder / "work", "--workers", 1)
    return folder / "work"


def _life(work: Path, name: str) -> dict[str, Any]:
    done = mini.klue("explain", name, "--work", work, "--json")
    assert done.returncode == 0, done.stderr
    life: dict[str, Any] = json.loads(done.stdout)
    assert life["id"] == name
    return life


def _rules(life: dict[str, Any]) -> list[tuple[str, str]]:
    return [(step["rule"], step["action"]) for step in life["steps"] if step["rule"]]


def _folder(work: Path, source: str, stage: str) -> Path:
    return next((work / "store" / source).glob(f"{stage}-*"))


def _ledger(work: Path, source: str, stage: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = store.read_all(_folder(work, source, stage), "ledger").to_pylist()
    return rows


def test_an_edited_and_kept_sentence(work: Path) -> None:
    row = next(r for r in _ledger(work, "nsmc", "clean") if r["rule"] == "noise.hashtag@1")
    life = _life(work, row["unit"])
    assert ("noise.hashtag@1", "edit") in _rules(life)
    details = {(s["stage"], s["action"]): s["detail"] for s in life["steps"]}
    assert "/nsmc/0.json line 2, key 01" in details["read", "found"]  # the second of its list
    assert "#강추" in next(d for (stage, _), d in details.items() if stage == "segment")
    assert "#강추" not in details["clean", "result"]
    assert re.fullmatch(r"gender bias 0\.\d+, hate 0\.\d+", details["score", "scored"])
    assert details["dedup", "kept"].startswith("cluster nsmc-")


def test_a_raw_file_has_the_path_that_the_build_file_gives(work: Path) -> None:
    for source, path in (("parakqc", "raw/kqc.txt"), ("yna", "raw/heads.jsonl")):
        row = store.read_all(_folder(work, source, "read"), "documents").to_pylist()[0]
        found = _life(work, row["id"])["steps"][0]
        assert found["action"] == "found" and found["detail"].startswith(f"{path} line ")


def test_a_dropped_unit(work: Path) -> None:
    row = next(r for r in _ledger(work, "nsmc", "clean") if r["action"] == "drop")
    life = _life(work, row["unit"])
    assert _rules(life)[-1] == (row["rule"], "drop")
    assert not any(step["action"] == "kept" for step in life["steps"])


def test_a_quarantined_record_and_a_repeated_document(work: Path) -> None:
    broken = next(r for r in _ledger(work, "nsmc", "read") if r["file"] == "broken.json")
    life = _life(work, broken["unit"])
    assert life["kind"] == "record"
    assert "/nsmc/broken.json line" in life["steps"][0]["detail"]
    repeated = _ledger(work, "nsmc", "select")[0]
    assert ("read.repeated_id@1", "quarantine") in _rules(_life(work, repeated["unit"]))


def test_a_document_out_of_the_timeframe(work: Path) -> None:
    row = _ledger(work, "yna", "select")[0]
    assert ("select.timeframe@1", "drop") in _rules(_life(work, row["unit"]))


def test_a_section_knows_its_sentences(work: Path) -> None:
    sections = store.read_all(_folder(work, "nsmc", "segment"), "sections").to_pylist()
    lost = next(s for s in sections if len(s["sentences"]) > 1)
    detail = _life(work, lost["id"])["steps"][-1]["detail"]
    assert f"{len(lost['sentences'])} sentences" in detail


def test_a_document_lists_its_units(work: Path) -> None:
    documents = store.read_all(_folder(work, "nsmc", "select"), "documents")
    life = _life(work, documents.column("id")[0].as_py())
    assert life["kind"] == "document"
    assert "units" in life["steps"][-1]["detail"]


@pytest.mark.parametrize(
    ("name", "said"),
    [("nonsense", "is not an id"), ("nsmc-s00000000000000000000", "unknown in the builds mini")],
)
def test_ids_that_are_none_or_unknown(work: Path, name: str, said: str) -> None:
    done = mini.klue("explain", name, "--work", work)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("name", ["nsmc-s*", "../../nsmc-s0", "nsmc-s[0-9]", "*-s0", "한글-s가"])
def test_odd_ids_find_nothing(work: Path, name: str) -> None:
    done = mini.klue("explain", name, "--work", work, "--json")
    assert done.returncode == 2
    error = json.loads(done.stdout)["error"]
    assert "unknown in the builds" in error or "is not an id" in error


@pytest.mark.parametrize("build", ["*", "../mini", "min?", "other"])
def test_a_build_is_named_whole(work: Path, build: str) -> None:
    name = "nsmc-s00000000000000000000"
    done = mini.klue("explain", name, "--work", work, "--build", build)
    assert done.returncode == 2
    assert "known builds: mini" in done.stderr


def test_the_newest_build_that_has_an_id_tells(work: Path, tmp_path: Path) -> None:
    (tmp_path / "store").symlink_to(work / "store")
    (tmp_path / "builds").mkdir()
    (note,) = (work / "builds").glob("*.json")
    content = json.loads(note.read_text("utf-8"))
    for time, name in ((30, "a"), (10, "c.corpus"), (20, "b"), (40, "empty")):
        calls = [] if name == "empty" else content["calls"]
        path = tmp_path / "builds" / f"{name}.json"
        path.write_text(json.dumps(content | {"name": name, "calls": calls}), "utf-8")
        os.utime(path, (time, time))
    unit = store.read_all(_folder(work, "nsmc", "segment"), "units")["id"][0].as_py()
    assert _life(tmp_path, unit)["build"] == "a"
    done = mini.klue("explain", unit, "--work", tmp_path)
    assert "in build a" in done.stdout
    assert "--build NAME asks another: empty, b, c.corpus" in done.stderr
    for asked in ("c", "c.corpus"):
        done = mini.klue("explain", unit, "--work", tmp_path, "--build", asked)
        assert "in build c.corpus" in done.stdout
    done = mini.klue("explain", unit, "--work", tmp_path, "--build", "d")
    assert "known builds: a, b, c, empty" in done.stderr


def test_a_damaged_pointer_is_told(work: Path, tmp_path: Path) -> None:
    (tmp_path / "builds").mkdir()
    (tmp_path / "builds" / "mini.json").write_text("[1]")
    done = mini.klue("explain", "nsmc-s00000000000000000000", "--work", tmp_path)
    assert done.returncode == 1
    assert "mini.json: damaged; run the build again" in done.stderr


def test_an_empty_work_directory_says_what_to_do(tmp_path: Path) -> None:
    done = mini.klue("explain", "nsmc-s00000000000000000000", "--work", tmp_path)
    assert done.returncode == 2
    assert "run `klue build" in done.stderr


def test_the_date_of_a_headline_is_shown_and_numbers_are_not() -> None:
    evidence = {"date": "2016-09-21", "phone": "010-1234-5678", "section": "사회"}
    assert _without_answer(json.dumps(evidence)) == '{"date":"2016-09-21","phone":"[phone]"}'
    for odd in ("2016-19-21", "010-1234-5678", "2016-09-21 010-1234-5678"):
        assert odd not in _without_answer(json.dumps({"date": odd}))
    assert _without_answer("{}") == "{}"
