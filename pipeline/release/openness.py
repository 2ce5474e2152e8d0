"""What is told in public of a test split that has few examples: nothing that counts its labels.

Labels of test are private one by one, and so is what a count of a few of them gives away: where the
test split has two questions and one of type 3 is counted, half of the answer is told. A count over
many examples tells a reader no more than the promises of the split do.
"""

from __future__ import annotations

from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

#: Fewest examples of a test split about which counts by label are public. Chosen by this project:
#: with 30 or more one example is at most 3.3 percent of any share, and a reader who knows the
#: labels of a few cannot work out those of the others. The numbers of the paper lie far above.
FLOOR: Final = 30
#: The constraints of split rules that are counted by label, or by what betrays it, for every task.
_COUNTED: Final = frozenset(
    {
        "label_share",  # tc: the topics
        *("uniform_bins", "full_bins", "lone_pairs", "least_overlap", "most_overlap"),  # sts
        *("complete_sets", "lowest_sets", "lowest_share"),  # nli: sets of one pair of each label
        "entity_types",  # ner
        "question_type",  # mrc
        *("domains", "counterfactual", "evaluation_goals"),  # dst: what a dialogue is about
        *("train_goals", "unseen_instances"),
    }
)
#: Those that are counted by label in these tasks alone: entities are labels in NER, in RE a text's.
_COUNTED_IN: Final = {"ner": frozenset({"unseen_entities"})}


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
    names = constraints["name"].to_pylist()
    tasks = constraints["task"].to_pylist()
    counted = (
        name in _COUNTED or name in _COUNTED_IN.get(task, ())
        for name, task in zip(names, tasks, strict=True)
    )
    return constraints.filter(pa.array([not one for one in counted], pa.bool_()))


def _is_small(examples: pa.Table) -> bool:
    """Tell whether there are test examples, and fewer than FLOOR."""
    test: int = pc.sum(pc.equal(examples["split"], "test")).as_py() or 0
    return 0 < test < FLOOR
