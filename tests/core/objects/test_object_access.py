"""Objects in stores: created once, listed, read; what stores refuse, as one error each."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import moto_store
import pytest

from pipeline.core.errors import InputError, KlueError, RetryError, StoreError
from pipeline.core.objects import access
from pipeline.core.objects.access import ObjectStore
from pipeline.core.objects.address import Address


def test_an_object_is_created_once(any_bucket: Address, tmp_path: Path) -> None:
    store, place = ObjectStore(any_bucket.scheme), any_bucket / "a" / "x.bin"
    (tmp_path / "x").write_bytes(b"first")
    assert store.create(place, tmp_path / "x")
    assert not store.create(place, b"other")
    (tmp_path / "x").write_bytes(b"third")
    assert not store.create(place, tmp_path / "x")
    assert store.read(place, most=5) == b"first"
    assert store.digest(place) == sha256(b"first").hexdigest()
    with pytest.raises(StoreError, match="has 5 bytes, 4 are allowed"):
        store.read(place, most=4)


def test_objects_are_listed_and_removed(any_bucket: Address) -> None:
    store, names = ObjectStore(any_bucket.scheme), ["1.0.0/b", "1.0.0/a/c", "1.0.1/d", "e"]
    for name in names:
        store.create(any_bucket / "r" / name, name.encode())
    store.create(any_bucket / "rest", b"not below r")
    assert {name: found.size for name, found in store.find(any_bucket / "r").items()} == {
        name: len(name) for name in sorted(names)
    }
    assert store.folders(any_bucket / "r") == ["1.0.0", "1.0.1"]
    assert store.folders(any_bucket / "none") == []
    assert store.find(any_bucket / "none") == {}
    assert store.stat(any_bucket / "r") is None
    store.remove([any_bucket / "r" / "e", any_bucket / "r" / "never there"])
    assert store.read(any_bucket / "r" / "e", most=9) is None


def test_folders_of_a_console_are_no_objects(bucket: Address) -> None:
    files = moto_store.files()
    for key in ("raw/", "raw/sub/", "raw/sub/x.txt"):
        files.call_s3("put_object", Bucket=bucket.bucket, Key=key, Body=key.encode())
    assert ObjectStore("s3").find(bucket / "raw").keys() == {"sub/x.txt"}


def test_a_token_changes_with_the_content(any_bucket: Address) -> None:
    store, place = ObjectStore(any_bucket.scheme), any_bucket / "x"
    store.create(place, b"12")
    before = store.stat(place)
    assert before == store.stat(place) == store.find(any_bucket)["x"]
    store.remove([place])
    store.create(place, b"13")
    assert store.stat(place) != before


@pytest.mark.full
def test_a_large_object_travels_in_parts(bucket: Address, tmp_path: Path) -> None:
    """More than one part of a download, and of an upload that is created on a condition."""
    size = 101 * 2**20
    with (tmp_path / "large").open("wb") as file:
        file.truncate(size)
    store, place = ObjectStore("s3"), bucket / "large"
    assert store.create(place, tmp_path / "large")
    assert not store.create(place, tmp_path / "large")
    store.download(place, tmp_path / "back")
    assert (tmp_path / "back").stat().st_size == size


def _deeds(place: Address, folder: Path) -> Iterator[KlueError]:
    """Yield what each access to a place raises."""
    store = ObjectStore(place.scheme)
    for deed in (
        lambda: store.create(place, b"x"),
        lambda: store.read(place, most=9),
        lambda: store.find(place),
        lambda: store.folders(place),
        lambda: store.digest(place),
        lambda: store.download(place, folder / "x"),
    ):
        with pytest.raises(KlueError) as raised:
            deed()
        yield raised.value


def test_a_missing_bucket_is_named(bucket: Address, tmp_path: Path) -> None:
    for error in _deeds(Address("s3", "no-such-bucket", "x"), tmp_path):
        assert isinstance(error, InputError)
        assert "there is no bucket no-such-bucket" in str(error)


def test_missing_credentials_are_named(
    bucket: Address, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    for error in _deeds(bucket / "x", tmp_path):
        assert isinstance(error, InputError)
        assert "no credentials were found" in str(error)
    monkeypatch.setenv("AWS_PROFILE", "no-such-profile")
    for error in _deeds(bucket / "x", tmp_path):
        assert "no credentials were found (ProfileNotFound)" in str(error)


@contextmanager
def _answering(status: int, code: str) -> Iterator[str]:
    """A server that gives every request one answer."""
    body = f"<Error><Code>{code}</Code><Message>arn:aws:iam::12:user/kim</Message></Error>"

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"  # which lets a client send a body it has asked for

        def _answer(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body.encode())

        do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = _answer  # noqa: N815

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_a_store_that_refuses_is_quoted_by_its_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with _answering(403, "AccessDenied") as address:
        moto_store.point_at(monkeypatch, address)
        for error in _deeds(Address("s3", "bucket", "x"), tmp_path):
            assert isinstance(error, InputError)
            assert "the store refuses it (" in str(error)
            assert "kim" not in str(error)  # what it says in words may name accounts


def test_a_store_that_is_not_there_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access, "ATTEMPTS", 1)
    moto_store.point_at(monkeypatch, "http://127.0.0.1:9")
    for error in _deeds(Address("s3", "bucket", "x"), tmp_path):
        assert isinstance(error, RetryError)
        assert "cannot be reached" in str(error)


@pytest.mark.full
def test_a_store_that_never_answers_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import socket

    monkeypatch.setattr(access, "ATTEMPTS", 1)
    monkeypatch.setattr(access, "ANSWER", 1)
    monkeypatch.setattr(access, "CONNECT", 1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        moto_store.point_at(monkeypatch, f"http://127.0.0.1:{silent.getsockname()[1]}")
        for error in _deeds(Address("s3", "bucket", "x"), tmp_path):
            assert isinstance(error, RetryError)


@pytest.mark.full
def test_a_store_that_is_busy_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(access, "ATTEMPTS", 1)
    with _answering(500, "InternalError") as address:
        moto_store.point_at(monkeypatch, address)
        for error in _deeds(Address("s3", "bucket", "x"), tmp_path):
            assert isinstance(error, RetryError)


@pytest.mark.parametrize(("scheme", "package"), [("gs", "gcsfs"), ("az", "adlfs")])
def test_a_store_without_its_package_says_how_to_install_it(scheme: str, package: str) -> None:
    pytest.importorskip("fsspec")
    try:
        __import__(package)
    except ImportError:
        with pytest.raises(KlueError, match=f"pip install {package}"):
            ObjectStore(scheme)
