"""Scoring of named entity recognition: entity F1 and character F1.

A prediction is a list of spans, or tags, one a character of the text, as a release has them. Tags
that spans can say become spans. Others (an I- that continues no entity) stay tags, since characters
are counted by them: `label` of such a Prediction is a list of texts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from pipeline.contracts.answers import Span, parse_spans
from pipeline.contracts.example import Example, Prediction
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import shown
from pipeline.core.errors import RecordError
from pipeline.scoring import rows
from pipeline.scoring.measure import Measure, Variant
from pipeline.scoring.metrics.entities import char_measure, entity_measure
from pipeline.scoring.scorer import Scorer
from pipeline.tasks.ner.official import TYPES, tags

_COLUMNS: Final = ("ner_tags",)


def _gold(example: Example) -> list[str]:
    """Return the gold tags, one a character."""
    if example.label is None:
        raise RecordError("gold.label@1", "no `label`; the entities of a test file lie apart")
    return tags(len(example.fields["text"]), example.label)


def _read(row: Mapping[str, Any], example: Example, spec: TaskSpec) -> Prediction:
    name = next((one for one in ("label", *_COLUMNS) if row.get(one) is not None), None)
    if name is None:
        raise RecordError(
            "prediction.form@1",
            "neither `label` nor `ner_tags`; give a list of spans, or one tag a character",
        )
    given = row[name]
    if isinstance(given, list) and (name != "label" or (given and isinstance(given[0], str))):
        return Prediction(example.id, _of_tags(name, given, len(example.fields["text"]), spec))
    try:
        return Prediction(example.id, parse_spans(given, example.fields, spec, spec.rounds[0]))
    except RecordError as fault:
        rule = fault.rule.replace("vote.", "prediction.")
        raise RecordError(rule, f"`{name}`: {fault.reason}") from None


def _of_tags(name: str, given: list[Any], length: int, spec: TaskSpec) -> list[Span] | list[str]:
    """Return the spans that tags say, or the tags where spans cannot say them."""
    if len(given) != length:
        raise RecordError(
            "prediction.length@1",
            f"tags in `{name}`: {len(given)}, characters of the text: {length}; give one tag a"
            " character, blanks included",
        )
    allowed = {"O", *(f"{mark}-{one}" for one in spec.ids() for mark in "BI")}
    for place, tag in enumerate(given, start=1):
        if not isinstance(tag, str) or tag not in allowed:
            raise RecordError(
                "prediction.label@1",
                f"`{name}`: the tag of character {place} is {shown(tag)}; allowed: O, and B- or I-"
                f" before {', '.join(spec.ids())}",
            )
    spans = _spans(given)
    return spans if tags(length, spans) == given else given


def _spans(given: list[str]) -> list[Span]:
    """Return the entities of tags; an I- that continues none is left out."""
    spans: list[Span] = []
    for place, tag in enumerate(given):
        if tag.startswith("B-"):
            spans.append({"start": place, "end": place + 1, "label": tag[2:]})
        elif spans and spans[-1]["end"] == place and tag == f"I-{spans[-1]['label']}":
            spans[-1]["end"] = place + 1
    return spans


def _tags(label: list[Any], length: int) -> list[str]:
    return label if label and isinstance(label[0], str) else tags(length, label)


def _measures(
    golds: Sequence[list[str]],
    predictions: Sequence[Prediction],
    spec: TaskSpec,
    variant: Variant,
) -> dict[str, Measure | str]:
    pairs = zip(golds, predictions, strict=True)
    given = [_tags(prediction.label, len(gold)) for gold, prediction in pairs]
    return {
        "entity_f1": entity_measure(golds, given, variant=variant, types=spec.ids()),
        "char_f1": char_measure(golds, given, variant=variant, types=spec.ids()),
    }


def _labels(example: Example) -> tuple[str, ...]:
    found = {span["label"] for span in example.label}
    return tuple(one for one in TYPES if one in found)


SCORER: Final = Scorer(
    task="ner",
    names=("entity_f1", "char_f1"),
    measures=_measures,
    length=rows.characters("text"),
    gold=_gold,
    read=_read,
    labels=_labels,
    columns=_COLUMNS,
)
