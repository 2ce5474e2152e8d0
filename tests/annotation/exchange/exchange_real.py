"""Real exports of Label Studio, and short ways to write and read its files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from exchange_samples import SPECS, items, round_of

from pipeline.annotation.exchange import label_studio
from pipeline.annotation.intake.vote import RawVote, Refused
from pipeline.contracts.registry import TASKS

#: What the editor and the server of Label Studio 1.23.2 made of the samples, round by round: the
#: predictions were opened in the editor, submitted, and exported as JSON.
REAL = Path(__file__).with_name("label_studio_1_23_2.jsonl")
EXPORTS = {one["round"]: one["export"] for one in map(json.loads, REAL.read_text().splitlines())}


def written(folder: Path, task: str, name: str, **more: Any) -> tuple[str, list[dict[str, Any]]]:
    """Write the items of a round; returns the config and the tasks."""
    label_studio.write(
        more.pop("items", items(task)),
        spec=SPECS[task],
        round_=round_of(task, name),
        folder=folder,
        **more,
    )
    tasks = json.loads((folder / label_studio.TASKS).read_text("utf-8"))
    return (folder / label_studio.CONFIG).read_text("utf-8"), tasks


def read(path: Path, task: str, **more: Any) -> list[RawVote | Refused]:
    """Read an export; users 1 and 7 are known."""
    more.setdefault("annotators", {"1": "ann-01", "7": "ann-07"})
    return list(label_studio.read(path, task=TASKS[task], spec=SPECS[task], **more))


def annotation(export: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the first annotation of an export."""
    found: dict[str, Any] = export[0]["annotations"][0]
    return found
