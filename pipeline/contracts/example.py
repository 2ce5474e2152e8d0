"""What a model reads and what it says: examples, and predictions for them.

The forms of predictions (`label` of a Prediction; JSON; offsets in code points, end exclusive):

    tc    "정치"                       the first topic
    sts   3.2                          any finite number, not clipped
    nli   "entailment"
    ner   [{"start": 0, "end": 2, "label": "OG"}]      by start, not overlapping
    re    "per:title"                  `probabilities`: one a relation, in the order of the spec
    dp    {"heads": [2, 0], "deprels": ["NP_SBJ", "VP"]}     one entry a word, 0 is the root
    mrc   "1919년"                     "" says that the passage has no answer
    dst   [["숙소-지역-서울 중앙"], ...]   the state after each user turn
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Example:
    """One example as plain data, in the forms of the task (pipeline/contracts/task.py).

    Out of a test file without labels, `label` holds what is left of the answer (the lemmas of a
    sentence, the texts of a dialogue, a question), or is None where nothing is. `soft_label` is
    what the votes say, where they are known (release/soft_labels.py).
    """

    id: str
    source: str
    fields: Mapping[str, Any]
    label: Any = None
    sampler: str | None = None
    date: str | None = None
    meta: Mapping[str, Any] = field(default_factory=dict)
    soft_label: Any = None


@dataclass(frozen=True)
class Prediction:
    """What a model says about one example.

    `label` has the form of its task (see above). `probabilities` are those of all classes, in the
    order of the spec, where a model gives them and a metric reads them (RE).
    """

    id: str
    label: Any
    probabilities: tuple[float, ...] | None = None

    def record(self) -> dict[str, Any]:
        """Return the line of a file of predictions: guid, label, and probabilities if any."""
        record = {"guid": self.id, "label": self.label}
        return (
            record
            if self.probabilities is None
            else {**record, "probabilities": self.probabilities}
        )
