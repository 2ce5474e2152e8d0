"""`klue label-studio` where something is wrong: with the network, the server, files, or the map.

What the client makes of each answer of a server: tests/annotation/live/test_live_client.py.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from annotation_stories import bad, klue
from fake_studio import FakeStudio, Fault, hang_up, status
from live_stories import (  # noqa: F401 - one is a fixture
    PEOPLE,
    answer_all,
    export,
    pull,
    push,
    run_studio,
    tree,
)


@pytest.mark.parametrize("path", ["projects", r"projects/\d+/import", "dm/views/"])
@pytest.mark.parametrize("afterwards", [False, True])
def test_a_push_that_fails_anywhere_is_finished_without_doubles(
    studio: FakeStudio, tmp_path: Path, path: str, afterwards: bool
) -> None:
    """The request, or the answer to what the server has already done, is lost."""
    work = export(tmp_path)
    studio.faults = [Fault(f"POST /api/{path} ", hang_up, times=2, afterwards=afterwards)]
    push(work)
    assert len(studio.projects) == 1
    assert sorted(task["data"]["item"] for task in studio.tasks.values()) == [
        f"maintc-{n:02}" for n in range(1, 7)
    ]
    assert [tab["data"]["title"] for tab in studio.tabs] == ["Default", *sorted(PEOPLE.values())]


def test_a_push_that_fails_for_good_says_so_and_goes_on_later(
    studio: FakeStudio, tmp_path: Path
) -> None:
    work = export(tmp_path)
    studio.faults = [Fault("POST /api/projects/1/import", status(502))]
    before = tree(work)
    message = bad("label-studio", "push", "tc", "--work", work, code=1)
    assert "answered 502; gave up after 4 attempts. Run the same command again" in message
    assert tree(work) == before
    studio.faults = []
    assert push(work)["tasks"]["created"] == 6


def test_tasks_that_are_there_twice_are_removed_unless_begun(
    studio: FakeStudio, tmp_path: Path
) -> None:
    """The server may still store what a killed push sent, after the next one looked."""
    work = export(tmp_path)
    push(work)
    for number in (1, 2, 3):
        studio.tasks[number + 10] = {**studio.tasks[number], "id": number + 10}
    studio.tasks[12] |= {"annotations": [{"id": 1, "completed_by": 2, "result": []}]}
    studio.tasks[13] |= {"drafts": [{"id": 1}]}
    assert push(work)["tasks"]["removed"] == 1
    assert sorted(studio.tasks) == [1, 2, 3, 4, 5, 6, 12, 13]


@pytest.mark.parametrize("request_", ["projects", "users/", "tasks"])
def test_a_pull_that_fails_imports_nothing(
    studio: FakeStudio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request_: str
) -> None:
    from pipeline.annotation.live import annotations

    monkeypatch.setattr(annotations, "_PAGE", 2)
    work = export(tmp_path)
    push(work)
    answer_all(studio, work)
    before = tree(work)
    studio.faults = [Fault(f"GET /api/{request_} ", hang_up)]
    bad("label-studio", "pull", "tc", "--work", work, code=1)
    assert tree(work) == before


@pytest.mark.parametrize("gone", [1, 3])
def test_tasks_that_go_while_they_are_read_are_read_again(
    studio: FakeStudio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gone: int
) -> None:
    """The number of tasks changes, or the last page is not there any more."""
    from pipeline.annotation.live import annotations

    monkeypatch.setattr(annotations, "_PAGE", 2)
    work = export(tmp_path)
    push(work)
    count = answer_all(studio, work)

    def remove(handler: object) -> None:
        for number in range(1, gone + 1):
            del studio.tasks[number]
        status(503)(handler)  # type: ignore[arg-type]

    studio.faults = [Fault("GET /api/tasks .*page=3", remove, times=1)]
    pulled = pull(work)
    assert pulled["new"] == count - 3 * gone
    lines = Path(str(pulled["file"])).read_text("utf-8").splitlines()
    assert len(lines) == 6 - gone + 2


def test_a_project_that_goes_in_between(studio: FakeStudio, tmp_path: Path) -> None:
    work = export(tmp_path)
    push(work)
    studio.faults = [Fault("GET /api/tasks ", status(404))]
    for command in ("push", "pull"):
        message = bad("label-studio", command, "tc", "--work", work)
        assert "project 1 is not on the server any more" in message


def test_what_is_missing_is_named_before_the_server_is_asked(
    studio: FakeStudio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = export(tmp_path)
    folder = work / "annotation" / "tc" / "main" / "export"
    command = ("--work", work)
    assert "no such batch" in bad("label-studio", "push", "tc", "--batch", "b", *command)
    assert "another_task" in bad("label-studio", "push", "another_task", *command)
    (folder / "annotators.json").rename(tmp_path / "map.json")
    for name in ("pull", "sync"):
        assert "annotators.json: not there" in bad("label-studio", name, "tc", *command)
    (folder / "tasks.json").rename(tmp_path / "tasks.json")
    assert "klue export" in bad("label-studio", "push", "tc", *command)
    monkeypatch.delenv("LABEL_STUDIO_API_KEY")
    assert "LABEL_STUDIO_API_KEY: not set" in bad("label-studio", "push", "tc", *command)
    monkeypatch.delenv("LABEL_STUDIO_URL")
    assert "LABEL_STUDIO_URL: not set" in bad("label-studio", "pull", "tc", *command)
    assert studio.requests == []


def test_files_of_another_batch_are_refused(studio: FakeStudio, tmp_path: Path) -> None:
    work = export(tmp_path)
    export(tmp_path, "tc", 3, "other")
    export(tmp_path, "ner", 3, "names")
    folder = work / "annotation"
    for other in (folder / "tc" / "other" / "export", folder / "ner" / "names" / "export"):
        message = bad("label-studio", "push", "tc", "--files", other, "--work", work)
        assert f"{other / 'tasks.json'}, task 1: not of batch main" in message
    cut = tmp_path / "cut"
    cut.mkdir()
    source = folder / "tc" / "main" / "export"
    (cut / "config.xml").write_text((source / "config.xml").read_text("utf-8"), "utf-8")
    tasks = json.loads((source / "tasks.json").read_text("utf-8"))
    for value, problem in (
        (tasks[:4], "lacks 2 items of batch main"),
        ([*tasks, tasks[0]], "task 7: not of batch main"),
        ([*tasks[:2], {"data": 1}], "task 3: has no data"),
        ({}, "a JSON object"),
    ):
        (cut / "tasks.json").write_text(json.dumps(value), "utf-8")
        assert problem in bad("label-studio", "push", "tc", "--files", cut, "--work", work)
    assert studio.requests == []


def test_a_map_that_names_a_user_twice_or_nobody(studio: FakeStudio, tmp_path: Path) -> None:
    work = export(tmp_path)
    push(work)
    ids = tmp_path / "map.json"
    ids.write_text(json.dumps({"2": "ann-1", "HANA@example.com": "ann-2"}), "utf-8")
    command = ("label-studio", "pull", "tc", "--work", work, "--annotators", ids)
    assert "names user 2 twice" in bad(*command)
    ids.write_text(json.dumps({"2": "ann-1", "gone@example.com": "ann-2"}), "utf-8")
    result = klue(*command)
    assert "no user on the server for: ann-2" in result.stderr
    assert "gone@example.com" not in result.output
