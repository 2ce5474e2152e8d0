"""The object that makes a release in an object store exist, and the versions that have one."""

from __future__ import annotations

from hashlib import sha256
from typing import Annotated, Final

from pydantic import Field, ValidationError, model_validator

from pipeline.core.errors import StoreError
from pipeline.core.jsontext import parsed
from pipeline.core.objects.access import ObjectStore
from pipeline.core.objects.address import Address
from pipeline.core.specs import Spec
from pipeline.core.store import json_text

#: The layout that this version writes, and the newest that it reads.
LAYOUT: Final = 1
MARKER: Final = "release.json"
#: A marker has no more bytes.
_MOST: Final = 2**16
#: So many characters of the digest of a manifest name the folder of its files.
_SHORT: Final = 16

Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Marker(Spec):
    """The whole of release.json: `files` is the folder of the files, `manifest` a digest."""

    layout: int
    name: str
    version: str
    files: str
    manifest: Digest
    release_hash: Digest

    @model_validator(mode="after")
    def _check_folder(self) -> Marker:
        if self.files != files_of(self.manifest):
            raise ValueError("files is not the beginning of manifest")
        return self

    def content(self) -> bytes:
        """Return the bytes of the object, the same for the same release."""
        return json_text(self.model_dump()).encode()


def mark(manifest: bytes, *, name: str, version: str, release_hash: str) -> Marker:
    """Return the marker of a release whose manifest.json has this content."""
    digest = sha256(manifest).hexdigest()
    return Marker(
        layout=LAYOUT,
        name=name,
        version=version,
        files=files_of(digest),
        manifest=digest,
        release_hash=release_hash,
    )


def files_of(manifest: str) -> str:
    """Return the name of the folder of the files of a release by the digest of its manifest."""
    return manifest[:_SHORT]


def read_marker(store: ObjectStore, place: Address) -> Marker | None:
    """Return the marker of the release at NAME/VERSION, None where none is published.

    Raises StoreError for one that is damaged, or that a newer version of this tool wrote.
    """
    address = place / MARKER
    content = store.read(address, most=_MOST)
    if content is None:
        return None
    try:
        data = parsed(content.decode())
        layout = data["layout"]
        if isinstance(layout, int) and layout > LAYOUT:
            raise StoreError(
                f"{address}: made by a newer version of this tool: layout {layout}, this one reads"
                f" {LAYOUT}; update"
            )
        return Marker.model_validate(data)
    except ValidationError as error:
        where = ".".join(map(str, error.errors()[0]["loc"])) or "its form"
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        where = type(error).__name__
    raise StoreError(f"{address}: damaged ({where}); bring it back, or ask who published it")


def require_marker(store: ObjectStore, place: Address) -> Marker:
    """Return the marker of a release; raises StoreError where none is published."""
    marker = read_marker(store, place)
    if marker is None:
        raise StoreError(
            f"{place}: no release is there, for it has no {MARKER}; give the address of a release,"
            " .../NAME/VERSION"
        )
    return marker


def published_versions(store: ObjectStore, place: Address) -> dict[str, Marker]:
    """Return the markers of all published versions below PLACE/NAME, by version.

    What a publisher that was killed, or lost, left behind has no marker and is no version.
    """
    markers = {version: read_marker(store, place / version) for version in store.folders(place)}
    return {version: marker for version, marker in markers.items() if marker is not None}
