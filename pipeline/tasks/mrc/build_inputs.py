"""What a build gives MRC: articles and their sections, and texts that other benchmarks hold."""

from __future__ import annotations

from typing import Final

from pipeline.contracts.build_inputs import BuildInputs, Resources, content, existing
from pipeline.contracts.spec import TaskSpec
from pipeline.core.candidates_config import Candidates


def _resources(settings: Candidates, _spec: TaskSpec) -> Resources:
    files = {f"candidates.known_texts.{n}": path for n, path in enumerate(settings.known_texts)}
    paths = [existing(path, key) for key, path in files.items()]
    return Resources(
        {"known_texts": [path.suffixes for path in paths]},
        {"known_texts": [str(path) for path in paths]},
        tuple(content(path, key) for key, path in files.items()),
    )


INPUTS: Final = BuildInputs(stages=("segment", "select", "clean"), resources=_resources)
