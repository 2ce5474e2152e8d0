"""What annotators are to read lies beside what they are to answer, in the form of every tool."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from flows.commands.batch_export import export
from pipeline.annotation.exchange.formats import FORMATS
from pipeline.contracts.own_task import register_task
from pipeline.core import packages

SPEC = """\
task: mood
version: 1.0.0
kind: labels
title: 기분
instruction: {ko: 글의 기분을 모두 고르세요., en: Choose all moods of the text.}
labels:
  - {id: good, title: 좋음}
  - {id: bad, title: 나쁨}
"""


@pytest.fixture(autouse=True)
def _mood(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(packages, "_folders", {})
    folder = tmp_path / "mood"
    folder.mkdir()
    (folder / "spec.yaml").write_text(SPEC, "utf-8")
    (folder / "guideline.ko.md").write_text("# 기분의 지침\n", "utf-8")
    register_task(folder)


@pytest.mark.parametrize("tool", list(FORMATS))
def test_the_guideline_of_an_own_task_is_handed_out(
    tmp_path: Path, tool: str, capsys: pytest.CaptureFixture[str]
) -> None:
    items = tmp_path / "items.jsonl"
    items.write_text(json.dumps({"item": "a", "fields": {"text": "좋다"}}), "utf-8")
    out = tmp_path / "out"
    record, _ = export(
        task="mood", to=tool, items=items, annotators="3", out=out, work=tmp_path / "work"
    )
    assert str(out / "guideline.ko.md") in record["files"]
    assert (out / "guideline.ko.md").read_text("utf-8") == "# 기분의 지침\n"
    assert "no guideline" not in capsys.readouterr().err
    if tool != "doccano":  # whose files hold no question
        texts = [path.read_text("utf-8") for path in out.iterdir()]
        assert sum(text.count("글의 기분을 모두 고르세요.") for text in texts) == 1
