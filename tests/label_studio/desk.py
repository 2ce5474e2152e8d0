"""A work directory and a real server, as a user has them; commands are run, or killed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from exchange_samples import FIELDS
from studio_server import ROOT, TOKEN, Studio, email_of, ok


@dataclass
class Desk:
    """A work directory, and a server that the environment names."""

    studio: Studio
    work: Path

    def command(self, *arguments: object) -> list[str]:
        """Return a command of klue."""
        return [sys.executable, "-m", "flows.cli", *map(str, arguments), "--work", str(self.work)]

    def environment(self, **more: str) -> dict[str, str]:
        """Return the environment of a user who has set address and token."""
        own = {"LABEL_STUDIO_URL": self.studio.base, "LABEL_STUDIO_API_KEY": TOKEN}
        return {**os.environ, **own, **more}

    def klue(self, *arguments: object, code: int = 0, **environment: str) -> dict[str, Any]:
        """Run a command; returns its one object."""
        done = subprocess.run(
            [*self.command(*arguments), "--json"],
            cwd=ROOT,
            env=self.environment(**environment),
            capture_output=True,
            text=True,
        )
        assert done.returncode == code, (done.stdout, done.stderr)
        assert TOKEN not in done.stdout + done.stderr
        record: dict[str, Any] = json.loads(done.stdout)
        return record

    def kill_when(self, condition: Callable[[], bool], *arguments: object) -> None:
        """Run a command and kill it when a condition holds, which must come before its end."""
        process = subprocess.Popen(
            self.command(*arguments),
            cwd=ROOT,
            env=self.environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        while not condition():
            assert process.poll() is None, "it ended before it could be killed"
            time.sleep(0.005)
        process.kill()
        assert process.wait() < 0

    def export(self, task: str, count: int, annotators: int, batch: str = "main") -> Path:
        """Make a batch with a map of e-mail addresses; returns its folder."""
        names = [f"ann-{number:02}" for number in range(1, annotators + 1)]
        rows = [
            {"item": f"{batch}-{task}-{n}", "source": "sample", "fields": FIELDS[task]}
            for n in range(1, count + 1)
        ]
        file = self.work.parent / f"{task}-{batch}.jsonl"
        file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
        self.klue("export", task, "--items", file, "--annotators", ",".join(names),
                  "--to", "label-studio", "--batch", batch)  # fmt: skip
        folder = self.work / "annotation" / task / batch
        users = {email_of(name): name for name in names}
        (folder / "export" / "annotators.json").write_text(json.dumps(users), "utf-8")
        return folder

    def votes(self, task: str, batch: str = "main") -> list[dict[str, Any]]:
        """Return the votes of a batch."""
        path = self.work / "annotation" / task / batch / "votes.parquet"
        rows: list[dict[str, Any]] = pq.read_table(path).to_pylist()
        return rows

    def tasks(self, project: int) -> list[dict[str, Any]]:
        """Return the tasks of a project."""
        query = f"project={project}&page_size=1000&fields=all"
        tasks: list[dict[str, Any]] = ok(self.studio.owner.get(f"/api/tasks?{query}"))["tasks"]
        return tasks
