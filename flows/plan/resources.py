"""What a build file names for its candidates beside corpora, as stage calls take it.

A resource enters a call three times: what it is (`params`), where it is (`arguments`), and the
digest of its content (`raw`), so that a moved file changes nothing and a changed one does.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from pipeline.contracts.sampling import SamplingSection
from pipeline.contracts.spec import SPECS, TaskSpec, load_spec
from pipeline.core.buildfile import Build, resolve
from pipeline.core.errors import InputError, SpecError
from pipeline.core.fingerprint import ROOT, of_path
from pipeline.core.stage import Call
from pipeline.sampling.tagging.registry import digest_of, located
from pipeline.tasks.sts.translation.papago import read_access
from pipeline.tasks.sts.translation.stage import translator_identity

#: The property-to-relation map and the data of dialogues that come with the project.
PROPERTIES: Final = ROOT / "data" / "knowledge" / "properties.yaml"
DIALOGUE: Final = ROOT / "data" / "dialogue"


@dataclass(frozen=True)
class Extra:
    """What the call of one task has beyond what every call has."""

    params: dict[str, Any] = field(default_factory=dict)
    arguments: dict[str, Any] = field(default_factory=dict)
    raw: tuple[str, ...] = ()


@dataclass(frozen=True)
class Resources:
    """The section `candidates` of a build file, resolved; `path` is the build file."""

    build: Build
    path: Path

    def spec(self, task: str) -> TaskSpec:
        """Return the annotation spec of a task; it must say how candidates are drawn."""
        given = self.build.candidates.specs
        folder = resolve(given, self.path, "candidates.specs") if given else SPECS
        try:
            spec = load_spec(task, folder)
        except SpecError as error:
            if given is None or (folder / task / "spec.yaml").is_file():
                raise
            raise SpecError(f"{self.path}: candidates.specs: {error}") from None
        if spec.sampling is None:
            raise SpecError(
                f"{folder / task / 'spec.yaml'}: has no section `sampling`, which says how"
                " candidates are drawn; add one, or build --until corpus"
            )
        return spec

    def sampling(self, spec: TaskSpec) -> SamplingSection:
        """Return the sampling section of a spec, scaled to the size that the build asks for."""
        size = self.build.candidates.sizes.get(spec.task)
        section: SamplingSection = spec.sampling
        if size is None:
            return section
        found: SamplingSection = section.scaled(size)
        if found.total > size:
            raise SpecError(
                f"{self.path}: candidates.sizes.{spec.task}: {size} is fewer than its quotas, each"
                f" of which needs one; give {found.total} or more"
            )
        return found

    def numbers(self, spec: TaskSpec) -> dict[str, Any]:
        """Return what drawing reads of the sampling section; checks of returned answers do not."""
        return self.sampling(spec).model_dump(mode="json", exclude={"returned"})

    def extra(self, spec: TaskSpec) -> Extra:
        """Return what the call of a task needs beside its sources."""
        made: dict[str, Callable[[], Extra]] = {
            "ner": self._tagger,
            "re": lambda: self._relation(spec),
            "mrc": self._known,
            "dst": lambda: self._dialogue(spec),
        }
        return made.get(spec.task, Extra)()

    def translator(self, work: Path) -> Extra:
        """Return what the call that translates needs; its journal is kept under `work`."""
        given = self.build.candidates.translator
        if given is None:
            return Extra({"translator": None}, {"translator": None, "journal": None})
        where = "candidates.translator"
        paths = [
            str(self._there(path, f"{where}.paths.{n}", folder=given.kind == "seq2seq"))
            for n, path in enumerate(given.paths)
        ]
        settings = {**given.model_dump(mode="json"), "paths": paths}
        try:
            named = translator_identity(settings)
        except InputError as error:
            raise InputError(f"{self.path}: {where}: {error}") from None
        places = {"translator": settings, "journal": str(work / "translations")}
        return Extra({"translator": named}, places)

    def ready(self, call: Call) -> None:
        """Raise InputError for what a call that is to run will need and does not have: keys."""
        settings = call.arguments["translator"]
        if settings is not None and settings["kind"] == "papago" and not call.done:
            try:
                read_access(settings, os.environ)
            except InputError as error:
                raise InputError(f"{self.path}: candidates.translator: {error}") from None

    def _tagger(self) -> Extra:
        place, digest = _tagger(self.build.candidates.tagger, self.path)
        name = self.build.candidates.tagger.partition(":")[0]
        return Extra({"tagger": {"name": name, "digest": digest}}, {"tagger": place})

    def _relation(self, spec: TaskSpec) -> Extra:
        given, tagger = self.build.candidates, self._tagger()
        paths = [
            self._there(one.path, f"candidates.knowledge.{n}.path")
            for n, one in enumerate(given.knowledge)
        ]
        properties = PROPERTIES
        if given.properties is not None:
            properties = self._there(given.properties, "candidates.properties")
        named = [
            {"name": path.name, "format": one.format}
            for path, one in zip(paths, given.knowledge, strict=True)
        ]
        return Extra(
            tagger.params
            | {
                "detectors": list(given.detectors),
                "labels": [
                    label.model_dump(mode="json", include={"id", "subject", "objects"})
                    for label in spec.labels
                ],
                "knowledge": named,
            },
            tagger.arguments
            | {"knowledge": [str(path) for path in paths], "properties": str(properties)},
            (*map(_digest, paths), _digest(properties)),
        )

    def _known(self) -> Extra:
        paths = [
            self._there(given, f"candidates.known_texts.{n}")
            for n, given in enumerate(self.build.candidates.known_texts)
        ]
        return Extra(
            {"known_texts": [path.suffixes for path in paths]},
            {"known_texts": [str(path) for path in paths]},
            tuple(map(_digest, paths)),
        )

    def _dialogue(self, spec: TaskSpec) -> Extra:
        given = self.build.candidates
        named = {"places": given.places, "metro": given.metro}
        found = {
            name: None if path is None else self._there(path, f"candidates.{name}")
            for name, path in named.items()
        }
        return Extra(
            {
                "slots": [slot.model_dump(mode="json") for slot in spec.slots],
                "given": {name: path.suffixes for name, path in found.items() if path is not None},
            },
            {name: None if path is None else str(path) for name, path in found.items()},
            (_digest(DIALOGUE), *(_digest(path) for path in found.values() if path is not None)),
        )

    def _there(self, path: str, where: str, *, folder: bool = False) -> Path:
        found = resolve(path, self.path, where)
        if found.is_dir() and not folder:
            raise InputError(f"{self.path}: {where}: {found} is a folder; give a file")
        if not found.exists():
            raise InputError(
                f"{self.path}: {where}: {found} does not exist; correct the path, or leave it out"
            )
        return found


@lru_cache(maxsize=1)
def _tagger(name: str, path: Path) -> tuple[str, str]:
    """Return the tagger that a build file names, with whole paths, and its digest."""
    try:
        spec = located(name, lambda part: resolve(part, path, "candidates.tagger"))
        return spec, digest_of(spec)
    except InputError as error:
        raise InputError(f"{path}: candidates.tagger: {error}") from None


def _digest(path: Path) -> str:
    try:
        return of_path(path)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}; mend it") from None
