"""One object store: objects created once, read, listed and removed.

The store is that of fsspec for the address's scheme, and takes credentials, region and endpoint
from the environment, as its other users do (AWS_ACCESS_KEY_ID, AWS_ENDPOINT_URL ...). Nothing is
held in memory as a whole but what `read` is asked for; a file travels in parts.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from hashlib import file_digest
from pathlib import Path
from time import sleep
from typing import Any, Final

from pipeline.core.errors import MissingDependencyError, StoreError
from pipeline.core.extras import install_command
from pipeline.core.objects.address import SCHEMES, Address
from pipeline.core.objects.faults import BUSY, code_of, is_taken, store_errors

#: Seconds until a connection, and an answer, is given up; attempts of each request.
CONNECT: Final = 10
ANSWER: Final = 30
ATTEMPTS: Final = 3
#: Rounds of these attempts: a download goes on in the second where the first one broke off.
_ROUNDS: Final = 2
#: Bytes a second that an upload has at least: what takes longer is given up.
_SLOWEST: Final = 2**16
#: Bytes of a part of a download; parts on their way at once.
_PART: Final = 8 * 2**20
_AT_ONCE: Final = 2
#: What stores call that which changes whenever an object is written; the first one that is there.
_TOKENS: Final = ("ETag", "etag", "md5Hash", "generation", "created", "mtime", "LastModified")
#: Seconds before a busy store is asked again; they double.
_PAUSE: Final = 0.2


@dataclass(frozen=True)
class Found:
    """An object as a listing tells it: its bytes, and what changes whenever it is written."""

    size: int
    token: str


class ObjectStore:
    """The objects of one kind of store; every method raises KlueErrors only."""

    def __init__(self, scheme: str) -> None:
        """Connect to the store of a scheme; raises MissingDependencyError without its package."""
        settings = {name: value for name, value in os.environ.items() if name.startswith("AWS_")}
        self._files = _file_system(scheme, os.getpid(), frozenset(settings.items()))

    def create(self, target: Address, content: Path | bytes) -> bool:
        """Write an object that is not there; returns whether it was absent and is written now.

        What is there is never overwritten. Raises StoreError for a store without such writes.
        """
        for attempt in range(ATTEMPTS):
            with store_errors(target, "written"):
                try:
                    limit = self._limit(content)
                    if isinstance(content, bytes):
                        self._files.pipe_file(target.path, content, mode="create", **limit)
                    else:
                        self._files.put_file(str(content), target.path, mode="create", **limit)
                    return True
                except Exception as error:
                    if is_taken(error):
                        return False
                    if code_of(error) not in BUSY or attempt == ATTEMPTS - 1:
                        raise
            sleep(_PAUSE * 2**attempt)
        raise AssertionError("the last attempt returns or raises")

    def _limit(self, content: Path | bytes) -> dict[str, float]:
        """Return the seconds that a write may take in all.

        A client asks first whether a body is welcome, and waits for that answer without a limit.
        """
        if not self._files.async_impl:
            return {}
        size = len(content) if isinstance(content, bytes) else content.stat().st_size
        return {"timeout": ATTEMPTS * _ROUNDS * (CONNECT + ANSWER) + size / _SLOWEST}

    def stat(self, source: Address) -> Found | None:
        """Return what is known of an object, None where there is none."""
        with store_errors(source, "read"):
            try:
                info = self._files.info(source.path)
            except FileNotFoundError as error:
                if code_of(error) == "NoSuchBucket":
                    raise
                return None
        return _object_info(info) if info["type"] == "file" else None

    def read(self, source: Address, *, most: int) -> bytes | None:
        """Return the content of an object, None where there is none.

        Raises StoreError for one of more than `most` bytes.
        """
        found = self.stat(source)
        if found is None:
            return None
        if found.size > most:
            raise StoreError(f"{source}: has {found.size:,} bytes, {most:,} are allowed")
        with store_errors(source, "read"):
            content: bytes = self._files.cat_file(source.path)
        return content

    def find(self, prefix: Address) -> dict[str, Found]:
        """Return all objects below a prefix by the rest of their keys, in order.

        Left out are keys that end in a slash, by which consoles of stores show folders.
        """
        with store_errors(prefix, "listed"):
            listing = self._files.find(prefix.path, detail=True)
        start = f"{prefix.path}/"
        paths = {path.lstrip("/"): info for path, info in listing.items()}
        below = {
            path: info
            for path, info in paths.items()
            if path.startswith(start) and not path.endswith("/")
        }
        return {path.removeprefix(start): _object_info(below[path]) for path in sorted(below)}

    def folders(self, prefix: Address) -> list[str]:
        """Return the names of what lies right below a prefix and has objects below, in order."""
        with store_errors(prefix, "listed"):
            try:
                listing = self._files.ls(prefix.path, detail=True)
            except FileNotFoundError as error:
                if code_of(error) == "NoSuchBucket":
                    raise
                return []
        names = (info["name"].rstrip("/") for info in listing if info["type"] == "directory")
        return sorted(name.rpartition("/")[2] for name in names)

    def digest(self, source: Address) -> str:
        """Return the SHA-256 of an object, which is read in parts."""
        with store_errors(source, "read"), self._files.open(source.path, "rb") as stream:
            return file_digest(stream, "sha256").hexdigest()

    def download(self, source: Address, target: Path) -> None:
        """Write an object to a file, in parts."""
        with store_errors(source, "read"):
            self._files.get_file(source.path, str(target))

    def remove(self, objects: Iterable[Address]) -> None:
        """Remove objects; one that is gone already is no error."""
        for address in objects:
            with store_errors(address, "removed"):
                try:
                    self._files.rm_file(address.path)
                except FileNotFoundError:
                    continue


def _object_info(info: dict[str, Any]) -> Found:
    tags = (info.get(key) for key in _TOKENS)
    token = next((tag for tag in tags if tag), "")
    at = token.timestamp() if isinstance(token, datetime) else token
    return Found(int(info["size"]), str(at))


@cache
def _file_system(scheme: str, _process: int, _settings: frozenset[tuple[str, str]]) -> Any:
    """Return the store of a scheme; it is kept, since what it loads takes half a second."""
    import fsspec

    options: dict[str, Any] = {"skip_instance_cache": True, "use_listings_cache": False}
    if scheme == "s3":
        options |= {
            "default_block_size": _PART,
            "max_concurrency": _AT_ONCE,
            "config_kwargs": {
                "connect_timeout": CONNECT,
                "read_timeout": ANSWER,
                "retries": {"mode": "standard", "max_attempts": ATTEMPTS},
            },
        }
    try:
        files = fsspec.filesystem(scheme, **options)
    except ImportError:
        package = SCHEMES[scheme]
        fix = install_command("s3") if scheme == "s3" else f"pip install {package}"
        raise MissingDependencyError(f"{package}, which reaches {scheme}://,", fix) from None
    files.retries = _ROUNDS
    return files
