"""Relation extraction (RE, Section 3.5): the relation from subject to object in a sentence.

The fields `subject` and `object` are {"start", "end", "word", "type"}: offsets into `sentence` in
code points, end exclusive.
"""

from __future__ import annotations

from typing import Any, Final

from pipeline.contracts.answers import compare_labels, same
from pipeline.contracts.spec import Round, TaskSpec
from pipeline.contracts.task import Fields, Task, Texts, one_of, with_verdicts

#: See pipeline/contracts/task.py.
SHARED_FIELD: Final = "sentence"


@with_verdicts
def parse(answer: Any, _fields: Fields, spec: TaskSpec, _round: Round) -> str:
    """Return a relation: any of the spec's, whatever the types of the two entities."""
    return one_of(answer, spec.ids(), "relation")


TASK = Task(
    id="re",
    config="re",
    kind="category",
    fields=("sentence", "subject", "object"),
    titles={"sentence": "문장", "subject": "주체", "object": "객체"},
    shapes={"subject": "entity", "object": "entity"},
    parse=parse,
    view=same,
    compare=compare_labels,
    free=True,
    texts=Texts(
        entities=lambda fields, _label: [fields["subject"]["word"], fields["object"]["word"]],
        unseen_entities=True,
    ),
)
