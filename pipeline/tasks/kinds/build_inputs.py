"""What an own task needs from a build: the sources and units that its spec names."""

from __future__ import annotations

from pipeline.contracts.build_inputs import BuildInputs, Resources
from pipeline.contracts.parts import own_folder
from pipeline.contracts.task import Task


def inputs(task: Task) -> BuildInputs:
    """Return what the candidates of a task need; the catalogue says it for tasks of the package."""
    if own_folder(task.id) is None:
        return BuildInputs()
    fields = Resources({"fields": list(task.fields)})
    return BuildInputs(
        sources=lambda spec: dict.fromkeys(spec.sampling.quotas, spec.sampling.unit),
        resources=lambda _settings, _spec: fields,
    )
