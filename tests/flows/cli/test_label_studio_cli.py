"""`klue label-studio push`, `pull`, `sync`: whole stories with a small server on loopback.

The same with the real one: tests/label_studio/check_live.py.
"""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from annotation_stories import assigned, bad, bytes_of, good, items_file, klue
from fake_studio import TOKEN, FakeStudio, Fault, hang_up, status
from live_stories import IDS, PEOPLE, export, results, run_studio, tree  # noqa: F401 - a fixture


def _push(work: Path, task: str = "tc", **options: object) -> dict[str, object]:
    more = [word for name, value in options.items() for word in (f"--{name}", value)]
    return good("label-studio", "push", task, "--work", work, *more)


def _pull(work: Path, task: str = "tc", *options: object) -> dict[str, object]:
    return good("label-studio", "pull", task, "--work", work, *options)


def _answer_all(studio: FakeStudio, work: Path, task: str = "tc") -> int:
    pairs = assigned(work, task, "main")
    for who, item in pairs:
        studio.annotate(item, IDS[who], results(studio, task, item))
    return len(pairs)


def _state(studio: FakeStudio) -> str:
    return json.dumps([studio.projects, studio.tasks, studio.tabs])


def test_push_makes_what_is_missing_and_nothing_twice(studio: FakeStudio, tmp_path: Path) -> None:
    work = export(tmp_path)
    first = _push(work)
    assert first["project_created"] is True
    assert first["tasks"] == {"created": 6, "existing": 0, "different": 0, "removed": 0}
    assert first["tabs_created"] == 1 + len(PEOPLE)
    assert first["url"] == f"{studio.url}/projects/1/data"
    (project,) = studio.projects.values()
    assert project["maximum_annotations"] == 3
    before = _state(studio)
    second = _push(work)
    assert second["project_created"] is False
    assert second["tasks"] == {"created": 0, "existing": 6, "different": 0, "removed": 0}
    assert second["tabs_created"] == 0
    assert _state(studio) == before
    assert "project 1 (KLUE tc main) found" in klue(
        "label-studio", "push", "tc", "--work", work
    ).stdout  # fmt: skip


def test_each_annotator_has_a_tab_of_what_was_assigned(studio: FakeStudio, tmp_path: Path) -> None:
    folder = tmp_path / "work"
    good("export", "re", "--items", items_file(tmp_path, "re", 9), "--annotators",
         "ann-1,ann-2,ann-10,ann-3,ann-4", "--to", "label-studio", "--work", folder)  # fmt: skip
    _push(folder, "re")
    pairs = assigned(folder, "re", "main")
    for who in ("ann-1", "ann-2", "ann-10", "ann-3", "ann-4"):
        assert sorted(studio.items_of_tab(who)) == sorted(
            item for name, item in pairs if name == who
        )
    assert studio.tabs[0]["data"] == {"title": "Default"}  # what opens first shows no one's share
    hidden = studio.tabs[1]["data"]["hiddenColumns"]
    assert "tasks:annotations_results" in hidden["explore"]  # answers of others


@pytest.mark.parametrize("task", ["tc", "ner"])
def test_pull_takes_what_an_import_of_the_export_takes(
    studio: FakeStudio, tmp_path: Path, task: str
) -> None:
    work = export(tmp_path, task)
    _push(work, task)
    count = _answer_all(studio, work, task)
    folder = work / "annotation" / task / "main"
    first = _pull(work, task)
    assert (first["read"], first["new"], first["quarantined"]) == (count, count, 0)
    before = tree(work)
    second = _pull(work, task)
    assert (second["new"], second["unchanged"]) == (0, count)
    assert tree(work) == before
    votes = pq.read_table(folder / "votes.parquet").to_pylist()
    assert {(vote["annotator"], vote["item"]) for vote in votes} == {*assigned(work, task, "main")}
    assert {vote["seconds"] for vote in votes} == {4.5}
    assert {str(vote["at"])[:16] for vote in votes} <= {"2026-11-24 09:00", "2026-11-24T09:00"}
    # the file that was pulled is an export: importing it by hand changes nothing
    ids = tmp_path / "ids.json"
    ids.write_text(json.dumps({str(n): who for who, n in IDS.items()}), "utf-8")
    good("import", first["file"], "--task", task, "--from", "label-studio", "--annotators", ids,
         "--work", work)  # fmt: skip
    assert tree(work) == before


def test_nothing_of_users_but_their_ids_is_written(studio: FakeStudio, tmp_path: Path) -> None:
    work = export(tmp_path)
    _push(work)
    _answer_all(studio, work)
    result = klue("label-studio", "pull", "tc", "--work", work, "--json")
    (work / "annotation" / "tc" / "main" / "export" / "annotators.json").unlink()
    written = b"".join(tree(work).values()) + result.output.encode()
    for secret in (TOKEN, *PEOPLE):
        assert secret.encode() not in written


def test_what_a_killed_pull_has_left_is_removed(studio: FakeStudio, tmp_path: Path) -> None:
    work = export(tmp_path)
    _push(work)
    _pull(work)
    before = tree(work)
    folder = work / "annotation" / "tc" / "main" / "export"
    (folder / ".label-studio.json.4242").write_text('[\n{"id":1', "utf-8")
    _pull(work)
    assert tree(work) == before


