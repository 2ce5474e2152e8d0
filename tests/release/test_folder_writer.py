"""Tables of a release: the same bytes for any parts, most of them for a changed table too."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipeline.release.folder import ROWS, FolderWriter

MANY = ROWS + 20_000


def _table(rows: int, name: str) -> pa.Table:
    draws = Random(name)
    ids = [f"{draws.getrandbits(96):024x}" for _ in range(rows)]
    labels = [("정치", "경제", "사회")[draws.getrandbits(6) % 3] for _ in range(rows)]
    return pa.table({"guid": ids, "label": labels})


def _written(folder: Path, parts: Iterator[pa.Table], schema: pa.Schema) -> Path:
    FolderWriter(folder).stream("table.parquet", parts, schema)
    return folder / "table.parquet"


def test_bytes_do_not_depend_on_the_parts_in_which_a_table_comes(tmp_path: Path) -> None:
    table = _table(MANY, "parts")
    FolderWriter(tmp_path / "whole").table("table.parquet", table)
    cuts = [0, 1, 7_000, ROWS - 1, ROWS + 1, MANY]
    parts = (table.slice(a, b - a) for a, b in pairwise(cuts))
    other = _written(tmp_path / "parts", parts, table.schema)
    assert other.read_bytes() == (tmp_path / "whole" / "table.parquet").read_bytes()
    assert pq.read_table(other).equals(table)


def test_no_metadata_of_a_table_is_written(tmp_path: Path) -> None:
    table = _table(3, "metadata").replace_schema_metadata({"pandas": "kim"})
    FolderWriter(tmp_path / "a").table("table.parquet", table)
    path = _written(tmp_path / "b", iter([table.replace_schema_metadata(None)]), table.schema)
    assert pq.read_schema(path).metadata is None
    assert path.read_bytes() == (tmp_path / "a" / "table.parquet").read_bytes()


def test_the_hub_has_most_of_a_table_that_lost_a_few_rows(tmp_path: Path) -> None:
    """Counted by the hub's own client in a store on this disk; 1 % with pages of one size."""
    hf_xet = pytest.importorskip("hf_xet")
    table = _table(MANY, "hub")
    shorter = pa.concat_tables([table.slice(0, 30_000), table.slice(30_005)])
    for name, rows in (("before", table), ("after", shorter)):
        path = _written(tmp_path / name, iter([rows]), table.schema)
        commit = hf_xet.XetSession().new_upload_commit(endpoint=f"local://{tmp_path}/hub")
        commit.start_upload_file(str(path))
        metrics = commit.wait_to_finish().dedup_metrics
    assert metrics.new_bytes < 0.5 * metrics.total_bytes


#: Writes a table where no file may be larger than so many bytes, as on a disk that is full.
_ON_A_FULL_DISK = """
import resource, sys
from pathlib import Path
import pyarrow as pa
from pipeline.release.folder import FolderWriter

most, rows = int(sys.argv[2]), int(sys.argv[3])
table = pa.table({"guid": [f"{n * 2654435761 % 2**64:024x}" for n in range(rows)]})
resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
try:
    FolderWriter(Path(sys.argv[1])).table("table.parquet", table)
except OSError as error:
    sys.exit(error.strerror)
"""


@pytest.mark.parametrize(("most", "rows"), [(4_096, 3_000), (70_000, 40_000), (100, 3)])
def test_a_full_disk_is_an_error_and_no_abort(tmp_path: Path, most: int, rows: int) -> None:
    arguments = [str(tmp_path / "folder"), str(most), str(rows)]
    done = subprocess.run(
        [sys.executable, "-c", _ON_A_FULL_DISK, *arguments], capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (1, "File too large\n")
