"""A user's own task for tests: the spec of a task `mood`, and its folder."""

from __future__ import annotations

from pathlib import Path
from typing import Final

#: One label of a text; tests replace the kind, or add sections.
SPEC: Final = """\
task: mood
version: 1.0.0
kind: label
title: 기분
instruction: 글의 기분을 고르세요.
labels:
  - {id: good, title: 좋음}
  - {id: bad, title: 나쁨}
"""
SEVERAL: Final = SPEC.replace("kind: label", "kind: labels")


def write_task(folder: Path, spec: str = SPEC) -> Path:
    """Write the folder of a task: its spec and a guideline."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "spec.yaml").write_text(spec, "utf-8")
    (folder / "guideline.ko.md").write_text("# 지침\n", "utf-8")
    return folder
