"""A worker is fit where its installation and its files are those of the build."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import mini
import pytest

from flows.engine import admission
from flows.engine.admission import Mark, Requirements
from flows.plan.corpus import plan_corpus


@pytest.fixture
def required(tmp_path: Path) -> Requirements:
    build = mini.write(tmp_path)
    mark = Mark(tmp_path / "cluster.mark", "token")
    mark.path.write_text(mark.token, "utf-8")
    return admission.requirements_of(plan_corpus(build, tmp_path / "work").calls, mark)


def _faults(required: Requirements, threads: int = 1) -> list[str]:
    worker: Any = SimpleNamespace(state=SimpleNamespace(nthreads=threads))
    return admission.find_faults(required, worker)


def test_this_process_is_fit_for_its_own_calls(
    required: Requirements, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert {"python", "distributed", "pyarrow", "kss", "klue-rebuild"} <= required.versions.keys()
    assert {Path(path).name for path in required.paths} == {"nsmc", "kqc.txt", "heads.jsonl"}
    monkeypatch.setattr(admission, "_BEGUN", float("inf"))  # the checkout may just be edited
    assert _faults(required) == []


def test_versions_of_both_sides_are_told(required: Requirements) -> None:
    versions = required.versions | {"python": "3.9", "pyarrow": "0.1"}
    faults = _faults(required._replace(versions=versions))
    assert faults[0] == f"python is {required.versions['python']} there, 3.9 here"
    assert faults[1] == f"pyarrow is {required.versions['pyarrow']} there, 0.1 here"


@pytest.mark.parametrize("digest", ["another", None])
def test_other_code_is_told_by_module(required: Requirements, digest: str | None) -> None:
    module = "pipeline.corpus.select" if digest else "klue_task_absent.split"
    (fault,) = _faults(required._replace(code={**required.code, module: digest or "a digest"}))
    assert f"{module} differs" in fault


def test_code_edited_since_the_start_is_told(
    required: Requirements, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(admission, "_BEGUN", 0.0)
    (fault,) = _faults(required)
    assert "has changed since the worker started" in fault


def _another_disk(required: Requirements) -> None:
    required.mark.path.write_text("of another build", "utf-8")


def _no_disk(required: Requirements) -> None:
    required.mark.path.unlink()


def _another_file(required: Requirements) -> None:
    with Path(next(path for path in required.paths if path.endswith("kqc.txt"))).open("ab") as file:
        file.write(b"\n")


def _another_folder(required: Requirements) -> None:
    Path(next(path for path in required.paths if path.endswith("nsmc")), "more.json").touch()


def _no_file(required: Requirements) -> None:
    Path(next(path for path in required.paths if path.endswith("heads.jsonl"))).unlink()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_another_disk, "another disk lies at the work directory"),
        (_no_disk, "does not see the work directory"),
        (_another_file, "kqc.txt is another file there"),
        (_another_folder, "nsmc is another file there"),
        (_no_file, "cannot read "),
    ],
)
def test_files_that_are_not_the_same_are_told(
    required: Requirements, change: Any, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(admission, "_BEGUN", float("inf"))
    change(required)
    (fault,) = _faults(required)
    assert message in fault


def test_threads_are_told(required: Requirements, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "_BEGUN", float("inf"))
    (fault,) = _faults(required, threads=8)
    assert "--nworkers 8 --nthreads 1" in fault


def test_a_refusal_names_worker_faults_and_what_to_do() -> None:
    message = str(admission.refusal("tcp://10.0.0.2:4", ["a", "b", "c", "d", "e"]))
    assert message.startswith("worker tcp://10.0.0.2:4: a; b; c; and 2 more; give it")
    assert "run the same command again" in message
