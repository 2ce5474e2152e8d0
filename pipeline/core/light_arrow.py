"""Keeps Arrow from importing pandas, where that is installed, for its first array.

That takes a quarter of a second and 50 MB in each process. Arrow asks once, and again when a table
is to become a frame, so that whoever uses pandas misses nothing.
"""

from __future__ import annotations

import sys
from importlib.abc import MetaPathFinder

import pyarrow as pa


class _NoPandas(MetaPathFinder):
    """Finds nothing, and ends the search for pandas."""

    def find_spec(self, fullname: str, *_: object) -> None:
        if fullname == "pandas":
            raise ImportError(fullname)


def skip_pandas() -> None:
    """Let Arrow ask for pandas now and not find it, unless pandas is in use."""
    if "pandas" not in sys.modules:
        finder = _NoPandas()
        sys.meta_path.insert(0, finder)
        pa.scalar(0)
        sys.meta_path.remove(finder)
