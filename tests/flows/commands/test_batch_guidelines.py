"""What annotators are to read lies beside what they are to answer, in the form of every tool."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from mood_task import SEVERAL, write_task

from flows.commands.batch_export import export
from pipeline.annotation.exchange.formats import FORMATS
from pipeline.contracts.own_task import register_task


@pytest.fixture(autouse=True)
def _mood(no_own_tasks: None, tmp_path: Path) -> None:
    words = "글의 기분을 고르세요."
    spec = SEVERAL.replace(words, f"{{ko: {words}, en: Choose all moods of the text.}}")
    register_task(write_task(tmp_path / "mood", spec))


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
    assert (out / "guideline.ko.md").read_text("utf-8") == "# 지침\n"
    assert "no guideline" not in capsys.readouterr().err
    if tool != "doccano":  # whose files hold no question
        texts = [path.read_text("utf-8") for path in out.iterdir()]
        assert sum(text.count("글의 기분을 고르세요.") for text in texts) == 1
