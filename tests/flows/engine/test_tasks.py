"""What Prefect shows of the sample build: names, tags, states, artifacts and log lines."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
import release_stories
from prefect_runs import Row

PARTS = ["corpus", "candidates", "adjudicate", "release"]


@pytest.fixture(autouse=True)
def _server(prefect_server: None) -> Iterator[None]:
    """Use the server of the session, whatever address Prefect saw when it was imported."""
    from prefect.settings import PREFECT_API_URL, temporary_settings

    with temporary_settings({PREFECT_API_URL: os.environ["PREFECT_API_URL"]}):
        yield


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return release_stories.sample(tmp_path_factory).result


@pytest.fixture(scope="module")
def build(sample: Row) -> Row:
    return dict(sample["run"])


def _stages(sample: Row, flow: Row) -> dict[str, Row]:
    """Return the stages of a flow by the name of their task run, but those that run twice."""
    names = [f"{row['stage']} {row['source']}" for row in sample["stages"]]
    once = dict(zip(names, sample["stages"], strict=True))
    return {name: once[name] for name in flow["tasks"] if names.count(name) == 1}


def test_flows_are_named_by_build_and_version(build: Row) -> None:
    assert (build["name"], build["flow"]) == ("sample 1.0.0", "build")
    assert [child["flow"] for child in build["children"]] == PARTS
    assert [child["name"] for child in build["children"]] == [f"sample 1.0.0 {p}" for p in PARTS]
    for run in [build, *build["children"]]:
        assert run["state"] == "COMPLETED"
        assert {"sample", "1.0.0"} <= set(run["tags"])


def test_every_stage_is_a_task_run_named_by_stage_and_source(sample: Row, build: Row) -> None:
    names = [name for flow in build["children"] for name in flow["tasks"]]
    stages = [f"{row['stage']} {row['source']}" for row in sample["stages"]]
    assert sorted(names) == sorted([*stages, "publish sample 1.0.0"])
    assert {"segment nsmc", "candidates nli", "split sts"} <= set(names)
    for flow in build["children"]:
        for task in flow["task_runs"]:
            assert task["state_type"] == "COMPLETED"
            assert {"sample", "1.0.0"} <= set(task["tags"])


def test_every_stage_leaves_a_table_of_its_counts(sample: Row, build: Row) -> None:
    for flow in build["children"]:
        tables = {a["description"]: a for a in flow["artifacts"] if a["type"] == "table"}
        assert {*tables, "publish sample 1.0.0"} >= set(flow["tasks"])
        for name, row in _stages(sample, flow).items():
            cells = {cell["what"]: cell["number"] for cell in json.loads(tables[name]["data"])}
            assert cells["rows in"] == row["rows_in"]
            assert cells["rows out"] == row["rows_out"]
            assert cells["seconds"] >= 0
            if row["stage"] in {"select", "clean", "pii", "dedup"}:
                dropped = sum(n for what, n in cells.items() if what.startswith("drop "))
                assert dropped >= row["dropped"]  # a row may go by several rules


def test_the_log_has_a_line_of_every_stage(sample: Row, build: Row) -> None:
    for flow in build["children"]:
        for name, row in _stages(sample, flow).items():
            start = f"{name}: {row['rows_in']:,} rows in, {row['rows_out']:,} out"
            assert any(line.startswith(start) for line in flow["logs"]), name


def _summary(run: Row) -> str:
    key = "-".join([*run["name"].replace(".", "-").split(), *["build"] * (run["flow"] == "build")])
    (text,) = (a["data"] for a in run["artifacts"] if a["key"] == key)
    return str(text)


def test_every_flow_leaves_a_summary_and_the_release_its_report(sample: Row, build: Row) -> None:
    for run in [build, *build["children"]]:
        assert "| --: |" in _summary(run)
    corpus, *_, release = build["children"]
    for source, counts in sample["funnel"].items():
        assert f"| {source} | {counts['records']:,} |" in _summary(corpus)
    assert sample["release_hash"] in _summary(release)
    (link,) = (a["data"] for a in release["artifacts"] if a["key"] == "sample-1-0-0-report")
    assert (Path(sample["release"]) / "report" / "index.html").as_uri() in link


def test_the_report_is_where_a_web_server_shows_releases(monkeypatch: pytest.MonkeyPatch) -> None:
    from flows.engine.artifacts import report_address

    folder = Path("/data/releases/my corpus/1.0.0")
    assert report_address(folder) == f"{folder.as_uri()}/report/index.html"
    for given in ("https://klue.example/releases", "https://klue.example/releases/"):
        monkeypatch.setenv("KLUE_RELEASES_URL", given)
        expected = "https://klue.example/releases/my%20corpus/1.0.0/report/index.html"
        assert report_address(folder) == expected


@pytest.mark.filterwarnings("ignore:Logger .* attempted to send logs:UserWarning")
def test_a_task_that_may_pass_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    from flows.engine import tasks
    from pipeline.core.errors import InputError, RetryError

    monkeypatch.setattr(tasks, "RETRY_DELAYS", (0, 0))
    failures: list[Exception] = [RetryError("the line"), RetryError("the line")]

    def work() -> int:
        if failures:
            raise failures.pop()
        return 7

    assert tasks._task(work, "try", "try it")() == 7
    failures[:] = [RetryError("the line"), InputError("a wrong file")]
    with pytest.raises(InputError):
        tasks._task(work, "try", "try it")()
    assert len(failures) == 1


class _Runner:
    """Runs a task at once, as if those that it waits for were done."""

    def submit(self, task: Any, parameters: dict[str, Any], **_: object) -> object:
        task.fn(**parameters)
        return object()


def _pid(_: int) -> int:
    return os.getpid()


def _runs(pid: int) -> bool:
    """Return whether a process is there and has not ended."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text("utf-8")
    except (FileNotFoundError, ProcessLookupError):  # before it is opened, or read
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


