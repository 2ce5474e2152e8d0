"""Addresses of object stores, such as s3://BUCKET/KEY, apart from paths of a file system."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from pipeline.core.errors import InputError

#: How addresses of the stores that are supported begin, by the package that reaches them.
SCHEMES: Final = {"s3": "s3fs", "gs": "gcsfs", "az": "adlfs", "memory": "fsspec"}
#: A path object keeps one of two slashes.
_FORM: Final = re.compile(rf"({'|'.join(SCHEMES)}):/{{1,2}}(?!/)(.*)", re.DOTALL)
#: What no bucket or key may hold here: `?` begins a version, the others are no text.
_ODD: Final = re.compile(r"[?#\x00-\x1f\x7f]")


@dataclass(frozen=True, order=True)
class Address:
    """A place in an object store: its scheme, bucket and key, '' for the whole bucket."""

    scheme: str
    bucket: str
    key: str = ""

    def __str__(self) -> str:
        return f"{self.scheme}://{self.path}"

    def __truediv__(self, part: str) -> Address:
        return Address(self.scheme, self.bucket, f"{self.key}/{part}" if self.key else part)

    @property
    def path(self) -> str:
        """Return bucket and key, as file systems of fsspec name an object."""
        return f"{self.bucket}/{self.key}" if self.key else self.bucket

    @property
    def name(self) -> str:
        """Return the last part of the key, or the bucket."""
        return PurePosixPath(self.path).name


def is_address(place: str | Path) -> bool:
    """Return whether a text or path begins like an address, sound or not."""
    return _FORM.fullmatch(str(place)) is not None


def address_of(place: str | Path) -> Address | None:
    """Return the address that a text or path is, None for a place of a file system.

    Raises InputError for an address that names no bucket, holds credentials, or leads elsewhere.
    """
    match = _FORM.fullmatch(str(place))
    if match is None:
        return None
    scheme, path = match[1], match[2].rstrip("/")
    bucket, _, key = path.partition("/")
    if "@" in bucket or ":" in bucket:
        raise InputError(
            f"{scheme}: the address holds credentials; give {scheme}://BUCKET/KEY, and set the"
            " credentials in the environment (docs/object-stores.md)"
        )
    parts = path.split("/")
    if not bucket or _ODD.search(path) or any(part in ("", ".", "..") for part in parts):
        raise InputError(f"{place}: is no address of an object; give {scheme}://BUCKET/KEY")
    return Address(scheme, bucket, key)


def require_file_system(name: str, place: str | Path) -> None:
    """Raise InputError for an option that names a place in an object store and may not."""
    if (address := address_of(place)) is not None:
        raise InputError(
            f"{name} {address}: stays on a file system, which has renames and locks; in an object"
            " store may lie RELEASE, --releases, --private and the inputs of a build file"
        )
