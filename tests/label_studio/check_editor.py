"""The editor of a real Label Studio: what it makes of predictions is what was sent.

In headless Chromium each round's task is opened, its prediction taken over as an annotation, as an
annotator does, and the results that the editor would submit are read and compared.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from editor import Editor
from exchange_answers import unordered
from exchange_samples import FIELDS, ROUNDS, SPECS, answer, full, items, round_of
from selenium import webdriver
from studio_server import OWNER, Studio

from pipeline.annotation.exchange import label_studio
from pipeline.annotation.exchange.answer_parts import join, parts_of, split
from pipeline.annotation.exchange.label_studio_results import decode, encode
from pipeline.contracts.registry import TASKS

_READY = "return !!(window.Htx && Htx.annotationStore?.predictions.length)"
_TAKE_OVER = """
const store = Htx.annotationStore;
store.selectAnnotation(store.addAnnotationFromPrediction(store.predictions[0]).id);
"""
_RESULTS = "return JSON.stringify(Htx.annotationStore.selected.serializeAnnotation())"


@pytest.fixture(scope="module", autouse=True)
def _as_owner(studio: Studio, browser: webdriver.Chrome) -> None:
    Editor(studio, browser).log_in(OWNER["email"], OWNER["password"])


def _until(browser: webdriver.Chrome, script: str) -> None:
    for _ in range(120):
        if browser.execute_script(script):
            return
        time.sleep(0.5)
    raise AssertionError("the editor did not show the task within a minute")


@pytest.mark.parametrize(("task", "name"), ROUNDS)
def test_the_editor_gives_back_what_was_filled_in(
    studio: Studio,
    browser: webdriver.Chrome,
    tmp_path: Path,
    task: str,
    name: str,
) -> None:
    spec, round_ = SPECS[task], round_of(task, name)
    shown = {f"{task}-1": answer(task, round_)} if round_.answer == "verdict" else None
    label_studio.write(items(task), spec=spec, round_=round_, folder=tmp_path, shown=shown)
    tasks = json.loads((tmp_path / label_studio.TASKS).read_text("utf-8"))
    data, value = tasks[0]["data"], full(task, round_)
    layout = label_studio.layout_of(data, spec, next(f for f in TASKS[task].fields if f in data))
    results = encode(parts_of(spec, round_), split(value, spec, round_), layout)
    tasks[0]["predictions"] = [{"model_version": "filled", "result": results}]
    config = (tmp_path / label_studio.CONFIG).read_text("utf-8")
    project = studio.project(f"editor {task} {name}", config, json.dumps(tasks).encode())
    (made,) = studio.tasks(project)
    browser.get(f"{studio.base}/projects/{project}/data?task={made['id']}")
    _until(browser, _READY)
    time.sleep(1)
    browser.execute_script(_TAKE_OVER)
    time.sleep(1)
    given: Any = json.loads(browser.execute_script(_RESULTS))
    label = join(decode(parts_of(spec, round_), given, layout), spec, round_, layout.text)
    parse = TASKS[task].parse
    wanted, got = (parse(one, FIELDS[task], spec, round_) for one in (value, label))
    assert unordered(got) == unordered(wanted)
