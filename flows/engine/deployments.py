"""The flows as Prefect deploys them: what prefect.yaml names.

Each takes the paths of a build on the machine where it runs, does what the command line does, and
calls the flows before it as subflows.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from prefect import flow
from prefect.runtime import flow_run

from flows.build import build as run_build
from flows.plan.build import RELEASES, WORK, Request
from pipeline.contracts.build_inputs import load_build
from pipeline.core.errors import KlueError


def _run_name() -> str:
    """Return the name and version of the build that a flow run is about, and the flow."""
    file = Path(flow_run.parameters["build_file"])
    try:
        build = load_build(file)
    except (KlueError, OSError):
        return f"{file.stem} {flow_run.flow_name}"  # what is wrong with it is said by the flow
    return f"{build.name} {build.release.version} {flow_run.flow_name}"


@flow(name="build", flow_run_name=_run_name)
def build(
    build_file: Path,
    work: Path = WORK,
    releases: Path = RELEASES,
    workers: int | None = None,
    tasks: str | None = None,
    until: str | None = None,
) -> dict[str, Any]:
    """Build all that a build file says, from raw corpora to a release and scored models.

    Args:
        build_file: The build file.
        work: Work directory: the store of stage outputs.
        releases: The directory of releases.
        workers: Worker processes; all cores if not given.
        tasks: Only these tasks and their sources, such as tc,nli.
        until: The last part to run; as far as the build file says if not given.
    """
    request = Request(
        build_file, work, workers=workers, tasks=tasks, until=until, releases=releases
    )
    return run_build(request, quiet=True)


@flow(name="corpus", flow_run_name=_run_name)
def corpus(
    build_file: Path, work: Path = WORK, workers: int | None = None, tasks: str | None = None
) -> dict[str, Any]:
    """Clean the raw text of all sources: raw files to kept sentences.

    Args:
        build_file: The build file.
        work: Work directory: the store of stage outputs.
        workers: Worker processes; all cores if not given.
        tasks: Only the sources of these tasks, such as tc,nli.
    """
    request = Request(build_file, work, workers=workers, tasks=tasks, until="corpus")
    return run_build(request, quiet=True)


@flow(name="candidates", flow_run_name=_run_name)
def candidates(
    build_file: Path, work: Path = WORK, workers: int | None = None, tasks: str | None = None
) -> dict[str, Any]:
    """Draw the candidates of all tasks.

    Args:
        build_file: The build file.
        work: Work directory: the store of stage outputs.
        workers: Worker processes; all cores if not given.
        tasks: Only these tasks and their sources, such as tc,nli.
    """
    request = Request(build_file, work, workers=workers, tasks=tasks, until="candidates")
    return run_build(request, quiet=True)


@flow(name="annotate", flow_run_name=_run_name)
def annotate(
    build_file: Path, work: Path = WORK, workers: int | None = None, tasks: str | None = None
) -> dict[str, Any]:
    """Export candidates in batches: the half before human annotation.

    Args:
        build_file: The build file.
        work: Work directory: the store of stage outputs.
        workers: Worker processes; all cores if not given.
        tasks: Only these tasks and their sources, such as tc,nli.
    """
    request = Request(build_file, work, workers=workers, tasks=tasks, until="annotate")
    return run_build(request, quiet=True)


@flow(name="adjudicate", flow_run_name=_run_name)
def adjudicate(
    build_file: Path, work: Path = WORK, workers: int | None = None, tasks: str | None = None
) -> dict[str, Any]:
    """Make gold answers of the votes of all tasks.

    Args:
        build_file: The build file.
        work: Work directory: the store of stage outputs.
        workers: Worker processes; all cores if not given.
        tasks: Only these tasks and their sources, such as tc,nli.
    """
    request = Request(build_file, work, workers=workers, tasks=tasks, until="adjudicate")
    return run_build(request, quiet=True)


@flow(name="release", flow_run_name=_run_name)
def release(
    build_file: Path,
    work: Path = WORK,
    releases: Path = RELEASES,
    workers: int | None = None,
    tasks: str | None = None,
) -> dict[str, Any]:
    """Make gold of the imported answers and a release of it: the half after human annotation.

    Args:
        build_file: The build file.
        work: Work directory: the store of stage outputs.
        releases: The directory of releases.
        workers: Worker processes; all cores if not given.
        tasks: Only these tasks and their sources, such as tc,nli.
    """
    request = Request(
        build_file, work, workers=workers, tasks=tasks, until="release", releases=releases
    )
    return run_build(request, quiet=True)


@flow(name="train", flow_run_name=_run_name)
def train(
    build_file: Path,
    work: Path = WORK,
    releases: Path = RELEASES,
    workers: int | None = None,
    tasks: str | None = None,
) -> dict[str, Any]:
    """Train the models that the build file names on its release.

    Args:
        build_file: The build file.
        work: Work directory: the store of stage outputs.
        releases: The directory of releases.
        workers: Worker processes; all cores if not given.
        tasks: Only these tasks and their sources, such as tc,nli.
    """
    request = Request(
        build_file, work, workers=workers, tasks=tasks, until="train", releases=releases
    )
    return run_build(request, quiet=True)
