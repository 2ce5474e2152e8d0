"""What a Prefect server says of runs: asked over its HTTP API, as its own interface asks."""

from __future__ import annotations

import json
import os
import time
import urllib.request
from collections.abc import Callable
from typing import Any

Row = dict[str, Any]
_PAGE = 200
_ENDED = {"COMPLETED", "FAILED", "CRASHED", "CANCELLED"}


def run_of(work: Callable[[], object], mark: str) -> Row:
    """Do some work; return the flow run that it began, which others of that time are not.

    `mark` stands in its parameters or artifacts. The record has `name`, `flow`, `state`, `tags`,
    the names of its own `tasks`, `task_runs`, `artifacts`, `logs`, and its subflows as `children`.
    """
    before = {run["id"] for run in _all("flow_runs")}
    work()
    new = [run for run in _all("flow_runs") if run["id"] not in before]
    _catch_up()
    tasks = _of("task_runs", new)
    owner = {task["id"]: task["flow_run_id"] for task in tasks}
    parents = {run["id"]: owner.get(run["parent_task_run_id"]) for run in new}
    artifacts = _of("artifacts", new)
    marked = {row["flow_run_id"] for row in artifacts if mark in str(row["data"])}
    marked |= {run["id"] for run in new if mark in str(run["parameters"])}
    (top,) = {parents[name] or name for name in marked}
    family = [run for run in new if top in (run["id"], parents[run["id"]])]
    tasks = _until_ended(family)
    flows = {flow["id"]: flow["name"] for flow in _all("flows")}
    logs = _all("logs", logs={"flow_run_id": {"any_": [run["id"] for run in family]}})
    trackers = {run["parent_task_run_id"] for run in family}
    records: dict[str, Row] = {}
    for run in sorted(family, key=lambda row: str(row["start_time"])):
        own = [task for task in tasks if task["flow_run_id"] == run["id"]]
        own = [task for task in own if task["id"] not in trackers]
        records[run["id"]] = {
            "name": run["name"],
            "flow": flows[run["flow_id"]],
            "state": run["state_type"],
            "tags": run["tags"],
            "tasks": sorted(task["name"] for task in own),
            "task_runs": own,
            "artifacts": [row for row in artifacts if row["flow_run_id"] == run["id"]],
            "logs": [row["message"] for row in logs if row["flow_run_id"] == run["id"]],
            "children": [],
        }
    records[top]["children"] = [record for name, record in records.items() if name != top]
    return records[top]


def _catch_up() -> None:
    """Return when the server has noted all task runs so far: it does so in their order.

    Prefect reads its settings when it is imported, and another server may have been named then.
    """
    from prefect import flow, task
    from prefect.settings import PREFECT_API_URL, temporary_settings

    @task
    def last() -> None:
        pass

    @flow
    def of_one_task() -> None:
        last()

    with temporary_settings({PREFECT_API_URL: os.environ["PREFECT_API_URL"]}):
        state = of_one_task(return_state=True)
    for _ in range(600):  # a bound for a hang, not a measure of speed
        if _of("task_runs", [{"id": str(state.state_details.flow_run_id)}]):
            return
        time.sleep(0.1)
    raise TimeoutError("the server has not noted a task run")


def _until_ended(family: list[Row]) -> list[Row]:
    """Return the task runs of flow runs, once the server has noted the end of all."""
    for _ in range(600):  # a bound for a hang, not a measure of speed
        tasks = _of("task_runs", family)
        if all(task["state_type"] in _ENDED for task in tasks):
            return tasks
        time.sleep(0.1)
    raise TimeoutError("the server has not noted the end of all task runs")


def _of(kind: str, flow_runs: list[Row]) -> list[Row]:
    return _all(kind, flow_runs={"id": {"any_": [run["id"] for run in flow_runs]}})


def _all(kind: str, **filters: Row) -> list[Row]:
    """Return all rows, page by page; rows that come in between may stand on two pages."""
    rows: dict[str, Row] = {}
    for offset in range(0, 100_000, _PAGE):
        body = json.dumps({"offset": offset, "limit": _PAGE, **filters}).encode()
        request = urllib.request.Request(
            f"{os.environ['PREFECT_API_URL']}/{kind}/filter",
            data=body,
            headers={"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=120) as answer:
            page = json.load(answer)
        rows |= {row["id"]: row for row in page}
        if len(page) < _PAGE:
            break
    return list(rows.values())
