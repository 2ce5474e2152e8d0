"""Everything that a release is written from: facts for cards and manifest, tables, settings."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, Final

import pyarrow as pa

from pipeline.contracts.aggregation_rules import Scores
from pipeline.contracts.parts import own_folder
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.splits import Split
from pipeline.contracts.task import Task
from pipeline.core.buildfile import Profile
from pipeline.core.objects.address import is_address
from pipeline.core.specs import Spec


class RawFile(Spec):
    """A raw file or folder of a source, and its digest."""

    file: str
    sha256: str


class ScoreScale(Spec):
    """The scale of the scores of a task: its ends, and the step that gold is rounded to, if any."""

    low: int
    high: int
    step: float | None


def score_scale(spec: TaskSpec) -> ScoreScale | None:
    """Return the scale of the scores of a spec, None where answers are no scores."""
    if spec.scale is None or not isinstance(spec.aggregation, Scores):
        return None
    return ScoreScale(low=spec.scale.low, high=spec.scale.high, step=spec.aggregation.step)


@dataclass(frozen=True)
class SourceFacts:
    """A source as the catalogue describes it, and what was read and kept of it.

    `licence` is an id of `pipeline.core.licences`. `basis` has the keys kind (licence,
    not_protected, contract), derivatives, redistribution, commercial, note, act, article,
    attribution. `counts` has records, documents, units, kept, dropped_units, quarantined. `profile`
    is that of its personal data, where it is not the build's. `screened` says whether a detector
    looked for toxic text.
    """

    id: str
    name: str
    description: str
    licence: str
    basis: Mapping[str, Any]
    domain: str
    style: str
    ethical_risk: str
    volume: str
    contemporary: bool | None
    address: str | None
    timeframe: str | None
    snapshot: str | None
    tasks: tuple[str, ...]
    inputs: tuple[RawFile, ...]
    counts: Mapping[str, int]
    profile: Profile | None = None
    screened: bool = True


@dataclass(frozen=True)
class TaskFacts:
    """A task of the release: its examples by split, and how they were annotated.

    `rounds` are the spec's rounds as plain data (id, role, per_item, answer). `sources` are those
    that its examples are from, "written" where annotators wrote the texts. `coefficient` names the
    agreement coefficient that leads, `agreement` is its value (None: too few votes). `unmet` names
    the constraints of the split that do not hold. `scale` is that of scores.
    """

    id: str
    config: str
    title: Mapping[str, str]
    spec: str
    spec_digest: str
    splits: Mapping[Split, int]
    sources: tuple[str, ...]
    labels: tuple[str, ...]
    rounds: tuple[Mapping[str, Any], ...]
    annotators: int
    votes: int
    gold: int
    unresolved: int
    removed: int
    left_out: int
    split_rule: str
    coefficient: str
    agreement: float | None
    unmet: tuple[str, ...] = ()
    scale: ScoreScale | None = None


@dataclass(frozen=True)
class Facts:
    """A whole release; `simulated` says that no person annotated it.

    `personal` counts the units that left for a type of personal data, `personal_left` the pieces
    that stayed in the units; `personal_kept` are the types that stay on purpose, with the reason.
    `toxic` counts the units that detectors took out. `withdrawn` are ids with the reason;
    `previous` the version before, if there is one. `label_licence` is that which the makers chose
    for labels (an id of `pipeline.core.licences`), if they did.
    `keyed` tells that annotators' public names were made with a secret key.
    """

    name: str
    version: str
    seed: int
    simulated: bool
    sources: tuple[SourceFacts, ...]
    tasks: tuple[TaskFacts, ...]
    personal: Mapping[str, int] = field(default_factory=dict)
    personal_left: Mapping[str, int] = field(default_factory=dict)
    personal_kept: Mapping[str, str] = field(default_factory=dict)
    toxic: int = 0
    withdrawn: tuple[tuple[str, str], ...] = ()
    previous: str | None = None
    maintainer: str | None = None
    contact: str | None = None
    label_licence: str | None = None
    tool: str = "klue-rebuild"
    tool_version: str = ""
    keyed: bool = False


def has_klue_task(facts: Facts) -> bool:
    """Return whether a task of a release is one of KLUE; all others are its makers' own."""
    return not all(map(is_own, facts.tasks))


