"""What differs between two releases: examples by config and split, and what the manifests say."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from pipeline.contracts.registry import TASKS
from pipeline.contracts.splits import FILES, SPLITS
from pipeline.release.manifest import Manifest, plain
from pipeline.release.material import Material
from pipeline.release.reading import Known, Planned, Published, ReleaseView

#: What names the parts of a list: the first of these that all have, each with another value.
_NAMES: Final = (("id",), ("stage", "source"), ("source",), ("file",), ("name",))
#: What a manifest tells of the release alone; its tables are compared by their digests.
_OWN: Final = ("files", "release_hash", "version")


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
    for name in sorted(old.keys() | new.keys()):
        if old.get(name) != new.get(name):
            yield Change(name, old.get(name), new.get(name))


def _values(manifest: Manifest, *, tables: bool) -> dict[str, Any]:
    excluded = {*_OWN, *(() if tables else ("private", "stages"))}
    values = dict(_leaves(manifest.model_dump(mode="json", exclude=excluded)))
    values.pop("build.release.version", None)
    configs = {task.config for task in TASKS.values()}
    for path, entry in plain(manifest.files).items() if tables else ():
        if path.endswith(".parquet") and path.split("/")[0] not in configs:
            values[path] = entry
    return values


def _leaves(value: Any, where: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the values inside a value with their places; parts of lists are named by their ids."""
    by_id = _by_id(value) if isinstance(value, list) else value
    if not isinstance(by_id, dict) or not by_id:
        yield where, value
        return
    for key, inner in by_id.items():
        yield from _leaves(inner, f"{where}.{key}" if where else str(key))


def _by_id(parts: list[Any]) -> Any:
    """Return a list of objects by what names each, or the list where nothing does."""
    for keys in _NAMES:
        if all(isinstance(part, dict) and set(keys) <= part.keys() for part in parts):
            names = [".".join(str(part[key]) for key in keys) for part in parts]
            if len(set(names)) == len(names):
                return dict(zip(names, parts, strict=True))
    return parts


#: Ids of examples by the name of their split.
BySplit = dict[str, tuple[str, ...]]


@dataclass(frozen=True)
class Moved:
    """An example that is in another split than before."""

    guid: str
    before: str
    after: str


@dataclass(frozen=True)
class ConfigDifference:
    """What became of the examples of a config; guids in order, without splits that have none.

    `removed` are by the split they were in, all others by the one they are in. Of `edited` ones
    another column than the label differs. An example may be relabelled, edited and moved at once.
    """

    config: str
    added: BySplit = field(default_factory=dict)
    removed: BySplit = field(default_factory=dict)
    relabelled: BySplit = field(default_factory=dict)
    edited: BySplit = field(default_factory=dict)
    moved: tuple[Moved, ...] = ()

    @property
    def empty(self) -> bool:
        """Tell whether nothing differs."""
        return not any((self.added, self.removed, self.relabelled, self.edited, self.moved))


@dataclass(frozen=True)
class Difference:
    """What differs between two releases; `before` and `after` are their names and versions.

    `configs` are those in which examples differ; `changes` what the manifests tell otherwise
    (specs, inputs, licences, counts, votes ...); `notes` what could not be compared.
    """

    before: str
    after: str
    configs: tuple[ConfigDifference, ...] = ()
    changes: tuple[Change, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        """Tell whether nothing differs, as far as it could be compared."""
        return not self.configs and not self.changes


def diff(a: Path, b: Path) -> Difference:
    """Compare two release folders, `a` the older one.

    Tables whose digests are equal are not read. Labels of test are compared only where the private
    folders of both can be read; `notes` says where not. Raises StoreError for a folder without a
    sound manifest, and for a table that is missing or damaged.
    """
    return _compare(Published.at(a), Published.at(b), private=True)


def diff_to(a: Path, material: Material) -> Difference:
    """Compare a release folder with a release in the making: what its changelog tells.

    As `diff`, but public parts only, whatever can be read: changes of labels of test are not told,
    and tables beside the examples (votes, ledger) are not compared.
    """
    return _compare(Published.at(a), Planned(material), private=False)


def as_data(difference: Difference) -> dict[str, Any]:
    """Return a difference as plain data."""
    return {**asdict(difference), "empty": difference.empty}


def _compare(left: ReleaseView, right: ReleaseView, *, private: bool) -> Difference:
    released = [side for side in (left, right) if isinstance(side, Published)]
    unknown = [_title(side) for side in released if side.private is None]
    hidden = private and not unknown
    configs = [_config(task.config, left, right, hidden=hidden) for task in TASKS.values()]
    notes = []
    if not private:
        notes.append(
            "changes of the labels of the test splits are not listed here: they are private"
        )
    elif unknown:
        notes.append(
            "labels of the test splits were not compared: the private folder of"
            f" {' and of '.join(unknown)} is absent, or may not be read"
        )
    return Difference(
        before=_title(left),
        after=_title(right),
        configs=tuple(config for config in configs if not config.empty),
        changes=tuple(changes(left.manifest, right.manifest, tables=private)),
        notes=tuple(notes),
    )


def _title(view: ReleaseView) -> str:
    return f"{view.manifest.name} {view.manifest.version}"


def _config(
    config: str, left: ReleaseView, right: ReleaseView, *, hidden: bool
) -> ConfigDifference:
    old: dict[str, Known] = {}
    new: dict[str, Known] = {}
    for split in SPLITS:
        digest = left.digest(config, split, hidden=hidden)
        if digest is None or digest != right.digest(config, split, hidden=hidden):
            old |= left.rows(config, split, hidden=hidden)
            new |= right.rows(config, split, hidden=hidden)
    both = [(guid, old[guid], new[guid]) for guid in sorted(old.keys() & new.keys())]
    labelled = [example for example in both if None not in (example[1].label, example[2].label)]
    edited = {guid for guid, was, now in both if was.text != now.text}
    edited |= {guid for guid, was, now in labelled if was.rest != now.rest}
    soft = [
        example for example in both if None not in (example[1].soft_label, example[2].soft_label)
    ]
    edited |= {guid for guid, was, now in soft if was.soft_label != now.soft_label}
    return ConfigDifference(
        config,
        added=_by_split(new, new.keys() - old.keys()),
        removed=_by_split(old, old.keys() - new.keys()),
        relabelled=_by_split(new, {guid for guid, was, now in labelled if was.label != now.label}),
        edited=_by_split(new, edited),
        moved=tuple(
            Moved(guid, FILES[was.split], FILES[now.split])
            for guid, was, now in both
            if was.split != now.split
        ),
    )


def _by_split(rows: Mapping[str, Known], guids: Collection[str]) -> BySplit:
    by_split = {
        FILES[split]: tuple(guid for guid in sorted(guids) if rows[guid].split == split)
        for split in SPLITS
    }
    return {name: counts for name, counts in by_split.items() if counts}
