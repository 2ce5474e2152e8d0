"""Machine reading comprehension (MRC, Section 3.7): the span of a passage that answers a question.

    [CLS] question [SEP] passage [SEP]

A question loses what is beyond `recipe.question_length` tokens. A passage that does not fit is read
in windows, of which each repeats the last `recipe.stride` tokens of the one before (`stride` is an
overlap, as in the library of tokenizers; the first scripts for SQuAD call so how far a window
moves). What is learnt in a window is the first answer that lies in it wholly, and the place of
[CLS] where none does: the question has no answer there, or none at all.

Source: Devlin et al. 2019, Section 4.3 (SQuAD 2.0).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch
from torch.nn.functional import cross_entropy

from pipeline.contracts.example import Example
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import mask
from pipeline.core.errors import InputError
from pipeline.core.wording import count, verb
from pipeline.tasks.mrc.head.answers import (
    ENDS,
    NEVER,
    NULL,
    Answers,
    Spans,
    letter_mask,
    spans_of,
    targets,
)
from pipeline.tasks.mrc.task import UNANSWERABLE
from pipeline.training.features import Features, Numbers, Ragged, cut, indices
from pipeline.training.head import Batch, Decoder, Head, Network, Outputs
from pipeline.training.heads.texts import (
    Windows,
    add_special_tokens,
    check_room,
    check_texts,
    windows,
)
from pipeline.training.recipe import Recipe
from pipeline.training.tokens import Tokens

Bools = npt.NDArray[np.bool_]
#: The fewest special tokens around two texts, until a tokenizer tells its own.
_SPECIAL: Final = 3


def head(spec: TaskSpec, recipe: Recipe, train: Sequence[Example]) -> Head:  # noqa: ARG001
    """Return the head; the examples to learn from change nothing in it."""
    return Reading(recipe)


@dataclass(frozen=True)
class Reading(Head):
    """Span question answering with a null answer."""

    recipe: Recipe

    auto = "QuestionAnswering"

    def check(self, examples: Sequence[Example], *, labels: bool) -> None:
        """Raise InputError for a blank question or passage, and for an answer out of its place."""
        check_room(self.recipe, self.recipe.question_length + _SPECIAL, "mrc: ")
        check_texts("mrc", examples, ["context"])
        for example in examples:
            _check_question(example)
            if labels:
                _check_answers(example)

    def encode(self, examples: Sequence[Example], tokens: Tokens, *, labels: bool) -> Features:
        """Return windows; `allowed` are the ends that an answer may have, and [CLS]."""
        check_room(self.recipe, self.recipe.question_length + tokens.pair.size, "mrc: ")
        if not tokens.pair.parts[0]:
            raise InputError(
                "the tokenizer puts no special token before two texts, at which a model could tell"
                " that there is no answer; use a model whose tokenizer begins with one, as [CLS]"
            )
        question, questions = _number_texts([example.label["question"] for example in examples])
        passage, passages = _number_texts([example.fields["context"] for example in examples])
        asked, read = tokens.ids(questions), tokens.encode(passages)
        long = np.minimum(asked.lengths[question], self.recipe.question_length)
        lengths, ids = read.ids.lengths[passage], [example.id for example in examples]
        held = windows(lengths, ids, self.recipe, taken=long + tokens.pair.size)
        rows, types = add_special_tokens(
            tokens.pair,
            [
                cut(asked, question[held.owners], 0, long[held.owners]),
                cut(read.ids, passage[held.owners], held.begins, held.ends),
            ],
        )
        front = long[held.owners] + sum(map(len, tokens.pair.parts[:2]))
        token = read.ids.starts[passage[held.owners]] + held.begins
        good = letter_mask(passages, read.places)
        columns: dict[str, Any] = {"allowed": _allowed_tokens(rows, good, held, front, token)}
        notes = []
        if cut_questions := int((asked.lengths[question] > long).sum()):
            notes.append(
                f"{cut_questions:,} of {count(len(examples), 'question')}"
                f" {verb(cut_questions, 'is', 'are')} cut at"
                f" {self.recipe.question_length} tokens"
            )
        if labels:
            answers = spans_of(examples, passage, read, good)
            columns["target_start"], columns["target_end"] = targets(answers, held, front)
            notes += _lost_notes(answers, columns["target_start"], held)
        return Features(
            owners=held.owners.astype(np.int32),
            tokens=rows,
            segments=types if tokens.has_types else None,
            columns=columns,
            fills={"allowed": 0},
            beside={"places": read.places.values, "token": token - front},
            notes=(*notes,),
        )

    def network(self, body: Any) -> Network:
        """Return the body, with cross entropy of both ends over the places that are allowed."""
        return Reader(body)

    def decoder(
        self,
        features: Features,
        examples: Sequence[Example],
        tokens: Tokens,  # noqa: ARG002
    ) -> Decoder:
        return Answers(features, examples, self.recipe.answer_length)


class Reader(Network):
    """A body of AutoModelForQuestionAnswering: each token's numbers to be the start and the end."""

    def forward(self, batch: Batch) -> Outputs:
        """Return `start_logits` and `end_logits` (inputs x length), NEVER where not allowed."""
        logits = self.run_body(batch)
        closed = batch["allowed"] == 0
        outputs = {
            "start_logits": logits.start_logits.float().masked_fill(closed, NEVER),
            "end_logits": logits.end_logits.float().masked_fill(closed, NEVER),
        }
        if "target_start" in batch:
            losses = [cross_entropy(outputs[f"{x}_logits"], batch[f"target_{x}"]) for x in ENDS]
            outputs["loss"] = torch.stack(losses).mean()
        return outputs


