from __future__ import annotations

import gzip
import hashlib
import io
import os
import stat
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from pipeline.leaderboard import intake
from pipeline.leaderboard.intake import IncomingFile
from pipeline.leaderboard.layout import Layout
from pipeline.leaderboard.records import RefusedError

LINES = b'{"guid": "ynat-v1_test_00000", "label": "\xec\x82\xac\xed\x9a\x8c"}\n'


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    made = Layout(tmp_path)
    for place in (made.incoming, made.submissions):
        place.mkdir(mode=0o700)
    return made


def _names(layout: Layout) -> list[list[str]]:
    return [
        sorted(p.name for p in place.iterdir()) for place in (layout.incoming, layout.submissions)
    ]


def _parquet() -> bytes:
    stream = io.BytesIO()
    pq.write_table(pa.table({"guid": ["a"], "label": ["b"]}), stream)
    return stream.getvalue()


def _zip() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("predictions.jsonl", LINES)
    return stream.getvalue()


def _tar(mode: str) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode=f"w:{mode}") as archive:
        archive.addfile(tarfile.TarInfo("predictions.jsonl"), io.BytesIO())
    return stream.getvalue()


@pytest.mark.parametrize(
    ("content", "ending"),
    [
        (LINES, "jsonl"),
        (gzip.compress(LINES), "jsonl.gz"),
        (zstandard.compress(LINES), "jsonl.zst"),
        (_parquet(), "parquet"),
    ],
    ids=["jsonl", "gz", "zst", "parquet"],
)
def test_a_file_is_kept_as_it_was_sent(layout: Layout, content: bytes, ending: str) -> None:
    with IncomingFile(layout, most=10_000) as incoming:
        for place in range(0, len(content), 7):
            incoming.write(content[place : place + 7])
        assert _names(layout)[1] == []
        upload = incoming.keep("abc", form=ending.partition(".")[0])
    assert upload.file == f"abc.{ending}"
    assert (upload.bytes, upload.digest) == (len(content), hashlib.sha256(content).hexdigest())
    assert (layout.submissions / upload.file).read_bytes() == content
    assert _names(layout) == [[], [upload.file]]


@given(st.lists(st.binary(max_size=50)).filter(any))
def test_size_and_digest_do_not_depend_on_the_chunks(
    tmp_path_factory: pytest.TempPathFactory, chunks: list[bytes]
) -> None:
    layout = Layout(tmp_path_factory.mktemp("board"))
    layout.incoming.mkdir()
    layout.submissions.mkdir()
    whole = b"{" + b"".join(chunks)
    with IncomingFile(layout, most=len(whole)) as incoming:
        for chunk in (b"{", *chunks):
            incoming.write(chunk)
        upload = incoming.keep("abc")
    assert upload.digest == hashlib.sha256(whole).hexdigest()
    assert (layout.submissions / upload.file).read_bytes() == whole


@pytest.mark.parametrize("chunks", [[b"x" * 11], [b"x" * 10, b"x"], [b"x"] * 11])
def test_one_byte_too_many_is_refused_and_nothing_stays(
    layout: Layout, chunks: list[bytes]
) -> None:
    refused = pytest.raises(RefusedError, match="more than the 10 bytes")
    with refused as caught, IncomingFile(layout, most=10) as incoming:
        for chunk in chunks:
            incoming.write(chunk)
    assert caught.value.status == 413
    assert _names(layout) == [[], []]


def test_an_endless_upload_is_never_stored_beyond_its_limit(layout: Layout) -> None:
    sizes = []
    with pytest.raises(RefusedError), IncomingFile(layout, most=1_000) as incoming:
        while True:
            incoming.write(b"x" * 300)
            sizes += [path.stat().st_size for path in layout.incoming.iterdir()]
    assert sizes == [300, 600, 900]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (_zip(), "is an archive"),
        (_tar(""), "is an archive"),
        (_tar("xz"), "is an archive"),
        (_tar("bz2"), "is an archive"),
        (b"7z\xbc\xaf\x27\x1c....", "is an archive"),
        (b"Rar!\x1a\x07\x00", "is an archive"),
    ],
    ids=["empty", "zip", "tar", "tar.xz", "tar.bz2", "7z", "rar"],
)
def test_archives_and_empty_files_are_refused(layout: Layout, content: bytes, message: str) -> None:
    refused = pytest.raises(RefusedError, match=message)
    with refused as caught, IncomingFile(layout, most=10**5) as incoming:
        incoming.write(content)
        incoming.keep("abc")
    assert caught.value.status == 422
    assert _names(layout) == [[], []]


