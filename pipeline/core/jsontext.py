"""Canonical JSON: one text for one value, so that equal answers are equal strings."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any, Final


def canonical(value: object) -> str:
    """Return the one JSON text of a value: sorted keys, no blanks, no escapes; 3.0 becomes 3.

    Raises ValueError for NaN and infinity.
    """
    return _WRITE(_integral(value))


def parsed(text: str, *, words: bool = False) -> Any:
    """Return the value of a JSON text.

    Raises ValueError for text that is no JSON, for a key given twice, and for the words NaN and
    Infinity; with `words` these are read, for a caller that reports the field that holds them. A
    number too large for a double (1e999) is read as infinity, so that a caller can refuse its
    record alone; `canonical` refuses it.
    """
    return (_READ_WORDS if words else _READ)(text)


def _integral(value: Any) -> Any:
    if isinstance(value, str):  # most of all values
        return value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: _integral(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_integral(inner) for inner in value]
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("a key is given twice in one object")
    return value


def refuse_constant(name: str) -> float:
    """Raise ValueError for the word NaN or Infinity in a JSON text."""
    raise ValueError(f"{name} is not a JSON number")


# json.loads and json.dumps would make these on every call, which takes longer than a short text.
_WRITE: Final = json.JSONEncoder(
    ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
).encode
_READ: Final = json.JSONDecoder(object_pairs_hook=_once, parse_constant=refuse_constant).decode
_READ_WORDS: Final = json.JSONDecoder(object_pairs_hook=_once, parse_constant=float).decode
_BLANK_BEFORE_COLON: Final = re.compile(rb'"\s+:')
_HOLDERS: Final = (dict, list)


def repeats_a_key(text: bytes, value: dict[str, Any] | list[Any]) -> bool:
    """Return whether an object has a key twice, at any depth; `value` is what the text was read as.

    Most values are known to be good by a count.
    """
    if has_so_many_keys(text, count_keys(value)):
        return False
    try:
        json.loads(text, object_pairs_hook=_once, parse_int=str, parse_float=str)
    except RecursionError:
        return False
    except ValueError:
        return True
    return False


def count_keys(value: object) -> int:
    """Return how many keys the objects of a JSON value have, at any depth."""
    count, rest = 0, [value]
    while rest:
        value = rest.pop()
        inner: Iterable[object] = ()
        if isinstance(value, dict):
            count += len(value)
            inner = value.values()
        elif isinstance(value, list):
            inner = value
        rest += [item for item in inner if isinstance(item, _HOLDERS)]
    return count


def has_so_many_keys(text: bytes, count: int) -> bool:
    """Return whether JSON objects surely have no key twice; they were read as `count` keys in all.

    So many colons follow a quote then: each key that is written has one, be it read or not.
    """
    return text.count(b'":') + len(_BLANK_BEFORE_COLON.findall(text)) == count
