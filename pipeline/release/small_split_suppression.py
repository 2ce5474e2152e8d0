"""Suppresses counts by label over a test split that has few examples.

Labels of test are private one by one, and so is what a count of a few of them reveals: where the
test split has two examples and one is counted under a label, half of the answer is known. A count
over many examples reveals no more than the promises of the split do.
"""

from __future__ import annotations

from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.contracts.parts import Parts

#: Fewest examples of a test split about which counts by label are public. Chosen by this project:
#: with 30 or more one example is at most 3.3 percent of any share, and a reader who knows the
#: labels of a few cannot work out those of the others. The numbers of the paper lie far above.
FLOOR: Final = 30
#: The constraints of every task's split that are not counted by label.
_PLAIN: Final = frozenset({"size", "kept", "whole_groups", "source_share"})
#: The names of other such constraints, of a task's own rule. All others are counted by label, or by
#: what betrays it.
_OWN: Final = Parts[frozenset[str]]("split", "PLAIN_CONSTRAINTS")


def open_examples(examples: pa.Table) -> pa.Table:
    """Return EXAMPLES about which aggregates may be public: without a test split below FLOOR."""
    if not _is_small(examples):
        return examples
    return examples.filter(pc.not_equal(examples["split"], "test"))


def open_constraints(constraints: pa.Table, examples: pa.Table) -> pa.Table:
    """Return CONSTRAINTS that may be public, those of `examples` (EXAMPLES) of one task.

    Where test has fewer examples than FLOOR, those counted by label are left out, of all splits:
    what a rule wanted of train or dev tells the count of all, and with it that of test.
    """
    if not _is_small(examples):
        return constraints
    plain = _PLAIN | frozenset().union(
        *(_OWN.get(task, ()) for task in pc.unique(constraints["task"]).to_pylist())
    )
    kept = pc.is_in(constraints["name"], value_set=pa.array(sorted(plain), pa.string()))
    return constraints.filter(kept)


def _is_small(examples: pa.Table) -> bool:
    """Tell whether there are test examples, and fewer than FLOOR."""
    test: int = pc.sum(pc.equal(examples["split"], "test")).as_py() or 0
    return 0 < test < FLOOR
