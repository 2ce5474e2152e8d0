"""What differs between two releases: examples by config and split, and what the manifests tell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from pipeline.contracts.splits import FILES, SPLITS, Split
from pipeline.release.changes import Change, changes
from pipeline.release.material import Material
from pipeline.release.sides import COLUMNS, Known, Planned, Published, Side

#: Ids of examples by the name of their split.
BySplit = dict[str, tuple[str, ...]]
_UNTOLD: Final = "changes of the labels of the test splits are not told here: they are private"


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
    return _compared(Published.at(a), Published.at(b), private=True)


def diff_to(a: Path, material: Material) -> Difference:
    """Compare a release folder with a release in the making: what its changelog tells.

    As `diff`, but public parts only, whatever can be read: changes of labels of test are not told,
    and tables beside the examples (votes, ledger) are not compared.
    """
    return _compared(Published.at(a), Planned(material), private=False)


def as_data(difference: Difference) -> dict[str, Any]:
    """Return a difference as plain data."""
    return {**asdict(difference), "empty": difference.empty}


def _compared(left: Side, right: Side, *, private: bool) -> Difference:
    hidden = private and left.told and right.told
    configs = [_config(config, left, right, hidden=hidden) for config in COLUMNS]
    return Difference(
        before=_title(left),
        after=_title(right),
        configs=tuple(one for one in configs if not one.empty),
        changes=tuple(changes(left.manifest, right.manifest, tables=private)),
        notes=tuple(_notes(left, right)) if private else (_UNTOLD,),
    )


def _config(config: str, left: Side, right: Side, *, hidden: bool) -> ConfigDifference:
    splits = [split for split in SPLITS if not _is_equal(config, split, left, right, hidden)]
    old = _rows(left, config, splits, hidden=hidden)
    new = _rows(right, config, splits, hidden=hidden)
    both = [(guid, old[guid], new[guid]) for guid in sorted(old.keys() & new.keys())]
    return ConfigDifference(
        config,
        added=_by_split((guid, new[guid]) for guid in new.keys() - old.keys()),
        removed=_by_split((guid, old[guid]) for guid in old.keys() - new.keys()),
        relabelled=_by_split((guid, now) for guid, was, now in both if _relabelled(was, now)),
        edited=_by_split((guid, now) for guid, was, now in both if _edited(was, now)),
        moved=tuple(
            Moved(guid, FILES[was.split], FILES[now.split])
            for guid, was, now in both
            if was.split != now.split
        ),
    )


def _is_equal(config: str, split: Split, left: Side, right: Side, hidden: bool) -> bool:
    old, new = (one.digest(config, split, hidden=hidden) for one in (left, right))
    return old is not None and old == new


def _rows(side: Side, config: str, splits: Iterable[Split], *, hidden: bool) -> dict[str, Known]:
    return {guid: row for one in splits for guid, row in side.rows(config, one, hidden=hidden)}


def _relabelled(was: Known, now: Known) -> bool:
    return was.label is not None and now.label is not None and was.label != now.label


def _edited(was: Known, now: Known) -> bool:
    both = was.label is not None and now.label is not None
    return was.text != now.text or (both and was.rest != now.rest)


def _by_split(found: Iterable[tuple[str, Known]]) -> BySplit:
    pairs = sorted((guid, row.split) for guid, row in found)
    by_split = {FILES[one]: tuple(guid for guid, split in pairs if split == one) for one in SPLITS}
    return {one: guids for one, guids in by_split.items() if guids}


def _title(side: Side) -> str:
    return f"{side.manifest.name} {side.manifest.version}"


def _notes(left: Side, right: Side) -> Iterator[str]:
    lacking = [_title(one) for one in (left, right) if not one.told]
    if lacking:
        yield (
            "labels of the test splits were not compared: the private folder of"
            f" {' and of '.join(lacking)} is absent, or may not be read"
        )
