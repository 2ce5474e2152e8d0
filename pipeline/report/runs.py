"""What a page of results reads of the record of a run (run.json), checked; and names of runs.

Data or models that are not the same are not called the same.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, Generic, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import PydanticSerializationError

from pipeline.contracts.registry import TASKS
from pipeline.core.errors import InputError

#: So many characters of a digest tell two things of one name apart.
_DIGITS: Final = 8


class Part(BaseModel):
    """Base of all parts: frozen, no coercion, no NaN; what is not read here is not looked at."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True, allow_inf_nan=False)


def _task(name: str) -> str:
    if name not in TASKS:
        raise ValueError(f"is no task; allowed: {', '.join(TASKS)}")
    return name


class Data(Part):
    """What the examples are of: a release, or the files of a folder; and what was held out."""

    release: str | None = None
    version: str | None = None
    hash: str = ""
    simulated: bool = False
    files: str | None = None
    holdout: float | None = None
    holdout_seed: int | None = None


class Model(Part):
    """The model that was tuned: its name as it was given, and a digest of it."""

    name: str
    digest: str
    parameters: int


class Settings(Part):
    """Of all that decides a run: the digest of its examples, and how precisely it computed."""

    examples: str
    precision: str | None = None


class Best(Part):
    """Where the weights that were kept are of, and the metric that they were chosen by."""

    epoch: float
    metric: str | None = None


class Loss(Part):
    """The mean loss of the last epoch; None for a run without training."""

    last_epoch: float | None


class Measured(Part):
    """How long training took, and on what."""

    device: str
    training_seconds: float
    inputs_per_second: float


class Run(Part):
    """A run that is over: what was trained on what. `examples` counts them by split."""

    finished: Literal[True]
    task: Annotated[str, AfterValidator(_task)]
    data: Data
    model: Model
    settings: Settings
    recipe: Mapping[str, int | float | bool | str | None]
    seed: int
    examples: Mapping[str, Annotated[int, Field(ge=0)]]


class Failed(Run):
    """A run that nothing came of, for the reason `failed`."""

    failed: str


class Ended(Run):
    """A run with its scores: by split, variant and metric."""

    best: Best
    loss: Loss
    measured: Measured
    scores: Mapping[str, Mapping[str, Mapping[str, float | None]]]


def run_of(record: Mapping[str, Any]) -> Ended | Failed | None:
    """Return the run that a record tells of, None for one that has not ended.

    Raises InputError that names the first part of the record that is not as it is written.
    """
    if record.get("finished") is False:
        return None
    return checked(Failed, record) if "failed" in record else checked(Ended, record)


P = TypeVar("P", bound=Part)


def checked(model: type[P], record: Mapping[str, Any]) -> P:
    """Return a record as a model.

    Raises InputError that names the first part of the record that is not as it is written.
    """
    try:
        run = model.model_validate(dict(record))
        run.model_dump_json()  # half a surrogate pair has no UTF-8
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise InputError(f"{where}: {first['msg'].removeprefix('Value error, ')}") from None
    except PydanticSerializationError:
        raise InputError("holds a text that is no Unicode") from None
    return run


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


def data_name(data: Data) -> str:
    """Return what examples are of: a release or a folder, and what was held out of it."""
    name = data.files or ""
    if data.release is not None:
        name = f"{data.release} {data.version} ({data.hash[:_DIGITS]})"
    if data.holdout is None:
        return name
    return f"{name}, {data.holdout:.0%} held out (seed {data.holdout_seed})"


def name_runs(runs: Sequence[R], among: Sequence[Run]) -> list[Named[R]]:
    """Return runs under their names.

    One that several digests go by `among` all runs (examples of one task that are not the same, two
    models in folders of one name) has the beginning of its digest behind it.
    """
    data = _several(((data_name(run.data), run.task), run.settings.examples) for run in among)
    models = _several((run.model.name, run.model.digest) for run in among)
    result = []
    for run in runs:
        examples, model = data_name(run.data), run.model.name
        if (examples, run.task) in data:
            examples = f"{examples} [{run.settings.examples[:_DIGITS]}]"
        if model in models:
            model = f"{model} [{run.model.digest[:_DIGITS]}]"
        result.append(Named(run, examples, model))
    return result


def _several(pairs: Iterable[tuple[Hashable, str]]) -> set[Hashable]:
    first: dict[Hashable, str] = {}
    return {name for name, digest in pairs if first.setdefault(name, digest) != digest}
