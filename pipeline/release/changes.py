"""What differs between the manifests of two releases, value by value."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from pipeline.contracts.registry import TASKS
from pipeline.release.manifest import Manifest, plain

#: What names the parts of a list: the first of these that all have, each with another value.
_NAMES: Final = (("id",), ("stage", "source"), ("source",), ("file",), ("name",))
#: What a manifest tells of the release alone; its tables are compared by their digests.
_OWN: Final = ("files", "release_hash", "version")
_VERSION: Final = "build.release.version"


@dataclass(frozen=True)
class Change:
    """A value that differs, by its place in the manifest; None where one of them lacks it.

    Tables beside the examples (votes, ledger) are values too, by their path: rows and sha256.
    """

    what: str
    before: Any
    after: Any


def changes(before: Manifest, after: Manifest, *, tables: bool) -> Iterator[Change]:
    """Yield the values that differ, by their places: specs, inputs, licences, counts ...

    Without `tables` neither digests nor the counts of stages are compared.
    """
    old, new = _values(before, tables=tables), _values(after, tables=tables)
    for what in sorted(old.keys() | new.keys()):
        if old.get(what) != new.get(what):
            yield Change(what, old.get(what), new.get(what))


def _values(manifest: Manifest, *, tables: bool) -> dict[str, Any]:
    own = {*_OWN, *(() if tables else ("private", "stages"))}
    told = manifest.model_dump(mode="json", exclude=own)
    values = {what: value for what, value in _leaves(told) if what != _VERSION}
    return {**values, **(_tables(manifest) if tables else {})}


def _tables(manifest: Manifest) -> dict[str, Any]:
    """Return the tables that hold no examples."""
    configs = {task.config for task in TASKS.values()}
    return {
        path: entry
        for path, entry in plain(manifest.files).items()
        if path.endswith(".parquet") and path.split("/")[0] not in configs
    }


def _leaves(value: Any, where: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the values inside a value with their places; parts of lists are named by their ids."""
    named = _named(value) if isinstance(value, list) else value
    if not isinstance(named, dict) or not named:
        yield where, value
        return
    for key, inner in named.items():
        yield from _leaves(inner, f"{where}.{key}" if where else str(key))


def _named(parts: list[Any]) -> Any:
    """Return a list of objects by what names each, or the list where nothing does."""
    for keys in _NAMES:
        if all(isinstance(part, dict) and set(keys) <= part.keys() for part in parts):
            names = [".".join(str(part[key]) for key in keys) for part in parts]
            if len(set(names)) == len(names):
                return dict(zip(names, parts, strict=True))
    return parts
