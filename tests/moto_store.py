"""An object store of a test session: moto's server on a free port of this machine."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from pipeline.core.objects.address import Address

_NUMBERS = count()
#: What only this server takes for credentials; no machine's own settings are read.
_SETTINGS = {
    "AWS_ACCESS_KEY_ID": "test",
    "AWS_SECRET_ACCESS_KEY": "test",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_EC2_METADATA_DISABLED": "true",
    "AWS_CONFIG_FILE": "/dev/null",
    "AWS_SHARED_CREDENTIALS_FILE": "/dev/null",
}


@contextmanager
def running() -> Iterator[str]:
    """Start a server and give its address; it ends with the block."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    server = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        address = f"http://127.0.0.1:{port}"
        while not _answers(address):
            assert server.poll() is None, "moto's server did not start"
            time.sleep(0.1)
        yield address
    finally:
        server.terminate()
        server.wait()


def _answers(address: str) -> bool:
    try:
        with urlopen(f"{address}/moto-api/data.json"):
            return True
    except (URLError, ConnectionError):
        return False


def point_at(patch: pytest.MonkeyPatch, address: str) -> None:
    """Set the environment by which users name their store and credentials."""
    for name in ("AWS_PROFILE", "AWS_SESSION_TOKEN", "AWS_ENDPOINT_URL_S3"):
        patch.delenv(name, raising=False)
    for name, value in {**_SETTINGS, "AWS_ENDPOINT_URL": address}.items():
        patch.setenv(name, value)


def files() -> Any:
    """Return the store as its users know it, apart from the code that is tested."""
    import s3fs

    return s3fs.S3FileSystem(skip_instance_cache=True, use_listings_cache=False)


def new_bucket() -> Address:
    """Return a bucket of the server that is new."""
    name = f"bucket-{next(_NUMBERS)}"
    files().call_s3("create_bucket", Bucket=name)
    return Address("s3", name)


def memory_bucket() -> Address:
    """Return a bucket in the memory of this process that is new."""
    return Address("memory", f"bucket-{next(_NUMBERS)}")


def contents(place: Address) -> dict[str, bytes]:
    """Return all objects below an address by the rest of their keys, read by s3fs itself."""
    store = files()
    start = f"{place.path}/"
    return {path.removeprefix(start): store.cat_file(path) for path in store.find(place.path)}
