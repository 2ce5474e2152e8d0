"""The version of the code that scores submissions: it changes when a score could."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from pipeline.contracts.parts import part_modules
from pipeline.core.fingerprint import of_code, of_value

#: Modules that read predictions and decide what is shown; with the scorers of the tasks they import
#: all that a score depends on.
_MODULES: Final = ("pipeline.scoring.submission", "pipeline.scoring.scorer")


def scorer_version(tasks: Iterable[str]) -> str:
    """Return a digest of the code that scores these tasks (ids)."""
    scorers = (module for task in sorted(tasks) for module in part_modules(task, "scorer"))
    return of_value([[module, of_code(module)] for module in (*_MODULES, *scorers)])
