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
from pipeline.contracts.splits import SPLITS, Split
from pipeline.core.buildfile import Profile
from pipeline.pii.detect import detect
from pipeline.pii.policy import Policy, policy_of_release
from pipeline.release.checks.subject import Check, Subject
from pipeline.release.pretraining.manifest import is_corpus
from pipeline.release.pretraining.verify import verify_corpus
from pipeline.release.tables import COLUMNS, examples_of
from pipeline.release.verify import Checks, verify

#: Columns that tell where an example is from.
_ORIGIN: Final = frozenset({"guid", "source", "url", "date"})


def verify_release(
    folder: Path, private: Path | None = None, *, expect: str | None = None
) -> list[Check]:
    """Return the checks of a release, and that of personal data in its texts; raises nothing.

    `expect` is what its hash has to begin with, where somebody knows it.
    """
    more: Checks = {"personal_data": (personal_data, personal_data_detail)}
    if expect is not None:
        more = {"expected_hash": (partial(_other_hash, expect=expect), "is the one given"), **more}
    return verify(folder, private, more=more)


def verify_folder(folder: Path, *, expect: str | None = None) -> list[Check]:
    """Return the checks of a release, or of a pretraining corpus; raises nothing."""
    return (verify_corpus if is_corpus(folder) else verify_release)(folder, expect=expect)


def _other_hash(subject: Subject, *, expect: str) -> Iterator[str]:
    """Yield a fault of a release that is whole, but not the one that somebody expects."""
    if not subject.manifest.release_hash.startswith(expect):
        yield f"the release has {subject.manifest.release_hash}, not {expect}"


def personal_data(subject: Subject) -> Iterator[str]:
    """Yield what stands in the texts of a release and should have left; types, never values.

    All texts of tasks that draw from the corpus are looked at, also what annotators wrote; labels
    and origins are none. Tasks without a corpus (dialogues) speak of made-up places with numbers of
    their own. The profile is that of the example's source in the manifest.
    """
    for config, entry in subject.manifest.tasks.items():
        if not INPUTS[entry.task].has_sources:
            continue
        labels = COLUMNS[entry.task].hidden_in_test
        counts: Counter[str] = Counter()
        for split in SPLITS:
            for policy, rows in _rows_by_policy(subject, config, split):
                for name in set(rows.column_names) - _ORIGIN:
                    for texts in _texts(rows[name].combine_chunks(), name, labels):
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


def _rows_by_policy(
    subject: Subject, config: str, split: Split
) -> Iterator[tuple[Policy, pa.Table]]:
    """Yield the rows of a split by what was promised of their sources."""
    table, others = subject.split(config, split), _other_profiles(subject)
    if not others:
        yield _policy(subject), table
        return
    examples = examples_of(table, subject.manifest.tasks[config].task)
    profiles = [others.get(example.source or "") for example in examples]
    for profile in set(profiles):
        yield _policy(subject, profile), table.filter([name == profile for name in profiles])


def _other_profiles(subject: Subject) -> dict[str, Profile]:
    """Return the profile of each source that has another than the build."""
    return {source.source: source.profile for source in subject.manifest.inputs if source.profile}


def _policy(subject: Subject, profile: Profile | None = None) -> Policy:
    return policy_of_release(subject.manifest.build.get("personal_data", {}), profile)


def personal_data_detail(subject: Subject) -> str:
    """Return what a release promises of personal data, by source where not all are alike."""
    others, policy = _other_profiles(subject), _policy(subject)
    promises = [_promise(policy)]
    for profile in sorted(set(others.values())):
        names = ", ".join(name for name in others if others[name] == profile)
        promises.append(f"of {names}, by profile {profile}: {_promise(_policy(subject, profile))}")
    promises += [f"{kind} is kept: {why}" for kind, why in policy.keep.items()]
    return "; ".join(promises)


def _promise(policy: Policy) -> str:
    return f"no {', '.join(sorted(policy.gone)) or 'type'} at {policy.minimum} or surer"
