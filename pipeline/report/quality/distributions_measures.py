"""What is counted and measured in an example of each task: its labels, and its lengths."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from pipeline.tasks.mrc.statistics import type_of

Fields = Mapping[str, Any]


class Counted(NamedTuple):
    """What `labels` counts: a title, what the bars are shares of, and the labels of an example."""

    title: str
    unit: str
    labels: Callable[[Fields, Any], Sequence[str]]


class Measured(NamedTuple):
    """A length: its id, its title, its unit, and the lengths that an example has."""

    id: str
    title: str
    unit: str
    lengths: Callable[[Fields, Any], Sequence[int]]


def _binary(_fields: Fields, label: Any) -> list[str]:
    return ["paraphrase" if label["binary-label"] else "no paraphrase"]


LABELS: Final[dict[str, Counted]] = {
    "tc": Counted("Topics", "headlines", lambda _, label: label[:1]),
    "sts": Counted("Paraphrases", "pairs", _binary),
    "nli": Counted("Labels", "pairs", lambda _, label: [label]),
    "ner": Counted("Entity types", "entities", lambda _, label: [one["label"] for one in label]),
    "re": Counted("Relations", "sentences", lambda _, label: [label]),
    "dp": Counted("Relations", "words", lambda _, label: label["deprels"]),
    "mrc": Counted("Question types", "questions", lambda _, label: [type_of(label)]),
    "dst": Counted("Domains", "domains of dialogues", lambda fields, _: fields["domains"]),
}


def _field(name: str, title: str) -> Measured:
    return Measured(name, title, "characters", lambda fields, _: [len(fields[name])])


def _texts(answers: Sequence[Mapping[str, Any]]) -> list[int]:
    return [len(one["text"]) for one in answers]


LENGTHS: Final[dict[str, tuple[Measured, ...]]] = {
    "tc": (_field("title", "Headline"),),
    "sts": (
        Measured(
            "sentence",
            "Sentences of both sides",
            "characters",
            lambda fields, _: [len(fields["sentence1"]), len(fields["sentence2"])],
        ),
    ),
    "nli": (_field("premise", "Premise"), _field("hypothesis", "Hypothesis")),
    "ner": (_field("text", "Sentence"),),
    "re": (_field("sentence", "Sentence"),),
    "dp": (
        _field("text", "Sentence"),
        Measured("words", "Sentence", "words", lambda fields, _: [len(fields["words"])]),
    ),
    "mrc": (
        _field("context", "Passages, each as often as it has questions"),
        Measured("question", "Question", "characters", lambda _, label: [len(label["question"])]),
        Measured("answer", "Answer", "characters", lambda _, label: _texts(label["answers"])),
    ),
    "dst": (
        Measured("dialogue", "Dialogue", "turns", lambda _, label: [len(label["turns"])]),
        Measured("turn", "Turn", "characters", lambda _, label: _texts(label["turns"])),
    ),
}
