"""What a build gives STS: the selected documents, and translations of their sentences."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from pipeline.contracts.build_inputs import BuildInputs, Preparation, Resources, existing
from pipeline.core.candidates_config import Candidates
from pipeline.core.errors import InputError
from pipeline.tasks.sts.translation import stage
from pipeline.tasks.sts.translation.papago import read_access

_KEY: Final = "candidates.translator"


def _translation(settings: Candidates, sampling: Mapping[str, Any], work: Path) -> Preparation:
    """Return the stage that translates; the journal of its answers lies in the work folder."""
    asked = settings.translator
    reads = stage.translation_params(dict(sampling))
    if asked is None:
        resources = Resources({"translator": None}, {"translator": None, "journal": None})
        return Preparation(stage.__name__, reads, resources, lambda: None)
    for n, path in enumerate(asked.paths):
        existing(path, f"{_KEY}.paths.{n}", folder=asked.kind == "seq2seq")
    translator = asked.model_dump(mode="json")

    def check() -> None:
        if asked.kind == "papago":
            try:
                read_access(translator, os.environ)
            except InputError as error:
                raise InputError(f"{_KEY}: {error}") from None

    try:
        name = stage.translator_identity(translator)
    except InputError as error:
        raise InputError(f"{_KEY}: {error}") from None
    places = {"translator": translator, "journal": str(work / "translations")}
    resources = Resources({"translator": name}, places)
    return Preparation(stage.__name__, reads, resources, check)


INPUTS: Final = BuildInputs(stages=("select",), preparation=_translation)
