"""Named entity recognition (NER, Section 3.4): spans of six types in a sentence."""

from __future__ import annotations

from pipeline.contracts.answers import compare_spans, parse_spans, span_tuples
from pipeline.contracts.task import Task, Texts

TASK = Task(
    id="ner",
    config="ner",
    kind="spans",
    fields=("text",),
    titles={"text": "문장"},
    parse=parse_spans,
    view=span_tuples,
    compare=compare_spans,
    texts=Texts(
        entities=lambda fields, label: [
            fields["text"][span["start"] : span["end"]] for span in label
        ]
    ),
)
