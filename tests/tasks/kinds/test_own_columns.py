"""The columns of own tasks: what a card says of their labels, and which scores fit a spec."""

from __future__ import annotations

from pathlib import Path

import pytest
from mood_task import SPEC, write_task

from pipeline.contracts.example import Example
from pipeline.contracts.own_task import register_task
from pipeline.contracts.spec import TaskSpec, load_spec
from pipeline.release.checks.contents import label_faults
from pipeline.release.features import Feature, features
from pipeline.release.tables import COLUMNS, Columns

NAMES = {"0": "good", "1": "bad"}


pytestmark = pytest.mark.usefixtures("no_own_tasks")


def _columns(folder: Path, kind: str) -> tuple[Columns, TaskSpec]:
    name = register_task(write_task(folder, SPEC.replace("kind: label", f"kind: {kind}")))
    return COLUMNS[name], load_spec(name)


def _features(folder: Path, kind: str) -> dict[str, Feature]:
    columns, spec = _columns(folder, kind)
    return {row.pop("name"): row for row in features(columns.schema, columns.classes(spec))}


def test_labels_are_classes(tmp_path: Path) -> None:
    label = _features(tmp_path, "label")["label"]
    assert label == {"dtype": {"class_label": {"names": NAMES}}}
    labels = _features(tmp_path, "labels")["labels"]
    assert labels == {"sequence": {"class_label": {"names": NAMES}}}
    assert _features(tmp_path, "score")["label"] == {"dtype": "float64"}


def test_a_score_is_released_as_the_spec_rounds_it(tmp_path: Path) -> None:
    columns, _ = _columns(tmp_path, "score")
    rounded = {"label": 2.3, "real-label": 2.3333333333333335}
    for label, score in ((rounded, 2.3), (4, 4)):
        row = columns.to_row(Example("mood-c1", "diary", {"text": "좋다"}, label))
        assert row["label"] == score


@pytest.mark.parametrize(
    ("score", "fault"),
    [
        (2.3, []),
        (5, []),
        (5.1, [": mood-c1 has a score off the scale from 0 to 5"]),
        (2.35, [": mood-c1 has a score that is no multiple of 0.1"]),
    ],
)
def test_scores_off_the_scale_or_the_step(tmp_path: Path, score: float, fault: list[str]) -> None:
    columns, spec = _columns(tmp_path, "score")
    row = {"guid": "mood-c1", "source": "diary", "text": "좋다", "label": score}
    table = columns.schema.empty_table().from_pylist([row], columns.schema)
    assert list(label_faults(table, spec)) == fault
