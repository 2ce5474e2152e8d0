"""Lines and their faults: caps, encodings, damage, bombs."""

from __future__ import annotations

import bz2
import gzip
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st
from reader_result import Read

from pipeline.core.errors import InputError
from pipeline.core.io import inflation, streams
from pipeline.corpus.readers import base, lines
from pipeline.corpus.readers.base import Options

Write = Callable[[str, bytes | str], Path]
THREE = "첫째 줄\n둘째 줄\n셋째 줄\n"


def _zstd(data: bytes) -> bytes:
    return zstandard.ZstdCompressor().compress(data)


PACK: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".zst": _zstd,
}


@pytest.mark.parametrize("suffix", PACK)
def test_a_text_is_the_same_however_it_is_packed(read: Read, write: Write, suffix: str) -> None:
    path = write(f"a.txt{suffix}", PACK[suffix](THREE.encode()))
    found = read("text", path)
    assert found.texts == ["첫째 줄", "둘째 줄", "셋째 줄"]
    assert [(d.key, d.line) for d in found.documents] == [("", 1), ("", 2), ("", 3)]
    assert {d.file for d in found.documents} == {path.name}


@pytest.mark.parametrize("suffix", [".bz2", ".zst", ".gz"])
def test_streams_of_several_parts_are_read_to_the_end(
    read: Read, write: Write, suffix: str
) -> None:
    pack = PACK[suffix]
    path = write(f"a.txt{suffix}", pack("하나\n".encode()) + pack("둘\n".encode()))
    assert read("text", path).texts == ["하나", "둘"]


@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".zst"])
@pytest.mark.parametrize("kept", [0.5, 0.99])
def test_a_file_that_is_cut_off_is_an_error(
    read: Read, write: Write, suffix: str, kept: float
) -> None:
    text = "".join(f"줄 번호 {i * 7919 % 10007}\n" for i in range(20_000))
    data = PACK[suffix](text.encode())
    path = write(f"a.txt{suffix}", data[: int(len(data) * kept)])
    with pytest.raises(InputError, match=r"a\.txt.* cut off after .*fetch it again"):
        read("text", path)


@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".zst"])
def test_a_file_of_another_form_is_an_error(read: Read, write: Write, suffix: str) -> None:
    with pytest.raises(InputError, match=r"is no \.\w+ file"):
        read("text", write(f"a.txt{suffix}", "그냥 글입니다. 압축하지 않았습니다.\n" * 9))


def test_lines_end_in_either_way_and_keep_their_white_space(read: Read, write: Write) -> None:
    found = read("text", write("a.txt", b" a \r\n\tb\x0bc\n\xe2\x80\xa8d\re"))
    assert found.texts == [" a ", "\tb\x0bc", "\u2028d\re"]


def test_a_byte_order_mark_is_no_text(read: Read, write: Write) -> None:
    assert read("text", write("a.txt", b"\xef\xbb\xbf" + THREE.encode())).texts[0] == "첫째 줄"


def test_blank_lines_are_counted_and_dropped(read: Read, write: Write) -> None:
    found = read("text", write("a.txt", "하나\n\n  \u3000\n둘\n"))
    assert [d.line for d in found.documents] == [1, 4]
    assert [(r.rule, r.action, r.line) for r in found.rejected] == [
        ("read.empty@1", "drop", 2),
        ("read.empty@1", "drop", 3),
    ]


@pytest.mark.parametrize("content", [b"", b"\xef\xbb\xbf"], ids=range(2))
def test_an_empty_file_is_an_error(read: Read, write: Write, content: bytes) -> None:
    with pytest.raises(InputError, match=r"a\.txt: is empty"):
        read("text", write("a.txt", content))


def test_an_empty_packed_file_is_an_error(read: Read, write: Write) -> None:
    with pytest.raises(InputError, match="is empty"):
        read("text", write("a.txt.gz", gzip.compress(b"")))


