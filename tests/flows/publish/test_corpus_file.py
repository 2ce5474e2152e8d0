"""Tables to one file: the same bytes and rows however many workers make the lines."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from flows.publish.corpus import write_file
from pipeline.core.errors import InputError
from pipeline.core.pool import Workers

TABLES = [
    pa.table({"id": [f"{n}-{m}" for m in range(n)], "text": ["줄\n바꿈"] * n, "score": [None] * n})
    for n in (3, 0, 7, 1)
]


@pytest.mark.parametrize("workers", [1, 2])
def test_lines_come_in_the_order_of_the_tables(tmp_path: Path, workers: int) -> None:
    path = tmp_path / "out.jsonl"
    with Workers(workers):
        assert write_file(path, iter(TABLES)) == 11
    names = [f"{n}-{m}" for n in (3, 7, 1) for m in range(n)]
    lines = [f'{{"id":"{name}","text":"줄\\n바꿈","score":null}}\n' for name in names]
    assert path.read_text("utf-8") == "".join(lines)


def test_another_ending_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"allowed endings: \.parquet, \.jsonl"):
        write_file(tmp_path / "out.txt", iter(TABLES))
