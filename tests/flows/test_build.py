"""`klue build`: adds up, skips, resumes, and gives the same bytes on every engine."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import mini
import pytest

from flows.plan.build import Request, plan_build
from pipeline.core.errors import InputError

NOWHERE = "http://127.0.0.1:9/api"

#: Three sources of six stages each and two more where toxicity is screened (not yna), and dedup.
STAGES = 3 * 6 + 2 * 2 + 1


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return mini.write(tmp_path_factory.mktemp("mini"))


@pytest.fixture(scope="module")
def work(build: Path) -> Path:
    return build.parent / "work"


@pytest.fixture(scope="module")
def result(build: Path, work: Path) -> dict[str, Any]:
    return mini.built(build, work, "--workers", 1)


def test_the_funnel_adds_up_and_counts_what_was_planted(result: dict[str, Any]) -> None:
    for funnel in result["funnel"].values():
        left = funnel["documents"] + funnel["dropped_documents"] + funnel["quarantined"]
        assert funnel["records"] == left
        assert funnel["units"] == funnel["kept"] + funnel["dropped_units"]
    nsmc, yna = result["funnel"]["nsmc"], result["funnel"]["yna"]
    assert nsmc["records"] == 6 * 6 + 1
    assert nsmc["quarantines"] == {"read.malformed@1": 1, "read.repeated_id@1": 6}
    assert nsmc["edits"]["noise.hashtag@1"] == 12  # a sentence and a whole review a movie
    assert yna["drops"]["select.timeframe@1"] == 18  # 2010 to 2015, three each
    assert result["funnel"]["parakqc"]["kept"] == 40


def test_the_json_has_the_keys_that_others_rely_on(result: dict[str, Any]) -> None:
    assert {"fingerprint", "release", "release_hash", "simulated", "stages", "funnel"} <= set(
        result
    )
    keys = {
        "stage",
        "rows_in",
        "rows_out",
        "dropped",
        "quarantined",
        "edited",
        "skipped",
        "seconds",
    }
    assert len(result["stages"]) == STAGES
    for stage in result["stages"]:
        assert keys <= set(stage)
        assert not stage["skipped"]


def test_a_second_run_does_no_stage_work_and_needs_no_prefect(
    build: Path, work: Path, result: dict[str, Any]
) -> None:
    before = mini.contents(work)
    again = mini.built(build, work, PREFECT_API_URL=NOWHERE)
    assert all(stage["skipped"] for stage in again["stages"])
    assert again["fingerprint"] == result["fingerprint"]
    assert mini.contents(work) == before


def test_workers_give_the_same_bytes(
    build: Path, work: Path, result: dict[str, Any], tmp_path: Path
) -> None:
    other = mini.built(build, tmp_path, "--workers", 2)
    assert other["fingerprint"] == result["fingerprint"]
    assert mini.contents(tmp_path) == mini.contents(work)


@pytest.mark.parametrize(
    "tasks", [("--tasks", "tc"), pytest.param((), marks=pytest.mark.full)], ids=["one", "all"]
)
def test_dask_gives_the_same_bytes(build: Path, tasks: tuple[str, ...], tmp_path: Path) -> None:
    """Of the one source of a task, or of all: a stage on Dask takes most of a second."""
    here = mini.built(build, tmp_path / "here", "--workers", 1, *tasks)
    dask = mini.built(build, tmp_path / "dask", "--engine", "dask", "--workers", 2, *tasks)
    assert dask["fingerprint"] == here["fingerprint"]
    assert len(dask["stages"]) > 5 and not any(stage["skipped"] for stage in dask["stages"])
    assert mini.contents(tmp_path / "dask") == mini.contents(tmp_path / "here")


@pytest.mark.full
def test_killed_at_any_moment_the_next_run_gives_the_same(
    build: Path, work: Path, result: dict[str, Any], tmp_path: Path
) -> None:
    again = tmp_path / "killed"
    words = mini.command("build", build, "--work", again, "--workers", 2)
    for kills in range(4):
        with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
            _wait_for_files(again, 1 + 12 * kills, run)
            os.kill(run.pid, signal.SIGKILL)
    done = mini.built(build, again, "--workers", 2)
    assert done["fingerprint"] == result["fingerprint"]
    assert mini.contents(again) == mini.contents(work)


def _wait_for_files(work: Path, n: int, run: subprocess.Popen[bytes]) -> None:
    """Wait until a run has written n tables, or ended: the moment of the kill, not a speed."""
    while run.poll() is None and _tables(work / "store") < n:
        time.sleep(0.01)


def _tables(store: Path) -> int:
    """Count tables; a folder that gets its final name meanwhile is passed over, unlike by glob."""
    return sum(name.endswith(".parquet") for _, _, names in os.walk(store) for name in names)


def test_a_change_runs_only_what_depends_on_it(
    build: Path, work: Path, result: dict[str, Any], tmp_path: Path
) -> None:
    changed = build.with_name("changed.yaml")
    changed.write_text(build.read_text("utf-8") + "duplicates:\n  threshold: 0.7\n", "utf-8")
    done = mini.klue("build", changed, "--work", work, "--dry-run", "--json")
    plan = json.loads(done.stdout)["stages"]
    assert [(s["stage"], s["why"]) for s in plan if s["runs"]] == [("dedup", "changed: settings")]
    fresh = mini.klue("build", build, "--work", tmp_path / "new", "--dry-run")
    assert fresh.stdout.count("never run") == STAGES
    assert not (tmp_path / "new").exists()


def test_another_threshold_does_not_score_again(build: Path, work: Path, tmp_path: Path) -> None:
    changed = build.with_name("threshold.yaml")
    thresholds = "toxicity:\n  thresholds:\n    nsmc: {gender_bias: 0.9, hate: 0.95}\n"
    changed.write_text(build.read_text("utf-8") + thresholds, "utf-8")
    done = mini.klue("build", changed, "--work", work, "--dry-run", "--json")
    runs = [(s["stage"], s["source"]) for s in json.loads(done.stdout)["stages"] if s["runs"]]
    assert runs == [("toxicity", "nsmc"), ("sign", "nsmc"), ("dedup", "all")]


@pytest.mark.parametrize(
    ("added", "told"),
    [
        (
            "toxicity:\n  thresholds:\n    yna: {gender_bias: 0.5, hate: 0.9}\n",
            "toxicity.thresholds.yna: detectors are not used",
        ),
        (
            "toxicity:\n  thresholds:\n    ked: {gender_bias: 0.5, hate: 0.9}\n",
            "toxicity.thresholds: ked is no source of this build; allowed: nsmc, parakqc, yna",
        ),
        ("toxicity:\n  detector: magic\n", "toxicity.detector: unknown detector 'magic'; allowed:"),
        ("toxicity:\n  detector: linear:absent\n", "absent"),
        (
            "personal_data:\n  drop: [email, fax]\n",
            "personal_data.drop: unknown types fax; allowed:",
        ),
        ("personal_data:\n  minimum: 2\n", "minimum"),
    ],
)
def test_settings_of_the_screens_are_checked(
    build: Path, tmp_path: Path, added: str, told: str
) -> None:
    changed = build.with_name("screens.yaml")
    changed.write_text(build.read_text("utf-8") + added, "utf-8")
    done = mini.klue("build", changed, "--work", tmp_path, "--dry-run")
    assert done.returncode == 2, done.stdout
    assert told in done.stderr
    assert "Traceback" not in done.stderr


def test_personal_data_leaves_unless_a_build_keeps_its_type(build: Path, tmp_path: Path) -> None:
    raw = build.parent / "raw" / "kqc.txt"
    content = raw.read_bytes()
    raw.write_bytes(content + "\r\n0\t0\t010-2345-6789로 전화해 줄래?".encode())
    changed = build.with_name("personal.yaml")
    kept = "personal_data:\n  keep: {phone: of an office}\n"
    changed.write_text(build.read_text("utf-8") + kept, "utf-8")
    found = mini.built(build, tmp_path, "--tasks", "sts")
    other = mini.built(changed, tmp_path, "--tasks", "sts")
    raw.write_bytes(content)
    assert found["funnel"]["parakqc"]["drops"] == {"pii.phone@1": 1}
    assert found["personal_left"] == {}
    assert other["funnel"]["parakqc"]["drops"] == {}
    assert other["personal_left"] == {"phone": 1}
    told = "".join(p.read_text("utf-8", "replace") for p in tmp_path.rglob("*.json"))
    assert "2345-6789" not in told


def test_tasks_choose_sources(build: Path, work: Path, tmp_path: Path) -> None:
    done = mini.klue("build", build, "--work", tmp_path, "--tasks", "tc", "--dry-run", "--json")
    assert {s["source"] for s in json.loads(done.stdout)["stages"]} == {"yna", "all"}
    for tasks in ("mrc", "tc,mrc"):
        done = mini.klue("build", build, "--work", tmp_path, "--tasks", tasks)
        assert done.returncode == 2
        assert "no source of this build feeds mrc; its sources: nsmc, parakqc, yna" in done.stderr


@pytest.mark.parametrize("workers", ["0", "-1", "4096"])
def test_worker_counts_out_of_range_are_refused(build: Path, tmp_path: Path, workers: str) -> None:
    done = mini.klue("build", build, "--work", tmp_path, "--workers", workers, "--json")
    assert done.returncode == 2
    assert "out of range; allowed: 1 to" in json.loads(done.stdout)["error"]


@pytest.mark.parametrize("memory", ["0", "31", "9999999"])
def test_a_memory_of_joins_out_of_range_is_refused(build: Path, memory: str) -> None:
    with pytest.raises(InputError, match=rf"--memory {memory} is .*; allowed: 32 to 1,048,576 MiB"):
        Request(build, memory=int(memory)).checked_engine()


def test_the_memory_of_joins_decides_no_output(build: Path, work: Path) -> None:
    plans = [
        plan_build(Request(build, work, memory=n, until="corpus"), frozenset()) for n in (32, 64)
    ]
    usual, other = (plan.calls for plan in plans)
    assert [call.fingerprint for call in usual] == [call.fingerprint for call in other]
    given = {call.stage: call.arguments["memory"] for call in other if "memory" in call.arguments}
    assert given == {"select": 64, "clean": 64, "dedup": 64}


def test_a_source_that_is_dropped_whole_ends_well(build: Path, tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    mini.write(folder, movies=1)
    heads = folder / "raw" / "heads.jsonl"
    heads.write_text(heads.read_text("utf-8").replace("201", "190"), "utf-8")
    result = mini.built(folder / "mini.yaml", tmp_path / "work", "--tasks", "tc")
    yna = result["funnel"]["yna"]
    assert (yna["records"], yna["documents"], yna["kept"]) == (30, 0, 0)
    assert yna["drops"] == {"select.timeframe@1": 30}


def test_a_damaged_table_is_told_with_what_to_do(build: Path, tmp_path: Path) -> None:
    work = tmp_path / "work"
    mini.built(build, work, "--tasks", "tc")
    for name in ("all", "yna"):
        for folder in (work / "store" / name).glob("dedup-*" if name == "all" else "clean-*"):
            if name == "all":
                shutil.rmtree(folder)
            else:
                next(folder.glob("units-*.parquet")).write_bytes(b"PAR1")
    done = mini.klue("build", build, "--work", work, "--tasks", "tc")
    assert done.returncode == 1
    assert "damaged" in done.stderr
    assert "Traceback" not in done.stderr
    assert "leaked" not in done.stderr


FAULTS = {
    "missing path": ("path: raw/kqc.txt", "path: raw/absent.txt", "absent.txt does not exist"),
    "missing variable": (
        "path: raw/kqc.txt",
        "path: ${NO_SUCH_PLACE}/x",
        "NO_SUCH_PLACE is not set",
    ),
    "unknown key": ("seed: 1", "seed: 1\nseeds: 2", "mini.yaml:3: seeds: unknown key"),
    "unknown source": ("  parakqc:", "  parakcq:", "did you mean parakqc"),
    "unbuildable source": ("  parakqc:", "  patents:", "neither how to read it"),
    "unknown reader": ("path: raw/kqc.txt", "path: raw/kqc.txt\n        reader: kqc", "kqc"),
    "folder for a file": ("path: raw/kqc.txt", "path: raw/nsmc", "folder"),
    "wrong format": ("path: raw/heads.jsonl", "path: raw/kqc.txt", "yna"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_bad_input_is_one_clear_error(build: Path, fault: str, tmp_path: Path) -> None:
    old, new, said = FAULTS[fault]
    folder = tmp_path / "copy"
    mini.write(folder, movies=1)
    path = folder / "mini.yaml"
    path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")
    done = mini.klue("build", path, "--work", tmp_path / "work")
    assert done.returncode == 2, done.stderr
    assert said in done.stderr
    assert "Traceback" not in done.stderr + done.stdout
    assert done.stderr.count("error: ") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["--engine", "spark"],
        ["--address", "tcp://127.0.0.1:1"],
        ["--engine", "dask", "--address", "http://127.0.0.1:8786"],
        ["--engine", "dask", "--address", "tcp://"],
        ["--engine", "dask", "--address", "tcp://127.0.0.1:99999"],
        ["--engine", "dask", "--address", "[::1"],
        ["--until", "never"],
        ["--format", "xml"],
        ["--tasks", "tc,xyz"],
    ],
)
def test_odd_options_are_refused(build: Path, tmp_path: Path, arguments: list[str]) -> None:
    done = mini.klue("build", build, "--work", tmp_path, *arguments, PREFECT_API_URL="")
    assert done.returncode == 2
    assert done.stderr.startswith("error: --")


def test_a_scheduler_that_does_not_answer_is_told(build: Path, tmp_path: Path) -> None:
    address = "tcp://127.0.0.1:9"
    words = ["--engine", "dask", "--address", address]
    done = mini.klue("build", build, "--work", tmp_path, *words)
    assert done.returncode == 1
    assert f"no Dask scheduler answers at {address}" in done.stderr
    assert "Traceback" not in done.stderr


def test_errors_in_json_are_one_object(tmp_path: Path) -> None:
    done = mini.klue("build", tmp_path / "absent.yaml", "--work", tmp_path / "w", "--json")
    assert done.returncode == 2
    assert "no such file" in json.loads(done.stdout)["error"]
