"""A stage: what it is, one call of it, and how its shards are run, resumed and finished."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from functools import partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from shutil import rmtree
from typing import Any, NamedTuple

import pyarrow as pa

from pipeline.core import ledger, pool, store
from pipeline.core.errors import ConservationError, StoreError
from pipeline.core.fingerprint import of_code, of_value
from pipeline.core.ledger import Counts, Law


class Shard(NamedTuple):
    """A piece of a stage's work: its label (part of file names) and what the worker needs."""

    label: str
    payload: Any


class Outcome(NamedTuple):
    """What a stage makes of one shard: rows read, and tables by name, `ledger` always among them.

    `inputs` are the ids of the rows read, for stages that fan out.
    """

    rows_in: int
    tables: dict[str, pa.Table]
    inputs: pa.Array | None = None


@dataclass(frozen=True)
class Call:
    """One use of a stage: everything that decides its output, and where that is stored."""

    stage: str
    module: str
    source: str
    folder: Path
    fingerprint: str
    inputs: tuple[Path, ...] = ()
    input_fingerprints: tuple[str, ...] = ()
    params: dict[str, Any] = field(default_factory=dict)
    arguments: dict[str, Any] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)

    @property
    def done(self) -> bool:
        """Tell whether the output is in the store already."""
        found = store.read_manifest(self.folder)
        if found is not None and found.fingerprint != self.fingerprint:
            raise StoreError(f"{self.folder}: holds another fingerprint; remove it and run again")
        return found is not None


@dataclass(frozen=True)
class Stage:
    """A stage as its module defines it, under the name STAGE.

    `shards` lists the work of a call in a fixed order, `run` is a function from one shard to
    tables, and `prepare` (if any) first writes what all shards share into the given folder.
    `splits` says that listing the shards is cheap, so that several tasks may each list them.
    `verify` may refuse the counts of the whole. `distributions` are the libraries whose versions
    decide the output.
    """

    name: str
    main: str
    law: Law
    shards: Callable[[Call], Iterator[Shard]]
    run: Callable[[Call, Shard], Outcome]
    prepare: Callable[[Call, Path], None] | None = None
    distributions: tuple[str, ...] = ()
    splits: bool = True
    verify: Callable[[Call, Counts], None] | None = None


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
    fingerprint, `arguments` (paths, say) do not. `code` names modules that the stage chooses at run
    time, which its imports do not show.
    """
    stage: Stage = import_module(module).STAGE
    versions = {name: _version(name) for name in (*stage.distributions, "pyarrow")}
    found = (*(i.fingerprint for i in inputs), *raw)
    key = [stage.name, source, found, params or {}, *map(of_code, (module, *code)), versions]
    fingerprint = of_value(key)
    return Call(
        stage=stage.name,
        module=module,
        source=source,
        folder=work / "store" / source / f"{stage.name}-{fingerprint[:16]}",
        fingerprint=fingerprint,
        inputs=tuple(i.folder for i in inputs),
        input_fingerprints=found,
        params=params or {},
        arguments=arguments or {},
        versions=versions,
    )


def prepare(call: Call) -> None:
    """Make the partial folder and what all shards share; does nothing the second time."""
    folder = store.partial_of(call.folder)
    folder.mkdir(parents=True, exist_ok=True)
    stage = _stage(call)
    if stage.prepare is not None and not (folder / "prepared.json").exists():
        stage.prepare(call, folder)
        store.write_json(folder / "prepared.json", {})


def run(call: Call, *, part: int = 0, of: int = 1) -> int:
    """Run the shards of one part of a call that are not done yet, on the active pool.

    Returns how many shards the part has, done ones included.
    """
    folder = store.partial_of(call.folder)
    total = 0

    def waiting() -> Iterator[Shard]:
        nonlocal total
        for index, shard in enumerate(_stage(call).shards(call)):
            if index % of == part:
                total += 1
                if not (folder / f"{shard.label}{store.DONE}").exists():
                    yield shard

    workers = pool.active()
    for counts in workers.map(partial(run_shard, call), waiting()):
        workers.progress(call.stage, call.source, counts.rows_in)
    return total


def complete(call: Call) -> None:
    """Prepare, run and finish a call, unless its output is in the store."""
    if not call.done:
        prepare(call)
        finish(call, run(call))


def run_shard(call: Call, shard: Shard) -> Counts:
    """Run one shard, hold it to the stage's law and write its tables, the marker last."""
    stage = _stage(call)
    outcome = stage.run(call, shard)
    try:
        counts = ledger.count(
            outcome.rows_in, outcome.tables[stage.main], outcome.tables["ledger"], law=stage.law
        )
        if outcome.inputs is not None:
            parents = outcome.tables[stage.main].column("document").combine_chunks()
            counts.childless = ledger.check_fanout(
                outcome.inputs, parents, outcome.tables["ledger"]
            )
    except ConservationError as error:
        raise ConservationError(f"{call.stage} {call.source} {shard.label}: {error}") from None
    folder, files = store.partial_of(call.folder), dict[str, dict[str, Any]]()
    for name, table in outcome.tables.items():
        files |= store.write_table(folder, name, shard.label, table)
    done = {"counts": asdict(counts), "files": files}
    store.write_json(folder / f"{shard.label}{store.DONE}", done)
    return counts


def finish(call: Call, shards: int) -> store.Manifest:
    """Add up all `shards` of a call, check the whole, write the manifest and rename the folder.

    Raises StoreError when a shard is missing, ConservationError when the sum does not add up.
    """
    folder = store.partial_of(call.folder)
    markers = sorted(folder.glob(f"*{store.DONE}"))
    if len(markers) != shards:
        raise StoreError(f"{folder}: {len(markers)} of {shards} shards are done; run again")
    total, files = Counts(), dict[str, dict[str, Any]]()
    for marker in markers:
        found = json.loads(marker.read_text("utf-8"))
        total.add(Counts(**found["counts"]))
        files |= found["files"]
    stage = _stage(call)
    if stage.law == "filter":
        ledger.balance(total)
    if stage.verify is not None:
        stage.verify(call, total)
    manifest = store.Manifest(
        stage=call.stage,
        source=call.source,
        fingerprint=call.fingerprint,
        inputs=list(call.input_fingerprints),
        params=call.params,
        versions=call.versions,
        counts=total,
        files=files,
    )
    _tidy(folder, set(files))
    store.write_manifest(call.folder, manifest)
    return manifest


def table_shards(call: Call, name: str) -> Iterator[Shard]:
    """Yield one shard for every file of a table of the stages that a call reads from."""
    many = len(call.inputs) > 1
    for folder in call.inputs:
        for path in store.tables(folder, name):
            label = path.stem.removeprefix(f"{name}-")
            yield Shard(f"{folder.parent.name}-{label}" if many else label, path)


def _tidy(folder: Path, files: set[str]) -> None:
    """Remove what the making left beside the tables and the markers."""
    for path in folder.iterdir():
        if path.is_dir():
            rmtree(path)
        elif path.name not in files and not path.name.endswith(store.DONE):
            path.unlink()


def splits(call: Call) -> bool:
    """Tell whether several tasks may share the shards of a call."""
    return _stage(call).splits


def _stage(call: Call) -> Stage:
    stage: Stage = import_module(call.module).STAGE
    return stage


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "absent"
