"""Files that inflate as no corpus does end at once; honest ones of any packing are read."""

from __future__ import annotations

import bz2
import gzip
import lzma
import random
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from pipeline.core.errors import InputError
from pipeline.core.io import guess_source, inflation, read_batches
from pipeline.core.io.parquet import BoundedFile
from pipeline.core.io.streams import open_stream

PACK: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".zst": zstandard.ZstdCompressor().compress,
    ".xz": lambda data: lzma.compress(data, preset=0),
}
#: Tests have limits a sixteenth of the real ones, and bombs a sixteenth as large.
SMALLER = 16
MANY = 2_000_000 // SMALLER


@pytest.fixture
def _real_limits() -> None:
    """Keep the limits as they are: asked for by name."""


@pytest.fixture(autouse=True)
def _smaller_limits(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if "_real_limits" not in request.fixturenames:
        monkeypatch.setattr(inflation, "BOMB_BYTES", inflation.BOMB_BYTES // SMALLER)
        monkeypatch.setattr(inflation, "MANY", inflation.MANY // SMALLER)


def _rows(path: Path) -> int:
    source = guess_source(path, form="text" if ".txt" in path.name else None)
    return sum(map(len, read_batches(source, quarantine=lambda _: None)))


@pytest.mark.usefixtures("_real_limits")
def test_limits_are_64_mib_250_times_the_file_and_a_million_of_almost_nothing() -> None:
    limit, many = 64 * 2**20, 2**20
    faults = {
        inflation.ratio_fault: ((limit, 1), (limit + 1, 1), (250 * limit, limit)),
        inflation.values_fault: ((many, 1), (many + 1, 1), (8 * many, many)),
        inflation.lines_fault: ((many, 0), (many + 1, 0), (2 * many, 4 * many)),
    }
    for fault, cases in faults.items():
        assert [bool(fault(*case)) for case in cases] == [False, True, False]


@pytest.mark.full
@pytest.mark.usefixtures("_real_limits")
def test_a_bomb_of_the_real_size_ends(tmp_path: Path) -> None:
    path = tmp_path / "a.txt.gz"
    path.write_bytes(gzip.compress((b"0" * 99 + b"\n") * 700_000))
    with pytest.raises(InputError, match=r"inflates to more than .* no corpus does that"):
        _rows(path)


@pytest.mark.thin(2)
@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".zst"])
def test_a_flood_of_one_character_is_a_bomb(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a.txt{suffix}"
    path.write_bytes(PACK[suffix]((b"0" * 99 + b"\n") * (700_000 // SMALLER)))
    with pytest.raises(InputError, match=r"inflates to more than .* no corpus does that"):
        _rows(path)


@pytest.mark.thin("form", "suffix", "line")
@pytest.mark.parametrize("line", [b"\n", b"\n\n\n7\n\n\n\n"], ids=["blank", "nearly"])
@pytest.mark.parametrize("suffix", ["", ".gz", ".bz2", ".zst"])
@pytest.mark.parametrize("form", ["txt", "jsonl", "csv"])
def test_a_flood_of_blank_lines_ends(tmp_path: Path, form: str, suffix: str, line: bytes) -> None:
    path = tmp_path / f"a.{form}{suffix}"
    path.write_bytes(PACK[suffix](b"text\n" + line * MANY))
    with pytest.raises(InputError, match="lines are blank"):
        _rows(path)


@pytest.mark.thin(3)
@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".zst"])
def test_many_short_lines_and_repeated_text_are_a_corpus(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a.txt{suffix}"
    draw = random.Random(1)
    page = "".join(f"{draw.randrange(10)}\n" for _ in range(1_200_000 // SMALLER)).encode()
    path.write_bytes(PACK[suffix](page))
    assert _rows(path) == 1_200_000 // SMALLER


def _table(path: Path, **columns: pa.Array) -> Path:
    pq.write_table(pa.table(columns), path, compression="zstd", data_page_size=2**30)
    return path


def _repeated(text: str, count: int) -> pa.Array:
    indices = pa.array(np.zeros(count, np.int32))
    return pa.DictionaryArray.from_arrays(indices, pa.array([text]))


def _claim(path: Path, value: int, claimed: int) -> Path:
    """Let the footer of a file claim another number than it has, in as many bytes."""

    def varint(number: int, size: int) -> bytes:
        octets = [(number << 1 >> 7 * n & 0x7F) | 0x80 for n in range(size)]
        return bytes([*octets[:-1], octets[-1] & 0x7F])

    data = bytearray(path.read_bytes())
    start = len(data) - 8 - struct.unpack("<I", data[-8:-4])[0]
    own = varint(value, ((value << 1).bit_length() + 6) // 7)
    footer = bytes(data[start:-8])
    assert own in footer
    data[start:-8] = footer.replace(own, varint(claimed, len(own)))
    path.write_bytes(data)
    return path


def test_one_long_value_for_many_rows_is_read_in_bounded_memory(tmp_path: Path) -> None:
    path = _table(tmp_path / "a.parquet", text=_repeated("가" * (3_000_000 // SMALLER), 50_000))
    before = pa.total_allocated_bytes()
    with pytest.raises(InputError, match="inflates to more than"):
        for part in read_batches(guess_source(path), quarantine=print):
            assert pa.total_allocated_bytes() - before < 5 * inflation.BOMB_BYTES
            assert len(part) < 10
    with BoundedFile(path) as file, pytest.raises(OSError, match="inflates to more than"):
        file.read()


def test_a_flood_of_nulls_is_a_bomb(tmp_path: Path) -> None:
    path = _table(tmp_path / "a.parquet", text=pa.nulls(MANY, pa.string()))
    with pytest.raises(InputError, match=r"holds more than .* values"):
        _rows(path)


@pytest.mark.parametrize("claims", [False, True])
def test_a_row_of_many_values_is_a_bomb_whatever_the_footer_claims(
    tmp_path: Path, claims: bool
) -> None:
    values = pa.ListArray.from_arrays(pa.array([0, MANY], pa.int32()), _repeated("가", MANY))
    path = _table(tmp_path / "a.parquet", text=pa.array(["가"]), more=values)
    if claims:
        _claim(path, MANY, 9)
    with pytest.raises(InputError, match=r"holds more than .* values"):
        _rows(path)


def test_long_values_in_one_row_are_a_bomb(tmp_path: Path) -> None:
    values = pa.ListArray.from_arrays(
        pa.array([0, 1_000], pa.int32()), _repeated("가" * (100_000 // SMALLER), 1_000)
    )
    path = _table(tmp_path / "a.parquet", text=pa.array(["가"]), more=values)
    with pytest.raises(InputError, match="inflates to more than"):
        _rows(path)


@pytest.mark.parametrize("claims", [False, True])
def test_a_page_that_inflates_is_a_bomb_whatever_the_footer_claims(
    tmp_path: Path, claims: bool
) -> None:
    path, rows = tmp_path / "a.parquet", 10_000_000 // SMALLER
    columns = {"text": pa.array(["가"] * rows), "other": np.zeros(rows, np.int64)}
    pq.write_table(
        pa.table(columns),
        path,
        use_dictionary=False,
        compression="zstd",
        data_page_size=2**30,
        row_group_size=2**30,
    )
    if claims:
        size = pq.ParquetFile(path).metadata.row_group(0).column(1).total_uncompressed_size
        _claim(path, size, 9)
    with pytest.raises(InputError, match=r"inflates to more than|holds more than"):
        _rows(path)


def test_values_that_share_their_beginning_are_read_in_bounded_memory(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    table = pa.table({"text": [f"{'가' * (100_000 // SMALLER)}{n}" for n in range(1_000)]})
    pq.write_table(
        table,
        path,
        use_dictionary=False,
        column_encoding={"text": "DELTA_BYTE_ARRAY"},
        compression="zstd",
    )
    with pytest.raises(InputError, match="inflates to more than"):
        for part in read_batches(guess_source(path), quarantine=print):
            assert part.texts.nbytes < 2 * inflation.BOMB_BYTES


@pytest.mark.parametrize("compression", ["none", "snappy", "gzip", "zstd", "lz4", "brotli"])
@pytest.mark.parametrize("version", ["1.0", "2.0"])
def test_honest_tables_are_read_as_they_are(tmp_path: Path, compression: str, version: str) -> None:
    draw = random.Random(7)
    texts = [f"{draw.random()} {'가나다 ' * draw.randrange(90)}" for _ in range(5_000)]
    table = pa.table(
        {
            "text": [*texts, None, ""],
            "source": pa.array(["nsmc"] * 5_002).dictionary_encode(),
            "labels": [["사회", None]] * 5_000 + [None, []],
            "number": range(5_002),
            "digest": pa.array([b"12345678"] * 5_002, pa.binary(8)),
        }
    )
    path = tmp_path / "a.parquet"
    pq.write_table(
        table, path, compression=compression, data_page_version=version, row_group_size=700
    )
    with BoundedFile(path) as file:
        assert file.read() == pq.read_table(path)
        assert file.read(["number", "text"]) == pq.read_table(path).select(["number", "text"])
        assert [len(part) for part in file.batches(rows=700)][:2] == [700, 700]


def test_a_table_without_rows(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"text": pa.array([], pa.string())}), path)
    with BoundedFile(path) as file:
        assert file.read() == pq.read_table(path)


@pytest.mark.parametrize("place", range(4, 60, 2))
def test_a_damaged_header_of_a_page_is_one_error(tmp_path: Path, place: int) -> None:
    path = _table(tmp_path / "a.parquet", text=pa.array(["가나다", "라마바"] * 50))
    data = bytearray(path.read_bytes())
    data[place : place + 2] = b"\xff\xff"
    path.write_bytes(data)
    try:
        _rows(path)
    except InputError as error:
        assert str(path) in str(error)


def _dictionary(data: bytes) -> bytes:
    """Return xz whose header asks for a dictionary of 1.5 GiB."""
    packed = bytearray(lzma.compress(data, preset=0))
    header = slice(12, 12 + 4 * (packed[12] + 1))
    packed[16] = 37  # as the format spells 1.5 GiB
    crc = zlib.crc32(packed[header.start : header.stop - 4])
    packed[header.stop - 4 : header.stop] = struct.pack("<I", crc)
    return bytes(packed)


def _window(data: bytes, log: int = 31) -> bytes:
    """Return zstd whose frame asks for a window of 2 GiB: a raw block behind its header."""
    head = bytes([0x28, 0xB5, 0x2F, 0xFD, 0, (log - 10) << 3])
    return head + struct.pack("<I", len(data) << 3 | 1)[:3] + data


@pytest.mark.parametrize(
    ("suffix", "pack"), [(".xz", _dictionary), (".zst", _window)], ids=["dictionary", "window"]
)
def test_a_file_that_asks_for_much_memory_is_refused(
    tmp_path: Path, suffix: str, pack: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / f"a.txt{suffix}"
    path.write_bytes(pack(b"text\n"))
    with pytest.raises(InputError, match="takes more than 128 MiB of memory to unpack"):
        _read(path)


def test_what_packers_make_by_themselves_is_read(tmp_path: Path) -> None:
    """The largest preset of xz, streams one after another with padding, a window of 128 MiB."""
    path = tmp_path / "a.xz"
    best = lzma.compress(b"one\n", preset=9 | lzma.PRESET_EXTREME)
    path.write_bytes(best + bytes(300_000) + best)
    assert _read(path) == b"one\none\n"
    path.write_bytes(b"")
    with pytest.raises(InputError):
        _read(path)
    path.write_bytes(best[:-8])
    with pytest.raises(InputError, match="cut off"):
        _read(path)
    path.write_bytes(best + b"more")
    with pytest.raises(InputError, match=r"damaged|cut off"):
        _read(path)
    path = tmp_path / "a.zst"
    path.write_bytes(_window(b"one\n", 27))
    assert _read(path) == b"one\n"


def _read(path: Path) -> bytes:
    with open_stream(path) as stream:
        return b"".join(iter(lambda: stream.read(3), b""))
