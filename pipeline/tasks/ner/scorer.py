"""Scoring of named entity recognition: entity F1 and character F1.

A prediction is a list of spans, or tags, one a character of the text, as a release has them. Tags
that spans can say become spans. Others (an I- that continues no entity) stay tags, since characters
are counted by them: `label` of such a Prediction is a list of texts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from pipeline.contracts.answers import Span
from pipeline.contracts.example import Example, Prediction
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import mask
from pipeline.scoring import rows
from pipeline.scoring.measure import Measure, Variant
from pipeline.tasks.kinds.scorer import TaggedText, read_answer, scorer, span_measures
from pipeline.tasks.ner.official import spans_of, tags
from pipeline.tasks.ner.task import TASK

_COLUMNS: Final = ("ner_tags",)


def _read(row: Mapping[str, Any], example: Example, spec: TaskSpec) -> Prediction:
    name, value = rows.first_field(row, ("label", *_COLUMNS))
    if isinstance(value, list) and (name != "label" or (value and isinstance(value[0], str))):
        return Prediction(example.id, _of_tags(name, value, len(example.fields["text"]), spec))
    return read_answer(TASK, name, value, example, spec)


def _of_tags(name: str, given: list[Any], length: int, spec: TaskSpec) -> list[Span] | list[str]:
    """Return the spans that tags say, or the tags where spans cannot say them."""
    if len(given) != length:
        raise rows.wrong(
            "length",
            f"tags in `{name}`: {len(given)}, characters of the text: {length}; give one tag a"
            " character, blanks included",
        )
    allowed = {"O", *(f"{mark}-{name}" for name in spec.ids() for mark in "BI")}
    for place, tag in enumerate(given, start=1):
        if not isinstance(tag, str) or tag not in allowed:
            raise rows.wrong(
                "label",
                f"`{name}`: the tag of character {place} is {mask(tag)}; allowed: O, and B- or I-"
                f" before {', '.join(spec.ids())}",
            )
    spans = spans_of(given)
    return spans if tags(length, spans) == given else given


def _measures(
    golds: Sequence[TaggedText],
    predictions: Sequence[Prediction],
    spec: TaskSpec,
    variant: Variant,
) -> dict[str, Measure | str]:
    labels = [prediction.label for prediction in predictions]
    predicted = [
        label if label and isinstance(label[0], str) else tags(len(text), label)
        for (text, _), label in zip(golds, labels, strict=True)
    ]
    return span_measures(golds, predicted, spec, variant)


SCORER: Final = replace(scorer(TASK), read=_read, measures=_measures, columns=_COLUMNS)