def test_what_follows_all_chains_runs_on_processes_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from flows.engine import tasks
    from flows.engine.run import Part
    from pipeline.core.pool import Workers, active
    from pipeline.core.stage import Call

    pids: set[int] = set()
    left: dict[str, int] = {}

    def complete(call: Call, title: str) -> dict[str, float]:
        left[call.stage] = sum(map(_runs, pids))
        pids.update(active().map(_pid, iter(range(8))))
        return {}

    monkeypatch.setattr(tasks, "_complete", complete)
    names = "read", "segment", "dedup"
    read, segment, dedup = (Call(name, "module", "nsmc", Path("folder"), name) for name in names)
    part = Part("corpus", str, [[read, segment]], dedup)
    with Workers(2):
        tasks.Tasks(cast(Any, _Runner()), names, "mini").submit_part(part)
    assert left["segment"] > 0
    assert left["dedup"] == 0


class _Clock:
    """A clock that a test sets."""

    now = 0.0

    def monotonic(self) -> float:
        return self.now


@pytest.mark.parametrize(("expected", "shown"), [(200, [0, 25, 50, 100]), (None, [])])
def test_a_bar_comes_after_two_seconds_where_the_work_is_known(
    monkeypatch: pytest.MonkeyPatch, expected: int | None, shown: list[float]
) -> None:
    from flows.engine import artifacts
    from pipeline.core.stage import Call

    clock, states = _Clock(), list[float]()
    monkeypatch.setattr(artifacts, "time", clock)
    monkeypatch.setattr(artifacts, "expected_work", lambda _: expected)
    monkeypatch.setattr(
        artifacts, "create_progress_artifact", lambda percent, **_: states.append(percent) or "bar"
    )
    monkeypatch.setattr(
        artifacts, "update_progress_artifact", lambda _, percent: states.append(percent)
    )
    call = Call("read", "pipeline.corpus.read", "nsmc", Path("folder"), "f")
    with artifacts.progress_bar(call, "mini") as advance:
        for now, work in ((1.9, 0), (2.1, 0), (3.0, 20), (4.2, 30), (6.3, 50)):
            clock.now = now
            advance(work)
    assert states == shown
