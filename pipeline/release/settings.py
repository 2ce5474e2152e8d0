"""What a manifest tells of the build file: settings that decide, no place and nobody's name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any, Final

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
        "release.against",
        "release.key_file",
        "release.withdrawn",
    }
)
#: Models, as KIND or KIND:FOLDER: their kind is told.
_MODELS: Final = frozenset({"candidates.tagger", "toxicity.detector"})
_PATHS: Final = (PurePosixPath, PureWindowsPath)


def public_settings(build: Mapping[str, Any]) -> dict[str, Any]:
    """Return a build file as plain data, as it is public.

    The inputs of sources are told as the build file has them, of absolute paths the name alone.
    Settings that decide nothing, people, and all other files are left out.
    """
    return {key: _told(value, key) for key, value in build.items() if _is_told(key, key)}


def portable(value: str) -> str:
    """Return a text; of an absolute path the name, since the rest depends on the machine."""
    absolute = any(kind(value).is_absolute() for kind in _PATHS)
    return PureWindowsPath(value).name if absolute else value


def _told(value: Any, where: str) -> Any:
    if isinstance(value, Mapping):
        inner = ((key, f"{where}.{key}", one) for key, one in value.items())
        return {key: _told(one, place) for key, place, one in inner if _is_told(key, place)}
    if isinstance(value, list | tuple):
        return [_told(one, where) for one in value]
    if isinstance(value, str):
        return value.partition(":")[0] if where in _MODELS else portable(value)
    return value


def _is_told(key: str, where: str) -> bool:
    return key not in _NOT_TOLD and where not in _OWN
