"""The user's cache: what a run can make again, kept for the next one.

It is the folder `klue-rebuild` in `$XDG_CACHE_HOME` or `~/.cache`, and may be removed at any time.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from pipeline.core.errors import KlueError
from pipeline.core.files import replacing


def cache_folder() -> Path:
    """Return the folder, which may not exist. Raises RuntimeError for a user without a home."""
    given = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (given if given.is_absolute() else Path.home() / ".cache") / "klue-rebuild"


def load_values(name: str) -> dict[str, Any]:
    """Return the JSON object kept as `name`; an empty one if it is absent or damaged."""
    try:
        values = json.loads((cache_folder() / name).read_bytes())
    except (OSError, RuntimeError, ValueError):
        return {}
    return values if isinstance(values, dict) else {}


def keep_values(name: str, values: dict[str, Any]) -> None:
    """Keep a JSON object as `name`; does nothing where the folder cannot be written."""
    with suppress(OSError, RuntimeError, KlueError):
        folder = cache_folder()
        folder.mkdir(parents=True, exist_ok=True)
        with replacing(folder / name) as temporary:
            temporary.write_text(json.dumps(values), "utf-8")
