"""The names of runs in tables: what is not the same data or model is not called the same."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from pipeline.report.runs import Data, Run

#: So many characters of a digest tell two things of one name apart.
_DIGITS: Final = 8
R = TypeVar("R", bound=Run)


@dataclass(frozen=True)
class Named(Generic[R]):
    """A run under the names of its data and model, and its number among those of its task."""

    run: R
    data: str
    model: str
    number: int = 0

    @property
    def key(self) -> tuple[str, str, int]:
        """Return the names and the seed: runs that share them differ in their recipes alone."""
        return self.data, self.model, self.run.seed


def of(data: Data) -> str:
    """Return what examples are of: a release or a folder, and what was held out of it."""
    name = data.files or ""
    if data.release is not None:
        name = f"{data.release} {data.version} ({data.hash[:_DIGITS]})"
    if data.holdout is None:
        return name
    return f"{name}, {data.holdout:.0%} held out (seed {data.holdout_seed})"


def named(runs: Sequence[R], among: Sequence[Run]) -> list[Named[R]]:
    """Return runs under their names.

    One that several digests go by `among` all runs (examples of one task that are not the same, two
    models in folders of one name) has the beginning of its digest behind it.
    """
    data = _several(((of(run.data), run.task), run.settings.examples) for run in among)
    models = _several((run.model.name, run.model.digest) for run in among)
    found = []
    for run in runs:
        examples, model = of(run.data), run.model.name
        if (examples, run.task) in data:
            examples = f"{examples} [{run.settings.examples[:_DIGITS]}]"
        if model in models:
            model = f"{model} [{run.model.digest[:_DIGITS]}]"
        found.append(Named(run, examples, model))
    return found


def _several(pairs: Iterable[tuple[Hashable, str]]) -> set[Hashable]:
    """Return the names that several digests go by."""
    first: dict[Hashable, str] = {}
    return {name for name, digest in pairs if first.setdefault(name, digest) != digest}
