"""Stages, and calls of a stage with everything that decides the output."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from pipeline.core import store
from pipeline.core.errors import StoreError
from pipeline.core.fingerprint import of_code, of_value
from pipeline.core.ledger import Counts, Invariant
from pipeline.core.packages import add_packages, packages


class Shard(NamedTuple):
    """A piece of a stage's work: its label (part of file names) and what the worker needs.

    `size` is its share of the stage's size, where that has one. `reads`, a JSON value, is what
    decides its tables beside source, code and library versions: where a stage gives it, the tables
    of an earlier call that read the same are taken over (core/reuse.py).
    """

    label: str
    payload: Any
    size: int = 0
    reads: Any = None


class Outcome(NamedTuple):
    """The result of one shard: the number of rows read, and tables by name, among them `ledger`.

    `inputs` are the ids of the rows read, where they have one; then not only numbers are checked.
    A stage that samples always gives them.
    """

    rows_in: int
    tables: dict[str, pa.Table]
    inputs: pa.Array | None = None


@dataclass(frozen=True)
class Stage:
    """A stage as its module defines it, under the name STAGE.

    `shards` lists the work of a call in a fixed order, `run` is a function from one shard to
    tables, and `prepare` (if any) first writes what all shards share into the given folder.
    `verify` may refuse the counts of the whole. `distributions` are the libraries whose versions
    decide the output. `size` tells how much work a call is where nobody knows the rows that it
    will read: in bytes of its files. A higher `version` makes all outputs of the stage new; it is
    needed where something other than its code decides them.
    """

    name: str
    main: str
    invariant: Invariant
    shards: Callable[[Call], Iterator[Shard]]
    run: Callable[[Call, Shard], Outcome]
    prepare: Callable[[Call, Path], None] | None = None
    distributions: tuple[str, ...] = ()
    verify: Callable[[Call, Counts], None] | None = None
    size: Callable[[Call], int] | None = None
    version: int = 1


@dataclass(frozen=True)
class Call:
    """One use of a stage: everything that decides its output, and where that is stored.

    `arguments` (paths, say) are the exception: they do not decide the output. `code` holds the
    digests of the modules that run, `versions` those of Python and of the libraries, and `packages`
    the folders of the user's modules among them (core/packages.py).
    """

    stage: str
    module: str
    source: str
    folder: Path
    fingerprint: str
    inputs: tuple[Path, ...] = ()
    input_fingerprints: tuple[str, ...] = ()
    params: dict[str, Any] = field(default_factory=dict)
    arguments: dict[str, Any] = field(default_factory=dict)
    code: dict[str, str] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    packages: dict[str, str] = field(default_factory=dict)

    @property
    def done(self) -> bool:
        """Return whether the output is in the store already."""
        manifest = store.read_manifest(self.folder)
        if manifest is not None and manifest.fingerprint != self.fingerprint:
            raise StoreError(f"{self.folder}: holds another fingerprint; remove it and run again")
        return manifest is not None


def call(
    module: str,
    *,
    work: Path,
    source: str,
    inputs: tuple[Call, ...] = (),
    raw: tuple[str, ...] = (),
    params: dict[str, Any] | None = None,
    arguments: dict[str, Any] | None = None,
    code: tuple[str, ...] = (),
) -> Call:
    """Make a call of a stage module and fingerprint it without running anything.

    `inputs` are the calls it reads from and `raw` digests of files it reads; `params` enter the
    fingerprint, `arguments` do not. `code` names modules that the stage chooses at run time, which
    its imports do not show.
    """
    stage = stage_of(module)
    digests = {name: of_code(name) for name in (module, *code)}
    versions = versions_of(stage.distributions)
    read = (*(i.fingerprint for i in inputs), *raw)
    name = f"{stage.name}@{stage.version}"
    fingerprint = of_value([name, source, read, params or {}, digests, versions])
    return Call(
        stage=stage.name,
        module=module,
        source=source,
        folder=work / "store" / source / f"{stage.name}-{fingerprint[:16]}",
        fingerprint=fingerprint,
        inputs=tuple(i.folder for i in inputs),
        input_fingerprints=read,
        params=params or {},
        arguments=arguments or {},
        code=digests,
        versions=versions,
        packages={name: str(folder) for name, folder in packages().items()},
    )


def stage_of(module: str) -> Stage:
    """Return the stage that a module defines."""
    stage: Stage = import_module(module).STAGE
    return stage


def table_shards(call: Call, name: str) -> Iterator[Shard]:
    """Yield one shard for every file of a table of the stages that a call reads from."""
    many = len(call.inputs) > 1
    for folder in call.inputs:
        for path in store.tables(folder, name):
            label = path.stem.removeprefix(f"{name}-")
            yield Shard(f"{folder.parent.name}-{label}" if many else label, path)


def own_shards(call: Call, name: str, *beside: object) -> Iterator[Shard]:
    """Yield the same for a stage that reads one other, and of a shard nothing but its file.

    The tables of a shard are decided by that file and the parameters, and by what stands `beside`,
    JSON values.
    """
    digests = store.digests(call.inputs[0])
    for shard in table_shards(call, name):
        digest = digests.get(shard.payload.name)
        yield shard._replace(reads=digest and [call.params, digest, *beside])


def shard_key(call: Call, shard: Shard) -> str | None:
    """Return the digest of all that decides the tables of a shard; None where nobody knows."""
    if shard.reads is None:
        return None
    stage = stage_of(call.module)
    name = f"{stage.name}@{stage.version}"
    return of_value([name, call.source, shard.reads, call.code, call.versions])


def check_same_code(call: Call) -> None:
    """Check that this process runs the code and the libraries that the call was planned with.

    A worker of a cluster may have others, and so may one that starts after an edit. Raises
    StoreError.
    """
    add_packages(call.packages)
    stage = stage_of(call.module)
    digests = {name: of_code(name) for name in call.code}
    if digests != call.code or versions_of(stage.distributions) != call.versions:
        raise StoreError(
            f"{call.stage} {call.source}: a worker has other code or library versions than the"
            " plan; give all workers the same installation and run again"
        )


@lru_cache
def versions_of(distributions: tuple[str, ...]) -> dict[str, str]:
    """Return the versions of Python, of Unicode and of libraries, as calls have them."""
    python = ".".join(map(str, sys.version_info[:2]))
    versions = {"python": python, "unicode": unicodedata.unidata_version}
    return versions | {name: _version(name) for name in (*distributions, "pyarrow")}


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "absent"
