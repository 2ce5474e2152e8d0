"""Named entity recognition (NER, Section 3.4): spans of six types in a sentence."""

from __future__ import annotations

from typing import Any

from pipeline.contracts.answers import compare_spans, parse_spans, span_tuples
from pipeline.contracts.task import Fields, Task, Texts


def _entities(fields: Fields, label: Any) -> list[str]:
    return [fields["text"][span["start"] : span["end"]] for span in label]


TASK = Task(
    id="ner",
    config="ner",
    kind="spans",
    fields=("text",),
    titles={"text": "문장"},
    parse=parse_spans,
    view=span_tuples,
    compare=compare_spans,
    texts=Texts(entities=_entities),
)
