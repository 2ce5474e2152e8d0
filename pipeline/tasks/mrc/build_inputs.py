"""What a build gives MRC: articles and their sections, and texts that other benchmarks hold."""

from __future__ import annotations

from typing import Final

from pipeline.contracts.build_inputs import BuildInputs, Resources, content, existing
from pipeline.contracts.spec import TaskSpec
from pipeline.core.buildfile import FilePath
from pipeline.core.specs import Many, Spec


class Keys(Spec):
    """The keys of MRC in a build file: files of texts that other benchmarks hold."""

    known_texts: Many[FilePath] = ()


def _resources(settings: Keys, _spec: TaskSpec) -> Resources:
    files = {f"candidates.known_texts.{n}": path for n, path in enumerate(settings.known_texts)}
    paths = [existing(path, key) for key, path in files.items()]
    return Resources(
        {"known_texts": [path.suffixes for path in paths]},
        {"known_texts": [str(path) for path in paths]},
        tuple(content(path, key) for key, path in files.items()),
    )


INPUTS: Final = BuildInputs(keys=Keys, stages=("segment", "select", "clean"), resources=_resources)
