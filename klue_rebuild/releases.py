"""Labelled items split, and releases: loaded, verified, compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from klue_rebuild.arguments import checked
from klue_rebuild.items import items_file
from klue_rebuild.records import Check, Difference, Release, Split, Verification
from klue_rebuild.scratch import path_or_none, scratch, without_none
from klue_rebuild.tables import Data, Place, Places, frame_of, frame_of_rows
from klue_rebuild.votes import SEED

if TYPE_CHECKING:
    import pandas as pd

_EXAMPLE: Final = ("task", "change", "guid", "before", "after")


@checked
def split(
    items: Data | Places,
    task: str,
    *,
    source: str = "items",
    seed: int = SEED,
    specs: Place | None = None,
) -> Split:
    """Split labelled items into train, dev and test by the rule of the task's spec: `klue split`.

    `items` is a table, or files. A table has `item` (a unique text), `gold` (the label: of tc a
    topic, of nli entailment, neutral or contradiction, ...) and the task's fields as columns, such
    as `premise` and `hypothesis`; `source`, `sampler` and `meta` where they are known (rules that
    want styles of text, as that of nli, know them by the sources of the catalogue). Other columns
    become fields, which no rule reads. `source` is ``klue`` for official files. The same
    items and `seed` give the same splits.

    Returns a `Split`: `sizes` by split, and frames as the command's files. `examples` has `id`
    (the item), `split`, `group` (examples that stay together) and others, with `fields` and `label`
    as JSON; `constraints` what the rule promises and whether it holds; `pairs` examples of two
    splits that share content; `overlaps` shares of n-grams; `ledger` what was left out.

    Raises InputError for items without gold, twice the same item, or fields that are missing.

    >>> parts = klue_rebuild.split(pairs, "nli").examples
    >>> pairs.merge(parts[["id", "split"]], left_on="item", right_on="id")
    """
    from flows.commands import split_files as command

    with scratch() as place:
        several = items if isinstance(items, list | tuple) else [items_file(place, items, "items")]
        out = place.folder / "split"
        record, _ = command.split(
            tuple(map(Path, several)),
            task,
            source=source,
            out=out,
            seed=seed,
            **without_none(specs=path_or_none(specs)),
        )
        tables = {path.stem: _read(path) for path in out.glob("*.parquet")}
        tables["pairs"] = tables.pop("leaks")
        return Split(
            task=record["task"],
            items=record["items"],
            sizes=record["splits"],
            left_out=record["left_out"],
            leaks=record["leaks"],
            **tables,
            notes=place.notes,
            record={name: value for name, value in record.items() if name != "out"},
        )


@checked
def verify(release: Place, *, expect: str | None = None) -> Verification:
    """Check every hash, schema, count and promise of a release again: `klue verify`.

    `release` is a folder, or the address of one in an object store. `expect` is the hash that it
    has to have, or at least 12 characters of it. A release that fails is no error: see `ok`.

    Raises InputError for what is no folder.

    >>> klue_rebuild.verify("data/releases/sample/1.0.0").ok
    True
    """
    from flows.commands.releases import check_release

    with scratch() as place:
        record, _ = check_release(Path(release), **without_none(expect=expect))
        checks = tuple(Check(**check) for check in record["checks"])
        return Verification(ok=record["ok"], checks=checks, notes=place.notes, record=record)


@checked
def diff(before: Place, after: Place) -> Difference:
    """Compare two releases: `klue diff`.

    Returns a `Difference` with two frames. `examples` has a row for each change of an example:
    `task` (config), `change` (added, removed, relabelled, edited, moved), `guid`, and the splits
    `before` and `after` (None where it is not). `changes` has what the manifests tell otherwise:
    `what`, `before`, `after`. `notes` say what could not be compared, such as test labels.

    Raises InputError for what is no folder, StoreError for a release that was changed.
    """
    from flows.commands.releases import compare

    with scratch() as place:
        record, _ = compare(release_folder(before), release_folder(after))
        return Difference(
            before=record["before"],
            after=record["after"],
            empty=record["empty"],
            examples=frame_of_rows(_example_changes(record), _EXAMPLE),
            changes=frame_of_rows(record["changes"], ("what", "before", "after")),
            notes=(*place.notes, *record["notes"]),
            record=record,
        )


@checked
def load_release(release: Place) -> Release:
    """Open a release: its name, version, hash and sizes, and its tables as pandas frames.

    `release` is a folder, or the address of one in an object store, which is copied to the user's
    cache once. Only the manifest is read; `verify` checks the rest.

    Raises InputError for what is no folder of a release, StoreError for a damaged manifest.

    >>> release = klue_rebuild.load_release("data/releases/sample/1.0.0")
    >>> release.examples("nli", "dev")[["premise", "hypothesis", "label"]]
    """
    from flows.commands.releases import require_release
    from pipeline.release.manifest import read_manifest

    with scratch():
        folder = release_folder(release)
        require_release(folder)
        manifest = read_manifest(folder)
    return Release(
        folder=folder,
        name=manifest.name,
        version=manifest.version,
        hash=manifest.release_hash,
        simulated=manifest.simulated,
        sizes={
            entry.task: {str(split): n for split, n in entry.splits.items()}
            for entry in manifest.tasks.values()
        },
    )


def release_folder(release: Place) -> Path:
    """Return the folder of a release: that of a checked copy where it is in an object store."""
    from flows.commands.stored import local_release
    from pipeline.core.objects.address import address_of

    address = address_of(Path(release))
    return Path(release) if address is None else local_release(address)


def _read(path: Path) -> pd.DataFrame:
    import pyarrow.parquet as pq

    return frame_of(pq.read_table(path))


def _example_changes(record: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for config in record["configs"]:
        for change in ("added", "removed", "relabelled", "edited"):
            for part, guids in config[change].items():
                sides = {
                    "before": None if change == "added" else part,
                    "after": None if change == "removed" else part,
                }
                for guid in guids:
                    yield {"task": config["config"], "change": change, "guid": guid, **sides}
        for move in config["moved"]:
            yield {"task": config["config"], "change": "moved", **move}
