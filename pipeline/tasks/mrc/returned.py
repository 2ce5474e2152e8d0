"""Checks of returned questions: what an inspector should look at before accepting one.

A check reads an answer of the round `write` and tells what the rules of Section 3.7.1 have against
it. Faults break a rule that can be counted; hints are signs of one. No finding repeats any text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from pipeline.contracts.returned import Finding
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import Fields
from pipeline.core.errors import SpecError
from pipeline.tasks.mrc import wording
from pipeline.tasks.mrc.spec import ReadingSampling, Returned
from pipeline.tasks.mrc.task import UNANSWERABLE, Reading

_BRACKETS: Final = re.compile(r"\([^()]*\)")
_SIGNS: Final = re.compile(r"[\W_]+")


@dataclass(frozen=True)
class _Question:
    """A question with its passage; `marks` are its answers, of type 3 the fake ones."""

    text: str
    kind: int
    marks: list[dict[str, Any]]
    fields: Fields
    limits: Returned

    @property
    def context(self) -> str:
        return str(self.fields["context"])

    @cached_property
    def words(self) -> list[wording.Word]:
        return wording.words(self.text)

    @cached_property
    def content(self) -> frozenset[str]:
        return frozenset().union(*(word.content for word in self.words))

    @cached_property
    def evidence(self) -> list[str]:
        """The sentences in which an answer begins."""
        starts = [mark["start"] for mark in self.marks]
        spans = wording.sentences(self.context)
        return [self.context[a:b] for a, b in spans if any(a <= start < b for start in starts)]


_Check = Callable[[_Question], Iterator[Finding]]


def findings(answer: Reading, fields: Fields, limits: Returned) -> list[Finding]:
    """Return what speaks against a question and its answers, faults and hints, in a fixed order.

    `answer` is one of the round `write`, `fields` those of its item: title, context and, where it
    was assigned, question_type.
    """
    marks = answer.get("plausible_answers", []) if _is_fake(answer) else answer["answers"]
    question = _Question(answer["question"].strip(), answer["type"], marks, fields, limits)
    return [found for check in _CHECKS for found in check(question)]


def _is_fake(answer: Reading) -> bool:
    return bool(answer["type"] == UNANSWERABLE)


def _type(question: _Question) -> Iterator[Finding]:
    asked = question.fields.get("question_type", question.kind)
    if asked != question.kind:
        yield Finding("mrc.returned.type@1", f"type {question.kind}; {asked} was assigned")


def _form(question: _Question) -> Iterator[Finding]:
    length, limits = len(question.text), question.limits
    if not limits.shortest <= length <= limits.longest:
        allowed = f"{limits.shortest} to {limits.longest}"
        yield Finding("mrc.returned.length@1", f"{length} characters; {allowed} wanted")
    if not question.text.endswith("?"):
        yield Finding("mrc.returned.ending@1", "no question mark at the end")


def _span(question: _Question) -> Iterator[Finding]:
    """Every answer stands where it says it does, and is no more than the answer."""
    if not question.marks:
        what = "fake answer" if question.kind == UNANSWERABLE else "answer"
        yield Finding("mrc.returned.no_answer@1", f"no {what} is marked")
    for number, mark in enumerate(question.marks, start=1):
        start, text = mark["start"], mark["text"]
        if question.context[start : start + len(text)] != text or not text.strip():
            yield Finding("mrc.returned.span@1", f"answer {number} does not stand at {start}")
        elif wording.ends_in_particle(text):
            yield Finding(
                "mrc.returned.boundary@1", f"answer {number} ends in a particle", is_hint=True
            )


def _topic(question: _Question) -> Iterator[Finding]:
    """No answer is the title or the main topic, the noun that the passage holds most often."""
    answers = {_bare(mark["text"]) for mark in question.marks}
    title = question.fields.get("title") or ""
    if answers & {_bare(title), _bare(_BRACKETS.sub("", title))} - {""}:
        yield Finding("mrc.returned.title@1", "an answer equals the title")
    counts = Counter(wording.nouns(question.context))
    if counts and answers & {
        _bare(noun) for noun, n in counts.items() if n == max(counts.values())
    }:
        yield Finding("mrc.returned.topic@1", "an answer is the most frequent noun", is_hint=True)
    if any(answer and answer in _bare(question.text) for answer in answers):
        yield Finding("mrc.returned.told@1", "the question holds an answer", is_hint=True)


def _copied(question: _Question) -> Iterator[Finding]:
    asked = [word.text for word in question.words]
    stands = [word for word in map(wording.trimmed, question.context.split()) if word]
    run = wording.longest_run([word for word in asked if word], stands)
    if run >= question.limits.copied:
        yield Finding("mrc.returned.copied@1", f"{run} words in a row stand in the passage just so")


def _overlap(question: _Question) -> Iterator[Finding]:
    """Type 1: more than half of the question's words must not stand in its evidence.

    A word stands there when all its content does: a particle that was changed is no other word.
    """
    if question.kind != 1 or not question.words:
        return
    shares = [_share(question.words, wording.forms(sentence)) for sentence in question.evidence]
    share = max(shares, default=0.0)
    if share >= question.limits.overlap:
        yield Finding("mrc.returned.overlap@1", "half of the words or more stand in its evidence")


def _share(words: list[wording.Word], evidence: frozenset[str]) -> float:
    return round(sum(bool(w.content) and w.content <= evidence for w in words) / len(words), 6)


def _scattered(question: _Question) -> Iterator[Finding]:
    """Type 2: something asked about stands outside the sentence of the answer."""
    near = "\n".join(question.evidence)
    elsewhere = wording.held(question.content, question.context)
    if question.kind == 2 and not elsewhere - wording.held(elsewhere, near):
        yield Finding(
            "mrc.returned.one_sentence@1",
            "all of it that the passage holds stands in the sentence of the answer",
            is_hint=True,
        )


def _related(question: _Question) -> Iterator[Finding]:
    """Type 3: the question speaks of something in the passage."""
    if question.kind != UNANSWERABLE:
        return
    shared = len(wording.held(question.content, question.context))
    if shared < question.limits.related:
        yield Finding("mrc.returned.unrelated@1", f"{shared} words of the passage in it")


def _once(question: _Question) -> Iterator[Finding]:
    """Words that the passage holds once, beside the answer, give it away."""
    near = "\n".join(question.evidence)
    long = {form for form in question.content if len(form) > 1 and form in near}
    rare = sum(question.context.count(form) == 1 for form in long)
    if rare >= question.limits.once:
        yield Finding(
            "mrc.returned.once@1",
            f"{rare} words stand in the passage once, all beside the answer",
            is_hint=True,
        )


def _bare(text: str) -> str:
    return _SIGNS.sub("", text.casefold())


_CHECKS: Final[tuple[_Check, ...]] = (
    _type,
    _form,
    _span,
    _topic,
    _copied,
    _overlap,
    _scattered,
    _related,
    _once,
)


def _check(
    answer: Reading, fields: Fields, _meta: Mapping[str, Any], spec: TaskSpec
) -> list[Finding]:
    if not isinstance(spec.sampling, ReadingSampling):
        raise SpecError(
            f"{spec.name}: has no section `sampling`, whose part `returned` holds the numbers of"
            " these checks; add it to the spec, as annotation_specs/mrc/spec.yaml has it"
        )
    return findings(answer, fields, spec.sampling.returned)


CHECK: Final = _check
