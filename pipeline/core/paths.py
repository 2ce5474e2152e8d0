"""Paths and names of models in a build file, made absolute when the file is loaded.

``${NAME}`` is an environment variable and ``~`` the home folder; other relative paths start at the
folder of the build file.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Annotated, Final

from pydantic import BeforeValidator, ValidationInfo

from pipeline.core.errors import InputError
from pipeline.core.objects.address import Address, address_of

_VARIABLE: Final = re.compile(r"\$\{(\w+)\}")
#: How a path begins, in the name of a model.
_PATH: Final = ("/", ".", "~", "$")
#: The kind of model whose name may also be that of a model of the hub.
_HUB: Final = "transformers"


def resolve(path: str, folder: Path) -> Path:
    """Return a path of a build file that lies in `folder` as an absolute one.

    Raises ValueError for an environment variable that is not set and an unknown home folder.
    """
    try:
        return (folder / Path(_substitute(path)).expanduser()).absolute()
    except RuntimeError:
        raise ValueError("no home folder is known for this path; write it in full") from None


def _substitute(path: str) -> str:
    """Return a path with the values of environment variables; raises ValueError without one."""

    def value(match: re.Match[str]) -> str:
        setting = os.environ.get(match[1])
        if not setting:
            raise ValueError(
                f"the environment variable {match[1]} is not set, but the path needs it; set it to"
                " the folder meant"
            )
        return setting

    return _VARIABLE.sub(value, path)


def locate(name: str, folder: Path) -> str:
    """Return the name of a model, KIND or KIND:PLACE, with absolute paths.

    A place of the kind transformers is one or two models with a comma between; each is a path if it
    begins like one (``/ . ~ $``) or is a folder there, and else the name of a model of the hub.
    Raises ValueError for a folder of two models whose path holds a comma.
    """
    kind, _, place = name.partition(":")
    if not place:
        return name
    if kind != _HUB:
        return f"{kind}:{resolve(place, folder)}"
    return f"{kind}:{','.join(_model(part.strip(), folder) for part in place.split(','))}"


def _model(name: str, folder: Path) -> str:
    if not name:
        return name
    path = resolve(name, folder)
    if not name.startswith(_PATH) and not path.is_dir():
        return name
    if "," in str(path):
        raise ValueError(f"{path}: holds a comma, which separates the two models; move the folder")
    return str(path)


def _absolute_path(value: object, info: ValidationInfo) -> Path:
    if isinstance(value, Path):
        return value
    if not isinstance(value, str) or not value.strip():
        raise ValueError("must be a path, such as ../corpora/news.jsonl")
    if _address(value) is not None:
        raise ValueError("stays on a file system; only inputs of sources lie in object stores")
    return resolve(value.strip(), info.context["folder"]) if info.context else Path(value.strip())


def _absolute_input(value: object, info: ValidationInfo) -> Path:
    if isinstance(value, str) and info.context and _address(_substitute(value)) is not None:
        return Path(_substitute(value).strip())
    if isinstance(value, str) and _address(value) is not None:
        return Path(value.strip())
    return _absolute_path(value, info)


def _address(value: str) -> Address | None:
    try:
        return address_of(value.strip())
    except InputError as error:
        raise ValueError(str(error)) from None


def _absolute_model(value: object, info: ValidationInfo) -> object:
    if isinstance(value, str) and info.context:
        return locate(value.strip(), info.context["folder"])
    return value


def _absolute_checkpoint(value: object, info: ValidationInfo) -> object:
    if not isinstance(value, str) or not value.strip():
        raise ValueError("must be a folder, a model of the hub, or a size such as scratch:tiny")
    name = value.strip()
    if info.context is None or name.startswith("scratch:"):
        return name
    return _model(name, info.context["folder"])


def _absolute_task(value: object, info: ValidationInfo) -> object:
    if isinstance(value, str) and info.context and value.strip().startswith(_PATH):
        return str(resolve(value.strip(), info.context["folder"]))
    return value


#: A path, and the name of a model; absolute if the context of the validation has the `folder`.
FilePath = Annotated[Path, BeforeValidator(_absolute_path)]
#: A path, or the address of an object, which keeps one slash: see core/objects/address.py.
InputPath = Annotated[Path, BeforeValidator(_absolute_input)]
ModelName = Annotated[str, BeforeValidator(_absolute_model)]
#: A model that is trained: a folder, a name of the hub, or scratch:SIZE.
Checkpoint = Annotated[str, BeforeValidator(_absolute_checkpoint)]
#: A task's id or the path of its folder; absolute here only if it begins like one (``/ . ~ $``).
TaskName = Annotated[str, BeforeValidator(_absolute_task)]