def test_a_missing_file_and_a_folder_are_errors(read: Read, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere\.txt: no such file"):
        read("text", tmp_path / "nowhere.txt")
    with pytest.raises(InputError, match="is a folder; give one file"):
        read("text", tmp_path)


def test_a_line_above_the_cap_is_quarantined_and_reading_goes_on(
    read: Read, write: Write, small_cap: int
) -> None:
    path = write("a.txt", b"a\n" + b"x" * 1001 + b"\n" + b"y" * 1000 + b"\nb\n" + b"z" * 5000)
    found = read("text", path)
    assert [len(text) for text in found.texts] == [1, 1000, 1]
    assert [(r.rule, r.line) for r in found.rejected] == [
        ("read.too_long@1", 2),
        ("read.too_long@1", 5),
    ]
    assert found.rejected[0].reason == "the line is longer than 1,000 bytes"


def test_a_line_of_100_megabytes_is_never_in_memory(
    read: Read, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.txt"
    with path.open("wb") as stream:
        for _ in range(100):
            stream.write(b"x" * 1_000_000)
        stream.write("\n다음 줄\n".encode())
    monkeypatch.setattr(base, "MAX_RECORD_BYTES", 1_000_000)
    tracemalloc.start()
    try:
        found = read("text", path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found.texts == ["다음 줄"]
    assert found.rules == ["read.too_long@1"]
    assert peak < 8_000_000


def test_a_broken_line_costs_itself_only(read: Read, write: Write) -> None:
    found = read("text", write("a.txt", "앞\n".encode() + b"\xff\xfe\xfa\n" + "뒤\n".encode()))
    assert found.texts == ["앞", "뒤"]
    assert [(r.rule, r.action, r.line) for r in found.rejected] == [
        ("read.encoding@1", "quarantine", 2)
    ]


def test_text_in_cp949_gets_a_hint_and_is_read_when_the_option_says_so(
    read: Read, write: Write
) -> None:
    path = write("a.txt", "똠방각하가 왔다\n펲시콜라\n".encode("cp949"))
    found = read("text", path)
    assert found.texts == []
    assert "bytes that look like CP949; set encoding: cp949" in found.rejected[0].reason
    assert read("text", path, encoding="cp949").texts == ["똠방각하가 왔다", "펲시콜라"]


def test_text_in_utf8_read_as_cp949_gets_a_hint(read: Read, write: Write) -> None:
    found = read("text", write("a.txt", "값은 늙은 강아지…☃\n"), encoding="cp949")
    assert "set encoding: utf-8" in found.rejected[0].reason


def test_nul_bytes_are_quarantined(read: Read, write: Write) -> None:
    found = read("text", write("a.txt", b"a\0b\nc\n"))
    assert (found.rules, found.texts) == (["read.encoding@1"], ["c"])


def test_utf16_is_an_error(read: Read, write: Write) -> None:
    for encoding in ("UTF-16", "UTF-32"):
        with pytest.raises(InputError, match=f"looks like {encoding}"):
            read("text", write("a.txt", "하나\n둘\n".encode(encoding)))


@pytest.mark.parametrize("encoding", ["utf-16", "iso2022_kr", "johab", "klingon", "base64"])
def test_an_encoding_in_which_lines_cannot_be_cut_is_an_error(
    read: Read, write: Write, encoding: str
) -> None:
    with pytest.raises(InputError, match=f"encoding '{encoding}' is not supported; allowed: utf-8"):
        read("text", write("a.txt", THREE), encoding=encoding)


@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".zst"])
def test_a_bomb_is_stopped(
    read: Read, write: Write, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    monkeypatch.setattr(inflation, "BOMB_BYTES", 1_000_000)
    monkeypatch.setattr(inflation, "BOMB_RATIO", 100)
    path = write(f"a.txt{suffix}", PACK[suffix](b"0" * 40_000_000))
    with pytest.raises(InputError, match="no corpus does that"):
        read("text", path)


def test_a_zst_bomb_inflates_by_pieces(write: Write) -> None:
    path = write("a.zst", _zstd(b"0" * 300_000_000))
    tracemalloc.start()
    try:
        with streams.open_stream(path) as stream:
            assert stream.read(10) == b"0" * 10
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 80_000_000


@given(st.lists(st.binary(max_size=40).map(lambda b: b.replace(b"\n", b" ")), min_size=1))
def test_joined_lines_are_the_file(
    tmp_path_factory: pytest.TempPathFactory, parts: list[bytes]
) -> None:
    data = b"\n".join([b"-", *parts])
    path = tmp_path_factory.mktemp("lines") / "a.txt"
    path.write_bytes(data)
    found = list(lines.read_lines(path, Options()))
    assert b"".join(line or b"" for _, line in found) == data
    assert [number for number, _ in found] == list(range(1, len(found) + 1))
