"""Folders with the user's own modules, imported as packages under names of ours.

A folder `../emotions` is imported as `klue_task_emotions`, its module split.py as
`klue_task_emotions.split`. Calls carry these folders, so that every worker imports the same ones.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec
from pathlib import Path
from typing import Final

#: What the name of each such package begins with.
PREFIX: Final = "klue_task_"
_folders: dict[str, Path] = {}


def add_package(name: str, folder: Path) -> None:
    """Make the modules of a folder importable as `name`; a second call with it does nothing."""
    if _folders.get(name) == folder:
        return
    for module in sys.modules.copy():  # other threads may be importing
        if module == name or module.startswith(f"{name}."):
            del sys.modules[module]
    spec = ModuleSpec(name, None, is_package=True)
    spec.submodule_search_locations = [str(folder)]
    sys.modules[name] = module_from_spec(spec)
    _folders[name] = folder


def add_packages(folders: Mapping[str, str]) -> None:
    """Make several folders importable, as `Call.packages` holds them."""
    for name, folder in folders.items():
        add_package(name, Path(folder))


def packages() -> Mapping[str, Path]:
    """Return the folders added so far, by the name of their package."""
    return dict(_folders)


def package_folder(module: str) -> Path | None:
    """Return the folder of the package that a module belongs to; None for all other modules."""
    return _folders.get(module.split(".", maxsplit=1)[0])
