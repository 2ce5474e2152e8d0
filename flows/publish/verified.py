"""A release checked against its own profile too: what its build promised to remove is not there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.contracts.build_inputs import INPUTS
from pipeline.contracts.splits import SPLITS
from pipeline.pii.detect import detect
from pipeline.pii.policy import Policy, policy_of_release
from pipeline.release.checks.subject import Check, Subject
from pipeline.release.tables import COLUMNS
from pipeline.release.verify import Checks, verify

#: Columns that tell where an example is from.
_ORIGIN: Final = frozenset({"guid", "source", "url", "date"})


def verify_release(
    folder: Path, private: Path | None = None, *, expect: str | None = None
) -> list[Check]:
    """Return the checks of a release, and that of personal data in its texts; raises nothing.

    `expect` is what its hash has to begin with, where somebody knows it.
    """
    more: Checks = {"personal_data": (personal_data, _detail)}
    if expect is not None:
        more = {"expected_hash": (partial(_other_hash, expect=expect), "is the one given"), **more}
    return verify(folder, private, more=more)


def _other_hash(subject: Subject, *, expect: str) -> Iterator[str]:
    """Yield a fault of a release that is whole, but not the one that somebody expects."""
    if not subject.manifest.release_hash.startswith(expect):
        yield f"the release has {subject.manifest.release_hash}, not {expect}"


def personal_data(subject: Subject) -> Iterator[str]:
    """Yield what stands in the texts of a release and should have left; types, never values.

    All texts of tasks that draw from the corpus are looked at, also what annotators wrote; labels
    and origins are none. Tasks without a corpus (dialogues) speak of made-up places with numbers of
    their own. The profile is that of the build in the manifest.
    """
    policy = _policy(subject)
    for config, entry in subject.manifest.tasks.items():
        if not INPUTS[entry.task].has_sources:
            continue
        labels = COLUMNS[entry.task].hidden_in_test
        counts: Counter[str] = Counter()
        for split in SPLITS:
            table = subject.split(config, split)
            for name in set(table.column_names) - _ORIGIN:
                for texts in _texts(table[name].combine_chunks(), name, labels):
                    hits = detect(texts, types=policy.gone, minimum=policy.minimum)
                    counts.update(hits["type"].to_pylist())
        for kind, many in sorted(counts.items()):
            yield (
                f"{config} has {many:,} of type {kind} in its texts; withdraw those examples, or"
                f" name the type under personal_data.keep with the reason"
            )


def _texts(column: pa.Array, path: str, labels: tuple[str, ...]) -> Iterator[pa.Array]:
    """Yield the texts in a column, however deep; those of labels are left out."""
    if path in labels:
        return
    if pa.types.is_string(column.type):
        yield column.drop_null()
    elif pa.types.is_list(column.type):
        yield from _texts(column.flatten(), path, labels)
    elif pa.types.is_struct(column.type):
        for field in column.type:
            inner = pc.struct_field(column, field.name)
            yield from _texts(inner, f"{path}.{field.name}", labels)


def _policy(subject: Subject) -> Policy:
    return policy_of_release(subject.manifest.build.get("personal_data", {}))


def _detail(subject: Subject) -> str:
    policy = _policy(subject)
    reasons = "".join(f"; {kind} is kept: {why}" for kind, why in policy.keep.items())
    return f"no {', '.join(sorted(policy.gone)) or 'type'} at {policy.minimum} or surer{reasons}"
