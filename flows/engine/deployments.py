"""The flows as Prefect deploys them: what prefect.yaml names.

Each takes the paths of a build on the machine where it runs, and does what the command line does.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from prefect import flow

from flows.build import build
from flows.plan.build import Request


@flow(name="klue-build")
def build_release(
    build_file: str,
    work: str = "data/work",
    releases: str = "data/releases",
    workers: int | None = None,
    tasks: str | None = None,
) -> dict[str, Any]:
    """Build all that a build file says, from raw corpora to a release."""
    request = Request(
        Path(build_file), Path(work), workers=workers, tasks=tasks, releases=Path(releases)
    )
    return build(request, quiet=True)


@flow(name="klue-annotate")
def annotate(
    build_file: str,
    work: str = "data/work",
    workers: int | None = None,
    tasks: str | None = None,
) -> dict[str, Any]:
    """Draw candidates and hand them out in batches: the half before human annotation."""
    request = Request(Path(build_file), Path(work), workers=workers, tasks=tasks, until="annotate")
    return build(request, quiet=True)


@flow(name="klue-release")
def publish(
    build_file: str,
    work: str = "data/work",
    releases: str = "data/releases",
    workers: int | None = None,
    tasks: str | None = None,
) -> dict[str, Any]:
    """Make gold of the imported answers and a release of it: the half after human annotation."""
    request = Request(
        Path(build_file),
        Path(work),
        workers=workers,
        tasks=tasks,
        until="release",
        releases=Path(releases),
    )
    return build(request, quiet=True)


@flow(name="klue-train")
def train_models(
    release: str, model: str, task: str = "all", out: str | None = None, seed: int = 0
) -> list[dict[str, Any]]:
    """Train a model on a release, one task or all in turn; an ended run is not made again."""
    from flows.commands.training import Training
    from flows.train import train_models

    folder = None if out is None else Path(out)
    return train_models(Training(Path(release), task, model, out=folder, seed=seed), quiet=True)
