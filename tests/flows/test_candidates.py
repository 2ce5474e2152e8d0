"""The sample corpora to candidates and batches of all eight tasks, by the command line."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import mini
import pyarrow.parquet as pq
import pytest
from release_stories import copied, sample

from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import load_spec
from pipeline.core.jsontext import parsed

SAMPLE = mini.ROOT / "data" / "builds" / "sample.yaml"
UNTIL = ("--until", "annotate")


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copied(sample(tmp_path_factory), tmp_path_factory.mktemp("candidates"))[0]


@pytest.fixture(scope="module")
def result(work: Path) -> dict[str, Any]:
    return mini.built(SAMPLE, work, *UNTIL, "--workers", "2")


def _items(work: Path, task: str) -> list[dict[str, Any]]:
    files = sorted(work.glob(f"store/{task}/candidates-*/items-*.parquet"))
    return [row for path in files for row in pq.read_table(path).to_pylist()]


def test_all_eight_tasks_have_candidates_and_batches(result: dict[str, Any]) -> None:
    assert set(result["candidates"]) == set(TASKS)
    assert {batch["task"] for batch in result["batches"]} == set(TASKS)
    for task, funnel in result["candidates"].items():
        assert funnel["items"] > 0, task
        assert funnel["units"] == funnel["drawn"] + funnel["refused"] + funnel["undrawn"], task
        assert funnel["refused"] == sum(funnel["refusals"].values()), task


@pytest.mark.parametrize("task", TASKS)
def test_candidates_have_the_fields_of_their_task(
    result: dict[str, Any], work: Path, task: str
) -> None:
    items = _items(work, task)
    assert len({item["item"] for item in items}) == len(items)
    for item in items:
        fields = parsed(item["fields"])
        wanted = ("premise",) if task == "nli" else TASKS[task].fields
        assert set(wanted) <= set(fields)
        assert item["sampler"] and item["source"]


@pytest.mark.parametrize("task", ["ner", "dp"])
def test_what_is_filled_in_beforehand_is_an_answer(
    result: dict[str, Any], work: Path, task: str
) -> None:
    spec = load_spec(task)
    for item in _items(work, task):
        suggestion = parsed(item["meta"])["suggestion"]
        TASKS[task].parse(suggestion, parsed(item["fields"]), spec, spec.rounds[0])


def test_a_candidate_is_of_kept_units(result: dict[str, Any], work: Path) -> None:
    kept = {
        name
        for path in work.glob("store/all/dedup-*/kept-*.parquet")
        for name in pq.read_table(path, columns=["id"]).column("id").to_pylist()
    }
    for task in ("tc", "sts", "nli", "ner", "re", "dp"):
        drawn = {unit for item in _items(work, task) for unit in parsed(item["meta"])["units"]}
        assert drawn and drawn <= kept, task


def test_the_press_category_reaches_no_annotator(result: dict[str, Any], work: Path) -> None:
    batch = next(batch for batch in result["batches"] if batch["task"] == "tc")
    told = "".join(path.read_text("utf-8") for path in Path(batch["folder"]).glob("export/*.json*"))
    sections = {parsed(item["meta"])["section"] for item in _items(work, "tc")}
    assert {"정치", "스포츠"} <= sections
    titles = [parsed(item["fields"])["title"] for item in _items(work, "tc")]
    assert any(title in told for title in titles)
    tasks = json.loads(next(Path(batch["folder"]).glob("export/*tasks*.json")).read_text("utf-8"))
    assert not any("section" in task["data"] or "meta" in task["data"] for task in tasks)


@pytest.mark.parametrize("task", ["sts", "re", "dst", "nli"])
def test_the_order_of_a_batch_tells_nothing(result: dict[str, Any], work: Path, task: str) -> None:
    """Candidates of one sampler or source do not stand together, as they would if undisturbed."""
    batch = next(batch for batch in result["batches"] if batch["task"] == task)
    rows = pq.read_table(Path(batch["folder"]) / "items.parquet").to_pylist()
    told = [(row["source"], row["sampler"]) for row in rows]
    runs = 1 + sum(a != b for a, b in pairwise(told))
    counts = Counter(told).values()
    by_chance = 1 + sum(n * (len(told) - n) for n in counts) / len(told)
    assert runs > 0.6 * by_chance
    tasks = json.loads(next(Path(batch["folder"]).glob("export/*tasks*.json")).read_text("utf-8"))
    assert [t["data"]["item"] for t in tasks] == [row["item"] for row in rows]


def test_the_same_candidates_are_given_out_once(result: dict[str, Any], work: Path) -> None:
    """A build of one task alone has other calls, and finds the batch of the whole build."""
    alone = mini.built(SAMPLE, work, *UNTIL, "--tasks", "tc")
    whole = next(batch for batch in result["batches"] if batch["task"] == "tc")
    (batch,) = alone["batches"]
    assert (batch["name"], batch["new"]) == (whole["name"], False)


def test_again_does_no_work_and_keeps_the_batches(result: dict[str, Any], work: Path) -> None:
    again = mini.built(SAMPLE, work, *UNTIL)
    assert all(stage["skipped"] for stage in again["stages"])
    assert [b["name"] for b in again["batches"]] == [b["name"] for b in result["batches"]]
    assert not any(batch["new"] for batch in again["batches"])
    assert again["fingerprint"] == result["fingerprint"]


@pytest.mark.full
def test_workers_make_no_difference(result: dict[str, Any], work: Path, tmp_path: Path) -> None:
    alone = mini.built(SAMPLE, tmp_path, *UNTIL, "--workers", "1")
    assert alone["fingerprint"] == result["fingerprint"]
    there = mini.contents(work)
    assert {name: there.get(name) for name in mini.contents(tmp_path)} == mini.contents(tmp_path)


def test_a_task_alone_draws_what_it_draws_among_all(work: Path, tmp_path: Path) -> None:
    alone = mini.built(SAMPLE, tmp_path, *UNTIL, "--tasks", "dst")
    assert set(alone["candidates"]) == {"dst"}
    assert alone["funnel"] == {}
    assert _items(tmp_path, "dst") == _items(work, "dst")


def test_a_unit_and_its_candidate_are_explained(result: dict[str, Any], work: Path) -> None:
    item = _items(work, "nli")[0]
    unit = parsed(item["meta"])["units"][0]
    told = json.loads(mini.klue("explain", unit, "--work", work, "--json").stdout)
    assert any(s["stage"] == "candidates" and item["item"] in s["detail"] for s in told["steps"])
    told = json.loads(mini.klue("explain", item["item"], "--work", work, "--json").stdout)
    assert told["kind"] == "candidate"
    assert told["steps"][0]["stage"] == "read"  # the raw file and line of its sentence
    drawn = next(step for step in told["steps"] if step["action"] == "drawn")
    assert unit in drawn["detail"]


def test_quotas_that_cannot_be_met_are_told(result: dict[str, Any]) -> None:
    assert any("11000 wanted" in line for line in result["candidates"]["tc"]["short"])


FAULTS = {
    "translator": (
        "candidates: {translator: {kind: papago}}",
        "candidates.translator.key_variable: missing; add this key",
    ),
    "no file": (
        "candidates: {known_texts: [absent.txt]}",
        "candidates.known_texts.0:",
    ),
    "tagger": (
        "candidates: {tagger: bert}",
        "candidates.tagger: unknown tagger 'bert'; allowed: crf",
    ),
    "size": ("candidates: {sizes: {tc: 0}}", "candidates.sizes.tc"),
    "task": ("candidates: {sizes: {xx: 1}}", "candidates.sizes.xx"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_wrong_resource_is_told_by_its_key(name: str, tmp_path: Path) -> None:
    given, said = FAULTS[name]
    text = (
        SAMPLE.read_text("utf-8")
        .partition("candidates:")[0]
        .replace("../", f"{SAMPLE.parents[1]}/")
    )
    path = tmp_path / "build.yaml"
    path.write_text(text + given + "\n", "utf-8")
    done = mini.klue("build", path, "--work", tmp_path / "work", *UNTIL)
    assert done.returncode != 0
    assert said in done.stderr.replace("\n", " ").replace("  ", " ")
    assert "Traceback" not in done.stderr


def test_sizes_scale_the_quotas(tmp_path: Path) -> None:
    text = (
        SAMPLE.read_text("utf-8")
        .partition("candidates:")[0]
        .replace("../", f"{SAMPLE.parents[1]}/")
    )
    path = tmp_path / "build.yaml"
    path.write_text(text + "candidates: {sizes: {tc: 70}}\n", "utf-8")
    found = mini.built(path, tmp_path / "work", *UNTIL, "--tasks", "tc")["candidates"]["tc"]
    assert found["items"] == 70
    assert found["short"] == []
