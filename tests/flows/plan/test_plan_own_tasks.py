"""Tasks of one's own in a build: what does not fit is told before anything runs."""

from __future__ import annotations

import json
from pathlib import Path

import mood_task
import pytest
from mood_task import write_task

from flows.plan.build import BuildPlan, Request, plan_build
from pipeline.core import packages
from pipeline.core.errors import FatalError

CATALOGUE = """\
version: 1
sources:
  reviews: {name: Reviews, licence: MIT, reader: jsonl, tasks: [ner]}
  letters: {name: Letters, licence: MIT, reader: jsonl, tasks: [ner]}
"""
SPEC = f"{mood_task.SPEC}sampling:\n  quotas: {{reviews: 20}}\n"
pytestmark = pytest.mark.usefixtures("no_own_tasks")


def _task(folder: Path, spec: str = SPEC) -> Path:
    return write_task(folder, spec)


def _build(folder: Path, *lines: str, tasks: str = "[./mood]") -> Path:
    folder.mkdir(exist_ok=True)
    sources = []
    for name in ("reviews", "letters"):
        (folder / f"{name}.jsonl").write_text(json.dumps({"text": "참 좋았습니다."}), "utf-8")
        sources.append(f"{name}: {{inputs: [{{path: {name}.jsonl}}]}}")
    (folder / "catalogue.yaml").write_text(CATALOGUE, "utf-8")
    head = ["name: own", "seed: 1", "catalogue: catalogue.yaml", f"tasks: {tasks}"]
    path = folder / "build.yaml"
    text = "\n".join([*head, f"sources: {{{', '.join(sources)}}}", *lines])
    path.write_text(text + "\n", "utf-8")
    return path


def _plan(build: Path) -> BuildPlan:
    request = Request(build, work=build.parent / "work")
    return plan_build(request, request.checked_tasks())


def _faults(build: Path) -> list[str]:
    with pytest.raises(FatalError) as caught:
        _plan(build)
    return str(caught.value).splitlines()


def test_quotas_name_sources_of_the_build(tmp_path: Path) -> None:
    spec = _task(tmp_path / "mood") / "spec.yaml"
    assert [task.task for task in _plan(_build(tmp_path)).tasks] == ["mood"]
    for quotas in ("{reviews: 20, revews: 5, leters: 1}", "{revews: 5, leters: 1}"):
        _task(tmp_path / "mood", SPEC.replace("{reviews: 20}", quotas))
        for tasks in ("[./mood]", "[./mood, ner]"):
            build = _build(tmp_path, tasks=tasks)
            assert _faults(build) == [
                f"{spec}: sampling.quotas.{name}: no source of {build}; its sources: letters,"
                " reviews; correct the name, or leave it out"
                for name in ("revews", "leters")
            ]


@pytest.mark.parametrize("of_spec", ["{reviews: 20}", "{petitions: 20}"])
def test_quotas_of_the_build_file_replace_the_sources_of_the_spec(
    tmp_path: Path, of_spec: str
) -> None:
    _task(tmp_path / "mood", SPEC.replace("{reviews: 20}", of_spec))
    for quotas in ({"letters": 30}, {"letters": 20, "reviews": 10}):
        (task,) = _plan(_build(tmp_path, f"candidates: {{quotas: {{mood: {quotas}}}}}")).tasks
        assert task.candidates.params["sampling"]["quotas"] == quotas
        assert list(task.candidates.params["sources"]) == list(quotas)


def test_quotas_of_the_build_file_name_its_sources(tmp_path: Path) -> None:
    _task(tmp_path / "mood")
    for tasks in ("[./mood]", "[./mood, ner]"):
        build = _build(
            tmp_path, "candidates: {quotas: {mood: {revews: 5, leters: 1}}}", tasks=tasks
        )
        assert _faults(build) == [
            f"{build}: candidates.quotas.mood.{name}: no source of {build}; its sources: letters,"
            " reviews; correct the name, or leave it out"
            for name in ("revews", "leters")
        ]


def test_a_task_without_quotas_is_told(tmp_path: Path) -> None:
    spec = _task(tmp_path / "mood", SPEC.partition("sampling:")[0]) / "spec.yaml"
    (fault,) = _faults(_build(tmp_path))
    assert fault.startswith(f"{spec}: sampling: missing; say how many candidates each source")


def test_a_task_of_another_build_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = _task(tmp_path / "mood", SPEC.replace("reviews", "petitions"))
    monkeypatch.setenv("KLUE_TASKS", str(other))
    build = _build(tmp_path)
    build.write_text(build.read_text("utf-8").replace("tasks: [./mood]\n", ""), "utf-8")
    assert [task.task for task in _plan(build).tasks] == ["ner", "dst"]


@pytest.mark.parametrize("name", ["mood", "./mood", "ours/mood"])
def test_folders_of_tasks_lie_beside_the_build_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    folder = _task(tmp_path / "mine" / name)
    monkeypatch.chdir(_task(tmp_path / "elsewhere" / "mood").parent)
    build = _build(tmp_path / "mine", tasks=f"[{name}]")
    assert [task.task for task in _plan(build).tasks] == ["mood"]
    assert packages.packages()["klue_task_mood"] == folder


def test_names_that_are_no_folder_of_a_task_are_told_at_once(tmp_path: Path) -> None:
    _task(tmp_path / "mood")
    (tmp_path / "ner").mkdir()  # the id of a task of KLUE stands for that task
    build = _build(tmp_path, tasks="[ner, mod, ./mood/spec.yaml, catalogue.yaml]")
    mod, spec, catalogue = _faults(build)
    assert mod.startswith(f"{build}: tasks.1: 'mod' is neither a task nor a folder: {tmp_path}/mod")
    assert spec.startswith(f"{build}: tasks.2: {tmp_path}/mood/spec.yaml: is a file; give the fold")
    assert catalogue.startswith(f"{build}: tasks.3: {tmp_path}/catalogue.yaml: is a file; give")


@pytest.mark.parametrize(
    ("section", "lines", "told"),
    [
        ("split: {numbers: {train: 900}}", "", "split.numbers: dev would get none of the 20"),
        ("control_items: {share: 0.1, from: gold.jsonl}", "", "gold.jsonl is not there"),
        ("", "candidates: {annotators: 2}", "annotators: 2 are fewer than the 3 that mood@1.0.0"),
        ("", "candidates: {annotators: [김, 이]}", "candidates.annotators: 2 are fewer than the 3"),
        ("", "release: {label_licence: CC-BY-ND-4.0}", "release.label_licence: no licence that"),
        ("", "candidates: {sizes: {mood: 3}}", "split.numbers: dev would get none of the 3"),
    ],
)
def test_numbers_that_cannot_be_met_are_told(
    tmp_path: Path, section: str, lines: str, told: str
) -> None:
    _task(tmp_path / "mood", f"{SPEC}{section}\n")
    (fault,) = _faults(_build(tmp_path, lines))
    assert told in fault
