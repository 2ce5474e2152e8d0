"""What the functions return: numbers by name, and pandas frames beside them.

Frames are left out of the text of a record (`repr`), so that no text, name or label of a person
shows where a record is printed or logged.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from klue_rebuild.arguments import checked

if TYPE_CHECKING:
    import pandas as pd

Counts = Mapping[str, int]


@dataclass(frozen=True, kw_only=True, eq=False)
class Record:
    """Base of all results; `notes` are what the command would say on standard error."""

    notes: tuple[str, ...] = field(default=(), repr=False)
    record: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def as_json(self) -> dict[str, Any]:
        """Return the object that the command prints with `--json`; it has no temporary file."""
        plain: dict[str, Any] = json.loads(json.dumps(self.record))
        return plain


@dataclass(frozen=True, kw_only=True, eq=False)
class Cleaned(Record):
    """What `clean` kept, and every decision.

    `rows_in` = `rows_out` + all of `dropped`. `dropped` and `edited` count by rule, `personal`
    pieces of personal data by type, whatever became of them.
    """

    rows_in: int
    rows_out: int
    dropped: Counts
    edited: Counts
    personal: Counts
    rows: pd.DataFrame = field(repr=False)
    units: pd.DataFrame = field(repr=False)
    ledger: pd.DataFrame = field(repr=False)


@dataclass(frozen=True, kw_only=True, eq=False)
class PersonalData(Record):
    """What personal data texts hold: counts, and a row of `hits` for each piece, without it."""

    rows: int
    rows_with_hits: int
    by_type: Counts
    by_rule: Counts
    by_source: Mapping[str, Counts]
    left_out: Counts
    hits: pd.DataFrame = field(repr=False)


@dataclass(frozen=True, kw_only=True, eq=False)
class Pseudonymised(Record):
    """A table whose personal data was replaced by pseudonyms.

    `originals` counts different values; `redacted` those by type that no pseudonym was free for;
    `key` is a check value of the key, None for a random one that was not kept.
    """

    rows: pd.DataFrame = field(repr=False)
    hits: pd.DataFrame = field(repr=False)
    by_type: Counts
    redacted: Counts
    left_out: Counts
    originals: int
    reproducible: bool
    key: str | None


@dataclass(frozen=True, kw_only=True, eq=False)
class Audit(Record):
    """How far annotators agree; docs/agreement.md defines every number.

    `value`, `low` and `high` are those of the coefficient `lead`; None where it is not defined.
    """

    level: str | None
    items: int
    annotators: int
    votes: int
    lead: str | None
    value: float | None
    low: float | None
    high: float | None
    refused: Counts
    coefficients: pd.DataFrame = field(repr=False)
    per_annotator: pd.DataFrame = field(repr=False)
    per_item: pd.DataFrame = field(repr=False)
    per_label: pd.DataFrame = field(repr=False)
    confusion: pd.DataFrame = field(repr=False)
    flags: pd.DataFrame = field(repr=False)


@dataclass(frozen=True, kw_only=True, eq=False)
class Gold(Record):
    """What votes decided: items = resolved + unresolved + removed."""

    rule: str
    items: int
    resolved: int
    unresolved: int
    removed: int
    refused: Counts
    gold: pd.DataFrame = field(repr=False)
    queue: pd.DataFrame = field(repr=False)
    ledger: pd.DataFrame = field(repr=False)


@dataclass(frozen=True, kw_only=True, eq=False)
class Split(Record):
    """Examples in train, dev and test; `leaks` counts those that would stop a release."""

    task: str
    items: int
    sizes: Counts
    left_out: int
    leaks: int
    examples: pd.DataFrame = field(repr=False)
    constraints: pd.DataFrame = field(repr=False)
    pairs: pd.DataFrame = field(repr=False)
    overlaps: pd.DataFrame = field(repr=False)
    ledger: pd.DataFrame = field(repr=False)


@dataclass(frozen=True, kw_only=True, eq=False)
class Check:
    """One check of a release: whether it holds, and what was seen."""

    name: str
    ok: bool
    detail: str


@dataclass(frozen=True, kw_only=True, eq=False)
class Verification(Record):
    """The checks of a release; `ok` if all hold."""

    ok: bool
    checks: tuple[Check, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class Difference(Record):
    """What differs between two releases; `empty` if nothing does, as far as could be compared."""

    before: str
    after: str
    empty: bool
    examples: pd.DataFrame = field(repr=False)
    changes: pd.DataFrame = field(repr=False)


@dataclass(frozen=True, kw_only=True, eq=False)
class Scores(Record):
    """Scores from 0 to 100 (pearson and others as KLUE reports them) of `n` examples.

    `values` are those of the first system. `table` has a row for each system and metric,
    `comparisons` one for each pair of systems and metric.
    """

    task: str
    variant: str
    n: int
    values: Mapping[str, float | None]
    table: pd.DataFrame = field(repr=False)
    comparisons: pd.DataFrame = field(repr=False)


@dataclass(frozen=True, kw_only=True, eq=False)
class Trained(Record):
    """What a training came to: a row of `scores` for each task, split, metric and variant.

    `folders` are those of the runs by task; each holds `model/` and predictions.
    """

    folders: Mapping[str, Path]
    scores: pd.DataFrame = field(repr=False)


@dataclass(frozen=True, kw_only=True, eq=False)
class Release:
    """A release at hand. `sizes` counts examples by task and split; `hash` names its content."""

    folder: Path
    name: str
    version: str
    hash: str
    simulated: bool
    sizes: Mapping[str, Counts]

    @checked
    def examples(self, task: str, split: str = "train", *, labels: bool = False) -> pd.DataFrame:
        """Return the examples of a split of a task, with the columns that its card names.

        Labels of test are null, unless with `labels`: those of the private folder, if it is here.
        Raises InputError for another task or split, StoreError where the file is not sound.
        """
        from klue_rebuild.released import examples

        return examples(self, task, split, labels=labels)

    @checked
    def votes(self, task: str) -> pd.DataFrame:
        """Return the published votes of a task, as `audit` and `aggregate` take them.

        Raises InputError for another task, StoreError where the file is not sound.
        """
        from klue_rebuild.released import votes

        return votes(self, task)
