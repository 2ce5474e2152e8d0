"""Arrow leaves pandas alone until a table is to become a frame."""

from __future__ import annotations

import subprocess
import sys

import pytest

CODE = """
import sys
import pipeline.core.schemas
import pyarrow as pa
table = pa.table({"a": pa.array([1, 2]), "b": pa.array(["x", None])})
assert pa.scalar(1).as_py() == 1
assert "pandas" not in sys.modules
assert list(table.to_pandas().columns) == ["a", "b"]
import pandas
assert pa.array(pandas.Series([1, 2])).type == pa.int64()
"""


def test_pandas_is_imported_for_frames_alone() -> None:
    pytest.importorskip("pandas")
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", CODE], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
