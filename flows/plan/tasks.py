"""The tasks of a build: those of KLUE, and folders of the user's, which are registered here."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from pipeline.contracts.build_inputs import INPUTS
from pipeline.contracts.own_task import register_task
from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import load_spec
from pipeline.core.buildfile import Build
from pipeline.core.errors import SpecError
from pipeline.corpus.catalogue import Source


def tasks_of(build: Build) -> frozenset[str]:
    """Register the folders of own tasks and return the tasks that a build file names, if any.

    Raises SpecError for a name that is neither a task nor a folder, and for a faulty folder.
    """
    tasks = set()
    for place, name in enumerate(build.tasks):
        if Path(name).is_dir():
            try:
                tasks.add(register_task(Path(name)))
            except SpecError as error:
                raise SpecError(f"{build.file}: tasks.{place}: {error}") from None
        elif name in TASKS:
            tasks.add(name)
        else:
            raise SpecError(
                f"{build.file}: tasks.{place}: {name!r} is neither a task nor a folder; known"
                f" tasks: {', '.join(TASKS)}"
            )
    return frozenset(tasks)


def unit_kind(task: str, name: str, source: Source) -> str | None:
    """Return the kind of unit that a task takes from a source; None where it takes none.

    The catalogue says it, or the spec of an own task. Raises SpecError for a source that is not cut
    into the units that a spec wants.
    """
    needs = INPUTS[task]
    if needs.sources is None:
        kinds: list[str] = [unit.kind for unit in source.units if task in unit.tasks]
        return "sentence" if task in source.passages else next(iter(kinds), None)
    spec = load_spec(task)
    wanted = needs.sources(spec).get(name)
    cut: Collection[str] = {unit.kind for unit in source.units}
    if wanted is not None and wanted not in cut:
        raise SpecError(
            f"{spec.name}: sampling.unit: the catalogue cuts {name} into {', '.join(sorted(cut))},"
            f" not into {wanted}; change one of the two"
        )
    return wanted
