"""Runs a call: prepares it, runs its shards, resumes where it stopped, and finishes it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import partial
from pathlib import Path
from shutil import rmtree
from typing import Any

import pyarrow as pa

from pipeline.core import ledger, pool, reuse, steps, store
from pipeline.core.errors import ConservationError, InputError, StoreError
from pipeline.core.ledger import Counts
from pipeline.core.memory import give_back, give_back_before
from pipeline.core.stage import (
    Call,
    Outcome,
    Shard,
    Stage,
    check_same_code,
    shard_key,
    stage_of,
)
from pipeline.core.wording import count

PREPARED = "prepared.json"

#: Called with the work done since the last call, in the unit of `expected_work`.
Report = Callable[[int], None]


def complete(call: Call, report: Report = lambda _: None) -> None:
    """Prepare, run and finish a call, unless its output is in the store."""
    if not call.done:
        with steps.running(_step(call)):
            prepare(call)
            finish(call, run(call, report))


def _step(call: Call) -> str:
    """Return how the step of a call is named to whoever watches."""
    unit = ", bytes" if stage_of(call.module).size else ""
    return f"{call.stage} {call.source}{unit}"


def expected_work(call: Call) -> int | None:
    """Return how much a call will read: rows, once its inputs are finished, or bytes of files.

    Returns None if that is unknown.
    """
    if size := stage_of(call.module).size:
        return size(call) or None
    manifests = [store.read_manifest(folder) for folder in call.inputs]
    rows = [m.counts.rows_out for m in manifests if m is not None and m.stage != "sign"]
    return sum(rows) or None


def recover(call: Call) -> None:
    """Give a stage its final name if a run was killed between its manifest and that."""
    manifest = store.read_manifest(store.partial_of(call.folder), missing_ok=True)
    if manifest is not None and manifest.fingerprint == call.fingerprint:
        store.publish(call.folder)


def prepare(call: Call) -> None:
    """Make the partial folder and what all shards share; does nothing the second time."""
    check_same_code(call)
    recover(call)
    folder = store.partial_of(call.folder)
    if call.done or (folder / PREPARED).exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    for place in (folder, *folder.parents[:2]):
        place.chmod(0o700)
    stage = stage_of(call.module)
    if stage.prepare is not None:
        stage.prepare(call, folder)
        give_back()
    store.write_json(folder / PREPARED, {})


def run(call: Call, report: Report = lambda _: None) -> int:
    """Run the shards of a call that are not done yet, on the active pool.

    What an earlier call made of the same is taken over. `report` is given the work of what is
    finished. Returns how many shards the call has, done ones included.
    """
    folder, stage, step = store.partial_of(call.folder), stage_of(call.module), _step(call)
    workers, earlier = pool.active(), reuse.find_shards(call)
    expected = expected_work(call) if steps.is_watched() else None
    total = size = 0

    def advance(counts: Counts) -> None:
        nonlocal size
        work, size = size if stage.size else counts.rows_in, 0
        steps.advance(step, work, expected)
        report(work)

    def waiting() -> Iterator[Shard]:
        nonlocal total, size
        for shard in stage.shards(call):
            total += 1
            size += shard.size
            if _is_done(folder, shard):
                continue
            if (counts := _take_over(call, shard, earlier)) is None:
                yield shard
            else:
                advance(counts)

    for counts in workers.map(partial(run_shard, call), waiting()):
        advance(counts)
    return total


def _is_done(folder: Path, shard: Shard) -> bool:
    """Tell whether a shard is finished: its marker can be read, and its tables have their length.

    A machine that stops may keep the names of files whose content it had not written yet.
    """
    try:
        marker = json.loads((folder / f"{shard.label}{store.DONE}").read_text("utf-8"))
        return all(store.has_full_length(folder / n, entry) for n, entry in marker["files"].items())
    except (OSError, ValueError, LookupError, TypeError):
        return False


def _take_over(call: Call, shard: Shard, earlier: dict[str, reuse.Finished]) -> Counts | None:
    """Take a shard over from an earlier call; returns its counts, or None if there is none."""
    key, folder = shard_key(call, shard), store.partial_of(call.folder)
    finished = earlier.get(key) if key is not None else None
    if finished is None:
        return None
    files = reuse.take_over(finished, folder, shard.label)
    if files is None:
        return None
    counts = Counts(**finished.counts)
    _mark_done(folder, shard, counts, files, key)
    return counts


def run_shard(call: Call, shard: Shard) -> Counts:
    """Run one shard, check the stage's invariant and write its tables, the marker last."""
    check_same_code(call)
    give_back_before(_step(call))
    stage = stage_of(call.module)
    outcome = stage.run(call, shard)
    try:
        counts = _count(stage, outcome)
    except ConservationError as error:
        raise ConservationError(f"{call.stage} {call.source} {shard.label}: {error}") from None
    folder, files = store.partial_of(call.folder), dict[str, dict[str, Any]]()
    for name, table in outcome.tables.items():
        files |= store.write_table(folder, name, shard.label, table)
    _mark_done(folder, shard, counts, files, shard_key(call, shard))
    return counts


