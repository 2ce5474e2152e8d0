"""The flows as Prefect deploys them: what prefect.yaml names.

Each takes the paths of a build on the machine where it runs, does what the command line does, and
calls the flows before it as subflows.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from prefect import Flow
from prefect.runtime import flow_run

from flows.build import run_build
from flows.plan.build import RELEASES, WORK, Request
from flows.view.verbosity import Verbosity, speaking
from pipeline.contracts.build_inputs import load_build
from pipeline.core.errors import KlueError

#: What Prefect's interface says of each parameter.
_PARAMETERS: Final = """Args:
    build_file: The build file.
    work: Work directory: the store of stage outputs.
    releases: The directory of releases, or s3://BUCKET/PREFIX.
    workers: Worker processes; all cores if not given.
    tasks: Only these tasks and their sources, such as tc,nli.
    private: Where test labels of releases in an object store go; data/private if not given.
"""


def _run_name() -> str:
    """Return the name and version of the build that a flow run is about, and the flow."""
    file = Path(flow_run.parameters["build_file"])
    try:
        build = load_build(file)
    except (KlueError, OSError):
        return f"{file.stem} {flow_run.flow_name}"  # what is wrong with it is said by the flow
    return f"{build.name} {build.release.version} {flow_run.flow_name}"


def _deployed(name: str, until: str | None, what: str) -> Flow[..., dict[str, Any]]:
    """Return the flow of a name, which runs a build until a part; `what` says what that does."""

    def run(
        build_file: Path,
        work: Path = WORK,
        releases: Path = RELEASES,
        workers: int | None = None,
        tasks: str | None = None,
        private: Path | None = None,
    ) -> dict[str, Any]:
        request = Request(
            build_file,
            work,
            workers=workers,
            tasks=tasks,
            until=until,
            releases=releases,
            private=private,
        )
        with speaking(Verbosity(as_json=True)):
            record, _ = run_build(request)
        return record

    run.__doc__ = f"{what}\n\n{_PARAMETERS}"
    return Flow(run, name=name, flow_run_name=_run_name)


build = _deployed(
    "build", None, "Build all that a build file says, from raw corpora to scored models."
)
corpus = _deployed("corpus", "corpus", "Clean the raw text of all sources.")
candidates = _deployed("candidates", "candidates", "Draw the candidates of all tasks.")
annotate = _deployed("annotate", "annotate", "Export the candidates in batches for annotators.")
adjudicate = _deployed("adjudicate", "adjudicate", "Make gold answers of the votes of all tasks.")
release = _deployed("release", "release", "Make a release of the gold answers.")
train = _deployed("train", "train", "Train the models that the build file names on its release.")
