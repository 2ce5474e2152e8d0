"""What the step refuses, and that nothing is begun or left behind by then."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import checkpoints
import pytest
import torch
from run_stories import DIVERGING, Stopping, plan, scored

import pipeline.training.job as job_module
from flows import train as baseline
from flows.commands.training import Training
from pipeline.contracts.parts import part_modules
from pipeline.contracts.registry import TASKS
from pipeline.core.errors import InputError, StoreError
from pipeline.training.job import Job
from pipeline.training.preparing import check_job
from pipeline.training.run import rehearse, run
from pipeline.training.runfolder import RunFolder, read_record
from pipeline.training.source import source
from pipeline.training.training import DivergedError


def test_a_run_of_other_code_is_not_taken_for_this_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(plan(tmp_path / "ended"), scored())
    with pytest.raises(KeyboardInterrupt):
        run(plan(tmp_path / "stopped"), scored(), Stopping(3).callbacks)
    monkeypatch.setattr(job_module, "of_code", lambda _: "other")
    for name in ("ended", "stopped"):
        with pytest.raises(InputError, match="another run: the code of the step differs; give"):
            run(plan(tmp_path / name), scored())


def test_the_code_of_heads_counts() -> None:
    """The digest follows imports: all modules that decide a result are read."""
    from pipeline.core import fingerprint

    parts = [part_modules(task, "head")[0] for task in TASKS]
    seen, waiting = set(), ["pipeline.training.run", "pipeline.tasks.kinds.head", *parts]
    while waiting:
        name = waiting.pop()
        path = fingerprint._source(name)
        if name not in seen and path is not None:
            seen.add(name)
            waiting += fingerprint.imports(path.read_text("utf-8"))
    heads = Path(job_module.__file__).parent / "heads"
    names = {f"pipeline.training.heads.{one.stem}" for one in heads.glob("[a-z]*.py")}
    assert names | {"pipeline.training.training", "pipeline.training.scratch"} <= seen


def test_the_code_of_the_head_of_a_task_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job, before = plan(tmp_path / "run"), plan(tmp_path / "run").settings
    monkeypatch.setattr(job_module, "part_modules", lambda *_: ("pipeline.tasks.sts.head",))
    changed = {name for name, value in job.settings.items() if value != before[name]}
    assert changed == {"code"}


@pytest.mark.parametrize(
    ("task", "label"), [("tc", ["날씨"]), ("sts", {"real-label": 7.5}), ("ner", None)]
)
def test_labels_of_dev_are_looked_at_before_anything(
    tmp_path: Path, task: str, label: object
) -> None:
    job = plan(tmp_path / "run", task)
    wrong = [replace(job.splits["dev"][0], label=label), *job.splits["dev"][1:]]
    with pytest.raises(InputError, match="dev-14"):
        run(replace(job, splits={**job.splits, "dev": wrong}), scored(task))
    blind = [replace(one, label=None) for one in job.splits["test"]]
    check_job(replace(job, splits={**job.splits, "test": blind}))
    assert list(tmp_path.iterdir()) == []


def test_a_refused_run_leaves_its_folder_to_the_next(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"tc: max_length 600 .* --set max_length=512"):
        run(plan(tmp_path / "run", max_length=600), scored())
    assert list(tmp_path.iterdir()) == []
    assert run(plan(tmp_path / "run"), scored())["finished"]


def test_a_head_of_other_labels_is_refused_and_a_new_one_taken(tmp_path: Path) -> None:
    checkpoints.bert(tmp_path / "model", "SequenceClassification", ["그렇다", "아니다"])
    job = plan(tmp_path / "run", model=source(str(tmp_path / "model")))
    for refusing in (lambda: run(job, scored()), lambda: rehearse([job])):
        with pytest.raises(InputError, match="--new-head"):
            refusing()
    assert not job.folder.exists()
    assert run(replace(job, new_head=True), scored())["finished"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"max_length": 600},
        {"task": "dp", "max_length": 4},
        {"task": "sts", "splits": {"train": [], "dev": []}},
    ],
)
def test_all_of_several_runs_are_tried_before_the_first(
    tmp_path: Path, wrong: dict[str, Any]
) -> None:
    given = dict(wrong)
    jobs = [plan(tmp_path / "a"), plan(tmp_path / "b", given.pop("task", "mrc"), **given)]
    with pytest.raises(InputError):
        rehearse(jobs)
    assert list(tmp_path.iterdir()) == []


def test_another_run_in_the_way_of_a_later_one_is_told_first(tmp_path: Path) -> None:
    run(plan(tmp_path / "b", seed=3), scored())
    with pytest.raises(InputError, match="holds another run: seed differs"):
        rehearse([plan(tmp_path / "a"), plan(tmp_path / "b")])


def test_points_of_a_grid_are_tried_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[Job] = []
    monkeypatch.setattr("pipeline.training.run.prepare", lambda job, *_: tried.append(job))
    grid = [plan(tmp_path / f"{e}", epochs=e, learning_rate=e / 10) for e in (1, 2, 3)]
    rehearse([*grid, plan(tmp_path / "long", max_length=80), plan(tmp_path / "sts", "sts")])
    assert tried[0] is grid[0]
    assert [one.folder.name for one in tried] == ["1", "long", "sts"]


def test_a_run_that_diverges_is_on_record_as_failed(tmp_path: Path) -> None:
    job = plan(tmp_path / "run", **DIVERGING)
    with pytest.raises(DivergedError, match="lower learning_rate"):
        run(job, scored())
    record = read_record(job.folder)
    assert record["finished"]
    assert "lower learning_rate" in record["failed"]
    assert record["task"] == "tc"
    assert record["recipe"]["learning_rate"] == 1e30
    assert not {"scores", "best", "loss", "points", "measured"} & record.keys()
    assert not (job.folder / "state").exists()
    with pytest.raises(DivergedError, match="has ended already: the loss is no number"):
        run(job, scored())


def test_of_several_runs_those_that_diverge_do_not_end_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    request = Training(tmp_path, "tc", "scratch:tiny", out=tmp_path / "runs")
    jobs = [plan(tmp_path / "runs" / "a", **DIVERGING), plan(tmp_path / "runs" / "b")]
    monkeypatch.setattr(
        "flows.commands.training.jobs_of", lambda *_: [(one, scored()) for one in jobs]
    )
    for _ in range(2):  # trained, then found
        failed, whole = baseline.train_models(request)
        assert "lower learning_rate" in failed["failed"]
        assert set(whole["scores"]) == {"dev", "test"}
    baseline.show_runs(request, {"runs": [failed, whole], "page": None})
    assert "tc: failed: the loss is no number any more" in capsys.readouterr().err
    jobs.pop()
    with pytest.raises(DivergedError):
        baseline.train_models(request)


def test_of_several_runs_none_begins_before_all_are_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = Training(tmp_path, "tc", "scratch:tiny", out=tmp_path / "runs")
    jobs = [plan(tmp_path / "runs" / "a"), plan(tmp_path / "runs" / "b", max_length=600)]
    monkeypatch.setattr(
        "flows.commands.training.jobs_of", lambda *_: [(one, scored()) for one in jobs]
    )
    with pytest.raises(InputError, match="max_length 600"):
        baseline.train_models(request)
    assert list(tmp_path.iterdir()) == []


def test_two_processes_do_not_share_a_folder(tmp_path: Path) -> None:
    job = plan(tmp_path / "run")
    with (
        RunFolder(job.folder).hold(),
        pytest.raises(StoreError, match=r"run: another run is using .*; wait for it"),
    ):
        run(job, scored())
    assert run(job, scored())["finished"]


def test_memory_that_does_not_suffice_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise torch.OutOfMemoryError("CUDA out of memory")

    monkeypatch.setattr("pipeline.training.run.train", full)
    with pytest.raises(InputError, match=r"tc: the memory of the GPU .* lower batch_size"):
        run(plan(tmp_path / "run"), scored())
    monkeypatch.undo()
    assert run(plan(tmp_path / "run", batch_size=2), scored())["finished"]