def test_pages_come_together(
    studio: FakeStudio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pipeline.annotation.live import annotations, tasks

    monkeypatch.setattr(tasks, "CHUNK", 4)
    monkeypatch.setattr(annotations, "_PAGE", 4)
    work = export(tmp_path, count=10)
    assert _push(work)["tasks"]["created"] == 10  # type: ignore[index]
    count = _answer_all(studio, work)
    assert _pull(work)["new"] == count
    asked = [f"{method} {path}" for method, path, _ in studio.requests]
    assert asked.count("POST /api/projects/1/import") == 3


def test_a_changed_answer_replaces_the_earlier_one_only_when_told(
    studio: FakeStudio, tmp_path: Path
) -> None:
    work = export(tmp_path)
    _push(work)
    item = assigned(work, "tc", "main")[0][1]
    annotation = studio.annotate(item, 2, results(studio, "tc", item))
    _pull(work)
    annotation["result"] = results(studio, "tc", item, ["세계"])
    kept = _pull(work)
    assert (kept["quarantined"], kept["replaced"]) == (1, 0)
    replaced = _pull(work, "tc", "--replace")
    assert (replaced["quarantined"], replaced["replaced"]) == (0, 1)


def test_answers_to_items_of_others_are_taken_and_marked(
    studio: FakeStudio, tmp_path: Path
) -> None:
    work = export(tmp_path, "tc", 6)
    folder = work / "annotation" / "tc" / "main"
    few = items_file(tmp_path, "tc", 6, "few")
    good("export", "tc", "--items", few, "--annotators", "ann-1,ann-2,ann-10,ann-3",
         "--to", "label-studio", "--batch", "few", "--work", work)  # fmt: skip
    (folder.parent / "few" / "export" / "annotators.json").write_text(json.dumps(PEOPLE), "utf-8")
    _push(work, batch="few")
    pairs = set(assigned(work, "tc", "few"))
    item = next(i for _, i in sorted(pairs) if ("ann-1", i) not in pairs)
    studio.annotate(item, IDS["ann-1"], results(studio, "tc", item))
    assert _pull(work, "tc", "--batch", "few")["new"] == 1
    ledger = pq.read_table(folder.parent / "few" / "ledger.parquet").to_pylist()
    assert [(row["rule"], row["action"]) for row in ledger] == [("vote.unassigned@1", "keep")]


def test_a_user_without_annotator_and_a_foreign_task_are_quarantined(
    studio: FakeStudio, tmp_path: Path
) -> None:
    work = export(tmp_path)
    _push(work)
    items = [item for _, item in assigned(work, "tc", "main")]
    studio.annotate(items[0], 1, results(studio, "tc", items[0]))
    foreign = {"item": "tc-99", "spec": "sts@1.0.0", "round": "main", "title": "다른 과제"}
    more = {"id": 99, "project": 1, "annotations": [], "drafts": []}
    studio.tasks[99] = {"data": foreign, **more}
    studio.annotate("tc-99", 2, [])
    pulled = _pull(work)
    assert pulled["rules"] == {"exchange.annotator@1": 1, "exchange.spec@1": 1}
    rows = pq.read_table(work / "annotation" / "tc" / "main" / "ledger.parquet").to_pylist()
    lines = {row["rule"]: (row["file"], row["line"]) for row in rows}
    assert lines["exchange.spec@1"] == ("label-studio.json", 7)
    assert good("status", "--work", work)["batches"][0]["quarantined"] == 2


def test_sync_pushes_and_pulls(studio: FakeStudio, tmp_path: Path) -> None:
    work = export(tmp_path)
    both = good("label-studio", "sync", "tc", "--work", work)
    assert both["push"]["tasks"]["created"] == 6
    assert both["pull"]["read"] == 0
    count = _answer_all(studio, work)
    both = good("label-studio", "sync", "tc", "--work", work)
    assert both["push"]["tasks"]["existing"] == 6
    assert both["pull"]["new"] == count
    text = klue("label-studio", "sync", "tc", "--work", work).stdout
    assert "6 there before" in text and f"{count:,} unchanged" in text


def test_projects_of_others_are_never_touched(studio: FakeStudio, tmp_path: Path) -> None:
    work = export(tmp_path)
    studio.projects[1] = {"id": 1, "title": "KLUE tc main", "description": None}
    studio.projects[2] = {"id": 2, "title": "mine", "description": "klue-rebuild tc/main 0000"}
    others = json.dumps(studio.projects)
    assert "1 belong to another batch of this name" in bad(
        "label-studio", "pull", "tc", "--work", work
    )
    assert _push(work)["project"] == 3
    assert json.dumps({n: studio.projects[n] for n in (1, 2)}) == others
    assert {task["project"] for task in studio.tasks.values()} == {3}


def test_two_projects_with_one_mark_are_refused(studio: FakeStudio, tmp_path: Path) -> None:
    work = export(tmp_path)
    _push(work)
    studio.projects[2] = {**studio.projects[1], "id": 2}
    for command in ("push", "pull"):
        assert "projects 1, 2 all have the mark" in bad(
            "label-studio", command, "tc", "--work", work
        )


def test_what_was_changed_on_the_server_stays_and_is_named(
    studio: FakeStudio, tmp_path: Path
) -> None:
    work = export(tmp_path)
    _push(work)
    studio.projects[1]["label_config"] = "<View/>"
    studio.tasks[2]["data"]["title"] = "바뀐 제목"
    before = _state(studio)
    result = klue("label-studio", "push", "tc", "--work", work)
    assert "config of project 1 differs" in result.stderr
    assert "1 tasks on the server have other data" in result.stderr
    assert _state(studio) == before


@pytest.mark.parametrize("path", ["projects", r"projects/\d+/import", "dm/views/"])
@pytest.mark.parametrize("afterwards", [False, True])
def test_a_push_that_fails_anywhere_is_finished_without_doubles(
    studio: FakeStudio, tmp_path: Path, path: str, afterwards: bool
) -> None:
    """The request, or the answer to what the server has already done, is lost."""
    work = export(tmp_path)
    studio.faults = [Fault(f"POST /api/{path} ", hang_up, times=2, afterwards=afterwards)]
    _push(work)
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
    assert _push(work)["tasks"]["created"] == 6  # type: ignore[index]


def test_tasks_that_are_there_twice_are_removed_unless_begun(
    studio: FakeStudio, tmp_path: Path
) -> None:
    """The server may still store what a killed push sent, after the next one looked."""
    work = export(tmp_path)
    _push(work)
    for number in (1, 2, 3):
        studio.tasks[number + 10] = {**studio.tasks[number], "id": number + 10}
    studio.tasks[12] |= {"annotations": [{"id": 1, "completed_by": 2, "result": []}]}
    studio.tasks[13] |= {"drafts": [{"id": 1}]}
    assert _push(work)["tasks"]["removed"] == 1  # type: ignore[index]
    assert sorted(studio.tasks) == [1, 2, 3, 4, 5, 6, 12, 13]


@pytest.mark.parametrize("request_", ["projects", "users/", "tasks"])
def test_a_pull_that_fails_imports_nothing(
    studio: FakeStudio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request_: str
) -> None:
    from pipeline.annotation.live import annotations

    monkeypatch.setattr(annotations, "_PAGE", 2)
    work = export(tmp_path)
    _push(work)
    _answer_all(studio, work)
    before = tree(work)
    studio.faults = [Fault(f"GET /api/{request_} ", hang_up)]
    bad("label-studio", "pull", "tc", "--work", work, code=1)
    assert tree(work) == before
    assert bytes_of(work / "annotation" / "tc" / "main")


@pytest.mark.parametrize("gone", [1, 3])
def test_tasks_that_go_while_they_are_read_are_read_again(
    studio: FakeStudio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gone: int
) -> None:
    """The number of tasks changes, or the last page is not there any more."""
    from pipeline.annotation.live import annotations

    monkeypatch.setattr(annotations, "_PAGE", 2)
    work = export(tmp_path)
    _push(work)
    count = _answer_all(studio, work)

    def remove(handler: object) -> None:
        for number in range(1, gone + 1):
            del studio.tasks[number]
        status(503)(handler)  # type: ignore[arg-type]

    studio.faults = [Fault("GET /api/tasks .*page=3", remove, times=1)]
    pulled = _pull(work)
    assert pulled["new"] == count - 3 * gone
    lines = Path(str(pulled["file"])).read_text("utf-8").splitlines()
    assert len(lines) == 6 - gone + 2


def test_a_project_that_goes_in_between(studio: FakeStudio, tmp_path: Path) -> None:
    work = export(tmp_path)
    _push(work)
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
    assert "no such batch" in bad("label-studio", "push", "tc", "--batch", "b", *command, code=1)
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
        (tasks[:4], "2 items of batch main are not in it"),
        ([*tasks, tasks[0]], "task 7: not of batch main"),
        ([*tasks[:2], {"data": 1}], "task 3: has no data"),
        ({}, "a JSON object"),
    ):
        (cut / "tasks.json").write_text(json.dumps(value), "utf-8")
        assert problem in bad("label-studio", "push", "tc", "--files", cut, "--work", work)
    assert studio.requests == []


def test_a_map_that_names_a_user_twice_or_nobody(studio: FakeStudio, tmp_path: Path) -> None:
    work = export(tmp_path)
    _push(work)
    ids = tmp_path / "map.json"
    ids.write_text(json.dumps({"2": "ann-1", "HANA@example.com": "ann-2"}), "utf-8")
    command = ("label-studio", "pull", "tc", "--work", work, "--annotators", ids)
    assert "names user 2 twice" in bad(*command)
    ids.write_text(json.dumps({"2": "ann-1", "gone@example.com": "ann-2"}), "utf-8")
    result = klue(*command)
    assert "no user on the server for: ann-2" in result.stderr
    assert "gone@example.com" not in result.output
