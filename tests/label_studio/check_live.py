"""`klue label-studio` with a real server: answers given by hand in its editor become votes.

Batches are pushed, annotated in headless Chromium (the rest of the annotators by the API), pulled,
audited and aggregated; then commands are killed in the middle and run again.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from desk import Desk
from editor import Editor
from exchange_samples import FIELDS, SPECS
from studio_server import PASSWORD, ROOT, Studio, email_of, ok

from pipeline.annotation.exchange.answer_parts import parts_of, split
from pipeline.annotation.exchange.label_studio import layout_of
from pipeline.annotation.exchange.label_studio_results import encode

BY_HAND = ("ann-01", "ann-02")
#: Items by task, and the answers to each that the specs ask for.
ITEMS = {"tc": 2, "sts": 1, "ner": 4}
WANTED = {task: SPECS[task].rounds[0].per_item for task in ITEMS}


def _post(studio: Studio, name: str, task: str, made: dict[str, Any], value: Any) -> None:
    """Answer a task by the API, as the editor would."""
    spec = SPECS[task]
    round_, data = spec.rounds[0], made["data"]
    layout = layout_of(data, spec, next(iter(FIELDS[task])))
    results = encode(parts_of(spec, round_), split(value, spec, round_), layout)
    body = {"result": results, "lead_time": 2.0}
    ok(studio.sign_up(name)[0].post(f"/api/tasks/{made['id']}/annotations/", json=body))


def _tree(folder: Path) -> dict[str, bytes]:
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


@pytest.fixture
def desk(studio: Studio, tmp_path: Path) -> Desk:
    return Desk(studio, tmp_path / "work")


@pytest.fixture(scope="module")
def campaign(
    studio: Studio, browser: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Desk]:
    """Push three batches, and have them answered: by two people by hand, by others with the API."""
    desk, editor = Desk(studio, tmp_path_factory.mktemp("live") / "work"), Editor(studio, browser)
    projects = {}
    for task, wanted in WANTED.items():
        desk.export(task, ITEMS[task], wanted)
        projects[task] = desk.klue("label-studio", "push", task)["project"]
    for name in BY_HAND:
        studio.sign_up(name)
        editor.log_in(email_of(name), PASSWORD)
        for task, wanted in WANTED.items():
            if int(name[-2:]) <= wanted:
                editor.label_tab(projects[task], name)
                for _ in range(ITEMS[task]):
                    _BY_HAND[task](editor, name)
                    editor.submit()
                assert editor.is_done()
    for task, value in {"tc": ["사회"], "sts": 3}.items():
        for name in [f"ann-{number:02}" for number in range(3, WANTED[task] + 1)]:
            for made in desk.tasks(projects[task]):
                _post(studio, name, task, made, value)
    yield desk


def _choose_topics(editor: Editor, name: str) -> None:
    if editor.item().endswith("1"):
        editor.choose(0, "사회")
        editor.choose(1, "정치")
    else:
        editor.choose(0, "세계")


def _score(editor: Editor, name: str) -> None:
    editor.rate(4 if name == "ann-01" else 5)


#: What is drawn in each item (label, code points), and what it is taken as.
_DRAWN = {
    "main-ner-1": [("인물", 2, 5), ("날짜", 7, 12), ("기관", 19, 23)],  # the last on a second line
    "main-ner-2": [("인물", 1, 5), ("날짜", 7, 9), ("수량", 9, 12)],  # a blank; touching
    "main-ner-3": [("날짜", 7, 12), ("수량", 10, 11)],  # nested
    "main-ner-4": [],
}
_TAKEN = {
    "main-ner-1": [(2, 5, "PS"), (7, 12, "DT"), (19, 23, "OG")],
    "main-ner-2": [(2, 5, "PS"), (7, 9, "DT"), (10, 12, "QT")],
    "main-ner-4": [],
}


def _mark_names(editor: Editor, name: str) -> None:
    for label, start, end in _DRAWN[editor.item()]:
        editor.mark(label, start, end)


_BY_HAND: dict[str, Callable[[Editor, str], None]] = {
    "tc": _choose_topics,
    "sts": _score,
    "ner": _mark_names,
}


def _pull_twice(desk: Desk, task: str) -> dict[str, Any]:
    first = desk.klue("label-studio", "pull", task)
    before = _tree(desk.work)
    second = desk.klue("label-studio", "pull", task)
    assert (second["new"], second["unchanged"]) == (0, first["new"])
    assert _tree(desk.work) == before
    for vote in desk.votes(task):
        assert vote["seconds"] > 0
        assert vote["at"] is not None
    return first


def test_topics_chosen_by_hand(campaign: Desk) -> None:
    assert _pull_twice(campaign, "tc")["new"] == 6
    by_hand = {
        (vote["item"], vote["annotator"]): json.loads(vote["label"])
        for vote in campaign.votes("tc")
        if vote["annotator"] in BY_HAND
    }
    assert by_hand == {
        (item, name): label
        for name in BY_HAND
        for item, label in (("main-tc-1", ["사회", "정치"]), ("main-tc-2", ["세계"]))
    }
    folder = campaign.work / "annotation" / "tc"
    assert _run(campaign, "audit", folder, "--task", "tc")["votes"] == 6
    gold = campaign.work.parent / "gold-tc"
    _run(campaign, "aggregate", folder, "--task", "tc", "--out", gold)
    labels = {row["item"]: row["label"] for row in pq.read_table(gold / "gold.parquet").to_pylist()}
    assert {item: json.loads(label) for item, label in labels.items()} == {
        "main-tc-1": ["사회"],
        "main-tc-2": ["세계"],
    }


def test_scores_typed_by_hand(campaign: Desk) -> None:
    assert _pull_twice(campaign, "sts")["new"] == 7
    scores = {vote["annotator"]: json.loads(vote["label"]) for vote in campaign.votes("sts")}
    assert scores["ann-01"] == 4 and scores["ann-02"] == 5
    folder = campaign.work / "annotation" / "sts"
    assert _run(campaign, "audit", folder, "--task", "sts")["votes"] == 7
    gold = campaign.work.parent / "gold-sts"
    _run(campaign, "aggregate", folder, "--task", "sts", "--out", gold)
    (row,) = pq.read_table(gold / "gold.parquet").to_pylist()
    assert row["status"] == "gold"


def test_names_drawn_by_hand(campaign: Desk) -> None:
    pulled = _pull_twice(campaign, "ner")
    assert (pulled["new"], pulled["rules"]) == (3, {"vote.range@1": 1})
    spans = {
        vote["item"]: [(s["start"], s["end"], s["label"]) for s in json.loads(vote["label"])]
        for vote in campaign.votes("ner")
    }
    assert spans == _TAKEN
    assert _run(campaign, "audit", campaign.work / "annotation" / "ner", "--task", "ner")


def _run(desk: Desk, *arguments: object) -> dict[str, Any]:
    """Run a command that has no work directory."""
    done = subprocess.run(
        [sys.executable, "-m", "flows.cli", *map(str, arguments), "--json"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    record: dict[str, Any] = json.loads(done.stdout)
    return record


def test_a_tab_shows_what_was_assigned(campaign: Desk) -> None:
    desk = campaign
    folder = desk.export("re", 10, 5, "tabs")
    project = desk.klue("label-studio", "push", "re", "--batch", "tabs")["project"]
    rows = pq.read_table(folder / "assignments.parquet").to_pylist()
    tabs = ok(desk.studio.owner.get(f"/api/dm/views?project={project}"))
    shown = {}
    for tab in tabs:
        tasks = ok(desk.studio.owner.get(f"/api/tasks?view={tab['id']}&page_size=100"))["tasks"]
        shown[tab["data"]["title"]] = {task["data"]["item"] for task in tasks}
    assert len(shown.pop("Default")) == 10
    assert shown == {
        name: {row["item"] for row in rows if row["annotator"] == name}
        for name in {row["annotator"] for row in rows}
    }


def test_a_push_that_is_killed_is_finished_by_the_next(desk: Desk) -> None:
    count = 1_000  # twenty requests: a busy server tells of the first when some more are answered
    desk.export("tc", count, 3, "killed")
    push = ("label-studio", "push", "tc", "--batch", "killed")

    def project() -> int | None:
        found = ok(desk.studio.owner.get("/api/projects?page_size=100"))["results"]
        return next((p["id"] for p in found if p["title"] == "KLUE tc killed"), None)

    def is_in_the_middle() -> bool:
        number = project()
        if number is None:
            return False
        query = f"project={number}&page_size=1"
        return int(ok(desk.studio.owner.get(f"/api/tasks?{query}"))["total"]) > 0

    desk.kill_when(is_in_the_middle, *push)
    number = project()
    assert number is not None
    time.sleep(3)  # the server finishes what it was asked for last
    begun = len(desk.tasks(number))
    assert 0 < begun < count
    again = desk.klue(*push)
    assert again["project"] == number
    assert again["tasks"] == {
        "created": count - begun,
        "existing": begun,
        "different": 0,
        "removed": 0,
    }
    items = [task["data"]["item"] for task in desk.tasks(number)]
    assert len(items) == len(set(items)) == count
    third = desk.klue(*push)["tasks"]
    assert (third["created"], third["existing"], third["removed"]) == (0, count, 0)


def test_a_pull_that_is_killed_imports_nothing_and_the_next_all(desk: Desk) -> None:
    count = 400
    folder = desk.export("tc", count, 3, "pulled")
    pull = ("label-studio", "pull", "tc", "--batch", "pulled")
    project = desk.klue("label-studio", "push", "tc", "--batch", "pulled")["project"]
    for made in desk.tasks(project)[:40]:
        _post(desk.studio, "ann-01", "tc", made, ["사회"])
    other = Desk(desk.studio, desk.work.with_name("other"))
    shutil.copytree(desk.work, other.work)
    before = _tree(folder)

    def parts() -> list[Path]:
        return [p for p in (folder / "export").glob(".label-studio.json.*") if p.stat().st_size]

    desk.kill_when(lambda: bool(parts()), *pull)
    assert parts()
    after = {name: text for name, text in _tree(folder).items() if "/." not in name}
    assert after == before
    for place in (desk, other):
        assert place.klue(*pull)["new"] == 40
    assert _tree(desk.work) == _tree(other.work)


def test_a_personal_access_token_and_a_wrong_one(desk: Desk) -> None:
    desk.export("tc", 2, 3, "token")
    push = ("label-studio", "push", "tc", "--batch", "token")
    refused = desk.klue(*push, code=2, LABEL_STUDIO_API_KEY="0" * 40)
    assert "refuses the token (401)" in refused["error"]
    personal = ok(desk.studio.owner.post("/api/token/"))["token"]
    assert desk.klue(*push, LABEL_STUDIO_API_KEY=personal)["tasks"]["created"] == 2
    assert (
        "refuses the token (401)" in desk.klue(*push, code=2, LABEL_STUDIO_API_KEY="a.b.c")["error"]
    )
    assert (
        desk.klue("label-studio", "sync", "tc", "--batch", "token")["push"]["tasks"]["existing"]
        == 2
    )
