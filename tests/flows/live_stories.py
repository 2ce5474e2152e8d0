"""What tests of `klue label-studio` share: a batch, a small server, and answers of its users."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from annotation_stories import assigned, good, items_file
from exchange_samples import SPECS, answer
from fake_studio import TOKEN, USERS, FakeStudio, running

from pipeline.annotation.exchange.answer_parts import parts_of, split
from pipeline.annotation.exchange.label_studio import layout_of
from pipeline.annotation.exchange.label_studio_results import encode
from pipeline.annotation.live import client
from pipeline.contracts.registry import TASKS

PEOPLE = {"hana@example.com": "ann-1", "duri@example.com": "ann-2", "sena@example.com": "ann-10"}
#: The server's user ids of those annotators.
IDS = {who: next(n for n, e in USERS.items() if e == email) for email, who in PEOPLE.items()}


@pytest.fixture(name="studio")
def run_studio(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeStudio]:
    """Run a server, and name it in the environment."""
    monkeypatch.setattr(client, "PAUSE", 0.0)
    with running(FakeStudio()) as server:
        monkeypatch.setenv("LABEL_STUDIO_URL", server.url)
        monkeypatch.setenv("LABEL_STUDIO_API_KEY", TOKEN)
        yield server


def export(folder: Path, task: str = "tc", count: int = 6, name: str = "main") -> Path:
    """Make a batch for the three annotators, with their map; returns the work directory."""
    work = folder / "work"
    names = ",".join(PEOPLE.values())
    good("export", task, "--items", items_file(folder, task, count, prefix=name), "--annotators",
         names, "--to", "label-studio", "--batch", name, "--work", work)  # fmt: skip
    place = work / "annotation" / task / name / "export" / "annotators.json"
    place.write_text(json.dumps(PEOPLE), "utf-8")
    return work


def results(studio: FakeStudio, task: str, item: str, value: Any = None) -> list[dict[str, Any]]:
    """Return what the editor would submit as an answer to an item."""
    spec = SPECS[task]
    round_ = spec.rounds[0]
    data = next(t["data"] for t in studio.tasks.values() if t["data"]["item"] == item)
    main = next(field for field in TASKS[task].fields if field in data)
    wanted = answer(task, round_) if value is None else value
    layout = layout_of(data, spec, main)
    return encode(parts_of(spec, round_), split(wanted, spec, round_), layout)


def push(work: Path, task: str = "tc", **options: object) -> dict[str, Any]:
    """Push a batch; returns what the command says."""
    more = [word for name, value in options.items() for word in (f"--{name}", value)]
    return good("label-studio", "push", task, "--work", work, *more)


def pull(work: Path, task: str = "tc", *options: object) -> dict[str, Any]:
    """Pull a batch; returns what the command says."""
    return good("label-studio", "pull", task, "--work", work, *options)


def answer_all(studio: FakeStudio, work: Path, task: str = "tc") -> int:
    """Let everybody answer what was assigned; returns how many answers that is."""
    pairs = assigned(work, task, "main")
    for who, item in pairs:
        studio.annotate(item, IDS[who], results(studio, task, item))
    return len(pairs)


def state(studio: FakeStudio) -> str:
    """Return all that the server has."""
    return json.dumps([studio.projects, studio.tasks, studio.tabs])


def tree(folder: Path) -> dict[str, bytes]:
    """Return every file below a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
