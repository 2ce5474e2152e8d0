"""What is known of a release beside its examples: what the cards and the manifest tell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pipeline.contracts.splits import Split


@dataclass(frozen=True)
class InputFacts:
    """A raw file or folder of a source, as the build file names it, and its digest."""

    file: str
    sha256: str


@dataclass(frozen=True)
class SourceFacts:
    """A source as the catalogue describes it, and what was read and kept of it.

    `licence` is an id of `pipeline.core.licences`. `basis` has the keys kind (licence,
    not_protected, contract), derivatives, redistribution, commercial, note, act, article,
    attribution. `counts` has records, documents, units, kept, dropped_units, quarantined.
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
    contemporary: bool
    address: str | None
    timeframe: str | None
    snapshot: str | None
    tasks: tuple[str, ...]
    inputs: tuple[InputFacts, ...]
    counts: Mapping[str, int]


@dataclass(frozen=True)
class TaskFacts:
    """A task of the release: its examples by split, and how they were annotated.

    `rounds` are the spec's rounds as plain data (id, role, per_item, answer). `sources` are those
    that its examples are from, DST has "written". `coefficient` names the agreement coefficient
    that leads, `agreement` is its value (None: too few votes). `unmet` names the constraints of the
    split that do not hold.
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


@dataclass(frozen=True)
class Facts:
    """A whole release; `simulated` says that no person annotated it.

    `personal` counts the units that left for a type of personal data, `toxic` those that detectors
    took out. `withdrawn` are ids with the reason; `previous` the version before, if there is one.
    `keyed` tells that annotators' public names were made with a secret key.
    """

    name: str
    version: str
    seed: int
    simulated: bool
    sources: tuple[SourceFacts, ...]
    tasks: tuple[TaskFacts, ...]
    personal: Mapping[str, int] = field(default_factory=dict)
    toxic: int = 0
    withdrawn: tuple[tuple[str, str], ...] = ()
    previous: str | None = None
    maintainer: str | None = None
    contact: str | None = None
    tool: str = "klue-rebuild"
    tool_version: str = ""
    keyed: bool = False