def test_a_form_that_is_not_the_file_s_is_refused(layout: Layout) -> None:
    refused = pytest.raises(RefusedError, match="the file is jsonl, not 'parquet'")
    with refused as caught, IncomingFile(layout, most=10**5) as incoming:
        incoming.write(LINES)
        incoming.keep("abc", form="parquet")
    assert caught.value.status == 422


def test_a_file_that_was_cut_short_is_not_kept(layout: Layout) -> None:
    with pytest.raises(ConnectionError), IncomingFile(layout, most=100) as incoming:
        incoming.write(b"{")
        raise ConnectionError
    with IncomingFile(layout, most=100) as incoming:
        incoming.write(b"{")
    assert _names(layout) == [[], []]


def test_a_kept_file_goes_with_a_refusal_alone(layout: Layout) -> None:
    """After another exception its row may be there: only a start of the board can know."""
    for error, names in ((RefusedError(429, "none left"), []), (OSError(), ["abc.jsonl"])):
        with pytest.raises(type(error)), IncomingFile(layout, most=100) as incoming:
            incoming.write(b"{}")
            incoming.keep("abc")
            raise error
        assert _names(layout) == [[], names]


@pytest.mark.parametrize(
    ("folder", "file"), [(0o700, 0o600), (0o770, 0o640), (0o2770, 0o640), (0o755, 0o640)]
)
def test_who_may_read_the_folder_may_read_its_files(layout: Layout, folder: int, file: int) -> None:
    layout.incoming.chmod(folder)
    before = os.umask(0o077)
    try:
        with IncomingFile(layout, most=100) as incoming:
            incoming.write(b"{}")
            kept = layout.submissions / incoming.keep("abc").file
    finally:
        os.umask(before)
    assert stat.S_IMODE(kept.stat().st_mode) == file


def test_predictions_of_dev_lie_beside_those_of_test(layout: Layout) -> None:
    for dev in (False, True):
        with IncomingFile(layout, most=100) as incoming:
            incoming.write(LINES[: 50 + dev])
            incoming.keep("abc", dev=dev)
    assert _names(layout) == [[], ["abc.dev.jsonl", "abc.jsonl"]]


def test_a_file_is_on_the_disk_before_it_has_its_name(
    layout: Layout, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    fsync, rename = os.fsync, Path.rename

    def noted(name: str, function: Callable[..., object]) -> Callable[..., object]:
        def call(*arguments: object) -> object:
            steps.append(name)
            return function(*arguments)

        return call

    monkeypatch.setattr(os, "fsync", noted("fsync", fsync))
    monkeypatch.setattr(Path, "rename", noted("rename", rename))
    with IncomingFile(layout, most=100) as incoming:
        incoming.write(LINES)
        incoming.keep("abc")
    assert steps == ["fsync", "rename", "fsync"]  # the file, its name, the folder


def test_what_a_killed_process_left_goes_at_the_start(layout: Layout) -> None:
    (layout.incoming / "half").write_bytes(b"{")
    for name in ("known.jsonl", "known.dev.jsonl", "orphan.jsonl"):
        (layout.submissions / name).write_bytes(b"{}")
    gone = intake.remove_leftovers(layout, {"known.jsonl", "known.dev.jsonl"})
    assert gone == ["half", "orphan.jsonl"]
    assert _names(layout) == [[], ["known.dev.jsonl", "known.jsonl"]]
    assert intake.remove_leftovers(layout, {"known.jsonl", "known.dev.jsonl"}) == []


def test_keys_do_not_repeat() -> None:
    keys = {intake.new_key() for _ in range(1_000)}
    assert len(keys) == 1_000
    assert {len(key) for key in keys} == {20}
