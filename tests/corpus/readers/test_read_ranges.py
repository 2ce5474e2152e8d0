"""Ranges of plain files: they give what the stream of the same file gives, wherever they are cut.

The reference is a packed copy of the file, which is read as a stream.
"""

from __future__ import annotations

import gzip
import random
from pathlib import Path
from typing import Any

import pytest

from pipeline.core.errors import InputError
from pipeline.core.stage import Call
from pipeline.corpus import read
from pipeline.corpus.readers import ranges

Tables = dict[str, list[dict[str, Any]]]

CELLS = [
    "글",
    "둘째 글",
    "",
    " ",
    '"따옴표"',
    '"쉼표, 안"',
    '"줄\n바꿈"',
    '"두 ""겹"""',
    'x"y',
    '"끊긴',
    "\r",
    '""',
    '"줄\r\n바꿈"',
    '"a"b',
    '"\r"',
]
CELLS += ["7", "2020-01-02", "\0", "\ufeff", "탭\t"]
VALUES = [
    '"글"',
    '" "',
    "null",
    "7",
    "true",
    '"\\u0000"',
    '"\\ud800"',
    '"2020.1.2"',
    "[1]",
    "1.5",
    '""',
]
COLUMNS = ("key", "text", "date", "label")


def _tables(path: Path, reader: str, header: bool = True) -> Tables | str:
    named = (
        {} if reader == "text" else dict(zip(COLUMNS, COLUMNS if header else "0123", strict=True))
    )
    options = {"columns": named, "header": header}
    call = Call(
        stage="read",
        module="pipeline.corpus.read",
        source="toy",
        folder=path.parent,
        fingerprint="",
        input_fingerprints=("",),
        params={"inputs": [{"name": path.name, "reader": reader, "options": options}]},
        arguments={"paths": [str(path)]},
    )
    tables: Tables = {"documents": [], "ledger": []}
    try:
        for shard in read.STAGE.shards(call):
            outcome = read.STAGE.run(call, shard)
            for name in tables:
                tables[name] += outcome.tables[name].to_pylist()
    except InputError as error:
        return str(error).replace(path.name, "a").partition(": ")[2][-40:]
    for row in [row for rows in tables.values() for row in rows]:
        row["file"] = "a"
        row.pop("unit", None)
    return tables


def _compare(folder: Path, content: bytes, reader: str, header: bool = True) -> None:
    plain, packed = folder / "a", folder / "a.gz"
    plain.write_bytes(content)
    packed.write_bytes(gzip.compress(content))
    assert _tables(plain, reader, header) == _tables(packed, reader, header), content


def _row(chance: random.Random, reader: str) -> str:
    if reader == "jsonl" and chance.random() < 0.9:
        pairs = (f'"{name}": {chance.choice(VALUES)}' for name in COLUMNS if chance.random() < 0.9)
        return "{" + ", ".join(pairs) + "}"
    width = 4 if chance.random() < 0.9 else chance.randrange(6)
    plain = chance.random() < 0.7
    cells = ["1", "글", "2020-01-02", "x"] if plain else chance.choices(CELLS, k=width)
    return ("\t" if reader == "tsv" else ",").join(cells)


@pytest.mark.parametrize("count", [30, pytest.param(200, marks=pytest.mark.full)])
@pytest.mark.parametrize("reader", ["csv", "tsv", "jsonl", "text"])
def test_ranges_give_what_the_stream_gives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reader: str, count: int
) -> None:
    chance = random.Random(reader)
    for number in range(count):
        monkeypatch.setattr(ranges, "BYTES", chance.choice([20, 64, 300]))
        monkeypatch.setattr(ranges, "RECORDS", chance.choice([1, 3, 10_000]))
        head = ("\t" if reader == "tsv" else ",").join(COLUMNS)
        header = reader in {"csv", "tsv"} and number % 4 > 0
        rows = [_row(chance, reader) for _ in range(chance.randrange(1, 9))]
        end = chance.choice(["\n", "\r\n"])
        text = end.join(([head] if header else []) + rows) + chance.choice(["", end])
        content = text.encode(
            "cp949" if number == 0 else "utf-8", "surrogatepass" if number else "ignore"
        )
        mark = b"\xef\xbb\xbf" if number % 3 == 0 else b""
        _compare(tmp_path, mark + content, reader, header or reader in {"jsonl", "text"})
