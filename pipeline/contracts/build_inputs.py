"""What a build gives a task beside kept sentences: the part `build_inputs` of a task.

A task without this part draws its candidates from kept sentences alone. The part declares the
task's own keys of the section `candidates` of a build file. A resource enters a call three times:
what it is (`params`), where it is (`arguments`), and the digest of its content (`raw`), so that a
moved file changes nothing and a changed one does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

from pydantic import create_model

from pipeline.contracts.parts import Parts
from pipeline.contracts.spec import TaskSpec
from pipeline.core import buildfile
from pipeline.core.buildfile import Build, Candidates
from pipeline.core.files import input_errors, refuse
from pipeline.core.fingerprint import of_path
from pipeline.core.specs import Spec


@dataclass(frozen=True)
class Resources:
    """What a call has beyond what every call has; `code` names modules that a setting chooses."""

    params: dict[str, Any] = field(default_factory=dict)
    arguments: dict[str, Any] = field(default_factory=dict)
    raw: tuple[str, ...] = ()
    code: tuple[str, ...] = ()

    def __add__(self, other: Resources) -> Resources:
        return Resources(
            self.params | other.params,
            self.arguments | other.arguments,
            self.raw + other.raw,
            self.code + other.code,
        )


@dataclass(frozen=True)
class Preparation:
    """A stage that reads kept sentences and runs before candidates are drawn from its output.

    `sampling` are those settings of the spec that it reads. `check` is called before a run of it;
    it raises InputError for what the run needs and does not have, such as a key.
    """

    module: str
    sampling: Mapping[str, Any]
    resources: Resources
    check: Callable[[], None]


@dataclass(frozen=True)
class BuildInputs:
    """What the candidates of a task need from a build, and which tables of the corpus they read.

    `keys` are the task's own keys of the section `candidates` of a build file; the settings that
    `resources` and `preparation` receive have them beside the general ones. `stages` are the stages
    of the corpus whose tables of each source they read beside the kept sentences. `has_sources` is
    False where candidates are written and not drawn from sources. `resources` takes the settings
    and the spec; `preparation` the settings, the sampling section and the work folder. Both raise
    InputError that names the key. `sources` gives the kind of unit by source where the spec says it
    and not the catalogue.

    `kinds` are what follows a source in the names of its quotas, where these are shared by what
    sources give. `numbers` replace those of the section `split`. `lacks` takes the settings, the
    sampling section and the first documents of the sources, as their readers make them; it yields
    what the task cannot do without, and what to write where. `notes` takes the settings and the
    section, and yields what a plan says besides, such as a resource that is too small.
    """

    keys: type[Spec] = Spec
    stages: tuple[str, ...] = ()
    has_sources: bool = True
    sources: Callable[[TaskSpec], Mapping[str, str]] | None = None
    resources: Callable[[Any, TaskSpec], Resources] = lambda _settings, _spec: Resources()
    preparation: Callable[[Any, Mapping[str, Any], Path], Preparation] | None = None
    kinds: Callable[[Any], tuple[str, ...]] = lambda _settings: ("",)
    numbers: Callable[[Any], dict[str, Any]] = lambda _settings: {}
    lacks: Callable[[Any, Any, Mapping[str, Sequence[Any]]], Iterator[str]] = lambda *_: iter(())
    notes: Callable[[Any, Any], Iterator[str]] = lambda *_: iter(())


INPUTS: Final[Mapping[str, BuildInputs]] = Parts("build_inputs", "INPUTS")


def load_build(path: Path) -> Build:
    """Read a build file with the keys of all tasks; raises SpecError with file, line and key."""
    return buildfile.load_build(path, _build_model(*(inputs.keys for inputs in INPUTS.values())))


@cache
def _build_model(*keys: type[Spec]) -> type[Build]:
    models: dict[type[Spec], None] = dict.fromkeys((*keys, Candidates))
    # Python refuses a base class that stands before a class derived from it.
    bases: Any = tuple(m for m in models if not any(m in other.__mro__[1:] for other in models))
    candidates: Any = create_model("Candidates", __base__=bases)
    fields: dict[str, Any] = {"candidates": (candidates, candidates())}
    return create_model("Build", __base__=Build, **fields)


def existing(path: Path, key: str, *, folder: bool = False) -> Path:
    """Return a path that a build file gives under a key; raises InputError if it is not there."""
    refuse(
        f"{key}: {path}",
        (path.is_dir() and not folder, "is a folder; give a file"),
        (not path.exists(), "does not exist; correct the path, or leave it out"),
    )
    return path


def content(path: Path, key: str) -> str:
    """Return the digest of a file or folder that a build file gives under a key."""
    with input_errors(f"{key}: {path}", "read"):
        return of_path(path)
