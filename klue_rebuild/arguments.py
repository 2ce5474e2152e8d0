"""Arguments of the interface: each is of the kind that its function declares, or an InputError.

The declared types are the only list of kinds: a function under `checked` has its arguments compared
with its own annotations before anything else happens. The commands check ranges.
"""

from __future__ import annotations

import inspect
import math
import os
import re
from collections.abc import Callable, Collection, Mapping
from functools import wraps
from numbers import Integral, Real
from typing import Any, Final, NamedTuple, ParamSpec, TypeVar

from klue_rebuild.tables import WANTED, ArrowStream, is_frame, is_place
from pipeline.core.errors import InputError

P = ParamSpec("P")
R = TypeVar("R")

#: An alternative of an annotation: a name, and what stands in brackets, two of them deep.
_KIND: Final = re.compile(r"\w+(?:\[(?:[^\[\]]|\[[^\]]*\])*\])?")


class _Kind(NamedTuple):
    """What a message calls a kind of value, and whether a value is of it."""

    words: str
    holds: Callable[[Any], bool]


def _is_number(value: object) -> bool:
    if not isinstance(value, Real) or isinstance(value, bool):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number that no double holds
        return False


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_path(value: object) -> bool:
    if not is_place(value):
        return False
    try:
        encoded = os.fsencode(value)
    except UnicodeEncodeError:  # half of a surrogate pair
        return False
    return encoded != b"" and b"\0" not in encoded


def _is_data(value: object) -> bool:
    return is_frame(value) or isinstance(value, ArrowStream) or _is_path(value)


def _are(holds: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Return whether a value is a list, tuple or set of what holds; a text is none of letters."""
    return lambda value: (
        isinstance(value, Collection)
        and not isinstance(value, str | bytes | Mapping)
        and not is_frame(value)
        and all(map(holds, value))
    )


def _are_paths(value: object) -> bool:
    return isinstance(value, list | tuple) and len(value) > 0 and all(map(_is_path, value))


def _map_to(holds: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: (
        isinstance(value, Mapping) and all(map(_is_text, value)) and all(map(holds, value.values()))
    )


def _is_setting(value: object) -> bool:
    return value is None or isinstance(value, str | bool) or _is_number(value)


_ARE_TEXTS: Final = _are(_is_text)
_KINDS: Final[Mapping[str, _Kind]] = {
    "None": _Kind("None", lambda value: value is None),
    "bool": _Kind("True or False", lambda value: isinstance(value, bool)),
    "int": _Kind(
        "a whole number",
        lambda value: isinstance(value, Integral) and not isinstance(value, bool),
    ),
    "float": _Kind("a number", _is_number),
    "str": _Kind("a text", _is_text),
    "Place": _Kind("a path", _is_path),
    "Places": _Kind("a list of paths", _are_paths),
    "Data": _Kind(WANTED.removeprefix("give "), _is_data),
    "Sequence[str]": _Kind("a list of texts", _ARE_TEXTS),
    "Collection[str]": _Kind("a list of texts", _ARE_TEXTS),
    "Mapping[str, str]": _Kind("a mapping of texts to texts", _map_to(_is_text)),
    "Mapping[str, float]": _Kind("a mapping of texts to numbers", _map_to(_is_number)),
    "Mapping[str, str | Sequence[str]]": _Kind(
        "a mapping of texts to texts or lists of them",
        _map_to(lambda value: _is_text(value) or _ARE_TEXTS(value)),
    ),
    "Mapping[str, Data]": _Kind("a mapping of names to such tables", _map_to(_is_data)),
    "Mapping[str, Any]": _Kind("a mapping of texts to numbers or texts", _map_to(_is_setting)),
}


def checked(function: Callable[P, R]) -> Callable[P, R]:
    """Return the function, which raises InputError for an argument of another kind than declared.

    Whole numbers of other libraries become Python's own.
    """
    signature = inspect.signature(function)
    kinds = {
        name: [_KINDS[kind] for kind in _KIND.findall(parameter.annotation)]
        for name, parameter in signature.parameters.items()
        if name != "self"
    }

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        bound = signature.bind(*args, **kwargs)
        for name, value in bound.arguments.items():
            if name in kinds:
                bound.arguments[name] = _checked(name, value, kinds[name])
        return function(*bound.args, **bound.kwargs)

    return call


def _checked(name: str, value: Any, kinds: Collection[_Kind]) -> Any:
    if not any(kind.holds(value) for kind in kinds):
        words = " or ".join(kind.words for kind in kinds)
        raise InputError(f"`{name}`: is {_shown(value)}; give {words}")
    if isinstance(value, bool) or not isinstance(value, Real):
        return value
    return int(value) if isinstance(value, Integral) else float(value)


def _shown(value: object) -> str:
    """Return what a message says of a value: a number itself, of others the type."""
    if isinstance(value, int | float) or value is None:
        return repr(value)
    if isinstance(value, Collection) and not isinstance(value, str) and not is_frame(value):
        inner = sorted({type(item).__name__ for item in value})
        return f"{type(value).__name__} of {', '.join(inner)}" if inner else type(value).__name__
    if isinstance(value, str):
        return "a text" if value else "an empty text"
    return type(value).__name__
