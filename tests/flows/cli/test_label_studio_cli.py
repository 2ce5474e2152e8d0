"""`klue label-studio push`, `pull`, `sync`: whole stories with a small server on loopback.

The same with the real one: tests/label_studio/check_live.py.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from annotation_stories import assigned, bad, failed, good, items_file, klue
from fake_studio import TOKEN, FakeStudio
from live_stories import (  # noqa: F401 - one is a fixture
    IDS,
    PEOPLE,
    answer_all,
    export,
    pull,
    push,
    results,
    run_studio,
    state,
    tree,
)

from pipeline.contracts.spec import SPECS


def test_push_makes_what_is_missing_and_nothing_twice(studio: FakeStudio, tmp_path: Path) -> None:
    work = export(tmp_path)
    first = push(work)
    assert first["project_created"] is True
    assert first["tasks"] == {"created": 6, "existing": 0, "different": 0, "removed": 0}
    assert first["tabs_created"] == 1 + len(PEOPLE)
    assert first["url"] == f"{studio.url}/projects/1/data"
    (project,) = studio.projects.values()
    assert project["maximum_annotations"] == 3
    before = state(studio)
    second = push(work)
    assert second["project_created"] is False
    assert second["tasks"] == {"created": 0, "existing": 6, "different": 0, "removed": 0}
    assert second["tabs_created"] == 0
    assert state(studio) == before
    assert "project 1 (KLUE tc main) found" in klue(
        "label-studio", "push", "tc", "--work", work
    ).stdout  # fmt: skip


def test_each_annotator_has_a_tab_of_what_was_assigned(studio: FakeStudio, tmp_path: Path) -> None:
    folder = tmp_path / "work"
    good("export", "re", "--items", items_file(tmp_path, "re", 9), "--annotators",
         "ann-1,ann-2,ann-10,ann-3,ann-4", "--to", "label-studio", "--work", folder)  # fmt: skip
    push(folder, "re")
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
    push(work, task)
    count = answer_all(studio, work, task)
    folder = work / "annotation" / task / "main"
    first = pull(work, task)
    assert (first["read"], first["new"], first["quarantined"]) == (count, count, 0)
    before = tree(work)
    second = pull(work, task)
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
    push(work)
    answer_all(studio, work)
    result = klue("label-studio", "pull", "tc", "--work", work, "--json")
    (work / "annotation" / "tc" / "main" / "export" / "annotators.json").unlink()
    written = b"".join(tree(work).values()) + result.output.encode()
    for secret in (TOKEN, *PEOPLE):
        assert secret.encode() not in written


def test_what_a_killed_pull_has_left_is_removed(studio: FakeStudio, tmp_path: Path) -> None:
    work = export(tmp_path)
    push(work)
    pull(work)
    before = tree(work)
    folder = work / "annotation" / "tc" / "main" / "export"
    (folder / ".label-studio.json.4242").write_text('[\n{"id":1', "utf-8")
    pull(work)
    assert tree(work) == before


def test_pages_come_together(
    studio: FakeStudio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pipeline.annotation.live import annotations, tasks

    monkeypatch.setattr(tasks, "CHUNK", 4)
    monkeypatch.setattr(annotations, "_PAGE", 4)
    work = export(tmp_path, count=10)
    assert push(work)["tasks"]["created"] == 10
    count = answer_all(studio, work)
    assert pull(work)["new"] == count
    asked = [f"{method} {path}" for method, path, _ in studio.requests]
    assert asked.count("POST /api/projects/1/import") == 3


def test_a_changed_answer_replaces_the_earlier_one_only_when_told(
    studio: FakeStudio, tmp_path: Path
) -> None:
    work = export(tmp_path)
    push(work)
    item = assigned(work, "tc", "main")[0][1]
    annotation = studio.annotate(item, 2, results(studio, "tc", item))
    pull(work)
    annotation["result"] = results(studio, "tc", item, ["세계"])
    kept = failed("label-studio", "pull", "tc", "--work", work)
    assert (kept["quarantined"], kept["replaced"]) == (1, 0)
    assert failed("label-studio", "sync", "tc", "--work", work)["pull"]["quarantined"] == 1
    replaced = pull(work, "tc", "--replace")
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
    push(work, batch="few")
    pairs = set(assigned(work, "tc", "few"))
    item = next(i for _, i in sorted(pairs) if ("ann-1", i) not in pairs)
    studio.annotate(item, IDS["ann-1"], results(studio, "tc", item))
    assert pull(work, "tc", "--batch", "few")["new"] == 1
    ledger = pq.read_table(folder.parent / "few" / "ledger.parquet").to_pylist()
    assert [(row["rule"], row["action"]) for row in ledger] == [("vote.unassigned@1", "keep")]


def test_a_user_without_annotator_and_a_foreign_task_are_quarantined(
    studio: FakeStudio, tmp_path: Path
) -> None:
    work = export(tmp_path)
    push(work)
    items = [item for _, item in assigned(work, "tc", "main")]
    studio.annotate(items[0], 1, results(studio, "tc", items[0]))
    foreign = {"item": "tc-99", "spec": "sts@1.0.0", "round": "main", "title": "다른 과제"}
    more = {"id": 99, "project": 1, "annotations": [], "drafts": []}
    studio.tasks[99] = {"data": foreign, **more}
    studio.annotate("tc-99", 2, [])
    pulled = failed("label-studio", "pull", "tc", "--work", work)
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
    count = answer_all(studio, work)
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
    assert push(work)["project"] == 3
    assert json.dumps({n: studio.projects[n] for n in (1, 2)}) == others
    assert {task["project"] for task in studio.tasks.values()} == {3}


def test_two_projects_with_one_mark_are_refused(studio: FakeStudio, tmp_path: Path) -> None:
    work = export(tmp_path)
    push(work)
    studio.projects[2] = {**studio.projects[1], "id": 2}
    for command in ("push", "pull"):
        assert "projects 1, 2 all have the mark" in bad(
            "label-studio", command, "tc", "--work", work
        )


def test_what_was_changed_on_the_server_stays_and_is_named(
    studio: FakeStudio, tmp_path: Path
) -> None:
    work = export(tmp_path)
    push(work)
    studio.projects[1]["label_config"] = "<View/>"
    studio.tasks[2]["data"]["title"] = "바뀐 제목"
    before = state(studio)
    result = klue("label-studio", "push", "tc", "--work", work)
    assert "config of project 1 differs" in result.stderr
    assert "tasks on the server with other data than tasks.json: 1;" in result.stderr
    assert state(studio) == before


def test_control_items_are_pushed_and_pulled_among_the_others(
    studio: FakeStudio, tmp_path: Path
) -> None:
    shutil.copytree(SPECS / "tc", tmp_path / "specs" / "tc")
    with (tmp_path / "specs" / "tc" / "spec.yaml").open("a", encoding="utf-8") as file:
        file.write("\ncontrol_items: {share: 0.2, from: pilot.jsonl}\n")
    work, specs = tmp_path / "work", ("--specs", tmp_path / "specs")
    batch = good("export", "tc", "--items", items_file(tmp_path, "tc", 8), "--annotators",
                 ",".join(IDS), "--to", "label-studio", "--work", work, *specs)  # fmt: skip
    people = Path(batch["folder"]) / "export" / "annotators.json"
    people.write_text(json.dumps(PEOPLE), "utf-8")
    assert push(work)["tasks"]["created"] == 8 + batch["control_items"]
    answered = 0
    for who, number in IDS.items():
        for item in studio.items_of_tab(who):
            studio.annotate(item, number, results(studio, "tc", item))
            answered += 1
    pulled = pull(work, "tc", *specs)
    assert (pulled["new"], pulled["quarantined"]) == (answered, 0)
    assert pulled["votes"] == batch["assignments"]
    assert pulled["control_votes"] == batch["control_assignments"] == answered - pulled["votes"]
    unassigned = good("audit", batch["folder"], "--task", "tc", "--bootstrap", 0, *specs)
    assert unassigned["unassigned"] == 0