def is_own(task: TaskFacts) -> bool:
    """Return whether a task is one of a user."""
    return own_folder(task.id) is not None


@dataclass(frozen=True)
class TaskMaterial:
    """The tables of one task: EXAMPLES, the VOTES and GOLD of all its items, and its ledger.

    `ledgers` are the tables (LEDGER) by stage whose rows are about the task's items and units:
    candidates, annotation, aggregate, split. `constraints` (CONSTRAINTS) and `leaks` (LEAKS) are
    what the split and the check for leaks found.
    """

    task: Task
    spec: TaskSpec
    examples: pa.Table
    votes: pa.Table
    gold: pa.Table
    constraints: pa.Table
    leaks: pa.Table
    ledgers: Mapping[str, pa.Table]


@dataclass(frozen=True)
class Material:
    """A release in the making.

    `tasks` are their tables by config; a mapping may read them anew each time that one is asked
    for, so that those of one task alone are held. `corpus` are the ledger files by stage of the
    corpus (read, select, ... dedup), all sources.
    `stages` counts every stage call as plain data (stage, source, rows_in, rows_out, dropped,
    quarantined, edited). `build` is the build file as plain data. `texts` are the files that are
    texts (cards, report) by their path in the release, without those that tell hashes; `tables` are
    more tables by their path. `key` is the secret under which annotators get their public names,
    empty for names without one; `facts.keyed` tells the cards whether there is one.
    """

    facts: Facts
    tasks: Mapping[str, TaskMaterial]
    corpus: Mapping[str, Sequence[Path]]
    stages: Sequence[Mapping[str, Any]]
    build: Mapping[str, Any]
    texts: Mapping[str, str] = field(default_factory=dict)
    tables: Mapping[str, pa.Table] = field(default_factory=dict)
    key: bytes = field(default=b"", repr=False)


#: Settings of a build that decide nothing of its content.
_NOT_TOLD: Final = frozenset({"workers", "seconds"})
#: By their places, names of people, and of files and folders that this build alone knows: the file
#: of somebody's votes may have that person's name.
_OWN: Final = frozenset(
    {
        "annotation.truths",
        "annotation.votes",
        "candidates.annotators",
        "candidates.knowledge.path",
        "candidates.known_texts",
        "candidates.metro",
        "candidates.places",
        "candidates.properties",
        "candidates.specs",
        "candidates.translator.key_variable",
        "candidates.translator.paths",
        "candidates.translator.secret_variable",
        "catalogue",
        "personal_data.key_file",
        "release.against",
        "release.key_file",
        "release.withdrawn",
    }
)
#: The place of the inputs of a source.
_INPUTS: Final = re.compile(r"sources\.[^.]+\.inputs")
#: Models, as KIND or KIND:FOLDER: their kind is told.
_MODELS: Final = frozenset(
    {"candidates.tagger", "candidates.hypothesis_classifier", "toxicity.detector"}
)


def public_settings(settings: Any, place: str = "") -> Any:
    """Return a build file, or what it has at a place, as plain data, as it is public.

    The inputs of sources are told as the build file has them, by the name that it gives them, else
    by their path, of absolute paths the name alone.
    Settings that decide nothing, people, and all other files are left out.
    """
    if isinstance(settings, Mapping):
        places = {key: f"{place}.{key}".removeprefix(".") for key in settings}
        if _INPUTS.fullmatch(place):  # a name stands for the path
            places.pop("path" if settings.get("name") else "name", None)
        return {
            key: public_settings(settings[key], inner)
            for key, inner in places.items()
            if key not in _NOT_TOLD and inner not in _OWN
        }
    if isinstance(settings, list | tuple):
        return [public_settings(value, place) for value in settings]
    if isinstance(settings, str):
        return settings.partition(":")[0] if place in _MODELS else portable(settings)
    return settings


def portable(value: str) -> str:
    """Return a text; of an absolute path or address the name: the rest depends on the machine."""
    if is_address(value):
        return PurePosixPath(value).name
    absolute = any(kind(value).is_absolute() for kind in (PurePosixPath, PureWindowsPath))
    return PureWindowsPath(value).name if absolute else value