def _number_texts(texts: Sequence[str]) -> tuple[Numbers, list[str]]:
    numbers: dict[str, int] = {}
    places = [numbers.setdefault(text, len(numbers)) for text in texts]
    return np.array(places, dtype=np.int64), list(numbers)


def _allowed_tokens(
    rows: Ragged, good: Bools, held: Windows, front: Numbers, token: Numbers
) -> Ragged:
    """Return 1 for [CLS] and for tokens of the passage with letters, 0 for all others."""
    values = np.zeros(len(rows.values), dtype=np.int32)
    values[rows.starts[:-1] + NULL] = 1
    counts = held.ends - held.begins
    values[indices(rows.starts[:-1] + front, counts)] = good[indices(token, counts)]
    return Ragged(values, rows.starts)


def _lost_notes(answers: Spans, starts: Numbers, held: Windows) -> Iterator[str]:
    answered = np.flatnonzero(np.diff(answers.starts))
    lost = np.setdiff1d(answered, held.owners[starts != NULL])
    if len(lost):
        had = verb(len(lost), "is learnt as if it had", "are learnt as if they had")
        yield (
            f"{len(lost):,} of {count(len(answered), 'question')} with an answer {had} none: no"
            " window"
            " holds an answer as a whole"
        )


def _check_question(example: Example) -> None:
    label = example.label
    question = label.get("question") if isinstance(label, Mapping) else None
    if not isinstance(question, str) or not question.strip():
        raise InputError(
            f"{example.id}: question: a text that is not blank is wanted, not {mask(question)};"
            " give one or leave the example out"
        )


def _check_answers(example: Example) -> None:
    answers, kind = example.label.get("answers"), example.label.get("type")
    if not isinstance(answers, list):
        raise InputError(f"{example.id}: answers: a list is wanted, not {mask(answers)}")
    if kind is not None and bool(answers) == (kind == UNANSWERABLE):
        raise InputError(
            f"{example.id}: answers: a question of type {mask(kind)} has"
            f" {count(len(answers), 'answer')};"
            f" types 1 and 2 need one, type {UNANSWERABLE} has none"
        )
    for number, answer in enumerate(answers, start=1):
        if fault := _fault(answer, example.fields["context"]):
            raise InputError(
                f"{example.id}: answers: number {number} {fault}; mend it or leave the example out"
            )


def _fault(answer: object, context: str) -> str:
    if not isinstance(answer, Mapping):
        return f"is no object with start and text but {mask(answer)}"
    start, text = answer.get("start"), answer.get("text")
    if not isinstance(text, str) or not text.strip():
        return "has a blank text"
    if type(start) is not int or start < 0 or context[start : start + len(text)] != text:
        return f"does not stand at {mask(start)} in the context of {len(context)} characters"
    return ""
