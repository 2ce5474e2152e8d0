"""What tasks that draw by quota need from a build: the sources and units of their specs."""

from __future__ import annotations

from pipeline.contracts.build_inputs import BuildInputs, Resources
from pipeline.contracts.parts import own_folder, part_module
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import Task
from pipeline.tasks.kinds import candidates


def inputs(task: Task) -> BuildInputs:
    """Return what the candidates of a task need.

    For a task of the package that draws its own candidates, the catalogue says which sources.
    """
    if own_folder(task.id) is None and part_module(task.id, "candidates") != candidates.__name__:
        return BuildInputs()
    fields = Resources({"fields": list(task.fields)})
    return BuildInputs(
        sources=_units,
        resources=lambda _settings, _spec: fields,
    )


def _units(spec: TaskSpec) -> dict[str, str]:
    """Return the kind of unit of each source that has a quota; none without quotas."""
    section = spec.sampling
    return dict.fromkeys(section.quotas, section.unit) if section is not None else {}