def _mark_done(
    folder: Path, shard: Shard, counts: Counts, files: dict[str, dict[str, Any]], key: str | None
) -> None:
    marker = {"counts": asdict(counts), "files": files, "key": key}
    store.write_json(folder / f"{shard.label}{store.DONE}", marker)


def _count(stage: Stage, outcome: Outcome) -> Counts:
    out, rows = outcome.tables[stage.main], outcome.tables["ledger"]
    counts = ledger.count(outcome.rows_in, out, rows, invariant=stage.invariant)
    if stage.invariant == "sampling":
        inputs = pa.array([], pa.string()) if outcome.inputs is None else outcome.inputs
        ledger.check_sampling(counts, inputs, outcome.tables["drawn"], rows)
    elif outcome.inputs is not None and stage.invariant == "fanout":
        parents = out.column("document").combine_chunks()
        counts.childless = ledger.check_fanout(outcome.inputs, parents, rows)
    elif outcome.inputs is not None and stage.invariant != "own":
        ledger.check_filter(outcome.inputs, out.column("id").combine_chunks(), rows)
    return counts


def finish(call: Call, shards: int) -> None:
    """Add up all `shards` of a call, check the whole, write the manifest and rename the folder.

    Raises StoreError when a shard is missing, ConservationError when the sum does not add up.
    """
    if call.done:
        return
    folder = store.partial_of(call.folder)
    markers = sorted(folder.glob(f"*{store.DONE}"))
    if len(markers) != shards:
        raise StoreError(f"{folder}: {len(markers)} of {count(shards, 'shard')} done; run again")
    total, files, keyed = Counts(), dict[str, dict[str, Any]](), dict[str, dict[str, Any]]()
    for path in markers:
        marker = json.loads(path.read_text("utf-8"))
        total.add(Counts(**marker["counts"]))
        files |= marker["files"]
        if marker["key"] is not None:
            keyed[path.name.removesuffix(store.DONE)] = marker | {"files": sorted(marker["files"])}
    stage = stage_of(call.module)
    if stage.invariant == "filter":
        ledger.balance(total)
    try:
        if stage.verify is not None:
            stage.verify(call, total)
    except InputError:
        rmtree(folder)  # its shards are of an input that is refused, and must not be resumed
        raise
    _tidy(folder, set(files))
    store.write_manifest(folder, _manifest(call, total, files, keyed))
    store.publish(call.folder)


def _manifest(
    call: Call,
    counts: Counts,
    files: dict[str, dict[str, Any]],
    shards: dict[str, dict[str, Any]],
) -> store.Manifest:
    return store.Manifest(
        stage=call.stage,
        source=call.source,
        fingerprint=call.fingerprint,
        inputs=list(call.input_fingerprints),
        params=call.params,
        code=call.code,
        versions=call.versions,
        counts=counts,
        files=files,
        shards=shards,
    )


def _tidy(folder: Path, files: set[str]) -> None:
    for path in folder.iterdir():
        if path.is_dir():
            rmtree(path)
        elif path.name not in files and not path.name.endswith((store.DONE, PREPARED)):
            path.unlink()
