"""The texts of other benchmarks, in the forms in which these are published."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from pipeline.core.errors import InputError
from pipeline.tasks.mrc.candidates.fingerprints import Hashes, fingerprints

#: Where the JSON of a benchmark keeps its passages, at any depth.
KEYS: Final = ("context", "passage", "text")
_TAG: Final = re.compile(r"</?[A-Za-z][^<>가-힣]{0,300}>")


def known(paths: Sequence[Path]) -> Hashes:
    """Return the fingerprints of all texts in these files, sorted and distinct.

    Raises InputError for a file that cannot be read or holds no text.
    """
    found = [np.array([], np.uint64)]
    for path in paths:
        count = len(found)
        found += [fingerprints(text) for text in texts(path)]
        if len(found) == count:
            raise InputError(
                f"{path}: holds no text; give texts one a line, JSONL, or JSON with a key"
                f" {', '.join(KEYS)}"
            )
    return np.unique(np.concatenate(found))


def texts(path: Path) -> Iterator[str]:
    """Yield the texts of a file, without the tags of HTML.

    ``.json`` is SQuAD-like or any other JSON with KEYS, ``.jsonl`` one such value a line, anything
    else one text a line. Raises InputError, with the line.
    """
    try:
        if path.suffix.lower() == ".json":
            yield from map(_plain, _contexts(_parsed(path.read_text("utf-8-sig"), path, 1)))
            return
        with path.open(encoding="utf-8-sig") as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    found = [line]
                    if path.suffix.lower() == ".jsonl":
                        found = list(_contexts(_parsed(line, path, number)))
                    yield from map(_plain, found)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"{path}: cannot be read ({type(error).__name__}); give a UTF-8 file of known texts"
        ) from None


def _parsed(text: str, path: Path, line: int) -> Any:
    try:
        return json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        place = getattr(error, "lineno", 1) + line - 1
        raise InputError(
            f"{path}:{place}: no JSON; mend it, or give texts one a line as .txt"
        ) from None


def _contexts(value: Any) -> Iterator[str]:
    """Yield the texts of a JSON value, from the inside of lists and objects as well."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, list):
            waiting += reversed(one)
        elif isinstance(one, dict):
            yield from (one[key] for key in KEYS if isinstance(one.get(key), str))
            waiting += [inner for inner in reversed(one.values()) if not isinstance(inner, str)]


def _plain(text: str) -> str:
    return _TAG.sub(" ", text)
