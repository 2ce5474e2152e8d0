"""A task that is only a kind of answer is reported and scored by the defaults of its kind."""

from __future__ import annotations

from pathlib import Path

import pytest
from official_gold import scored

from pipeline.contracts.example import Example
from pipeline.contracts.spec import TaskSpec, load_spec
from pipeline.core import schemas
from pipeline.core.jsontext import canonical
from pipeline.report.quality.artefacts import artefacts
from pipeline.report.quality.distributions import sections
from pipeline.report.quality.statistics import paper_size
from pipeline.scoring.scorer import scorer_of
from pipeline.tasks import PACKAGES

TASK = """
from pipeline.contracts.task import Task

TASK = Task(
    id="qa",
    config="qa",
    kind="category",
    fields=("title",),
    parse=lambda answer, fields, spec, round_: answer,
    view=str,
    compare=lambda left, right: {"equal": float(left == right)},
)
"""


@pytest.fixture
def spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TaskSpec:
    """Register a task with the part `task` alone; returns a spec with labels for it."""
    package = tmp_path / "ninth_task"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "task.py").write_text(TASK, "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setitem(PACKAGES, "qa", "ninth_task")
    return load_spec("tc").model_copy(update={"task": "qa"})


def _examples() -> list[Example]:
    labels = ["정치", "정치", "경제", "사회"]
    return [Example(f"q{n}", "yna", {"title": "가" * 9}, one) for n, one in enumerate(labels)]


def test_it_is_reported(spec: TaskSpec) -> None:
    rows = [
        {
            "id": one.id,
            "task": "qa",
            "split": split,
            "source": one.source,
            "group": one.id,
            "fields": canonical(dict(one.fields)),
            "label": canonical(one.label),
            "documents": [],
            "simulated": False,
            "kept": False,
        }
        for split in ("train", "dev")
        for one in _examples()
    ]
    table = schemas.build("examples", rows)
    statistics, distributions = sections("qa", table, spec)
    by_label = {row[0]: row[1] for row in statistics.tables[1].rows}
    assert by_label == {"정치": 2, "경제": 1, "사회": 1, "Total": 4}
    assert {chart.id for chart in distributions.charts} == {"qa-label-shares", "qa-length-title"}
    (guesses,) = artefacts(table, task="qa", spec=spec).parts
    assert guesses.tables[0].rows[0][:4] == ["commonest label", "dev", 4, 0.5]
    assert paper_size("qa", "dev") is None


def test_it_is_scored(spec: TaskSpec, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("official_gold.load_spec", lambda _: spec)
    rows = [{"label": "정치"}] * 4
    made = scored(scorer_of("qa"), _examples(), rows, "klue")
    assert made == pytest.approx({"accuracy": 50.0, "macro_f1": 100 * 2 / 3 / 3})
